import path from 'node:path';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { Env } from '#env';
import type { AppEvent } from '../events.ts';
import { createAccounts, createThrottle } from '#services/accounts';
import type { Audit } from '#services/audit';
import { createSessions, NO_SESSIONS, SessionsFile, type Sessions } from '#services/sessions';
import { createStateFile } from '#storage/state-file';

type Needs = { clock: Clock; log: Logger; bus: Bus<AppEvent>; audit: Audit };

/** Who may sign in, and who is. The two ask each other: limits know places of sessions, sessions know passwords' marks. */
export async function wireAccounts(env: Env, { clock, log, bus, audit }: Needs) {
	const file = path.join(env.dataDir, 'sessions.json');
	let sessions: Sessions | null = null;
	const accounts = await createAccounts({
		accounts: env.accounts,
		secret: env.authSecret,
		throttle: createThrottle({ clock }),
		knows: (account, prefix) => sessions?.knows(account, prefix) ?? false,
		record: audit.record
	});
	const list = await createSessions({
		file,
		store: createStateFile({
			file,
			schema: SessionsFile,
			version: 1,
			defaults: NO_SESSIONS,
			warn: log.warn
		}),
		clock,
		markOf: (account) => accounts.find(account)?.mark ?? null,
		publish: bus.publish,
		warn: log.warn
	});
	sessions = list;
	return {
		accounts,
		sessions: list,
		/** The role that a session has now; null when it has ended. */
		roleOf(sessionId: string) {
			const session = list.check(sessionId);
			return session ? (accounts.find(session.account)?.role ?? null) : null;
		}
	};
}
