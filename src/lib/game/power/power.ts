import type { Queries } from '$lib/client/queries.svelte.ts';
import type { OperationRow } from '$lib/schemas/operation';
import type { Unready } from '$lib/schemas/setup';
import type { ServerState, Status } from '$lib/schemas/status';
import { doing, operationTitle, playersWord } from '../labels';
import { duration } from '$lib/schemas/plain/words/duration';
import { DELAY_MAX_S } from '$lib/schemas/plain/delay';
import { CAN_KILL, killLabel } from '$lib/schemas/plain/words/kill-words';
import { countdown, type Counting } from './countdown';

/** What is said of a server that was killed; it is old once that runs again. */
export const KILLED = 'killed';
export type PowerAction = 'start' | 'stop' | 'restart' | 'kill';

export type Holder = Pick<OperationRow, 'kind' | 'subject' | 'countsDown' | 'cancellable'>;
type Situation = {
	state: ServerState;
	/** Why nothing can be done to it from here: its process is out of reach. */
	unseen?: string | null;
	operation: Holder | null;
	/** Why it cannot be started at all yet; null when it can. */
	unready: Unready | null;
};

/** The operation that has the server for itself, or is about to: players are being told so. Null while there is none. */
export const holder = (operations: OperationRow[] = []) =>
	operations.find(
		({ state, leavesServer, countsDown }) => state === 'running' && (!leavesServer || countsDown)
	) ?? null;

/** What has the server, what else runs, or what ended last: a short one may have begun later. */
export function current(operations: OperationRow[]): OperationRow | null {
	const running = operations.find(({ state }) => state === 'running');
	const end = (one: OperationRow) => one.finishedAt ?? one.startedAt;
	const [last] = operations.toSorted((a, b) => end(b).localeCompare(end(a)));
	return holder(operations) ?? running ?? last ?? null;
}

/** Why an action is not possible now, in one sentence; null when it is. The server decides again when it is asked. */
export function obstacle(
	action: PowerAction,
	{ state, unseen, operation, unready }: Situation
): string | null {
	if (unseen) return unseen;
	const down = state === 'stopped' || state === 'crashed';
	if (down && unready?.server === false) return unready.why;
	if (action === 'kill') return down ? 'There is no process to kill.' : null;
	if (action === 'stop' && operation && isStartToCancel(operation)) return null;
	if (operation) return inProgress(operation);
	if (state === 'starting') return action === 'start' ? 'The server is starting.' : null;
	if (state === 'stopping') return 'The server is stopping.';
	if (action === 'start' && state === 'unknown') return 'The server runs but does not answer.';
	if (action === 'start')
		return state === 'running' ? 'The server is running.' : (unready?.why ?? null);
	return down ? 'The server is not running.' : null;
}

/** To stop a server that is being started, its start is cancelled, which stops it. */
export const isStartToCancel = ({ kind, cancellable }: Holder) =>
	kind === 'start' && cancellable === true;

/** What keeps anything else from having the server, in one or two sentences. */
export const inProgress = (operation: Holder) =>
	operation.countsDown
		? `The server is about to ${endOf(operation)}${isEnd(operation) ? '' : ` for “${operationTitle(operation)}”`}. Wait for it, or cancel it.`
		: doing(operation);

const endOf = ({ kind }: Pick<Holder, 'kind'>) => (kind === 'stop' ? 'stop' : 'restart');
const isEnd = (operation: Pick<Holder, 'kind'>) => operation.kind === endOf(operation);

/** The same where nothing else says what for: "Restarts in 42 s: Update 5 mods". */
export const announced = (operation: Counting) =>
	[countdown(operation), ...(isEnd(operation) ? [] : [operationTitle(operation)])].join(': ');

/** Shows the next state at once; the server's answer replaces it. Returns a function that undoes it. */
export const expectState = (queries: Queries, status: Status, state: ServerState) =>
	queries.set<Status>(['status'], (old) => ({ ...(old ?? status), state, reason: null }));

export const obstacles = (situation: Situation) => ({
	start: obstacle('start', situation),
	restart: obstacle('restart', situation),
	stop: obstacle('stop', situation),
	kill: obstacle('kill', situation)
});

/** "Cannot start: the server is running." — the answer to a press on what is not possible now. */
export const cannot = (action: PowerAction, why: string) =>
	`Cannot ${LABELS[action].toLowerCase()}: ${why[0]!.toLowerCase()}${why.slice(1)}`;

/** The answer to such a press once nothing is in its way any more: it has not been done. */
export const canNow = (action: PowerAction) => `${LABELS[action]} is possible now.`;

/** What is killed while it loads has been started again already. */
export const startsAgain = (operation: Pick<Holder, 'kind'> | null, state: ServerState) =>
	operation?.kind === 'restart' && state !== 'starting';

/** What the press that confirms is called. */
export const confirmLabel = (action: PowerAction, operation: Holder | null, state: ServerState) =>
	action === 'kill' ? killLabel(startsAgain(operation, state)) : LABELS[action];

