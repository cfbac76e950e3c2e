import Archive from '@lucide/svelte/icons/archive';
import CalendarClock from '@lucide/svelte/icons/calendar-clock';
import Camera from '@lucide/svelte/icons/camera';
import FileWarning from '@lucide/svelte/icons/file-warning';
import Package from '@lucide/svelte/icons/package';
import User from '@lucide/svelte/icons/user';
import Users from '@lucide/svelte/icons/users';
import type { Queries, QueryKey, QuerySource } from '$lib/client/queries.svelte.ts';
import { BACKUPS, LOG_FILES, MODS, PLAYERS, SNAPSHOTS, TASKS } from '$lib/client/sources';
import type { Backup } from '$lib/schemas/backup';
import type { OnlinePlayer } from '$lib/schemas/live';
import type { LogFile } from '$lib/schemas/log';
import type { InstalledMods } from '$lib/schemas/mod';
import type { Players } from '$lib/schemas/player';
import type { Snapshot } from '$lib/schemas/snapshot';
import type { Task } from '$lib/schemas/task';
import { exact } from '$lib/ui/format/format';
import { PAGES, type Entry, type Verb } from './entries';
import { PLAYER_TAB_LABELS, shownName } from '../labels';
import { isStuck, planAddress } from '../mods';

/** Pages keep their own data fresh; what the palette loaded is refetched after this. */
const FRESH_MS = 60_000;

/** The stream only says which players are online, which is not the whole list. */
const WANTED: { key: QueryKey; source: QuerySource; whole: (data: unknown) => boolean }[] = [
	{ key: ['mods'], source: MODS, whole: Boolean },
	{ key: ['players'], source: PLAYERS, whole: (data) => !!(data as Partial<Players>)?.known },
	{ key: ['snapshots'], source: SNAPSHOTS, whole: Boolean },
	{ key: ['backups'], source: BACKUPS, whole: Boolean },
	{ key: ['tasks'], source: TASKS, whole: Boolean },
	{ key: ['log-files'], source: LOG_FILES, whole: Boolean }
];

/** Brings the lists into the cache when the palette opens. */
export function createLoader() {
	const broughtAt = new Map<string, number>();
	return (queries: Queries) => {
		for (const { key, source, whole } of WANTED) {
			const id = key.join();
			const mine = broughtAt.get(id);
			if (mine === undefined ? whole(queries.read(key)) : Date.now() - mine < FRESH_MS) continue;
			broughtAt.set(id, Date.now());
			// Its own source: a page that opens meanwhile replaces it.
			const undefine = queries.define(key, { ...source });
			void queries.refetch(key).finally(undefine);
		}
	};
}

type Tab = keyof typeof PLAYER_TAB_LABELS;
const TAB_WORDS: Record<Tab, string[]> = {
	online: [
		...['who is playing', 'online players', 'list', 'list players', 'player list', 'playing'],
		...['how many players', 'player count']
	],
	ops: ['operators', 'admins', 'op list', 'list ops'],
	whitelist: ['whitelisted players', 'allowed players'],
	bans: ['ban list', 'banned players', 'banned', 'list bans'],
	everyone: [
		'all players',
		'known players',
		'offline players',
		'last seen',
		'joined',
		'joined today',
		'who played'
	]
};
export const playerTabs = (Object.keys(TAB_WORDS) as Tab[]).map((tab): Entry => ({
	...{ id: `page:/admin/players?tab=${tab}`, label: `Players: ${PLAYER_TAB_LABELS[tab]}` },
	...{ kind: PAGES, icon: Users, words: TAB_WORDS[tab], to: `/admin/players?tab=${tab}` }
}));

/** Everything with a name that the cache knows. */
export const thingsOf = (queries: Queries, isSuperadmin: boolean): Entry[] => [
	...mods(queries.read<Partial<InstalledMods>>(['mods'])?.mods ?? [], isSuperadmin),
	...players(queries.read<Partial<Players>>(['players']) ?? {}, isSuperadmin),
	...snapshots(queries.read<Snapshot[]>(['snapshots']) ?? []),
	...backups(queries.read<Backup[]>(['backups']) ?? []),
	...tasks(queries.read<Task[]>(['tasks']) ?? []),
	...crash(queries.read<LogFile[]>(['log-files']) ?? [])
];

const address = (path: string, facts: Record<string, string>) =>
	`${path}?${new URLSearchParams(facts)}`;

