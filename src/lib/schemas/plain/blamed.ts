import { listed } from './words/listed.ts';
import type { CulpritResult } from '../operation.ts';

/** "Quiet Villagers 3.0.0 does not start here." and "The other four can be updated.", for a search with a result. */
export function blamed({ culprits, together, rest }: CulpritResult) {
	const names = culprits.map(({ title, version }) => [title, version].filter(Boolean).join(' '));
	const verb = together ? 'do not start together here' : 'does not start here';
	return {
		headline: `${listed(names)} ${verb}.`,
		why: rest.length ? `${othersWord(rest.length)} can be updated.` : null
	};
}

const COUNTS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const othersWord = (count: number) =>
	count === 1 ? 'The other one' : `The other ${COUNTS[count - 2] ?? count}`;
