import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { openRegular } from '#core/files';
import { createLock, type Lock } from '#core/lock';
import type { Logger } from '#core/log';
import { createDemoRegistry } from './demo/demo.ts';
import type { ServerConfig } from '#env';
import type { AppEvent } from '../events.ts';
import type { Game } from './game.ts';
import { createModsSwap } from '#minecraft/mods-swap';
import { createModsFolder, readJar, satisfies, type JarFacts } from '#minecraft/mods';
import { createModrinth } from '#registry';
import type { Audit } from '#services/audit';
import { createModpack, PACK_DEFAULTS, PACK_VERSION, PackState } from '#services/modpack';
import {
	createDuplicateCheck,
	createTwinsCheck,
	createInventory,
	createModChanges,
	createModsForGame,
	createPacks,
	createWithdrawn,
	createRestoreStart,
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
	createParked,
	loadersFor,
	createCulpritAuto,
	createCulprits,
	createMods,
	createPreflight,
	jarProblem,
	setOf,
	type Failed
} from '#services/mods';
import type { Operations, StepContext } from '#operations';
import type { Power } from '#services/power';
import type { SettingsService } from '#services/settings';
import { createSnapshotContents, createSnapshots, type JarNames } from '#services/snapshots';
import type { Journal } from '#storage/journal';
import { createSnapshotStore } from '#storage/snapshots';
import { createStateFile } from '#storage/state-file';
import { wireTrials } from './trial.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	bus: Bus<AppEvent>;
	audit: Audit;
	game: Game;
	power: Power;
	operations: Operations;
	journal: Journal;
	/** The operations' lock. */
	lock: Lock;
	serverName: () => Promise<string>;
	/** Takes a backup as a step of another operation; returns its id. */
	backup: (ctx: StepContext) => Promise<string>;
	/** Whether the registry may be queried for jars that did not come from it. */
	askAboutAll: () => Promise<boolean>;
	root: string;
	environment: NodeJS.ProcessEnv;
	settings: SettingsService;
	/** Held while mods are tried on a copy. */
	trialLock: Lock;
	/** Values that must never be shown. */
	secrets: string[];
};

