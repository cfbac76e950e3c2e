import { listed } from './words/listed.ts';
import { sentenceCase } from './words/sentence-case.ts';
import type { CulpritResult } from '../operation.ts';

/**
 * "Quiet Villagers 3.0.0 does not start here." and "Two of the other four updates started without it: Lithium and
 * Waymarks. The search had its answer then, so the other two have not been tried; an update tries them.", for a search with a result.
 */
export function blamed({ culprits, together, rest, tried, started }: CulpritResult) {
	const names = culprits.map(({ title, version }) => [title, version].filter(Boolean).join(' '));
	const verb = together ? 'do not start together here' : 'does not start here';
	return {
		headline: `${listed(names)} ${verb}.`,
		why: rest.length
			? ofRest(rest.length, { tried, started }, culprits.length > 1 ? 'them' : 'it')
			: null
	};
}

/** What is known of the others, and no more. */
function ofRest(
	count: number,
	{ tried, started = [] }: Pick<CulpritResult, 'tried' | 'started'>,
	without: string
) {
	const others = `the other ${count === 1 ? 'update' : `${numberWord(count)} updates`}`;
	const all = sentenceCase(others);
	if (tried === undefined) return `${all} can be tried without ${without}.`;
	if (tried >= count) return `${all} started without ${without}.`;
	if (!tried) return `${all} ${count === 1 ? 'has' : 'have'} not been tried without ${without}.`;
	const which = started.length ? `: ${listed(started, NAMED_MAX)}` : '';
	const left = count - tried;
	return `${sentenceCase(numberWord(tried))} of ${others} started without ${without}${which}. The search had its answer then, so the other ${left === 1 ? 'one has not been tried; an update tries it' : `${numberWord(left)} have not been tried; an update tries them`}.`;
}

const NAMED_MAX = 3;
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const numberWord = (count: number) => COUNTS[count - 1] ?? String(count);
