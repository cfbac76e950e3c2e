import { remedies } from '$lib/game/mods';
import type { Operation, OperationAgain, OperationKind } from '$lib/schemas/operation';
import { isOfMods, type Outcome } from './outcome';

/** A page to go to, or what a button begins at once. */
export type Next = {
	label: string;
	/** It costs much, and nothing calls for it: it is never what to press first. */
	drastic?: boolean;
} & ({ href: string } | { do: OperationAgain['do'] });
type Link = { href: string; label: string; drastic?: boolean };
const MODS = { href: '/admin/mods', label: 'To the mods' };
const VERSIONS = { href: '/admin/server/upgrade', label: 'To the game versions' };
const BACKUPS = { href: '/admin/backups', label: 'To the backups' };
const SCHEDULE = { href: '/admin/schedule', label: 'To the schedule' };

const STOP = '/admin/confirm?do=stop';
const STOP_IT = 'Stop it…';
const RESTORE = 'Restore the world…';
const OVERVIEW = { href: '/admin', label: 'To the overview' };

const START: Next = { label: 'Start again', do: 'start' };
/** After what leaves a stopped server as it was. */
const START_IT: Next = { label: 'Start the server', do: 'start' };

/** Who looks, and what can be done to the server now. */
type Situation = {
	isSuperadmin: boolean;
	possible: { start: boolean; restart: boolean; stop: boolean; backup: boolean };
	/** The server is starting now. */
	isLoading?: boolean;
};

/** What the same once more would be, where it may come out differently; its page first, where that says what happens. */
export function retryOf(
	operation: Operation,
	again: string | null,
	{ isSuperadmin, possible, isLoading }: Situation
): Next | null {
	const { kind, state, steps, kept, cause, killedBy } = operation;
	if (state === 'running' || state === 'succeeded') return null;
	if (kept) return possible.start ? START : null;
	const link = (label: string, href = again, may = true) =>
		href !== null && may ? { label, href } : null;
	// The same mods would not start the next time either.
	const refuted = steps.some(({ id, status }) => status === 'failed' && OF_THE_SET.includes(id));
	switch (kind) {
		case 'backup':
			// Why not stands where backups are made.
			return possible.backup ? { label: 'Back up again', do: 'backup' } : null;
		case 'modpack':
			return { label: 'Build it again', do: 'modpack' };
		case 'start':
		case 'restart':
			if (possible.start) return START;
			// It may still be loading, and would begin anew.
			if (cause?.loading) return isLoading ? link(STOP_IT, STOP, possible.stop) : null;
			return link('Restart again…', '/admin/confirm?do=restart', possible.restart);
		case 'stop':
			// A kill has ended it.
			return link('Stop again…', STOP, possible.stop && !killedBy);
		case 'install':
			return link('Find it again', '/admin/mods?tab=find', !refuted);
		case 'update':
		case 'enable':
		case 'disable':
		case 'remove':
			return link('Plan again', again, !refuted);
		case 'restore':
			return link('Restore again…', again, isSuperadmin && !refuted);
		case 'culprit':
			return link('Search again…');
		case 'go-back':
			return link('Go back again…', again, isSuperadmin && !refuted);
		case 'upgrade':
			return link('Plan again', VERSIONS.href, isSuperadmin);
		case 'create':
		case 'import':
		case 'change-software':
		case 'java':
			return link('Choose again', '/admin/server', isSuperadmin);
	}
}

/** The steps that fail because of the mods themselves. */
const OF_THE_SET = ['trial', 'restart', 'verify'];

/** Hardly anything that is played in that time is lost by going back. */
const FRESH_MS = 3_600_000;

/** Where people may go from an operation that has ended, the most likely first. */
export function placesAfter(
	operation: Operation,
	{
		backup,
		world,
		log: written
	}: Pick<Outcome, 'backup' | 'world'> & Partial<Pick<Outcome, 'log'>>,
	{ isSuperadmin, possible }: Situation
): Link[] {
	const { kind, cause, steps, by } = operation;
	if (kind === 'culprit') return [MODS];
	// What a copy has written is not in the server's log.
	const onCopy = steps.some(({ id, status }) => id === 'trial' && status === 'failed');
	const href = written ?? '/admin/logs';
	const log = cause?.log.length && !onCopy ? [{ href, label: 'Read the log' }] : [];
	if (kind === 'upgrade' || kind === 'go-back') return [VERSIONS, ...log];
	if (backup) return [{ href: `/admin/backups?backup=${backup}`, label: 'Show the backup' }];
	if (operation.kept && !cause?.mods.length) return log;
	if (isOfMods(operation) || kind === 'modpack' || cause?.mods.length) {
		const href = `/admin/backups/restore?backup=${world}&scope=world`;
		const drastic = !possible.start;
		const restore = world && isSuperadmin ? [{ href, label: RESTORE, drastic }] : [];
		const ended = Date.parse(operation.finishedAt ?? operation.startedAt);
		// Where the server is down, nobody has played since.
		const isFresh = possible.start || Date.now() - ended < FRESH_MS;
		return isFresh ? [...restore, MODS, ...log] : [MODS, ...restore, ...log];
	}
	const task = by === 'schedule' && operation.state !== 'succeeded' ? [SCHEDULE] : [];
	const home = kind === 'backup' || kind === 'restore' ? [BACKUPS] : [];
	return [...home, ...task, ...log];
}

/** With those of its mods: how it is then, the overview says. */
const OF_THE_SERVER: OperationKind[] = ['start', 'stop', 'restart', 'restore'];

/** What can be done next, the most likely to help first. After a success not `back`, which is linked already. */
export function nextSteps(
	operation: Operation,
	outcome: Pick<Outcome, 'backup' | 'world' | 'again' | 'blame'> & Partial<Pick<Outcome, 'log'>>,
	now: Situation & { back: string }
): Next[] {
	const helping =
		outcome.blame && now.possible.start ? remedies(outcome.blame, now.isSuperadmin) : [];
	const isDone = operation.state === 'succeeded';
	const places = placesAfter(operation, outcome, now).filter(
		({ href }) => !isDone || href !== now.back
	);
	if (isDone && operation.kind === 'restore' && now.possible.start) return [START_IT, ...places];
	if (isDone && (OF_THE_SERVER.includes(operation.kind) || isOfMods(operation)))
		return now.back === OVERVIEW.href ? places : [OVERVIEW, ...places];
	const retry = retryOf(operation, outcome.again, now);
	if (!retry) return [...helping, ...places];
	const same = 'href' in retry ? retry.href : null;
	const others: Next[] = places.filter(({ href }) => href !== same);
	// What a mod has stopped is stopped by it again.
	if (helping.length) return [...helping, ...others.filter((one) => one !== MODS), retry];
	// Its log says whether to wait.
	if (retry.label === STOP_IT) return [...others, retry];
	const first = operation.cause?.mods.length || others[0]?.label === RESTORE ? 1 : 0;
	return others.toSpliced(first, 0, retry);
}
