import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import { AppError, errno } from '#core/errors';
import { createModsSwap } from '#minecraft/mods-swap';
import {
	createModChanges,
	type Deps,
	type Failed,
	type ModChange
} from '../../../src/lib/server/services/mods/change/index.ts';
import { createSnapshotStore } from '#storage/snapshots';
import type { ServerControl, StepContext } from '#operations';

export const sha512 = (bytes: string | Uint8Array) =>
	createHash('sha512').update(bytes).digest('hex');

/** What lies in a folder of mods: name to sha512; hidden files and what is no file do not count. */
export async function modSet(dir: string): Promise<Record<string, string>> {
	const set: Record<string, string> = {};
	for (const name of (await namesIn(dir)).sort()) {
		if (!/^[^.].*\.jar(\.disabled)?$/.test(name)) continue;
		const file = path.join(dir, name);
		if ((await lstat(file)).isFile()) set[name] = sha512(await readFile(file));
	}
	return set;
}

const namesIn = (dir: string) =>
	readdir(dir).catch((error) => {
		if (errno(error) === 'ENOENT') return [];
		throw error;
	});

type Jar = { fileName: string; title: string; content: string | Uint8Array };

/** A change of kind `update` from one jar to another, with more to say in `facts`. */
export async function updateOf(
	modsDir: string,
	{ from, to }: { from: Pick<Jar, 'fileName' | 'title'>; to: Jar },
	facts: Partial<ModChange> = {}
): Promise<ModChange> {
	const before = await modSet(modsDir);
	return {
		kind: 'update',
		planId: null,
		titles: [to.title],
		put: [putOf(to)],
		take: [{ ...from, sha512: before[from.fileName] ?? '', side: 'both' }],
		rename: [],
		before,
		restart: true,
		backupFirst: false,
		...facts
	};
}

/** As a plan has it; the fake registry serves the content of its URL. */
export function putOf({ fileName, title, content }: Jar): ModChange['put'][number] {
	const bytes = Buffer.from(content);
	const facts = { fileName, size: bytes.length, sha512: sha512(bytes) };
	const url = `data:,${bytes.toString('base64')}`;
	return { ...facts, title, side: 'both', staged: null, file: { ...facts, url, sha1: '' } };
}

/** Of the backup that each change with `backupFirst` makes. */
export const BACKUP_ID = '20260102T030405Z-1a2b';

export type Trouble = Partial<
	Pick<
		Deps,
		'download' | 'checkJar' | 'duplicate' | 'twins' | 'withdrawn' | 'rebuildModpack' | 'retry'
	>
> & {
	backup?: (ctx: StepContext) => Promise<void>;
	/** Without one, nothing is tried on a copy. */
	boot?: Deps['trials']['boot'];
	preflight?: Deps['preflight'];
	untouchable?: () => string | null;
	putBack?: (id: string) => Promise<void>;
	take?: () => Promise<void>;
};

/** The service on a real folder, with its own registry and snapshots; `trouble` replaces what is to go wrong. */
export function openMods(input: {
	operations: Deps['operations'];
	server: ServerControl;
	modsDir: string;
	dataDir: string;
	clock?: Clock;
	trouble?: Trouble;
	said?: unknown[];
	/** Simple copies unless given. */
	snapshots?: Deps['snapshots'];
}) {
	const { operations, server, modsDir, dataDir, clock = systemClock } = input;
	const { trouble = {}, said = [] } = input;
	const packs: string[] = [];
	const failed: Failed[] = [];
	const audit: { by: string; action: string; result: string }[] = [];
	const fake = createFakeSnapshots(modsDir, path.join(dataDir, 'snapshots'));
	const snapshots = input.snapshots ?? fake;
	const changes = createModChanges({
		operations,
		server,
		files: createModsSwap({ dir: modsDir }),
		current: () => modSet(modsDir),
		// Looked up late: a test may cause trouble midway.
		withdrawn: async (files, signal) => (await trouble.withdrawn?.(files, signal)) ?? [],
		download: (...call) => (trouble.download ?? download)(...call),
		checkJar: async (file) => (await trouble.checkJar?.(file)) ?? null,
		duplicate: async (...call) => (await trouble.duplicate?.(...call)) ?? null,
		twins: async (id) => (await trouble.twins?.(id)) ?? { locked: null, others: null },
		snapshots: {
			...snapshots,
			async take(wish) {
				await trouble.take?.();
				return snapshots.take(wish);
			},
			async putBack(id) {
				await trouble.putBack?.(id);
				await snapshots.putBack(id);
			}
		},
		untouchable: async () => trouble.untouchable?.() ?? null,
		async backup(ctx) {
			await trouble.backup?.(ctx);
			return BACKUP_ID;
		},
		failed: async (one) => void failed.push(one),
		async rebuildModpack() {
			await trouble.rebuildModpack?.();
			packs.push('built');
		},
		changed: () => {},
		trials: {
			problem: async () => (trouble.boot ? null : 'There is no sandbox here.'),
			boot: async (...call) => trouble.boot!(...call),
			times: async () => ({ limitMs: 120_000, usualMs: null, holdMs: 20_000, wholeMs: 140_000 })
		},
		trialBoots: async () => 'auto',
		preflight: async (...call) => (await trouble.preflight?.(...call)) ?? [],
		modsDir,
		audit: async (by, action, { result = 'done' } = {}) =>
			void audit.push({ by: by.name, action, result }),
		log: { error: (...words) => void said.push(words) },
		clock,
		dataDir,
		...(trouble.retry && { retry: trouble.retry })
	});
	changes.define();
	return { changes, snapshots: fake, packs, audit, failed };
}

