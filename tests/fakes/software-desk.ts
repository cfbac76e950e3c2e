import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Retry } from '#core/retry-on-disk-error';
import {
	acceptEula,
	editServerProperties,
	readServerProperties,
	type Installation
} from '#minecraft/folder';
import { readJar } from '#minecraft/mods';
import { folderFiles, readPack, zipFiles } from '#minecraft/packs';
import type { Operations } from '#operations';
import type { Registry } from '#registry';
import {
	createSoftware,
	IMPORTED_PACK_DEFAULTS,
	IMPORTED_PACK_VERSION,
	ImportedPackState
} from '#services/software';
import type { Sources } from '#sources';
import { createStateFile } from '#storage/state-file';
import { stillServer } from './mods/change-setup.ts';

export type Options = {
	/** Holds `data/server`, `data` and the flag of the running game. */
	dir: string;
	operations: Operations;
	clock: Clock;
	sources: Sources;
	registry: Pick<Registry, 'search' | 'projects' | 'packsOf' | 'download' | 'fetchesFrom'>;
	/** The server does not start. */
	broken?: () => boolean;
	/** Called when the server starts. */
	launched?: () => void;
	/** The present installation; by default a test must not need it. */
	installation?: () => Promise<Installation>;
	/** Called when the files have been exchanged, or put back. */
	changed?: () => void;
	retry?: Retry;
	/** By default nothing is flushed. */
	flush?: (dir: string) => Promise<void>;
	onAudit?: (action: string, detail: string | undefined) => void;
	/** Aborted when it ends; by default its plans wait for as long as the process lives. */
	closing?: AbortSignal;
};

export const serverDirOf = (dir: string) => path.join(dir, 'data', 'server');

/** The service on real folders; the game is a flag, Java is there already. */
export function openSoftware({ dir, operations, clock, sources, registry, ...more }: Options) {
	const dataDir = path.join(dir, 'data');
	const serverDir = serverDirOf(dir);
	mkdirSync(serverDir, { recursive: true });
	const server = stillServer(path.join(dir, 'running'));
	const java = { version: '25.0.1', major: 25, path: '/nowhere/bin/java', home: '/nowhere' };
	const old = { ...java, version: '17.0.15', major: 17, path: '/old/bin/java' };
	const imported = createStateFile({
		...{ file: path.join(dataDir, 'imported-pack.json'), warn: () => {} },
		...{ schema: ImportedPackState, version: IMPORTED_PACK_VERSION },
		defaults: IMPORTED_PACK_DEFAULTS
	});
	const software = createSoftware({
		...{ serverDir, refusal: null, sources, operations, clock, readJar },
		javaOf: () => 21,
		hasSandbox: async () => true,
		installation:
			more.installation ??
			(async () => {
				throw new Error('Nobody asks for it');
			}),
		parked: async () => [],
		javas: {
			found: async () => [java, old],
			choose: async () => java,
			named: async () => java,
			command: async () => null,
			install: async () => java,
			dir: path.join(dataDir, 'java')
		},
		server: {
			...server,
			async launch(ctx) {
				await server.launch(ctx);
				more.launched?.();
			},
			async verify(...args) {
				if (more.broken?.()) throw new AppError('conflict', 'It does not start.');
				return server.verify(...args);
			}
		},
		async runInstaller() {
			throw new Error('There is none');
		},
		write: { eula: acceptEula, properties: editServerProperties },
		readProperties: (at) => readServerProperties(at, clock),
		changed: more.changed ?? (() => {}),
		audit: async (_, action, { detail } = {}) => more.onAudit?.(action, detail ?? undefined),
		registry: async () => registry,
		packs: { zip: zipFiles, folder: folderFiles, read: readPack },
		importDir: path.join(dataDir, 'imports'),
		apart: [serverDir, dataDir],
		imported,
		closing: more.closing ?? new AbortController().signal,
		flush: more.flush ?? (async () => {}),
		...(more.retry && { retry: more.retry })
	});
	software.define();
	return { software, serverDir, dataDir, imported };
}
