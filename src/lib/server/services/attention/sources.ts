import type { Attention, AttentionAction } from '#schemas/overview/attention';
import { blamed } from '#schemas/plain/blamed';
import { isGood, isOverdue } from '#schemas/plain/good-backup';
import { duration } from '#schemas/plain/words/duration';
import { LEFT_RUNNING } from '#schemas/plain/words/left-running';
import { listed } from '#schemas/plain/words/listed';
import { titlesOf, withTitles } from '#schemas/plain/mod-titles';
import { day } from '#schemas/plain/day';
import { failedHow, isOffered } from '#schemas/plain/offered';
import { changeAfter, isOfMods, mayChangeMods } from '#schemas/plain/of-mods';
import { plainWords } from '#schemas/plain/words/plain-words';
import { upgradeWithout, type Without } from '#schemas/software/without';
import type { Backup } from '#schemas/backup';
import type { Role } from '#schemas/common';
import type { Mod, ModProblem, ModUpdates, ModUpdateState } from '#schemas/mod';
import type { CulpritResult, Operation, OperationKind } from '#schemas/operation';
import { gigabytes, isAlmostFull } from '#core/files';
import type { Known } from '#core/ttl-cache';
import type { Observation } from '#operations';
import type { RuntimeState } from '#runtime';

/** `since` is filled in with when it was first found, where a source does not know it. */
export type Item = Pick<Attention, 'code' | 'title' | 'detail'> & Partial<Attention>;

/** What other parts of the dashboard report, as far as it is known by now. */
export type Sources = {
	mods: () => Promise<Known<Mod[]>>;
	updates: () => Promise<Known<ModUpdates>>;
	backups: () => Promise<Known<Backup[]>>;
	/** The newest, with their ends. */
	operations: () => Promise<Known<Operation[]>>;
	/** `worldSince`: when the world's folder was created; null when there is no world. */
	machine: () => Promise<Known<Machine>>;
};
export type Machine = {
	disks: { what: string; freeBytes: number; totalBytes: number }[];
	memory: { freeBytes: number; totalBytes: number };
	/** The program of the start command that is missing; null when it exists, or when it is not known to be needed. */
	javaMissing: string | null;
	worldSince: string | null;
};

const DAY_MS = 24 * 3_600_000;
/** A younger world has hardly anything to lose; and one of less than a day little, so that it can wait. */
const NEW_WORLD_MS = 10 * 60_000;
const YOUNG_WORLD_MS = DAY_MS;
const NAMED_MAX = 3;
/** So many failed changes are told at once. */
const CHANGES_MAX = 3;

export const link = (label: string, href: string): AttentionAction => ({ label, href, seen: null });
/** The same for what puts it right. */
export const help = (label: string, href: string): AttentionAction => ({
	...link(label, href),
	helps: true
});

/** For what is fixed outside the dashboard. */
export const CHECK_AGAIN = link('Check again', '/admin');

const DAMAGED: readonly ModProblem['code'][] = ['broken', 'not-a-file', 'duplicate'];
const MISSING: readonly ModProblem['code'][] = [
	...(['missing-dependency', 'wrong-dependency-version', 'incompatible'] as const)
];

type Trouble = { fileName: string; name: string; message: string };
const withProblem = (mods: Mod[], codes: readonly ModProblem['code'][]): Trouble[] =>
	mods.flatMap(({ fileName, name, problems }) => {
		const problem = problems.find(({ code }) => codes.includes(code));
		return problem ? [{ fileName, name, message: problem.message }] : [];
	});

/** The jars with which the server may not start, each in a sentence. */
export const damagedJars = (mods: Mod[]): string[] =>
	[...withProblem(mods, DAMAGED), ...withProblem(mods, MISSING)].map(sentence);

const sentence = ({ fileName, message }: Trouble) => `${fileName}: ${message}`;

function several(found: Trouble[]) {
	const shown = found.slice(0, NAMED_MAX).map(sentence).join(' ');
	const more = found.length - NAMED_MAX;
	const [first] = found;
	const href =
		found.length === 1
			? `/admin/mods?mod=${encodeURIComponent(first!.fileName)}`
			: '/admin/mods?show=problems';
	return {
		detail: more > 0 ? `${shown} And ${more} more.` : shown,
		action: link(found.length === 1 ? 'Look at it' : 'Look at them', href)
	};
}