const download: Deps['download'] = async ({ url, sha512: wanted }, to, { signal, progress }) => {
	const bytes = Buffer.from(url.slice('data:,'.length), 'base64');
	signal.throwIfAborted();
	if (sha512(bytes) !== wanted) throw new AppError('upstream', 'The download is damaged.');
	await writeFile(to, bytes);
	progress(bytes.length);
};

/** The real ones, of a server's folder. */
export function realSnapshots(input: { serverDir: string; dataDir: string; clock: Clock }) {
	const { serverDir, dataDir, clock } = input;
	const dir = path.join(dataDir, 'snapshots');
	const store = createSnapshotStore({
		...{ serverDir, dir, clock, warn: () => {} },
		lock: createLock(path.join(dir, 'store.lock'), clock),
		apart: async () => []
	});
	const snapshots: Deps['snapshots'] = {
		take: ({ note = '', ...about }) => store.take({ ...about, note }),
		putBack: store.putBack,
		problem: store.check,
		drop: async (id) => void (await store.remove([id])),
		changes: async () => NO_CHANGES
	};
	return { store, snapshots };
}

const NO_CHANGES = { back: [], away: [], changed: [], others: [] };

/** Whole copies: simple, and as repeatable as the real ones. */
function createFakeSnapshots(modsDir: string, dir: string) {
	let counter = 0;
	const at = (id: string) => path.join(dir, id);
	const files = async (folder: string) => Object.keys(await modSet(folder));
	return {
		async take(wish: { operationId: string | null }) {
			const id = `20260102T030405Z-${(++counter).toString(16).padStart(4, '0')}`;
			await mkdir(dir, { recursive: true });
			await rm(`${at(id)}.part`, { recursive: true, force: true });
			await cp(modsDir, `${at(id)}.part`, { recursive: true });
			await rm(at(id), { recursive: true, force: true });
			await rename(`${at(id)}.part`, at(id));
			await writeFile(`${at(id)}.json`, JSON.stringify(wish));
			return { id };
		},
		async putBack(id: string) {
			const saved = await modSet(at(id));
			const now = await modSet(modsDir);
			for (const name of await files(at(id))) {
				if (now[name] === saved[name]) continue;
				const temp = path.join(modsDir, `.${name}.back`);
				await rm(temp, { force: true });
				await cp(path.join(at(id), name), temp);
				await rename(temp, path.join(modsDir, name));
			}
			for (const name of await files(modsDir))
				if (saved[name] === undefined) await rm(path.join(modsDir, name));
		},
		problem: async (id: string) => (existsSync(at(id)) ? null : 'There is no such snapshot.'),
		drop: (id: string) => rm(at(id), { recursive: true, force: true }),
		/** Only what comes and goes, by the names of the files. */
		async changes(id: string) {
			const [saved, now] = [await modSet(at(id)), await modSet(modsDir)];
			const only = (set: Record<string, string>, other: Record<string, string>) =>
				Object.keys(set)
					.filter((name) => !(name in other))
					.map((fileName) => ({ fileName, name: fileName, version: null }));
			return { ...NO_CHANGES, back: only(saved, now), away: only(now, saved) };
		},
		/** How many there are. */
		count: async () =>
			(await readdir(dir).catch(() => [])).filter((name) => !name.includes('.')).length,
		wish: (id: string) => JSON.parse(readFileSync(`${at(id)}.json`, 'utf8')) as unknown
	};
}

/** A server without any process, for what is about files: it runs while there is a file `flag`. */
export function stillServer(flag: string): ServerControl {
	const ours = { id: 'x 1 1', pid: 1, startedAt: '', ours: true };
	const run = () => (existsSync(flag) ? ours : null);
	const ended = async () => rmSync(flag, { force: true });
	return {
		run: async () => run(),
		observe: async () => ({
			state: run() ? 'running' : 'stopped',
			run: run(),
			reason: null,
			diagnosis: null,
			readyAt: null,
			endedAt: null
		}),
		async ensureStopped() {
			if (run()) throw new AppError('conflict', 'It runs.');
		},
		ensureStartable: async () => {},
		async countDown(ctx) {
			if (!run()) ctx.skip('It does not run.');
			await ctx.remember({ counted: true });
		},
		async callOff(ctx) {
			if (!ctx.checkpoint['counted']) return false;
			appendFileSync(`${flag}-called-off`, `${ctx.id}\n`);
			return true;
		},
		halt: ended,
		end: ended,
		launch: async () => writeFileSync(flag, ''),
		async verify(_, tell = async () => {}) {
			if (!run()) throw new AppError('conflict', 'It does not run.');
			for (const sign of ['opened', 'ready', 'answered'] as const) await tell(sign);
		},
		settle: async () => {}
	};
}