const MODS_LIST = { title: 'Mods', to: (q: string) => address('/admin/mods', { q }) };
const PLAYERS_LIST = {
	title: 'Players',
	to: (q: string) => address('/admin/players', { tab: 'everyone', q })
};

/** Wanderer_9 comes before Wanderer_18. */
const NATURAL = new Intl.Collator('en', { numeric: true });
const naturally = <T extends { name: string | null }>(all: T[]) =>
	[...all].sort((a, b) => NATURAL.compare(a.name ?? '', b.name ?? ''));

export const mods = (all: InstalledMods['mods'], isSuperadmin: boolean): Entry[] =>
	naturally(all).map(({ name, modId, fileName, enabled, locked }) => {
		const blocked = isStuck({ locked }, isSuperadmin) ? 'A superadmin has locked it.' : null;
		const plan = (verb: 'update' | 'enable' | 'disable' | 'remove', word: string) => ({
			...{ verb, label: `${word} ${name}…`, blocked },
			to: planAddress(verb, { file: fileName })
		});
		return {
			id: `mod:${fileName}`,
			label: name,
			kind: 'Mod',
			icon: Package,
			crowd: MODS_LIST,
			words: [fileName, ...(modId ? [modId] : [])],
			verbs: [
				...(enabled
					? [
							{ ...plan('update', 'Update'), also: ['upgrade'] },
							{ ...plan('disable', 'Disable'), also: ['turn off', 'switch off', 'park'] }
						]
					: [{ ...plan('enable', 'Enable'), also: ['turn on', 'switch on'] }]),
				{
					...{ ...plan('remove', 'Remove'), also: ['delete', 'uninstall'] },
					risky: true as const
				}
			],
			to: address('/admin/mods', { mod: fileName })
		};
	});

const WORDS = { ban: 'Ban', pardon: 'Pardon', kick: 'Kick', op: 'Op', deop: 'Deop' };
type Asked = keyof typeof WORDS;

/** Of those who play so many, who joined last, are offered for a verb alone; the others by their names. */
const OFFERED_MAX = 3;

export const NO_END = { ban: 'bans last until pardoned', kick: 'can come back at once' };

/** Why it is done, which the player is told. */
const REASON = 'main form input[name="reason"]';

/** What is typed for players to read. */
export const MESSAGE = 'main input[name="message"]';

/** What is typed for the game. */
export const COMMAND = 'main form input[name="command"]';

/** Where it is asked whether this is to be done to somebody. */
export const playerQuestion = (verb: Asked, name: string, uuid: string | null = null) => ({
	label: `${WORDS[verb]} ${name}…`,
	risky: true as const,
	...((verb === 'ban' || verb === 'kick') && { field: REASON }),
	to: address('/admin/players/confirm', {
		...{ do: verb, player: name, tab: 'everyone' },
		...(uuid && { of: uuid })
	})
});