/** What a kill does to the operation in progress, and what follows then. */
export function afterKill(operation: Holder, state: ServerState): string {
	const what = `“${operationTitle(operation)}” is in progress.`;
	const goesOn = `${what} It goes on`;
	const fails = `${what} It then ends as failed`;
	switch (operation.kind) {
		case 'start':
		case 'stop':
			return `${fails}, and the server stays down.`;
		case 'restart':
			if (!startsAgain(operation, state)) return `${fails}, and the server stays down.`;
			return `${goesOn}: the server is started again right after the kill.`;
		case 'backup':
			return `${goesOn}, without what the game has not saved yet.`;
		case 'modpack':
		case 'java':
		case 'culprit':
			return `${goesOn} anyway.`;
		default:
			if (state === 'starting') return `${fails}, and what it has changed is rolled back.`;
			if (operation.countsDown || state !== 'running')
				return `${goesOn}, and starts the server again when it is done.`;
			return `${what} Once it has started the server again, a kill makes it end as failed, and what it has changed is rolled back.`;
	}
}

/** Exactly what will happen, for the confirmation. */
export function consequence(
	action: PowerAction,
	players: number | null,
	state: ServerState = 'running',
	/** What becomes of one that does not end is asked too. */
	asksToKill = false
): string {
	const late = asksToKill ? '' : ` If it does not end, ${CAN_KILL}.`;
	const saved =
		state === 'unknown'
			? `It does not answer now, so it may end without saving the world.${late}`
			: 'The world is saved first.';
	if (action === 'start') return 'Starts the server.';
	const whom =
		players === null
			? 'Anyone who is playing is disconnected.'
			: players === 0
				? 'Nobody is playing.'
				: null;
	switch (action) {
		case 'stop':
			if (state === 'starting')
				return 'Stops the server, which is still starting: nobody can be playing yet.';
			return whom
				? `Stops the server. ${whom} ${saved}`
				: `Stops the server for ${playersWord(players!)}. ${saved}`;
		case 'restart':
			return whom
				? `Stops the server and starts it again. ${whom} ${saved}`
				: `Restarts the server for ${playersWord(players!)}: they are disconnected until it is back. ${saved}`;
		case 'kill':
			return `Ends the server’s process at once${players ? `, with ${playersWord(players)} on it` : ''}. What the game has not saved yet is lost. Use it only when Stop does not work.`;
	}
}

export const QUESTIONS: Record<PowerAction, string> = {
	start: 'Start the server anyway?',
	stop: 'Stop the server?',
	restart: 'Restart the server?',
	kill: 'Kill the server?'
};
export const LABELS: Record<PowerAction, string> = {
	start: 'Start',
	stop: 'Stop',
	restart: 'Restart',
	kill: 'Kill'
};
/** Somebody may be playing, and would be disconnected: a change can be announced to them. */
export const mayCountDown = ({ state, players }: Pick<Status, 'state' | 'players'>) =>
	state === 'running' && players.online !== 0;

/**
 * How the backup before a change stands to its countdown: null where there is none. Until the script runs, the choice is
 * not known, and the words are true for each.
 */
export function backupBefore(counts: boolean, delay: string, hydrated: boolean): string | null {
	if (!counts || (hydrated && delay === '0')) return null;
	if (!hydrated) return 'If there is a countdown, it is made before that begins.';
	return 'Made before the countdown begins.';
}

/** What the button of a change says of its countdown, whose choice may be out of sight; nothing until that is known. */
export function soon(counts: boolean, delay: string, hydrated: boolean): string {
	const chosen = counts && hydrated && DELAYS.find(({ value }) => value === delay);
	return chosen ? ` · ${chosen.short}` : '';
}

/** What is suggested: whoever plays is told in time. */
export const suggestedDelay = (players: number | null) => (players ? '60' : '0');
/** The countdowns on offer, in seconds. */
export const DELAYS = [
	{ value: '0', label: 'Now', short: 'now' },
	{ value: '30', label: 'In 30 seconds', short: 'in 30 s' },
	{ value: '60', label: 'In 1 minute', short: 'in 1 min' },
	{ value: '300', label: 'In 5 minutes', short: 'in 5 min' },
	{ value: '900', label: 'In 15 minutes', short: 'in 15 min' }
];
/** The countdown that somebody has asked for, as far as there are such long ones. */
export const delayFor = (seconds: number) => String(Math.min(seconds, DELAY_MAX_S));
/** The countdowns on offer, and the one that was asked for. */
export function delaysWith(wanted?: number): typeof DELAYS {
	const seconds = Number(delayFor(wanted ?? 0));
	if (DELAYS.some(({ value }) => Number(value) === seconds)) return DELAYS;
	const short = `in ${duration(seconds * 1000)}`;
	const asked = { value: String(seconds), label: `In ${spanWords(seconds)}`, short };
	return [...DELAYS, asked].sort((a, b) => Number(a.value) - Number(b.value));
}
const spanWords = (seconds: number) =>
	seconds % 60 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${seconds / 60} minutes`;
export const DELAY_LONGEST = spanWords(DELAY_MAX_S);