export function modItems(mods: Mod[]): Item[] {
	const damaged = withProblem(mods, DAMAGED);
	const missing = withProblem(mods, MISSING);
	const items: Item[] = [];
	if (damaged.length)
		items.push({
			code: 'mods-damaged',
			title: damaged.length === 1 ? 'A mod is damaged' : `${damaged.length} mods are damaged`,
			...several(damaged),
			advice: 'The server may not start with them.'
		});
	if (missing.length)
		items.push({
			code: 'mods-missing',
			title:
				missing.length === 1
					? 'A mod is missing something it needs'
					: `${missing.length} mods are missing something they need`,
			...several(missing),
			advice: 'The server may not start with them.'
		});
	return items;
}

/** They are offered still, as any of them may be to blame: that they failed together is said all the same. */
function failedBefore(offered: ModUpdateState[], isSearched: boolean): string {
	const failed = offered.flatMap(({ failedHere }) => failedHere ?? []);
	const last = failed.toSorted((a, b) => b.at.localeCompare(a.at))[0];
	if (!last) return '';
	const isAll = failed.length === offered.length;
	const which = isAll ? (failed.length === 1 ? 'It' : 'They') : `${failed.length} of them`;
	const verb = failed.length === 1 ? 'was' : 'were';
	const known = isSearched ? 'being found out' : 'not certain';
	return `${which} ${verb} part of an update that ${failedHow(last)} here on ${day(last.at)}; which mod is to blame is ${known}. `;
}

const isSame = (files: string[], others: string[]) =>
	new Set(files).size === others.length && others.every((one) => files.includes(one));

/** `told`: the files whose updates another item offers; exactly these are not offered twice. `isSearched`: a mod to blame is. */
export function updateItems(
	{ mods, checkedAt }: ModUpdates,
	{ told, isSearched }: { told: string[][]; isSearched: boolean }
): Item[] {
	const offered = mods.filter(isOffered);
	const count = offered.length;
	const files = offered.map(({ fileName }) => fileName);
	if (!count || told.some((one) => isSame(one, files))) return [];
	const failed = failedBefore(offered, isSearched);
	return [
		{
			code: 'updates',
			title: count === 1 ? 'An update is waiting' : `${count} updates are waiting`,
			detail: `${failed}If the server does not come up healthy with ${count === 1 ? 'it, it is' : 'them, they are'} rolled back.`,
			// The same time as on the page of the mods.
			since: checkedAt,
			action: link(count === 1 ? 'Look at it' : 'Look at them', '/admin/mods?show=updates')
		}
	];
}

export function backupItems(backups: Backup[], machine: Machine | null, now: Date): Item[] {
	const { worldSince } = machine ?? {};
	if (!worldSince) return [];
	const newest = backups.find(isGood);
	const ageMs = now.getTime() - Date.parse(newest?.createdAt ?? worldSince);
	if (newest ? !isOverdue(newest.createdAt, now) : ageMs < NEW_WORLD_MS) return [];
	const canWait = !newest && ageMs < YOUNG_WORLD_MS;
	const none = backups.length ? 'There is no good backup yet' : 'There is no backup yet';
	return [
		{
			code: 'backup-old',
			title: newest ? 'The last good backup is old' : none,
			detail: newest
				? `It is ${Math.floor(ageMs / DAY_MS)} days old. What was built since then would be lost with the disk.`
				: 'If the disk or a mod damages the world, there is nothing to restore it from.',
			...(newest && { since: newest.createdAt }),
			action: { ...help('Back up now', '/admin/backups'), backUp: true },
			...(canWait && { canWait })
		}
	];
}

const TITLES: Partial<Record<OperationKind, string>> = {
	install: 'An installation',
	update: 'An update',
	restore: 'A restore',
	upgrade: 'An upgrade'
};

/** What a rollback has brought back. */
const BACK: Partial<Record<OperationKind, string>> = {
	install: 'It is not installed any more: the mods are as they were before.',
	upgrade: 'The old game version is back, and the world as it was.',
	restore: 'What was there before is back.'
};
const MODS_BACK = 'The mods are as they were before.';
/** The same once the mods have been changed since; of an upgrade it stays true. */
const BACK_THEN: Partial<Record<OperationKind, string>> = {
	upgrade: BACK.upgrade!,
	restore: 'What was there before was put back then.'
};
const MODS_BACK_THEN = 'The mods were put back then, and have been changed since.';

