import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startRegistry, type FakeRegistry } from '../../../scripts/demo-registry/registry.ts';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import { systemClock, type Clock } from '#core/clock';
import { openRegular } from '#core/files';
import { createModsFolder, type ModFile, readJar, satisfies } from '#minecraft/mods';
import { createModrinth } from '#registry';
import type { ModChange } from '../../../src/lib/server/services/mods/change/index.ts';
import {
	FACTS_DEFAULTS,
	FACTS_VERSION,
	FactsState,
	FAILED_DEFAULTS,
	FAILED_VERSION,
	FailedVersionsState,
	FLAGS_DEFAULTS,
	FLAGS_VERSION,
	FlagsState,
	PARKED_DEFAULTS,
	PARKED_VERSION,
	ParkedState,
	createInventory,
	createMods,
	createParked
} from '#services/mods';
import type { ServerFacts } from '../../../src/lib/server/services/mods/known.ts';
import { createStateFile } from '#storage/state-file';
import { tempDir } from '../../faults/temp.ts';

export const ada: Actor = { name: 'ada', role: 'superadmin', address: '192.0.2.1' };
export const ben: Actor = { name: 'ben', role: 'admin', address: '192.0.2.2' };

export const OPERATION: Operation = {
	id: '20260102T030405123Z-1a2b',
	kind: 'install',
	subject: null,
	by: 'ada',
	state: 'running',
	startedAt: '2026-01-02T03:04:05.123Z',
	finishedAt: null,
	steps: [],
	cause: null
};

type Setup = {
	server?: Partial<ServerFacts>;
	clock?: Clock;
	root?: string;
	registry?: FakeRegistry;
	/** Scans as the program does; without, a small folder is read at once. */
	threads?: boolean;
};

/** A folder of mods, a registry over a socket, and the mods service of one process over both. */
export async function setupMods(options: Setup = {}) {
	const root = options.root ?? (await tempDir());
	const registry = options.registry ?? (await startRegistry());
	if (!options.registry) onTestFinished(() => registry.close());
	const modsDir = path.join(root, 'mods');
	await mkdir(modsDir, { recursive: true });
	const server: ServerFacts = {
		...{ loader: 'fabric', loaderVersion: '0.16.9', gameVersion: '1.21.1' },
		...options.server
	};
	const clock = options.clock ?? systemClock;
	const warn = (message: string, facts?: unknown) => void told.push([message, facts]);
	const log = { info: () => {}, warn, error: warn };
	const told: unknown[] = [];
	const ran: ModChange[] = [];
	const world = {
		running: null as Operation | null,
		repacked: 0,
		askAboutAll: true,
		untouchable: null as string | null
	};
	const folder = options.threads
		? createModsFolder({
				dir: modsDir,
				cacheFile: path.join(root, 'mods-cache.json'),
				clock,
				warn
			})
		: { scan: () => scanHere(modsDir), close: async () => {} };
	const client = createModrinth({
		baseUrl: new URL(registry.url),
		userAgent: 'craftwarden-tests/1 (tests)',
		clock,
		log
	});
	const state = <T>(name: string, schema: unknown, version: number, defaults: T) =>
		createStateFile<T>({
			...{ file: path.join(root, name), schema: schema as never, version, defaults },
			warn
		});
	const inventory = createInventory({
		...{ folder, satisfies, log, clock },
		installation: async () => server,
		registry: client,
		askAboutAll: async () => world.askAboutAll,
		onLate: () => mods.invalidate(),
		factsFile: state('registry-facts.json', FactsState, FACTS_VERSION, FACTS_DEFAULTS),
		flagsFile: state('mod-flags.json', FlagsState, FLAGS_VERSION, FLAGS_DEFAULTS),
		failedFile: state('failed-versions.json', FailedVersionsState, FAILED_VERSION, FAILED_DEFAULTS)
	});
	const mods = createMods({
		inventory,
		registry: client,
		changes: {
			whyNoTrial: async () => 'There is no sandbox here.',
			async run(change) {
				ran.push(change);
				return { ...OPERATION, kind: change.kind };
			}
		},
		culprits: {
			start: async () => ({ ...OPERATION, kind: 'culprit' }),
			offer: async () => ({ search: null, estimate: null, why: null })
		},
		untouchable: async () => world.untouchable,
		trials: { problem: async () => null, note: async () => null },
		running: () => world.running,
		parked: createParked(state('parked-mods.json', ParkedState, PARKED_VERSION, PARKED_DEFAULTS), {
			registry: client,
			clock
		}),
		satisfies,
		readJar,
		uploadDir: path.join(root, 'uploads'),
		repack: () => void world.repacked++,
		audit: async (by, action, facts) => void told.push({ by: by.name, action, ...facts }),
		clock
	});
	onTestFinished(async () => {
		mods.close();
		client.close();
		await folder.close();
	});

	return {
		...{ root, modsDir, server, registry, client, inventory, mods, ran, told, world },
		uploads: () => readdir(path.join(root, 'uploads')),
		/** The requests of the API since the last time. */
		asked: (() => {
			let seen = 0;
			return () => {
				const fresh = registry.requests.slice(seen);
				seen = registry.requests.length;
				return fresh.map(({ method, path }) => `${method} ${path.replace('/v2', '')}`);
			};
		})(),
		put: (name: string, bytes: Uint8Array) => writeFile(path.join(modsDir, name), bytes),
		/** A version of the registry, put into `mods/`. */
		async install(slug: string, number: string, { disabled = false } = {}) {
			const version = registry.store
				.versionsOf(registry.store.find(slug)!.id)
				.find((one) => one.number === number)!;
			const file = version.files[0]!;
			const name = file.name + (disabled ? '.disabled' : '');
			await writeFile(path.join(modsDir, name), file.bytes);
			return name;
		}
	};
}

/** The same as the real scan, without threads, whose start takes longer than everything else here. */
async function scanHere(dir: string): Promise<ModFile[]> {
	const names = (await readdir(dir)).filter((name) => /^(?!\.).+\.jar(\.disabled)?$/.test(name));
	return Promise.all(
		names.sort().map(async (fileName): Promise<ModFile> => {
			const file = path.join(dir, fileName);
			const base = { fileName, enabled: fileName.endsWith('.jar'), mtimeMs: 0 };
			const handle = await openRegular(file);
			if (!handle) {
				const facts = { ok: false, problem: 'It is no ordinary file.' } as const;
				return { ...base, size: 0, sha512: null, regular: false, facts };
			}
			try {
				const bytes = await readFile(file);
				return {
					...base,
					sha512: createHash('sha512').update(bytes).digest('hex'),
					size: bytes.length,
					regular: true,
					facts: await readJar(handle)
				};
			} finally {
				await handle.close();
			}
		})
	);
}

export type ModsSetup = Awaited<ReturnType<typeof setupMods>>;

/** The words of one kind of warning. */
export const warned = (plan: {
	warnings: { code: string; message: string; blocking: boolean }[];
}) => plan.warnings.map(({ code, blocking }) => (blocking ? `${code}!` : code));
