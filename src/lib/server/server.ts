import path from 'node:path';
import type { Role } from '#schemas/common';
import { isOnline } from '#schemas/plain/is-online';
import { titlesOf } from '#schemas/plain/mod-titles';
import { mayChangeMods } from '#schemas/plain/of-mods';
import { createBus, type Bus } from '#core/bus';
import { DASHBOARD } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { ensureDir } from '#core/files';
import { lazy, lazyMethods } from '#core/lazy';
import { createLock, type Lock } from '#core/lock';
import type { Logger } from '#core/log';
import { silentPeers } from '#core/net';
import type { ServerConfig } from '#env';
import { createOperations, underWay } from '#operations';
import { createPainter } from '#picture';
import type { Audit } from '#services/audit';
import { createExporter } from '#services/exporter';
import { createLive } from '#services/live';
import { createMonitor } from '#services/monitor';
import { createPreviews } from '#services/preview';
import type { SettingsService } from '#services/settings';
import { createJournal } from '#storage/journal';
import type { AppEvent } from './events.ts';
import { wireAnalytics } from './wiring/analytics.ts';
import { demoHoldMs, demoSpeed, prepareDemo } from './wiring/demo/demo.ts';
import { madeUpUntil, writeDemoDay } from './wiring/demo/demo-day.ts';
import { wireNotifications } from './wiring/notifications.ts';
import { connectGame } from './wiring/game.ts';
import { createGameSecrets } from './wiring/game-secrets.ts';
import { wireOnDemand } from './wiring/on-demand.ts';
import { wireOverview } from './wiring/overview.ts';
import { wirePlayers } from './wiring/players.ts';
import { wirePower } from './wiring/power.ts';
import { wireSchedule } from './wiring/schedule.ts';
import { wireSetup } from './wiring/setup.ts';
import { wireSoftware } from './wiring/software.ts';
import { wireSources } from './wiring/sources.ts';
import { wireStatus } from './wiring/status.ts';
import { wireTriggers } from './wiring/triggers.ts';
import { wireUpgrades } from './wiring/upgrades.ts';

/** What all servers of a dashboard share. */
export type Shared = {
	clock: Clock;
	environment: NodeJS.ProcessEnv;
	/** The project's folder. */
	root: string;
	/** How long a started game is watched before it counts as healthy, in milliseconds. */
	holdMs: number;
	log: Logger;
	/** What happens to the dashboard as a whole. */
	bus: Bus<AppEvent>;
	audit: Audit;
	settings: SettingsService;
	/** Values that must never appear in a log. */
	secrets: string[];
	/** Where people reach the dashboard; null when it takes that from each request. */
	publicUrl: URL | null;
	/** The role that a session has now; null when it has ended. */
	roleOf: (sessionId: string) => Role | null;
	/** The role that an account has now; null when there is none of that name. */
	roleOfAccount: (name: string) => Role | null;
	/** Changes with an account's password; null when there is no such account. */
	markOf: (name: string) => string | null;
};

/** They prepare, and boot on a copy, before they need the server. */
const BESIDE = [
	...(['install', 'update', 'enable', 'disable', 'remove'] as const),
	...(['upgrade', 'culprit'] as const)
];