export function players(lists: Partial<Players>, mayOp: boolean) {
	const { online = [], ops = [], whitelist, bans = [], known = [] } = lists;
	const names = (list: { name: string }[]) => new Set(list.map(({ name }) => name));
	const [playing, operators, banned] = [names(online), names(ops), names(bans)];
	const welcome = names(whitelist?.players ?? []);
	const playingInOrder = naturally(online);
	const joined = ({ since }: OnlinePlayer) => (since ? Date.parse(since) : 0);
	const latest = [...playingInOrder].sort((a, b) => joined(b) - joined(a));
	const offered = names(latest.slice(0, OFFERED_MAX));
	/** Those that need a confirmation lead to it, the others to the page that has their button. */
	function verbsOf(name: string, uuid: string | null, page: string): Verb[] {
		const ask = (verb: Asked, blocked: string | null | false = null) => ({
			...{ verb, ...playerQuestion(verb, name, uuid) },
			blocked: blocked || null
		});
		const onPage = (verb: string, words: string) => ({
			verb,
			label: `${name}: ${words}`,
			to: page
		});
		const away = !playing.has(name) && 'Is not online.';
		const opAgain = operators.has(name) && 'Is an operator already.';
		return [
			{
				...{ verb: 'message', also: ['tell', 'msg', 'whisper', 'write'], byName: true },
				...{ label: `Message ${name}…`, blocked: away || null, field: MESSAGE },
				to: address('/admin/chat', { to: name })
			},
			{
				...ask('kick', away),
				...{ takesReason: true, noEnd: NO_END.kick, alone: offered.has(name), byName: true },
				also: ['remove server', 'remove game', 'throw out', 'disconnect']
			},
			{
				...ask('ban', banned.has(name) && 'Is banned already.'),
				...{ takesReason: true, noEnd: NO_END.ban, alone: offered.has(name), byName: true }
			},
			...(mayOp
				? [
						{ ...ask('op', opAgain), also: ['operator', 'make admin', 'promote'] },
						{
							...ask('deop', !operators.has(name) && 'Is no operator.'),
							also: [
								'remove op',
								'remove ops',
								'remove operator',
								'remove admin',
								'take op',
								'demote'
							]
						}
					]
				: []),
			{
				...{ ...ask('pardon', !banned.has(name) && 'Is not banned.'), byName: true },
				also: ['unban', 'lift ban', 'remove ban', 'undo ban']
			},
			{
				...onPage('whitelist', 'add to the whitelist'),
				...{ also: ['allow', 'let in'] },
				blocked: welcome.has(name) ? 'Is on the whitelist already.' : null
			},
			{
				...onPage('unwhitelist', 'remove from the whitelist'),
				...{ also: ['remove whitelist', 'take off whitelist', 'delete whitelist'] },
				blocked: welcome.has(name) ? null : 'Is not on the whitelist.'
			}
		];
	}
	const people = new Map<string, Entry>();
	const everyone = [playingInOrder, ops, whitelist?.players ?? [], bans, naturally(known)].flat();
	const named = names(everyone.flatMap(({ name, uuid }) => (name && uuid ? [{ name }] : [])));
	for (const { name, uuid } of everyone) {
		const id = `player:${uuid ?? name}`;
		// One list may know the id of somebody whom another knows by name only.
		if (people.has(id) || (!uuid && named.has(name ?? ''))) continue;
		const to = uuid
			? `/admin/players/${encodeURIComponent(uuid)}`
			: address('/admin/players', { tab: 'everyone', q: name ?? '' });
		people.set(id, {
			id,
			label: shownName({ name, uuid }),
			kind: 'Player',
			icon: User,
			crowd: PLAYERS_LIST,
			words: uuid ? [uuid] : [],
			...(name !== null && name !== uuid && { verbs: verbsOf(name, uuid ?? null, to) }),
			to
		});
	}
	return [...people.values()];
}

/** The newest report only: the older ones stand in the list of files. */
function crash(files: LogFile[]): Entry[] {
	const [newest] = files
		.filter(({ kind }) => kind === 'crash')
		.sort((a, b) => Date.parse(b.modifiedAt) - Date.parse(a.modifiedAt));
	if (!newest) return [];
	return [
		{
			id: 'crash-report',
			label: `Crash report of ${exact(newest.modifiedAt)}`,
			kind: 'Logs',
			icon: FileWarning,
			words: ['crash', 'last crash', 'crashed', 'newest crash report'],
			to: address('/admin/logs', { file: newest.name })
		}
	];
}

const snapshots = (all: Snapshot[]): Entry[] =>
	all.map(({ id, createdAt, note, reason }) => ({
		id: `snapshot:${id}`,
		label: note ? `${note} · ${exact(createdAt)}` : `Snapshot of ${exact(createdAt)}`,
		kind: 'Snapshot',
		icon: Camera,
		words: ['snapshot', `${reason} snapshot`, id],
		to: address('/admin/backups', { tab: 'snapshots', snapshot: id })
	}));

const backups = (all: Backup[]): Entry[] =>
	all.map(({ id, createdAt, note, kind }) => ({
		id: `backup:${id}`,
		label: note ? `${note} · ${exact(createdAt)}` : `Backup of ${exact(createdAt)}`,
		kind: 'Backup',
		icon: Archive,
		words: ['backup', `${kind} backup`, id],
		to: address('/admin/backups', { tab: 'backups', backup: id })
	}));

/** What people call it who do not say “every night”. */
const OFTEN: [begins: string, word: string][] = [
	['Every night', 'nightly'],
	['Every day', 'daily'],
	['Every hour', 'hourly']
];
const tasks = (all: Task[]): Entry[] =>
	all.map((task) => ({
		...{ id: `task:${task.id}`, label: task.sentence, kind: 'Task', icon: CalendarClock },
		words: [
			'task',
			...OFTEN.flatMap(([begins, word]) => (task.human.startsWith(begins) ? [word] : []))
		],
		to: `/admin/schedule#task-${task.id}`
	}));