function broughtBack(change: Operation, operations: Operation[]) {
	if (change.state !== 'rolled-back') return null;
	return changeAfter(change, operations)
		? (BACK_THEN[change.kind] ?? MODS_BACK_THEN)
		: (BACK[change.kind] ?? MODS_BACK);
}

type OperationFacts = {
	/** The server, and the time. */
	server: Observation;
	now: Date;
	viewer: Role;
	/** Null while unknown. */
	backups: Backup[] | null;
	/** A version after the one that did not start here is on offer. */
	isNewer: (culprit: Culprit) => boolean;
	installed: Mod[];
	/** The mods are being changed again. */
	isChanging: boolean;
};
type Culprit = CulpritResult['culprits'][number];

/** A mod to blame is known by its title: its file is not installed. */
export const hasNewer =
	(mods: Mod[], updates: ModUpdates['mods']) =>
	({ title, fileName }: Culprit): boolean => {
		const installed = mods.filter(({ name }) => name === title).map((one) => one.fileName);
		return updates.some(
			(one) =>
				one.updateAvailable && installed.includes(one.fileName) && one.latest?.fileName !== fileName
		);
	};

const isChange = ({ kind }: Operation) => isOfMods(kind) || TITLES[kind] !== undefined;
/** Another mod that was installed since is no answer to one that could not be; an update of others is. */
const makesUp = (later: Operation, failed: Operation) =>
	later.state === 'succeeded' &&
	// With another game all mods are others.
	((isOfMods(failed.kind) && later.kind === 'upgrade') ||
		(later.kind === failed.kind &&
			(later.subject === failed.subject || later.kind === 'update' || !isOfMods(later.kind))));

const hasEnded = ({ state }: Operation) => state !== 'running' && state !== 'cancelled';

const isAboutSame = (one: Operation, other: Operation) =>
	one.kind === other.kind && one.subject === other.subject;

/** Those that failed and that nothing later makes up for, newest first; of several about the same the newest. */
export function failedChanges(operations: Operation[], seen: ReadonlySet<string>): Operation[] {
	const changes = operations.filter((one) => hasEnded(one) && isChange(one));
	return (
		changes
			.filter(
				(one, i) =>
					one.state !== 'succeeded' &&
					!changes.slice(0, i).some((later) => makesUp(later, one) || isAboutSame(later, one))
			)
			// What was asked for is done; why the server does not run is told with its state.
			.filter(({ id, kept }) => kept === undefined && !seen.has(seenKey(id)))
	);
}
const seenKey = (id: string) => `operation:${id}`;

/** Titles are known of what was tried, and of what is installed. */
const titlesFor = ({ cause }: Operation, installed: Mod[]) =>
	cause ? { ...titlesOf(cause.mods, installed), ...cause.titles } : {};

export const withoutCulprits = (failed: Operation, asked: unknown, installed: Mod[]) =>
	upgradeWithout(failed, asked, { installed, titles: titlesFor(failed, installed) });

/** A server that has run for so long since is well. */
const WELL_MS = 10 * 60_000;
const STARTS: OperationKind[] = ['start', 'restart'];
const wasWell = ({ state, crashed, hung, killedBy, unclean }: Operation) =>
	state === 'succeeded' && !crashed && !hung && !killedBy && !unclean;

/** Of another change: it has started the server and seen it stay up. */
const hasStarted = ({ kind, steps }: Operation) =>
	mayChangeMods(kind) &&
	steps.some(({ id, status }) => (id === 'verify' || id === 'start') && status === 'done');

/** All is as it was before, and the server has come up well since, or has been so for a while. */
function isPast(change: Operation, operations: Operation[], { server, now }: OperationFacts) {
	const { state, finishedAt } = change;
	const { run, readyAt, hanging, silentSince } = server;
	if (state !== 'rolled-back' || !finishedAt) return false;
	const isLater = (ms: number) => ms - Date.parse(finishedAt) >= WELL_MS;
	// What becomes of the server later makes it no more urgent, and is told by itself.
	const wasWellSince = operations.some(
		(one) =>
			one.id > change.id &&
			wasWell(one) &&
			(STARTS.includes(one.kind) ||
				hasStarted(one) ||
				(one.kind === 'stop' && isLater(Date.parse(one.startedAt))))
	);
	const isWell = server.state === 'running' && !hanging && !silentSince && !!run && !!readyAt;
	return wasWellSince || (isWell && (run.startedAt > finishedAt || isLater(now.getTime())));
}

