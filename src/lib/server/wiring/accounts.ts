import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { foldName } from '#core/credentials';
import type { Logger } from '#core/log';
import type { Env } from '#env';
import type { AppEvent } from '../events.ts';
import { createAccounts, createDirectory, createThrottle } from '#services/accounts';
import type { Audit } from '#services/audit';
import { createSessions, NO_SESSIONS, SessionsFile } from '#services/sessions';
import { createStateFile } from '#storage/state-file';

type Needs = { clock: Clock; log: Logger; bus: Bus<AppEvent>; audit: Audit };

/** Who may sign in, and who is signed in. Both know the configured accounts; the limits know where sessions come from. */
export async function wireAccounts(env: Env, { clock, log, bus, audit }: Needs) {
	const file = path.join(env.dataDir, 'sessions.json');
	const directory = await createDirectory(env.accounts, env.authSecret);
	const sessions = await createSessions({
		file,
		store: createStateFile({
			file,
			schema: SessionsFile,
			version: 1,
			defaults: NO_SESSIONS,
			warn: log.warn
		}),
		clock,
		markOf: (account) => directory.find(account)?.mark ?? null,
		publish: bus.publish,
		warn: log.warn
	});
	const accounts = createAccounts({
		directory,
		accounts: env.accounts,
		secret: env.authSecret,
		throttle: createThrottle({ clock }),
		knows: sessions.knows,
		record: audit.record
	});
	return {
		accounts,
		sessions,
		markOf: (name: string) => directory.find(foldName(name))?.mark ?? null,
		/** The role that an account has now; null when there is none of that name. */
		roleOfAccount: (name: string) => directory.find(foldName(name))?.role ?? null,
		/** The role that a session has now; null when it has ended. */
		roleOf(sessionId: string) {
			const session = sessions.check(sessionId);
			return session ? (directory.find(session.account)?.role ?? null) : null;
		}
	};
}
