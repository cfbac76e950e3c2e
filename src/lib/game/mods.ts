import { failedHow, isOffered } from '$lib/schemas/plain/offered';
import type { Mod, ModUpdateState, ParkedHere, Side } from '$lib/schemas/mod';
import type {
	Blame,
	CrashCard,
	CrashOfMods,
	DisabledAfterCrash
} from '$lib/schemas/overview/attention';
import { byName, day } from '$lib/ui/format/format';
import { hasWords } from '$lib/schemas/plain/words/has-words';
import { listed } from '$lib/schemas/plain/words/listed';
import type { ModChoice, ModAction, ModOrder, ModTab } from '$lib/schemas/mod-page';

/** How the pages about mods sort, label and link things; pure. */
export const MOD_TAB_LABELS: Record<ModTab, string> = {
	installed: 'Installed',
	find: 'Find',
	modpack: 'Modpack',
	upload: 'Upload'
};

export const MOD_CHOICE_LABELS: Record<ModChoice, string> = {
	updates: 'Updates',
	problems: 'Problems',
	failed: 'Failed here',
	disabled: 'Disabled',
	unlisted: 'Not listed',
	client: 'Only for players',
	locked: 'Locked'
};

export const MOD_ORDER_LABELS: Record<ModOrder, string> = {
	updates: 'Updates first',
	name: 'Name',
	newest: 'Newest file',
	size: 'Largest file'
};

export const SIDE_LABELS: Record<Side, string | null> = {
	client: 'Only for players',
	server: 'Only for the server',
	both: null,
	unknown: null
};

const LOADER_LABELS: Record<string, string> = {
	fabric: 'Fabric',
	quilt: 'Quilt',
	forge: 'Forge',
	neoforge: 'NeoForge',
	paper: 'Paper',
	vanilla: 'Vanilla'
};
export const loaderWord = (loader: string) => LOADER_LABELS[loader] ?? loader;

/** `Game mechanics`. */
export const categoryWord = (category: string) =>
	category === 'worldgen'
		? 'World generation'
		: category[0]!.toUpperCase() + category.slice(1).replaceAll('-', ' ');

/** One installed file with its newer version from the registry. */
export type ModEntry = Mod & {
	update: ModUpdateState | null;
	parked: ParkedHere | null;
	/** The crash that names it, while the server has not come up since. */
	crash: CrashOfMods | null;
	/** The crash since which it is disabled. */
	offSince: DisabledAfterCrash | null;
};

/** `0.14.0` for `0.14.0+mc1.21.1`: what follows says what it is for, unless only that sets it apart from `other`. */
export function shortVersion(version: string, other: string | null): string {
	const bare = (text: string) => text.replace(/\+.*$/, '');
	return bare(version) && bare(version) !== bare(other ?? '') ? bare(version) : version;
}

/** "Parked, waits for Wick" */
export const parkedWord = ({ waitsFor }: Pick<ParkedHere, 'waitsFor'>) =>
	waitsFor.length ? `Parked, waits for ${listed(waitsFor)}` : 'Parked, waits for a version';

type KnownOfMods = {
	parked?: ParkedHere[];
	blamed?: CrashOfMods | null;
	disabledAfter?: DisabledAfterCrash[];
};
export function entries(
	mods: Mod[],
	updates: ModUpdateState[],
	{ parked = [], blamed = null, disabledAfter = [] }: KnownOfMods = {}
): ModEntry[] {
	const known = new Map(updates.map((update) => [update.fileName, update]));
	const named = new Set(blamed?.mods.map(({ fileName }) => fileName));
	const aside = new Map(parked.map((one) => [one.fileName, one]));
	const off = new Map(disabledAfter.map((one) => [one.fileName, one]));
	return mods.map((mod): ModEntry => ({
		...mod,
		update: known.get(mod.fileName) ?? null,
		parked: aside.get(mod.fileName) ?? null,
		crash: named.has(mod.fileName) ? blamed : null,
		offSince: (!mod.enabled && off.get(mod.fileName)) || null
	}));
}

const writtenMs = ({ writtenAt }: ModEntry) => (writtenAt ? Date.parse(writtenAt) : 0);
const ORDERS: Record<ModOrder, (a: ModEntry, b: ModEntry) => number> = {
	/** What a crash names comes first, then what has an update, then what has a problem or has failed here. */
	updates: (a, b) => rank(a) - rank(b),
	name: () => 0,
	newest: (a, b) => writtenMs(b) - writtenMs(a),
	size: (a, b) => b.size - a.size
};
export const ordered = (mods: ModEntry[], order: ModOrder) =>
	mods.toSorted((a, b) => ORDERS[order](a, b) || byName(a.name, b.name));
const rank = (mod: ModEntry) => {
	if (mod.crash) return -1;
	if (hasUpdate(mod)) return 0;
	return mod.problems.length || failedUpdate(mod) ? 1 : 2;
};

export const hasUpdate = ({ update, locked }: ModEntry) =>
	!locked && update !== null && isOffered(update);

/** A newer version that did not start here before. */
export type FailedUpdate = ModUpdateState & {
	latest: NonNullable<ModUpdateState['latest']>;
	failedHere: NonNullable<ModUpdateState['failedHere']>;
};
export const failedUpdate = ({ update, locked }: ModEntry): FailedUpdate | null =>
	!locked && update?.updateAvailable && update.failedHere ? (update as FailedUpdate) : null;