function howItEnded({ state, cause }: Operation) {
	if (state === 'rolled-back') return 'was rolled back';
	return cause?.onCopy ? 'was stopped on a copy' : 'failed';
}

/** A change that failed, with what was found out about it since. */
export type FailedChange = {
	change: Operation;
	/** The search for the mod to blame. */
	search: Operation | undefined;
	/** What else was to be updated, as far as it is still there; null once a change of this kind has failed again since. */
	rest: string[] | null;
	/** The same upgrade without the mods that it failed because of. */
	without: Without | null;
};

/** Whatever that is, and whether it only counts down, stands above all that needs attention. */
export const CHANGING =
	'What is under way may change this. What can be done about it is shown when that is over.';

/** How it ended stays true while the mods are changed again; what can be done about it waits until then. */
function changeItem(
	{ change, search, rest, without }: FailedChange,
	operations: Operation[],
	facts: OperationFacts
): Item {
	const world = ofWorld(change, operations, facts);
	const back = broughtBack(change, operations);
	const { isChanging } = facts;
	const others = rest?.length ? updateOthers(rest) : without && planWithout(without, change.id);
	const helping = isChanging ? null : others;
	const whatHappened = link('What happened', `/admin/operations/${search?.id ?? change.id}`);
	const what = `${TITLES[change.kind] ?? 'A change to the mods'} ${howItEnded(change)}`;
	return {
		code: 'change-failed',
		key: seenKey(change.id),
		title: change.subject ? `${what}: ${change.subject}` : what,
		detail: whyOf(change, facts),
		since: change.finishedAt,
		...(isPast(change, operations, facts) && { canWait: true }),
		...ofSearch(search, rest),
		advice: isChanging
			? CHANGING
			: [search?.state === 'running' ? searching(change) : back, world.advice]
					.filter(Boolean)
					.join(' ') || null,
		action: helping ?? whatHappened,
		further: [
			...(helping ? [whatHappened] : []),
			...(isChanging ? [] : world.further),
			{ label: 'Mark as seen', href: '/admin', seen: seenKey(change.id) }
		]
	};
}

/** What else was to be updated; null once another change has failed, which tells more than what had started on a copy. */
export function restOf(
	change: Operation,
	search: Operation | undefined,
	{ operations, installed }: { operations: Operation[]; installed: Mod[] }
): string[] | null {
	const hasFailedSince = operations.some(
		({ id, kind, state }) =>
			id > change.id &&
			kind === change.kind &&
			(state === 'failed' || state === 'rolled-back' || state === 'interrupted')
	);
	if (hasFailedSince) return null;
	const files = search?.result?.rest ?? [];
	return files.filter((file) => installed.some((mod) => mod.fileName === file));
}

/** Those that are told. */
const toldChanges = (failed: FailedChange[], { isNewer }: Pick<OperationFacts, 'isNewer'>) =>
	failed.filter(({ search }) => !search?.result?.culprits.some(isNewer)).slice(0, CHANGES_MAX);

/** The files whose updates the items of these changes offer. */
export const updatesOffered = (
	failed: FailedChange[],
	facts: Pick<OperationFacts, 'isNewer'>
): string[][] => toldChanges(failed, facts).map(({ rest }) => rest ?? []);

/** Each change that failed; of the backups only the newest counts. */
export function operationItems(
	operations: Operation[],
	failed: FailedChange[],
	facts: OperationFacts
): Item[] {
	const backup = operations.filter(hasEnded).find(({ kind }) => kind === 'backup');
	const items = toldChanges(failed, facts).map((one) => changeItem(one, operations, facts));
	if (backup && backup.state !== 'succeeded')
		items.push({
			code: 'backup-failed',
			title: 'The last backup failed',
			detail: backup.cause?.message ?? 'Its page says what happened.',
			since: backup.finishedAt,
			action: link('What happened', `/admin/operations/${backup.id}`)
		});
	return items;
}