/** Everything about mods: what is installed, what could be, how it is changed and rolled back. */
export function wireMods(config: ServerConfig, needs: Needs) {
	const { clock, log, bus, audit, game, power, operations, journal, root } = needs;
	const { dataDir, serverDir } = config;
	const { installation } = game;
	const file = (name: string) => path.join(dataDir, name);
	const modsDir = path.join(serverDir, 'mods');
	const warn = log.warn;

	const demo = config.modrinthUrl ? null : createDemoRegistry(root);
	const registry = createModrinth({
		baseUrl: config.modrinthUrl ?? (() => demo!.url()),
		userAgent: `craftwarden/craftwarden/${config.version}`,
		clock,
		log
	});
	const cacheFile = file('mods-cache.json');
	const folder = createModsFolder({ dir: modsDir, cacheFile, clock, warn });

	const changed = () => bus.publish({ type: 'mods-changed' });

	const inventory = createInventory({
		...{ folder, registry, satisfies, log, clock },
		installation: async () => ({ ...(await installation()), java: await game.java() }),
		askAboutAll: needs.askAboutAll,
		onLate: changed,
		factsFile: createStateFile({
			...{ file: file('registry-facts.json'), schema: FactsState, warn },
			...{ version: FACTS_VERSION, defaults: FACTS_DEFAULTS }
		}),
		flagsFile: createStateFile({
			...{ file: file('mod-flags.json'), schema: FlagsState, warn },
			...{ version: FLAGS_VERSION, defaults: FLAGS_DEFAULTS }
		}),
		failedFile: createStateFile({
			...{ file: file('failed-versions.json'), schema: FailedVersionsState, warn },
			...{ version: FAILED_VERSION, defaults: FAILED_DEFAULTS }
		})
	});

	const modpack = createModpack({
		...{ modsDir, operations, clock },
		source: () => inventory.read({ ask: true, patient: true }),
		serverName: needs.serverName,
		dir: file('modpack'),
		state: createStateFile({
			...{ file: file('modpack.json'), schema: PackState, warn },
			...{ version: PACK_VERSION, defaults: PACK_DEFAULTS }
		})
	});

	const store = createSnapshotStore({
		serverDir,
		dir: config.snapshotDir,
		lock: createLock(path.join(config.snapshotDir, 'store.lock'), clock),
		clock,
		apart: async () => [dataDir, config.backupDir, config.logDir, (await installation()).worldDir],
		warn
	});
	const snapshots = createSnapshots({
		store,
		contents: createSnapshotContents({
			store,
			readNames: async (handle) => namesOf(await readJar(handle)),
			installed: async () =>
				(await folder.scan()).map(({ fileName, facts }) => ({ fileName, ...namesOf(facts) }))
		}),
		restoreOperation: createRestoreStart({
			...{ operations, audit: audit.record },
			untouchable: game.untouchable.modChange
		}),
		async needed() {
			const { keptSnapshots } = await import('#services/upgrades');
			return [...journal.open().flatMap(namedIn), ...(await keptSnapshots(serverDir))];
		},
		operation: operations.running,
		lock: needs.lock,
		audit: audit.record
	});

	const readUnasked = () => inventory.read({ ask: false });
	async function checkJar(jar: string): Promise<string | null> {
		const handle = await openRegular(jar);
		if (!handle) return 'It is gone.';
		try {
			return jarProblem(await readJar(handle), (await installation()).loader);
		} finally {
			await handle.close();
		}
	}

	/** Jars that the registry does not know have no version: there is nothing to leave out. */
	async function rememberFailure(failure: Failed & { certain: boolean }) {
		const { sha512s, ...how } = failure;
		const { versions } = await inventory.facts.known();
		const { loader, loaderVersion, gameVersion } = await installation();
		const at = clock.now().toISOString();
		const failed = sha512s.flatMap((sha512) => {
			const { id: versionId, projectId, number: version } = versions.get(sha512) ?? {};
			if (!versionId || !projectId || !version) return [];
			const ids = { projectId, versionId, version, sha512, loader, loaderVersion, gameVersion };
			return [{ ...ids, at, ...how }];
		});
		await inventory.failures.remember(failed);
	}

	const trials = wireTrials(config, needs);
	const current = async () => setOf(await folder.scan());
	const rebuildModpack = async () => void (await modpack.build());
	const changes = createModChanges({
		...{ current, rebuildModpack, operations, snapshots, clock, log, dataDir, modsDir, trials },
		trialBoots: async () => (await needs.settings.get()).trialBoots,
		preflight: createPreflight({
			...{ readJar, satisfies, serverDir },
			read: readUnasked
		}),
		untouchable: game.untouchable.modChange,
		server: power.serverControl,
		files: createModsSwap({ dir: modsDir }),
		withdrawn: createWithdrawn(registry),
		download: registry.download,
		checkJar,
		duplicate: createDuplicateCheck({ read: readUnasked, readJar }),
		twins: createTwinsCheck({ read: readUnasked, readJar, jarsOf: snapshots.jars }),
		backup: needs.backup,
		failed: (failure) => rememberFailure({ ...failure, certain: false }),
		changed,
		audit: audit.record
	});

	const culprits = createCulprits({
		...{ operations, journal, trials, satisfies, readJar, clock, log, dataDir, modsDir, serverDir },
		...{ audit: audit.record, download: registry.download, checkJar },
		read: readUnasked,
		remember: rememberFailure,
		acquit: inventory.failures.acquit
	});
	const auto = createCulpritAuto({
		...{ culprits, trials, journal, log },
		wanted: async () => (await needs.settings.get()).culpritAuto
	});

	const parked = createParked(
		createStateFile({
			...{ file: file('parked-mods.json'), schema: ParkedState, warn },
			...{ version: PARKED_VERSION, defaults: PARKED_DEFAULTS }
		}),
		{ registry, clock }
	);
	const mods = createMods({
		culprits,
		untouchable: game.untouchable.modChange,
		trials,
		...{ inventory, registry, changes, satisfies, readJar, clock },
		running: operations.running,
		parked,
		uploadDir: file('uploads'),
		repack: () =>
			void modpack
				.build()
				.catch((cause) => log.error('The pack for players could not be built', { cause })),
		audit: audit.record
	});

	const forUpgrades = {
		registry,
		loadersFor,
		snapshots,
		modpack: createPacks({ rebuildModpack, changed, log }).modpack,
		/** The game is exchanged with all mods, forth or back. */
		changed,
		mods: createModsForGame({
			...{ inventory, registry, satisfies, readJar, current, parked, modsDir, serverDir, changed },
			...{ dataDir, checkJar, log, operations, trials, clock },
			download: registry.download
		}),
		trials,
		/** Enabled and parked files, and what is known of them. */
		async installed(refresh: boolean) {
			const known = await inventory.read({ ask: false });
			const { server, files, mods } = known;
			const enabled = files.filter(({ enabled }) => enabled);
			const aside = (await parked.here(known)).map(({ fileName, title }) => ({
				...{ fileName, title },
				sha512: files.find((file) => file.fileName === fileName)?.sha512 ?? null
			}));
			const hashes = [...enabled, ...aside].flatMap(({ sha512 }) => sha512 ?? []);
			const told = await inventory.facts.of(hashes, { projects: false, insist: refresh });
			const names = new Map(mods.map(({ fileName, name }) => [fileName, name]));
			const titled = enabled.map(({ fileName, sha512 }) => ({
				...{ fileName, sha512 },
				title: names.get(fileName) ?? fileName
			}));
			return { ...server, ...told, files: titled, parked: aside };
		}
	};

	const unsubscribe = bus.subscribe((event) => {
		if (event.type === 'mods-changed') mods.invalidate();
		if (event.type === 'operation') auto.seen(event.summary);
	});
	changes.define();
	culprits.define();
	modpack.define();

	return {
		...{ mods, modpack, snapshots, forUpgrades, registry },
		/** Copies of the server that a killed process has left behind contain its configuration. */
		async sweepTrials() {
			if (!needs.trialLock.tryAcquire()) return;
			await trials.sweep().finally(needs.trialLock.release);
		},
		/** How a snapshot is restored: the kind `restore` also covers backups. */
		restoring: changes.restoring,
		async close() {
			unsubscribe();
			mods.close();
			snapshots.close();
			registry.close();
			await folder.close();
			await demo?.close();
		}
	};
}

/** Of the jar's own mod, not of nested jars. */
function namesOf(facts: JarFacts): JarNames {
	const own = facts.ok ? facts.mods.find(({ nested }) => !nested) : undefined;
	return own ?? { modId: null, name: null, version: null };
}

/** The snapshots that an unfinished operation has taken, or restores; its own id stands for those it took. */
function namedIn({ operation, memo, input }: ReturnType<Journal['open']>[number]): string[] {
	const asked = (input as { snapshot?: unknown } | null)?.snapshot;
	return [operation.id, memo['snapshot'], asked].filter((id) => typeof id === 'string');
}
