import path from 'node:path';
import { HOLD_SECONDS } from '#schemas/plain/limits';
import { Settings } from '#schemas/settings';
import { createBus } from '#core/bus';
import { systemClock, type Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { ensureDir } from '#core/files';
import { lazy } from '#core/lazy';
import { createLock } from '#core/lock';
import { createFailures, createLogger, createMask } from '#core/log';
import { type Env, keepTaskEnvironment } from '#env';
import type { AppEvent } from './events.ts';
import { createServer } from './server.ts';
import { wireAccounts } from './wiring/accounts.ts';
import { createAudit } from '#services/audit';
import { createClientErrors } from '#services/client-errors';
import { createSettings, SETTINGS_DEFAULTS, SETTINGS_VERSION } from '#services/settings';
import { createStateFile } from '#storage/state-file';

/** The outside world, for tests to replace. */
export type Outside = {
	clock: Clock;
	environment: NodeJS.ProcessEnv;
	root: string;
	holdMs: number;
};

export type App = Awaited<ReturnType<typeof createApp>>;

const REAL: Outside = {
	clock: systemClock,
	environment: process.env,
	root: process.cwd(),
	holdMs: HOLD_SECONDS.real * 1000
};

/** What every request sees: the dashboard, and the server it is about. So far there is only the first. */
export async function createApp(env: Env, outside: Partial<Outside> = {}) {
	const dashboard = await createDashboard(env, outside);
	return { ...dashboard.servers[0], ...dashboard };
}

/** Accounts, settings and the audit log, and the servers that they are about. Nothing runs before `start()`. */
export async function createDashboard(env: Env, outside: Partial<Outside> = {}) {
	const world = { ...REAL, ...outside };
	const { clock, environment } = world;
	const { dataDir, serverDir } = env;
	await ensureDir(dataDir);
	const file = (name: string) => path.join(dataDir, name);
	const secrets = secretsOf(env);
	const log = createLogger({ dir: env.logDir, secrets });
	const failures = createFailures({ log, clock });
	const bus = createBus<AppEvent>((cause) => log.error('A listener of the bus failed', { cause }));
	const audit = createAudit({
		...{ dir: dataDir, clock, log, mask: createMask(secrets) },
		heard: (entry) => bus.publish({ type: 'audited', entry })
	});
	const settings = createSettings({
		file: createStateFile({
			file: file('settings.json'),
			schema: Settings,
			version: SETTINGS_VERSION,
			defaults: SETTINGS_DEFAULTS,
			warn: log.warn
		}),
		record: audit.record,
		publish: bus.publish
	});
	const { accounts, sessions, roleOf, roleOfAccount, markOf } = await wireAccounts(env, {
		clock,
		log,
		bus,
		audit
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
		const { api, createOpenApi } = await import('#api');
		return createOpenApi(env, api);
	});
	const { publicUrl } = env;
	const people = { roleOf, roleOfAccount, markOf };
	const shared = { ...world, log, bus, audit, settings, secrets, publicUrl, ...people };
	/** The first server's data folder is the dashboard's own. */
	const servers = [await createServer(env, shared)] as const;

	return {
		...{ env, log, failures, audit, settings, accounts, sessions, clientErrors, openapi, servers },
		about: () => ({
			version: env.version,
			demo: env.demo,
			dataDir,
			serverDir,
			scheduler: env.scheduler
		}),

		/** Recovers what a dead dashboard left behind, and starts watching. `AppError` when another one uses the data directory. */
		async start() {
			if (!instance.tryAcquire())
				throw new AppError(
					'conflict',
					`DATA_DIR: another Craftwarden already uses ${dataDir}. Stop that one, or set another DATA_DIR.`
				);
			await settings.get(); // a broken file, or one of a newer release, is reported now
			await keepTaskEnvironment(dataDir, environment);
			for (const server of servers) await server.start();
			log.info('Started', { version: env.version, demo: env.demo });
		},
		/** Ends everything that was started here; the games keep running. */
		async close() {
			await Promise.all(servers.map((server) => server.close()));
			clientErrors.close();
			await sessions.close();
			await audit.close();
			failures.close();
			instance.close();
		}
	};
}

const secretsOf = (env: Env) =>
	[
		env.authSecret,
		env.rcon.password,
		env.metricsToken,
		...env.accounts.map(({ password }) => password)
	].filter((secret): secret is string => !!secret);
