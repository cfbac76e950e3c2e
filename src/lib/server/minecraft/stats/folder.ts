import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { checkAll, checkSome, UNSEEN_MAX, type Listings } from './check.ts';
import {
	PLAYER_FILE_MAX_BYTES,
	readPlayerFile,
	type Checked,
	type FileKind,
	type FileRead
} from './file.ts';
import { createKnownFiles, type PlayerFiles } from './known.ts';
import { readInThreads } from './thread.ts';

export type { PlayerFiles };
export type StatsScan = {
	/** By id. For a file that cannot be read now, what was last read of it. */
	players: ReadonlyMap<string, PlayerFiles>;
	/** Names of files that cannot be read, e.g. `stats/<id>.json`. */
	unreadable: string[];
	/** A new number whenever the players or their files change. */
	changes: number;
};

/** The statistics and advancements of a world's players; only changes are read again. */
export interface StatsFolder {
	/**
	 * One scan at a time: callers in the meantime get its result. Reads only what has changed since; many files in a
	 * thread.
	 */
	scan(): Promise<StatsScan>;
	/** How far the reading in a thread has got; null when none is running. */
	progress(): { done: number; total: number } | null;
	close(): Promise<void>;
}

type Deps = {
	/** Asked at each scan: a server's world can be another one after its next start. */
	worldDir: () => Promise<string>;
	/** With more players than this, the advancements of those who do not play are rarely checked. */
	everyMax?: number;
};

/**
 * Up to this many small files are read on the main thread; more, or larger ones, in a thread, which takes 40 ms to
 * start.
 */
const HERE_MAX = UNSEEN_MAX;
const HERE_MAX_BYTES = 256 * 1024;
/** The game writes both files of a player together: checking more would tell nothing new. */
const EVERY_MAX = 2_000;
const EVERY = 10;

export function createStatsFolder({ worldDir, everyMax = EVERY_MAX }: Deps): StatsFolder {
	const closing = new AbortController();
	let world: string | null = null;
	let changes = 0;
	const changed = () => void changes++;
	let known = createKnownFiles(changed);
	const listings: Listings = new Map();
	let count = 0;
	/** Whose statistics had changed at the previous scan: their advancements may have been written after it. */
	let before: ReadonlySet<string> = new Set();
	let scanning: Promise<StatsScan> | null = null;
	let progress: { done: number; total: number } | null = null;

	async function scan(): Promise<StatsScan> {
		const dir = await worldDir();
		if (dir !== world) {
			known = createKnownFiles(changed);
			changed();
			listings.clear();
		}
		world = dir;
		count++;
		const stats = await checkEvery('stats');
		const lately = new Set(stats.changed.map(({ uuid }) => uuid));
		const advancements = await checkAdvancements(new Set([...lately, ...before]));
		// So many cannot have played at once: the world was just put there.
		before = lately.size > everyMax ? new Set() : lately;
		await read([...stats.changed, ...advancements.changed].filter(isNotTooLarge));
		const trouble = [stats.trouble, advancements.trouble].filter((one) => one !== null);
		const unreadable = [...trouble, ...known.unreadable()];
		return { players: known.players, unreadable, changes };
	}

	const about = (kind: FileKind) => ({
		...{ kind, worldDir: world!, known: known.of(kind), scan: count }
	});
	async function checkEvery(kind: FileKind) {
		const found = await checkAll(about(kind), listings);
		// A folder that cannot be read has lost nothing.
		if (!found.trouble) known.forget(kind, count);
		return found;
	}
	async function checkAdvancements(lately: Set<string>) {
		const few = known.of('advancements').size <= everyMax;
		if (few || count % EVERY === 0) return checkEvery('advancements');
		return { changed: checkSome(lately, about('advancements')), trouble: null };
	}

	const take = (one: Checked, result: FileRead) => known.take(one, result, count);

	/** Refused before anything is read. */
	function isNotTooLarge(one: Checked) {
		const fits = !one.identity || one.identity.size <= PLAYER_FILE_MAX_BYTES;
		if (!fits) take(one, { state: 'unreadable', identity: one.identity });
		return fits;
	}

	async function read(changed: Checked[]) {
		const small = changed.every(({ identity }) => identity && identity.size <= HERE_MAX_BYTES);
		if (changed.length > HERE_MAX || !small) return readElsewhere(changed);
		for (const one of changed) {
			take(one, readPlayerFile(one.file, one.kind));
			await turn();
		}
	}

	async function readElsewhere(changed: Checked[]) {
		const state = (progress = { done: 0, total: changed.length });
		const got = (one: Checked, result: FileRead) => {
			state.done++;
			take(one, result);
		};
		await readInThreads(changed, got, closing.signal).finally(() => (progress = null));
	}

	return {
		scan() {
			if (closing.signal.aborted)
				return Promise.reject(new AppError('busy', 'The dashboard is being stopped.'));
			scanning ??= scan().finally(() => (scanning = null));
			return scanning;
		},
		progress: () => progress && { ...progress },
		async close() {
			closing.abort();
			await scanning?.catch(() => {});
		}
	};
}