/** Everything of one game server; nothing runs before `start()`. */
export async function createServer(config: ServerConfig, shared: Shared) {
	const { clock, environment, root, holdMs, log, audit, settings, secrets, roleOf } = shared;
	const { dataDir, serverDir } = config;
	await ensureDir(dataDir);
	const file = (name: string) => path.join(dataDir, name);
	const bus = createBus<AppEvent>((cause) => log.error('A listener of the bus failed', { cause }));
	const { publish } = bus;
	const unsubscribe = shared.bus.subscribe(publish);
	const speed = demoSpeed(environment);
	const demo = config.demo ? await prepareDemo(serverDir, root, speed) : null;
	if (demo?.isFirst) await writeDemoDay(dataDir, clock.now());
	const madeUp = demo && (await madeUpUntil(dataDir));
	const game = connectGame(config, {
		...{ clock, log },
		environment: { ...environment, ...demo?.environment },
		command:
			demo?.command ??
			(config.serverCommand && {
				argv: config.serverCommand,
				how: 'SERVER_COMMAND says how to start it.'
			})
	});
	const gameSecrets = createGameSecrets(config, secrets, clock);
	/** Held for as long as this dashboard looks after the folder, whatever DATA_DIR another one has. */
	const folderLock = createLock(path.join(serverDir, '.craftwarden.lock'), clock);
	/** Its holder may change the server's files, or start and stop it. */
	const lock = createLock(file('operation.lock'), clock);
	const journal = createJournal({ dir: file('operations'), warn: log.warn });
	/** Its holder boots mods on copies of the server, beside everything else. */
	const trialLock = createLock(file('trial.lock'), clock);
	const modTitles = async (named: string[]) => titlesOf(named, (await onDemand.mods.list()).mods);
	const operations = createOperations({
		...{ journal, lock: lock.share(), publish, clock, log },
		titlesOf: modTitles,
		beside: { kinds: BESIDE, lock: trialLock.share(), server: lock.share() }
	});

	const { setup, applyQueued } = wireSetup(config, {
		...{ clock, log, bus, audit, game },
		lock: lock.share()
	});
	const power = wirePower(config, {
		...{ clock, log, bus, audit, game, operations, settings, secrets, demo, holdMs },
		beforeLaunch: () => applyQueued(true)
	});
	const { status, ticks } = wireStatus(config, {
		...{ clock, log, bus, game, power, publicUrl: shared.publicUrl }
	});
	const previews = createPreviews({
		status: status.get,
		painter: createPainter({ cacheDir: path.join(root, 'node_modules/.cache/picture') }),
		clock,
		log
	});
	const analytics = wireAnalytics(config, {
		...{ clock, log, bus, power, status, settings, ticks },
		runtime: game.runtime,
		installation: game.installation
	});
	const { chat, players, stats, online, ...people } = wirePlayers(config, {
		...{ clock, log, bus, audit, game, power, status, operations, secrets: gameSecrets },
		lock: lock.share()
	});
	async function knownPlayers() {
		// Who has come meanwhile has something to lose too.
		players.invalidate();
		const { known, online: here } = await players.list();
		return known.map((one) => ({ ...one, online: isOnline(here, one) }));
	}
	const sources = wireSources(config, { clock, log, root });
	const onDemand = wireOnDemand(config, {
		...{ clock, log, bus, audit, game, power, operations, settings, publish, root, journal },
		...{ environment, secrets, trialLock: trialLock.share() },
		lock: lock.share(),
		serverName: async () => (await status.get()).name,
		playersOnline: async () => (await status.get()).players.online,
		tps: async () => (await status.get()).tps,
		askAboutAll: async () => (await settings.get()).modsAskAboutAll,
		knownPlayers,
		changed: game.forget
	});
	const software = wireSoftware(config, {
		...{ clock, log, audit, game, power, operations, environment },
		sources: sources.sources,
		registry: onDemand.registry,
		parked: () => onDemand.mods.parkedHere()
	});
	const { upgrades, ...upgrading } = wireUpgrades(config, {
		...{ clock, log, audit, game, power, operations, settings, sources, software },
		mods: onDemand.forUpgrades,
		attempt: async (id) => (await journal.read(id))?.input ?? null,
		backup: onDemand.backups.runForOperation,
		lock: lock.share(),
		players: knownPlayers
	});
	operations.prepareWith(async () => {
		await Promise.all([
			onDemand.defineOperations(),
			software.defineOperations(),
			upgrading.defineOperations()
		]);
	});
	const exporter = createExporter({
		token: config.metricsToken,
		version: config.version,
		measured: analytics.latest,
		subscribe: bus.subscribe,
		clock
	});
	const { notifications, close: closeNotifications } = wireNotifications(config, {
		...{ clock, log, bus, audit, power, operations, analytics, chat, settings, modTitles },
		serverName: async () => (await status.get()).name,
		...{ publicUrl: shared.publicUrl, markOf: shared.markOf }
	});
	const monitor = createMonitor({
		wanted: async () => config.metricsToken !== null || (await notifications.wanted()),
		dirs: [serverDir, dataDir, config.backupDir],
		backups: () => onDemand.backups.list(),
		operators: people.operators,
		mods: () => onDemand.mods.list(),
		updates: () => onDemand.mods.updates(false),
		changing: () => underWay(operations).some(({ kind }) => mayChangeMods(kind)),
		subscribe: bus.subscribe,
		...{ publish, clock, log }
	});
	const tasks = wireSchedule(config, {
		...{ clock, log, audit, operations, root, environment },
		rcon: game.rcon,
		async backup(by) {
			const begun = await onDemand.backups.scheduled(by);
			return 'operation' in begun ? begun.operation : null;
		},
		prune: onDemand.snapshots.prune,
		power,
		playersOnline: async () => (await status.get()).players.online,
		console: async (line, by) => (await texts()).console.run(line, by),
		modUpdates: () => onDemand.mods.updates(true),
		updateMods: (by) => onDemand.mods.update({ all: true }, by),
		lock: createLock(file('crontab.lock'), clock)
	});
	const { triggers, close: closeTriggers } = wireTriggers(config, {
		...{ clock, log, bus, audit, power, status, settings },
		runner: tasks.runner,
		roleOfAccount: shared.roleOfAccount
	});
	const { firstRun, attention, overview, tour, lookForCrash } = wireOverview(config, {
		...{ clock, log, bus, audit, game, power, operations, setup, onDemand, environment },
		...{ chat, online, status: status.get, measures: analytics, notifications },
		kept: () => upgrades.kept(),
		logs: async (query, viewer) => (await texts()).logs.read(query, viewer),
		schedule: tasks.schedule,
		software: software.software
	});
	const texts = lazy(async () => {
		const { wireLogs } = await import('./wiring/logs.ts');
		return wireLogs(config, {
			...{ clock, log, audit, game, power, secrets: gameSecrets },
			mods: () => onDemand.mods.list(),
			// Any command may have concerned players.
			ran() {
				players.invalidate();
				status.invalidate();
			}
		});
	});
	const live = createLive({
		status: status.get,
		players: online,
		chat,
		operations,
		check: roleOf,
		silentPeers: () => silentPeers(),
		streamsPerAccount: config.streamsPerAccount,
		bus,
		clock,
		log
	});

	/** The first caller finds it starting or running. */
	const startDemo = () =>
		void power
			.start({ delaySeconds: 0, message: '' }, DASHBOARD)
			.catch((cause) => log.warn('The demo server could not be started', { cause }));

	function claimFolder() {
		const isFree = tryAcquire(folderLock, (cause) =>
			log.warn('Whether another dashboard uses SERVER_DIR cannot be found out', { cause })
		);
		if (isFree) return;
		const why = `SERVER_DIR: another Craftwarden already looks after ${serverDir}. Stop that one, or set another SERVER_DIR.`;
		throw new AppError('conflict', why);
	}

	return {
		...{ operations, power, status, previews, setup, firstRun, attention, overview, tour },
		...{ live, chat, players, stats, analytics, exporter, notifications },
		/** Up to when the graphs of the demo show what was never measured; null for anything else. */
		madeUpUntil: madeUp,
		/** For how long the demo watches what it starts; null for anything else. */
		demoHoldMs: demo && demoHoldMs(speed),
		installation: game.installation,
		/** Why the running game takes no commands; null when it takes them, or was not asked yet. */
		rconRefusal: () => game.rconRefused()?.message ?? null,
		mods: onDemand.mods,
		modpack: onDemand.modpack,
		upgrades,
		software: software.software,
		snapshots: onDemand.snapshots,
		backups: onDemand.backups,
		schedule: tasks.schedule,
		triggers,
		/** One scheduled task, in the dispatcher's own process. */
		dispatch: tasks.dispatch,
		logs: lazyMethods(async () => (await texts()).logs),
		console: lazyMethods(async () => (await texts()).console),

		/** Recovers what a dead dashboard left behind, and starts watching. `AppError` when another one does. */
		async start() {
			claimFolder();
			power.startWatching();
			operations.startWatching();
			await operations.recover();
			// It may have crashed right before, or while, no dashboard ran.
			lookForCrash();
			software
				.tidy()
				.catch((cause) =>
					log.error('The leftovers of setting up a server could not be removed', { cause })
				);
			onDemand.start();
			await tasks.start();
			await triggers.start();
			analytics.start();
			people.start();
			monitor.start();
			notifications.start();
			void applyQueued();
			if (demo?.isFirst) startDemo();
		},
		/** Ends everything that was started here; the game keeps running. */
		async close() {
			unsubscribe();
			monitor.close();
			await closeNotifications();
			exporter.close();
			live.close();
			await closeTriggers();
			await tasks.close();
			analytics.close();
			await onDemand.halt();
			power.close();
			software.close();
			await operations.close();
			await onDemand.close();
			await sources.close();
			await previews.close();
			status.close();
			game.close();
			setup.close();
			folderLock.close();
			await people.close();
			(await texts.built())?.logs.close();
			// A step that still uses the files keeps the lock until it is done or this process is gone.
			if (trialLock.tryAcquire()) trialLock.close();
			if (lock.tryAcquire()) lock.close();
		}
	};
}

/** A folder that is missing or cannot be written to is nobody's to change. */
function tryAcquire(lock: Lock, failed: (cause: unknown) => void): boolean {
	try {
		return lock.tryAcquire();
	} catch (error) {
		failed(error);
		return true;
	}
}
