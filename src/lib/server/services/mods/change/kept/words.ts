import type { ModChange } from '../types.ts';
import type { Verdict } from './verdict.ts';

type Kept = {
	kind: ModChange['kind'] | 'restore';
	what: string;
	verdict: Verdict;
	/** It had been ready for players. */
	ready: boolean;
	/** Its process was left to go on. */
	runs: boolean;
};

/** What was done, and that it does not help the server: the reason follows. */
export function keptWords({ kind, what, verdict, ready, runs }: Kept): string {
	const action = kind === 'restore' ? `${what} was restored` : `${KEPT_ACTIONS[kind]} ${what}`;
	if (ready && runs) return `${action}. The server starts, but does not come up healthy.`;
	const still = verdict === 'unknown-before' ? '' : 'still ';
	const fate = ready ? 'does not stay up' : 'does not start';
	return `${action}. The server ${still}${fate}${BEFORE[verdict]}.`;
}

const KEPT_ACTIONS: Record<ModChange['kind'], string> = {
	install: 'Installed',
	update: 'Updated',
	enable: 'Enabled',
	disable: 'Disabled',
	remove: 'Removed'
};
const BEFORE: Record<Verdict, string> = {
	same: ', for the same reason as before',
	among: ', for a reason that it already had before',
	other: ', for a different reason than before',
	'unknown-before': ''
};
