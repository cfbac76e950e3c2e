import path from 'node:path';
import { Settings } from '../schemas/settings.ts';
import { accessOf } from './access.ts';
import { createBus } from './core/bus.ts';
import { systemClock, type Clock } from './core/clock.ts';
import { AppError } from './core/errors.ts';
import { ensureDir } from './core/files.ts';
import { later, methodsOf } from './core/later.ts';
import { createLock } from './core/lock.ts';
import { createLogger, createMask } from './core/log.ts';
import { silentPeers } from './core/silent-peers.ts';
import { prepareDemo } from './demo.ts';
import type { Env } from './env.ts';
import type { Fact } from './events.ts';
import { connectGame } from './game.ts';
import { createIdentity } from './identity.ts';
import { createKeeping } from './keeping.ts';
import { createPainter } from './picture/draw.ts';
import { createMeasures } from './measures.ts';
import { createPeople } from './people.ts';
import { createRunning } from './running.ts';
import { keepTaskEnvironment } from './task-environment.ts';
import { createTasks } from './tasks.ts';
import { createAudit } from './services/audit.ts';
import { createClientErrors } from './services/client-errors/index.ts';
import { createLive } from './services/live.ts';
import { createOperations } from './services/operations/index.ts';
import { createPreviews } from './services/preview.ts';
import { createSettings, SETTINGS_DEFAULTS, SETTINGS_VERSION } from './services/settings.ts';
import { createJournal } from './storage/journal.ts';
import { createStateFile } from './storage/state-file.ts';

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
	const bus = createBus<Fact>((cause) => log.error('A listener of the bus failed', { cause }));
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

	const running = createRunning(env, {
		...{ clock, log, bus, audit, game, operations, settings, secrets, demo },
		concerns: () => keeping.backups.concerns(),
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
	const analytics = createMeasures(env, {
		...{ clock, log, bus, power, status, settings },
		ticks: running.ticks
	});
	const { chat, players, stats, online, ...people } = createPeople(env, {
		...{ clock, log, audit, game, power, status, operations },
		lock: createLock(file('operation.lock'), clock)
	});
	const keeping = createKeeping(env, {
		...{ clock, log, audit, game, power, operations, settings, publish, root, journal },
		serverName: async () => (await status.get()).name,
		playersOnline: async () => (await status.get()).players.online,
		tps: async () => (await status.get()).tps,
		askAboutAll: async () => (await settings.get()).modsAskAboutAll,
		nameOf: async (uuid) =>
			(await players.list()).known.find((known) => known.uuid === uuid)?.name ?? null,
		changed: game.forget
	});
	const tasks = createTasks(env, {
		...{ clock, log, audit, operations, root, environment },
		rcon: game.rcon,
		async backup(by) {
			const begun = await keeping.backups.scheduled(by);
			return 'operation' in begun ? begun.operation : null;
		},
		prune: keeping.snapshots.prune,
		lock: createLock(file('crontab.lock'), clock)
	});
	const texts = later(async () => {
		const { createTexts } = await import('./texts.ts');
		return createTexts(env, {
			...{ clock, log, audit, game, secrets },
			// Whatever was typed may have been about players.
			ran() {
				players.invalidate();
				status.invalidate();
			}
		});
	});
	const { accounts, sessions, roleOf } = await createIdentity(env, { clock, log, bus, audit });
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
	const openapi = later(async () => {
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
		logs: methodsOf(async () => (await texts()).logs),
		console: methodsOf(async () => (await texts()).console),
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