/** The same button stands on the operation's page. */
const planWithout = ({ title, ...upgrade }: Without, id: string): AttentionAction => ({
	...help(`Plan without ${title}`, `/admin/operations/${id}`),
	upgrade
});
const updateOthers = (files: string[]) =>
	help(
		`Update the other ${files.length === 1 ? 'one' : files.length}`,
		`/admin/mods/plan?${new URLSearchParams([['do', 'update'], ...files.map((one) => ['file', one])])}`
	);
/** The cause, and whom the log names, where it does not say so itself. */
function whyOf(failed: Operation, { installed }: OperationFacts): string {
	const { cause } = failed;
	if (!cause) return 'Its page says what happened.';
	const titles = titlesFor(failed, installed);
	const words = withTitles(plainWords(cause.message), titles);
	const rest = cause.mods.map((mod) => titles[mod] ?? mod).filter((mod) => !words.includes(mod));
	return rest.length ? `${words} Named in the log: ${listed(rest, NAMED_MAX)}.` : words;
}

/** What the mods that were taken back have done to the world stays; a backup from before may be restored. */
function ofWorld(
	{ id: changed, worldOpened }: Operation,
	operations: Operation[],
	{ viewer, backups }: OperationFacts
) {
	if (!worldOpened) return { advice: null, further: [] };
	const stays = 'The new ones had opened the world by then, and what they changed in it stays';
	const id = worldOpened.backup;
	const isRestored = operations.some(
		(one) =>
			one.kind === 'restore' &&
			one.id > changed &&
			one.state === 'succeeded' &&
			id &&
			one.subject?.includes(id)
	);
	if (isRestored)
		return {
			advice:
				'The new ones had opened the world by then; the backup made just before has been restored since.',
			further: []
		};
	const isThere = id !== null && (backups?.some((one) => one.id === id && isGood(one)) ?? true);
	if (!isThere) return { advice: `${stays}.`, further: [] };
	if (viewer !== 'superadmin')
		return {
			advice: `${stays}, unless a superadmin restores the backup made just before.`,
			further: []
		};
	return {
		advice: `${stays}, unless you restore the backup made just before.`,
		further: [link('Restore the world…', `/admin/backups/restore?backup=${id}&scope=world`)]
	};
}

/** A server that is still starting although its operation has already failed for taking too long. */
export function slowStart(operations: Operation[], { run, stalled, reason }: Observation): Item[] {
	const runSince = run?.startedAt ?? null;
	const begun = operations.find(({ kind, kept }) => kind === 'start' || kind === 'restart' || kept);
	if (begun?.state !== 'failed') return [];
	// What starts now was begun since, and may be too new to be among them.
	if (runSince && (begun.finishedAt ?? '') < runSince) return [];
	return [
		{
			code: 'slow-start',
			// For how long follows.
			title: 'The server has been loading',
			detail: [stalled ? reason : '', leftLoading(begun)].filter(Boolean).join(' '),
			since: runSince ?? begun.startedAt,
			// What ends it stands right above.
			action: link('Look at the log', '/admin/logs'),
			further: [link('What happened', `/admin/operations/${begun.id}`)]
		}
	];
}

/** Not what was said when the wait for it ended: how long it has been loading is counted beside this. */
function leftLoading({ cause, steps }: Operation): string {
	if (!cause?.loading) return cause?.message ?? 'It is taking longer than allowed.';
	const usualMs = steps.findLast(({ expected }) => expected)?.expected?.usualMs ?? null;
	const usually = usualMs === null ? '' : `Usually it takes ${duration(usualMs)}. `;
	return `${usually}${LEFT_RUNNING}`;
}

/** A large modded world takes minutes to save. */
const GRACE_MIN_MS = 5 * 60_000;

/** What the configuration of whatever runs the server puts at risk. */
export function engineItems({
	graceMs,
	undoneBy = []
}: Pick<RuntimeState, 'graceMs' | 'undoneBy'>): Item[] {
	const items: Item[] = [];
	if (graceMs !== undefined && graceMs < GRACE_MIN_MS)
		items.push({
			code: 'grace-short',
			title: 'The server may be killed while it saves',
			detail: `Whatever runs it kills it ${Math.round(graceMs / 1000)} seconds after it was told to stop. A large world takes longer to save.`,
			advice: 'Set TimeoutStopSec of its unit to 5 minutes or more.'
		});
	if (undoneBy.length > 0)
		items.push({
			code: 'changes-undone',
			title: 'Changes would be undone',
			detail: `The game’s container sets ${undoneBy.join(', ')}, and acts on that every time it starts. Until that changes, mods cannot be changed here.`,
			advice:
				'Remove these variables once the mods are there: from then on the dashboard looks after them.'
		});
	return items;
}