/** "0.13.1 did not start here on 5 Jun 2026. ..." */
export function failedHereWords({ latest, failedHere, leftOut }: FailedUpdate) {
	const how = failedHow(failedHere);
	return `${latest.version} ${
		failedHere.certain
			? `${how} here on ${day(failedHere.at)}. That is certain: it failed by itself, twice, and with none of the changes the server starts.`
			: `was part of an update that ${how} here on ${day(failedHere.at)}. It is not certain that it is to blame.`
	} ${
		leftOut
			? 'An update of all mods leaves it out until a newer version comes.'
			: 'An update of all mods tries it again.'
	}`;
}

/** "did not start here", "were part of an update that did not start here": of all that an update leaves out. */
export function leftOutHow(all: Pick<FailedUpdate, 'failedHere'>[]) {
	const hows = new Set(all.map(({ failedHere }) => failedHow(failedHere)));
	const how = `${hows.size === 1 ? [...hows][0] : 'did not start, or did not stay up,'} here`;
	const unsure = all.filter(({ failedHere }) => !failedHere.certain).length;
	if (!unsure) return how;
	const part = `${all.length === 1 ? 'was' : 'were'} part of an update that`;
	return unsure === all.length ? `${part} ${how}` : `${how}, or ${part} did not`;
}

/** The same in a few words, for a list. */
export const failedHereWord = (
	{ certain, ready }: Pick<FailedUpdate['failedHere'], 'certain' | 'ready'>,
	what = 'Update'
) => `${what} ${certain ? 'does' : 'may'} not ${ready ? 'stay up' : 'start'} here`;

const CHOSEN: Record<ModChoice, (mod: ModEntry) => boolean> = {
	updates: hasUpdate,
	problems: ({ problems }) => problems.length > 0,
	failed: (mod) => failedUpdate(mod) !== null,
	disabled: ({ enabled }) => !enabled,
	unlisted: ({ project }) => project === null,
	client: ({ side }) => side === 'client',
	locked: ({ locked }) => locked
};
export const chosen = (mods: ModEntry[], choice: ModChoice | null) =>
	choice ? mods.filter(CHOSEN[choice]) : mods;

/** Whether every word of the search occurs in the name, id or file name. */
export function searched(mods: ModEntry[], search: string) {
	return mods.filter(({ name, modId, fileName }) => hasWords([name, modId, fileName], search));
}

/** From one name of a list to another, in either direction; without a beginning only the other. */
export function between(list: string[], from: string | null, to: string): string[] {
	const [a, b] = [from === null ? -1 : list.indexOf(from), list.indexOf(to)];
	return a < 0 || b < 0 ? [to] : list.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Where the preview of an action is: it has an address, so it can be reloaded and works without JavaScript. */
export const planAddress = (
	action: ModAction,
	facts: Record<string, string | string[] | undefined>
) =>
	`/admin/mods/plan?${new URLSearchParams([
		['do', action],
		...Object.entries(facts).flatMap(([key, value]) =>
			value === undefined ? [] : [value].flat().map((one): [string, string] => [key, one])
		)
	])}`;

/** A superadmin has locked it, and nobody else may change it. */
export const isStuck = ({ locked }: Pick<Mod, 'locked'>, isSuperadmin: boolean) =>
	locked && !isSuperadmin;

/** A change that the server ran with for longer is not what broke it. */
const RECENT_MS = 7 * 24 * 3_600_000;
const NAMED_MAX = 2;
/** What it ran into so soon after a change is hardly anything else. */
const RIGHT_AFTER_MS = 10 * 60_000;
type Begun = Pick<Blame, 'at' | 'mods'> & { change: { at: string } };
/** The change brought it: what crashed in the same way before did not begin with it. */
export const isRightAfter = ({ at, mods, change }: Begun) =>
	Date.parse(at) - Date.parse(change.at) < RIGHT_AFTER_MS && !isAgain({ mods });
/** Neither version of one of them runs here: what is left is to do without it. */
const isAgain = ({ mods }: Pick<Blame, 'mods'>) => mods.some(({ crashedWith }) => crashedWith);

type ToRemedy = Blame & Pick<Partial<CrashCard>, 'changing'>;
/** What helps while mods keep the server from running, the most likely first: the same wherever they are named. */
export function remedies({ at, mods, change, changing }: ToRemedy, isSuperadmin: boolean) {
	if (changing) return [];
	const own = mods.filter((mod) => !isStuck(mod, isSuperadmin));
	const names = own.map(({ name }) => name);
	const disable = {
		label: `Disable ${listed(names, NAMED_MAX)}`,
		href: planAddress('disable', { file: own.map(({ fileName }) => fileName) })
	};
	const updates = own.flatMap(({ fileName, name, newer }) =>
		newer ? [{ label: `Update ${name}`, href: planAddress('update', { file: fileName }) }] : []
	);
	const isRecent = change !== null && Date.parse(at) - Date.parse(change.at) < RECENT_MS;
	const putBack = {
		label: 'Put the old mods back',
		href: `/admin/backups/confirm?snapshot=${change?.snapshotId}&do=put-back`
	};
	const back = change?.back ?? (change?.snapshotId ? putBack : null);
	const ways = isRecent && back && isSuperadmin ? [back] : [];
	const isItsFault = change !== null && isRightAfter({ at, mods, change });
	/** To do without it is sure to help, and costs the world nothing; an update is a guess. */
	const isSpared = own.every(({ contentFree }) => contentFree);
	const without = own.length ? [disable] : [];
	const newer = updates.slice(0, NAMED_MAX);
	return [
		...(isItsFault ? ways : []),
		...(isAgain({ mods }) || isSpared ? [...without, ...newer] : [...newer, ...without]),
		...(isItsFault ? [] : ways)
	];
}
