import Archive from '@lucide/svelte/icons/archive';
import Camera from '@lucide/svelte/icons/camera';
import Package from '@lucide/svelte/icons/package';
import User from '@lucide/svelte/icons/user';
import type { Queries, QueryKey, QuerySource } from '$lib/client/queries.svelte.ts';
import { BACKUPS, MODS, PLAYERS, SNAPSHOTS } from '$lib/client/sources';
import type { Backup } from '$lib/schemas/backup';
import type { InstalledMods } from '$lib/schemas/mod';
import type { Players } from '$lib/schemas/player';
import type { Snapshot } from '$lib/schemas/snapshot';
import { exact } from '$lib/ui/format/format';
import type { Entry } from './entries';
import { shownName } from '../labels';

/** Pages keep their own data fresh; what the palette loaded is refetched after this. */
const FRESH_MS = 60_000;

/** The stream only says which players are online, which is not the whole list. */
const WANTED: { key: QueryKey; source: QuerySource; whole: (data: unknown) => boolean }[] = [
	{ key: ['mods'], source: MODS, whole: Boolean },
	{ key: ['players'], source: PLAYERS, whole: (data) => !!(data as Partial<Players>)?.known },
	{ key: ['snapshots'], source: SNAPSHOTS, whole: Boolean },
	{ key: ['backups'], source: BACKUPS, whole: Boolean }
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

/** Everything with a name that the cache knows. */
export const thingsOf = (queries: Queries, mayOp: boolean): Entry[] => [
	...mods(queries.read<Partial<InstalledMods>>(['mods'])?.mods ?? []),
	...players(queries.read<Partial<Players>>(['players']) ?? {}, mayOp),
	...snapshots(queries.read<Snapshot[]>(['snapshots']) ?? []),
	...backups(queries.read<Backup[]>(['backups']) ?? [])
];

const address = (path: string, facts: Record<string, string>) =>
	`${path}?${new URLSearchParams(facts)}`;

const mods = (all: InstalledMods['mods']): Entry[] =>
	all.map(({ name, modId, fileName }) => ({
		id: `mod:${fileName}`,
		label: name,
		kind: 'Mod',
		icon: Package,
		words: [fileName, ...(modId ? [modId] : [])],
		to: address('/admin/mods', { mod: fileName })
	}));

function players(lists: Partial<Players>, mayOp: boolean) {
	const { online = [], ops = [], whitelist, bans = [], known = [] } = lists;
	const names = (list: { name: string }[]) => new Set(list.map(({ name }) => name));
	const [playing, operators, banned] = [names(online), names(ops), names(bans)];
	/** Those that need a confirmation lead to it, the others to the page that has their button. */
	function verbsOf(name: string, uuid: string | null, page: string): NonNullable<Entry['verbs']> {
		const confirm = (verb: string, word: string) => ({
			...{ verb, label: `${word} ${name}…`, risky: true as const },
			to: address('/admin/players/confirm', {
				...{ do: verb, player: name, tab: 'everyone' },
				...(uuid && { of: uuid })
			})
		});
		const onPage = (verb: string) => ({ verb, label: name, to: page });
		return [
			banned.has(name) ? onPage('pardon') : confirm('ban', 'Ban'),
			...(playing.has(name) ? [confirm('kick', 'Kick')] : []),
			...(mayOp ? [operators.has(name) ? confirm('deop', 'Deop') : onPage('op')] : []),
			...(banned.has(name) ? [onPage('unban')] : []),
			onPage('whitelist')
		];
	}
	const people = new Map<string, Entry>();
	for (const { name, uuid } of [
		...online,
		...ops,
		...(whitelist?.players ?? []),
		...bans,
		...known
	]) {
		const id = `player:${uuid ?? name}`;
		if (people.has(id)) continue;
		const to = uuid
			? `/admin/players/${encodeURIComponent(uuid)}`
			: address('/admin/players', { tab: 'everyone', q: name ?? '' });
		people.set(id, {
			id,
			label: shownName({ name, uuid }),
			kind: 'Player',
			icon: User,
			words: uuid ? [uuid] : [],
			...(name !== null && name !== uuid && { verbs: verbsOf(name, uuid ?? null, to) }),
			to
		});
	}
	return [...people.values()];
}

const snapshots = (all: Snapshot[]): Entry[] =>
	all.map(({ id, createdAt, note, reason }) => ({
		id: `snapshot:${id}`,
		label: note ? `${note} · ${exact(createdAt)}` : `Snapshot of ${exact(createdAt)}`,
		kind: 'Snapshot',
		icon: Camera,
		words: ['snapshot', reason, id],
		to: address('/admin/backups', { tab: 'snapshots', snapshot: id })
	}));

const backups = (all: Backup[]): Entry[] =>
	all.map(({ id, createdAt, note, kind }) => ({
		id: `backup:${id}`,
		label: note ? `${note} · ${exact(createdAt)}` : `Backup of ${exact(createdAt)}`,
		kind: 'Backup',
		icon: Archive,
		words: ['backup', kind, id],
		to: address('/admin/backups', { tab: 'backups', backup: id })
	}));
