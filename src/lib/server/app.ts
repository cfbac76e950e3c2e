import path from 'node:path';
import { Settings } from '#schemas/settings';
import { accessOf } from './access.ts';
import { createBus } from '#core/bus';
import { systemClock, type Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { ensureDir } from '#core/files';
import { lazy, lazyMethods } from '#core/lazy';
import { createLock } from '#core/lock';
import { createLogger, createMask } from '#core/log';
import { silentPeers } from '#core/net';
import { prepareDemo } from './wiring/demo.ts';
import { type Env, keepTaskEnvironment } from '#env';
import type { AppEvent } from './events.ts';
import { connectGame } from './wiring/game.ts';
import { createGameSecrets } from './wiring/game-secrets.ts';
import { wireAccounts } from './wiring/accounts.ts';
import { wireArchives } from './wiring/archives.ts';
import { createPainter } from '#picture';
import { wireAnalytics } from './wiring/analytics.ts';
import { wirePlayers } from './wiring/players.ts';
import { wirePower } from './wiring/power.ts';
import { wireSchedule } from './wiring/schedule.ts';
import { createAudit } from '#services/audit';
import { createClientErrors } from '#services/client-errors';
import { createLive } from '#services/live';
import { createOperations } from '#operations';
import { createPreviews } from '#services/preview';
import { createSettings, SETTINGS_DEFAULTS, SETTINGS_VERSION } from '#services/settings';
import { createJournal } from '#storage/journal';
import { createStateFile } from '#storage/state-file';

/** The world outside, for tests to replace. */
export type Outside = { clock: Clock; environment: NodeJS.ProcessEnv; root: string };

export type App = Awaited<ReturnType<typeof createApp>>;

const REAL: Outside = { clock: systemClock, environment: process.env, root: process.cwd() };

/** Builds every service once and wires them; nothing runs before `start()`. */
export async function createApp(env: Env, outside: Partial<Outside> = {}) {
	const { clock, environment, root } = { ...REAL, ...outside };
	const { dataDir, serverDir } = env;
	await ensureDir(dataDir);
	const file = (name: string) => path.join(dataDir, name);
	const secrets = secretsOf(env);
	const log = createLogger({ dir: env.logDir, secrets });
	const gameSecrets = createGameSecrets(env, secrets, clock);
	const bus = createBus<AppEvent>((cause) => log.error('A listener of the bus failed', { cause }));
	const { publish } = bus;
	const demo = env.demo
		? await prepareDemo(serverDir, root, Number(environment['DEMO_SPEED']) || 1)
		: null;
	const game = connectGame(env, {
		clock,
		environment: { ...environment, ...demo?.environment },
		command:
			demo?.command ??
			(env.serverCommand && {
				argv: env.serverCommand,
				how: 'SERVER_COMMAND says how to start it.'
			})
	});

	const audit = createAudit({ dir: dataDir, clock, log, mask: createMask(secrets) });
	const settings = createSettings({
		file: createStateFile({
			file: file('settings.json'),
			schema: Settings,
			version: SETTINGS_VERSION,
			defaults: SETTINGS_DEFAULTS,
			warn: log.warn
		}),
		record: audit.record,
		publish
	});
	const journal = createJournal({ dir: file('operations'), warn: log.warn });
	const operations = createOperations({
		journal,
		lock: createLock(file('operation.lock'), clock),
		prepare: () => keeping.prepare(),
		publish,
		clock,
		log
	});

	const running = wirePower(env, {
		...{ clock, log, bus, audit, game, operations, settings, secrets, demo },
		concerns: () => keeping.backups.concerns(),
		measuresOutage: () => analytics.outage,
		lock: createLock(file('operation.lock'), clock),
		changed: () => analytics.changed()
	});
	const { power, status, setup } = running;
	const previews = createPreviews({
		status: status.get,
		painter: createPainter({ cacheDir: path.join(root, 'node_modules/.cache/picture') }),
		clock,
		log
	});
	const analytics = wireAnalytics(env, {
		...{ clock, log, bus, power, status, settings },
		ticks: running.ticks
	});
	const { chat, players, stats, online, ...people } = wirePlayers(env, {
		...{ clock, log, audit, game, power, status, operations, secrets: gameSecrets },
		lock: createLock(file('operation.lock'), clock)
	});
	const keeping = wireArchives(env, {
		...{ clock, log, audit, game, power, operations, settings, publish, root, journal },
		serverName: async () => (await status.get()).name,
		playersOnline: async () => (await status.get()).players.online,
		tps: async () => (await status.get()).tps,
		askAboutAll: async () => (await settings.get()).modsAskAboutAll,
		nameOf: async (uuid) =>
			(await players.list()).known.find((known) => known.uuid === uuid)?.name ?? null,
		changed: game.forget
	});
	const tasks = wireSchedule(env, {
		...{ clock, log, audit, operations, root, environment },
		rcon: game.rcon,
		async backup(by) {
			const begun = await keeping.backups.scheduled(by);
			return 'operation' in begun ? begun.operation : null;
		},
		prune: keeping.snapshots.prune,
		lock: createLock(file('crontab.lock'), clock)
	});
	const texts = lazy(async () => {
		const { wireLogs } = await import('./wiring/logs.ts');
		return wireLogs(env, {
			...{ clock, log, audit, game, secrets: gameSecrets },
			// Whatever was typed may have been about players.
			ran() {
				players.invalidate();
				status.invalidate();
			}
		});
	});
	const { accounts, sessions, roleOf } = await wireAccounts(env, { clock, log, bus, audit });
	const live = createLive({
		status: status.get,
		players: online,
		chat,
		operations,
		check: roleOf,
		silentPeers: () => silentPeers(),
		streamsPerAccount: env.streamsPerAccount,
		bus,
		clock,
		log
	});

	const clientErrors = createClientErrors({
		dir: env.logDir,
		spareDir: path.join(serverDir, 'logs'),
		mask: createMask(secrets),
		clock,
		log
	});

	const instance = createLock(file('dashboard.lock'), clock);
	const openapi = lazy(async () => {
		const { createOpenApi } = await import('./openapi.ts');
		return createOpenApi(env.version, accessOf);
	});
	return {
		env,
		log,
		audit,
		settings,
		operations,
		installation: game.installation,
		power,
		status,
		previews,
		setup,
		firstRun: running.firstRun,
		attention: running.attention,
		accounts,
		sessions,
		live,
		chat,
		players,
		stats,
		mods: keeping.mods,
		modpack: keeping.modpack,
		snapshots: keeping.snapshots,
		backups: keeping.backups,
		analytics,
		schedule: tasks.schedule,
		/** One scheduled task, in the dispatcher's own process. */
		dispatch: tasks.dispatch,
		logs: lazyMethods(async () => (await texts()).logs),
		console: lazyMethods(async () => (await texts()).console),
		clientErrors,
		openapi,
		about: () => ({
			version: env.version,
			demo: env.demo,
			dataDir,
			serverDir,
			scheduler: env.scheduler
		}),

		/** Takes up what a dead dashboard left, and keeps watch. `AppError` when another one uses the data directory. */
		async start() {
			if (!instance.tryAcquire())
				throw new AppError(
					'conflict',
					`DATA_DIR: another Craftwarden already uses ${dataDir}. Stop that one, or set another DATA_DIR.`
				);
			await settings.get(); // a file that is broken, or of a newer release, is said now
			await keepTaskEnvironment(dataDir, environment);
			power.startWatching();
			operations.startWatching();
			await operations.recover();
			keeping.start();
			tasks.start();
			analytics.start();
			people.start();
			void running.applyQueued();
			log.info('Started', { version: env.version, demo: env.demo });
		},
		/** Ends everything that was started here; the game goes on. */
		async close() {
			live.close();
			await tasks.close();
			analytics.close();
			await keeping.halt();
			power.close();
			await operations.close();
			await keeping.close();
			await previews.close();
			status.close();
			game.close();
			setup.close();
			await people.close();
			(await texts.built())?.logs.close();
			clientErrors.close();
			await sessions.close();
			instance.close();
		}
	};
}

const secretsOf = (env: Env) =>
	[env.authSecret, env.rcon.password, ...env.accounts.map(({ password }) => password)].filter(
		(secret): secret is string => !!secret
	);