export type Channel = { name: string; problem: string; since: string | null };

/** What happens at night would be told to nobody. */
export function channelItems(broken: Channel[]): Item[] {
	const [first] = broken;
	if (!first) return [];
	return [
		{
			code: 'channel-broken',
			title:
				broken.length === 1
					? `${first.name} is not told what happens`
					: `${broken.length} channels are not told what happens`,
			detail: broken
				.slice(0, NAMED_MAX)
				.map(({ name, problem }) => (broken.length === 1 ? problem : `${name}: ${problem}`))
				.join(' '),
			...(first.since && { since: first.since }),
			action: link('Look at it', '/admin/notifications')
		}
	];
}

/** As the dashboard measures it. */
export type Slow = { since: string; tps: number; mspt: number | null };

const TICKS_AIM = 20;
const TICK_MS = 1000 / TICKS_AIM;

const FEWER_CHUNKS = 'fewer chunks for each player (view-distance in server.properties)';
const ANALYTICS = link('Analytics', '/admin/analytics#tps');
/** What helps in general: what slows down this one is not known. */
const remedies = (modded: boolean): Pick<Item, 'action' | 'further'> & { usual: string } =>
	modded
		? {
				usual: `What usually helps: a mod that makes the game faster, undoing what was installed lately, or ${FEWER_CHUNKS}.`,
				action: help('Find a performance mod', '/admin/mods?tab=find&category=optimization'),
				further: [ANALYTICS]
			}
		: { usual: `What usually helps: ${FEWER_CHUNKS}.`, action: ANALYTICS };

type SlowFacts = { modded: boolean; now: Date };

export function slowItems(slow: Slow | null, { modded, now }: SlowFacts): Item[] {
	if (!slow) return [];
	const { usual, ...buttons } = remedies(modded);
	const minutes = Math.floor((now.getTime() - Date.parse(slow.since)) / 60_000);
	const long = minutes < 1 ? '' : ` for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
	const tick =
		slow.mspt !== null && slow.mspt > TICK_MS
			? `: a tick takes ${Math.round(slow.mspt)} ms instead of ${TICK_MS} ms at most`
			: '';
	return [
		{
			code: 'slow',
			title: `The server runs slow: ${slow.tps.toFixed(1)} of ${TICKS_AIM} ticks a second${long}`,
			detail: `Players may notice it${tick}.`,
			advice: usual,
			since: slow.since,
			...buttons
		}
	];
}

const SEARCHING = 'The mod to blame is being searched for, on copies of the server.';
/** One is named above it. */
const TRYING = 'Copies of the server are being started to learn more about the others.';

const searching = ({ cause }: Operation) => (cause?.mods.length ? TRYING : SEARCHING);

/** The mods to blame, where a search has found them: more than the failure itself says. */
function ofSearch(search: Operation | undefined, rest: string[] | null): Partial<Item> {
	if (search?.state !== 'succeeded' || !search.result?.culprits.length) return {};
	const { headline, why } = blamed(rest ? search.result : { ...search.result, rest: [] });
	return { title: headline, detail: why ?? 'Its page says how that was found out.' };
}

export function machineItems({ disks, javaMissing }: Machine): Item[] {
	const low = disks.filter(isAlmostFull);
	const items: Item[] = [];
	if (javaMissing)
		items.push({
			code: 'java-missing',
			title: 'Java is missing',
			detail: `The server is started with ${javaMissing}, and there is no such program on this machine.`,
			advice: 'Install the Java that this version of Minecraft needs, or set JAVA_HOME in .env.',
			action: CHECK_AGAIN
		});
	if (low.length)
		items.push({
			code: 'disk-low',
			title: 'A disk is almost full',
			detail: low
				.map(({ what, freeBytes }) => `The disk of ${what} has ${gigabytes(freeBytes)} left.`)
				.join(' '),
			advice: 'A full disk keeps the game from saving. Old backups can be deleted.',
			action: link('Look at the backups', '/admin/backups')
		});
	return items;
}
