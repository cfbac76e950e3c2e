import path from 'node:path';
import { createBus, type Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { ensureDir } from '#core/files';
import { lazy, lazyMethods } from '#core/lazy';
import { createLock } from '#core/lock';
import type { Logger } from '#core/log';
import { silentPeers } from '#core/net';
import type { ServerConfig } from '#env';
import { createOperations } from '#operations';
import { createPainter } from '#picture';
import type { Audit } from '#services/audit';
import { createLive } from '#services/live';
import { createPreviews } from '#services/preview';
import type { SettingsService } from '#services/settings';
import { createJournal } from '#storage/journal';
import type { AppEvent } from './events.ts';
import { wireAnalytics } from './wiring/analytics.ts';
import { wireAttention } from './wiring/attention.ts';
import { prepareDemo } from './wiring/demo.ts';
import { connectGame } from './wiring/game.ts';
import { createGameSecrets } from './wiring/game-secrets.ts';
import { wireOnDemand } from './wiring/on-demand.ts';
import { wirePlayers } from './wiring/players.ts';
import { wirePower } from './wiring/power.ts';
import { wireSchedule } from './wiring/schedule.ts';
import { wireSetup } from './wiring/setup.ts';
import { wireSoftware } from './wiring/software.ts';
import { wireStatus } from './wiring/status.ts';

/** What all servers of a dashboard share. */
export type Shared = {
	clock: Clock;
	environment: NodeJS.ProcessEnv;
	/** The project's folder. */
	root: string;
	log: Logger;
	/** What happens to the dashboard as a whole. */
	bus: Bus<AppEvent>;
	audit: Audit;
	settings: SettingsService;
	/** Values that must never appear in a log. */
	secrets: string[];
	/** The role that a session has now; null when it has ended. */
	roleOf: (sessionId: string) => 'admin' | 'superadmin' | null;
};

/** Everything of one game server; nothing runs before `start()`. */
export async function createServer(config: ServerConfig, shared: Shared) {
	const { clock, environment, root, log, audit, settings, secrets, roleOf } = shared;
	const { dataDir, serverDir } = config;
	await ensureDir(dataDir);
	const file = (name: string) => path.join(dataDir, name);
	const bus = createBus<AppEvent>((cause) => log.error('A listener of the bus failed', { cause }));
	const { publish } = bus;
	const unsubscribe = shared.bus.subscribe(publish);
	const demo = config.demo
		? await prepareDemo(serverDir, root, Number(environment['DEMO_SPEED']) || 1)
		: null;
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
	/** The holder may change the server's files, or start and stop it. */
	const lock = createLock(file('operation.lock'), clock);
	const journal = createJournal({ dir: file('operations'), warn: log.warn });
	const operations = createOperations({ journal, lock: lock.share(), publish, clock, log });

	const { setup, applyQueued } = wireSetup(config, {
		...{ clock, log, bus, audit, game },
		lock: lock.share()
	});
	const power = wirePower(config, {
		...{ clock, log, bus, audit, game, operations, settings, secrets, demo },
		beforeLaunch: () => applyQueued(true)
	});
	const { status, ticks } = wireStatus(config, { clock, log, bus, game, power });
	const previews = createPreviews({
		status: status.get,
		painter: createPainter({ cacheDir: path.join(root, 'node_modules/.cache/picture') }),
		clock,
		log
	});
	const analytics = wireAnalytics(config, {
		...{ clock, log, bus, power, status, settings, ticks },
		runtime: game.runtime
	});
	const { chat, players, stats, online, ...people } = wirePlayers(config, {
		...{ clock, log, audit, game, power, status, operations, secrets: gameSecrets },
		lock: lock.share()
	});
	const onDemand = wireOnDemand(config, {
		...{ clock, log, bus, audit, game, power, operations, settings, publish, root, journal },
		lock: lock.share(),
		serverName: async () => (await status.get()).name,
		playersOnline: async () => (await status.get()).players.online,
		tps: async () => (await status.get()).tps,
		askAboutAll: async () => (await settings.get()).modsAskAboutAll,
		nameOf: async (uuid) =>
			(await players.list()).known.find((known) => known.uuid === uuid)?.name ?? null,
		changed: game.forget
	});
	const software = wireSoftware(config, {
		...{ clock, log, audit, game, power, operations, environment, root }
	});
	operations.prepareWith(async () => {
		await Promise.all([onDemand.defineOperations(), software.defineOperations()]);
	});
	const { firstRun, attention } = wireAttention(config, {
		...{ clock, bus, audit, game, power, setup },
		measures: analytics,
		concerns: onDemand.backups.concerns
	});
	const tasks = wireSchedule(config, {
		...{ clock, log, audit, operations, root, environment },
		rcon: game.rcon,
		async backup(by) {
			const begun = await onDemand.backups.scheduled(by);
			return 'operation' in begun ? begun.operation : null;
		},
		prune: onDemand.snapshots.prune,
		lock: createLock(file('crontab.lock'), clock)
	});
	const texts = lazy(async () => {
		const { wireLogs } = await import('./wiring/logs.ts');
		return wireLogs(config, {
			...{ clock, log, audit, game, secrets: gameSecrets },
			// Whatever was typed may have concerned players.
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

	return {
		...{ operations, power, status, previews, setup, firstRun, attention },
		...{ live, chat, players, stats, analytics },
		installation: game.installation,
		mods: onDemand.mods,
		modpack: onDemand.modpack,
		software: software.software,
		snapshots: onDemand.snapshots,
		backups: onDemand.backups,
		schedule: tasks.schedule,
		/** One scheduled task, in the dispatcher's own process. */
		dispatch: tasks.dispatch,
		logs: lazyMethods(async () => (await texts()).logs),
		console: lazyMethods(async () => (await texts()).console),

		/** Recovers what a dead dashboard left behind, and starts watching. */
		async start() {
			power.startWatching();
			operations.startWatching();
			await operations.recover();
			onDemand.start();
			tasks.start();
			analytics.start();
			people.start();
			void applyQueued();
		},
		/** Ends everything that was started here; the game keeps running. */
		async close() {
			unsubscribe();
			live.close();
			await tasks.close();
			analytics.close();
			await onDemand.halt();
			power.close();
			await operations.close();
			await onDemand.close();
			await software.close();
			await previews.close();
			status.close();
			game.close();
			setup.close();
			await people.close();
			(await texts.built())?.logs.close();
			// A step that still uses the files keeps the lock until it is done or this process is gone.
			if (lock.tryAcquire()) lock.close();
		}
	};
}
