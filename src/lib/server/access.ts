import type { Role } from '#schemas/common';
import { refineModPatch } from '#schemas/mod';
import { refinePlayers } from '#schemas/player';
import type { Session } from '#auth';
import { AppError } from '#core/errors';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Least = 'public' | Role;
export type Rule =
	| Least
	| {
			role: Least;
			/** By the name of a page's form action; a name that is not here is refused. */
			actions?: Record<string, Role>;
			/** What the parsed body asks for may need more than the route; null when it does not. */
			refine?: (input: unknown) => Role | null;
			/** An event stream: GET only, for HEAD has no end of it to wait for. */
			stream?: true;
	  };

/** Making operators is for superadmins: they may do anything in the game. */
const PLAYER_ACTIONS: Record<string, Role> = {
	op: 'superadmin',
	deop: 'superadmin',
	whitelistAdd: 'admin',
	whitelistRemove: 'admin',
	whitelistOn: 'admin',
	whitelistOff: 'admin',
	ban: 'admin',
	pardon: 'admin',
	kick: 'admin'
};

/**
 * Who may do what, the only place that says so: what is not here is refused. Keys are kit's route ids without groups.
 * GET stands for HEAD, for a page's load and for its `__data.json`; POST for a page's form actions.
 * The rule behind it: no path may let an admin become operator or run code.
 */
export const ACCESS: Record<string, Partial<Record<Method, Rule>>> = {
	'/': { GET: 'public' },
	'/login': { GET: 'public', POST: 'public' },
	'/logout': { POST: 'public' },
	'/healthz': { GET: 'public' },
	'/og.png': { GET: 'public' },

	'/admin': {
		GET: 'admin',
		POST: {
			role: 'admin',
			actions: {
				start: 'admin',
				stop: 'admin',
				restart: 'admin',
				kill: 'superadmin',
				enableRcon: 'superadmin',
				acceptEula: 'superadmin'
			}
		}
	},
	// Where no page is: says so inside the dashboard.
	'/admin/[...path]': { GET: 'admin' },
	'/admin/activity': { GET: 'admin' },
	'/admin/chat': { GET: 'admin', POST: { role: 'admin', actions: { send: 'admin' } } },
	'/admin/analytics': { GET: 'admin' },
	'/admin/backups': {
		GET: 'admin',
		POST: {
			role: 'admin',
			actions: {
				create: 'admin',
				change: 'admin',
				verify: 'admin',
				createSnapshot: 'admin',
				changeSnapshot: 'admin',
				verifySnapshot: 'admin',
				prune: 'admin'
			}
		}
	},
	'/admin/backups/confirm': {
		GET: 'superadmin',
		POST: {
			role: 'superadmin',
			actions: {
				deleteBackup: 'superadmin',
				deleteSnapshot: 'superadmin',
				restoreSnapshot: 'superadmin'
			}
		}
	},
	'/admin/backups/restore': {
		GET: 'superadmin',
		POST: { role: 'superadmin', actions: { restore: 'superadmin' } }
	},
	'/admin/confirm': { GET: 'admin' },
	'/admin/console': {
		GET: 'superadmin',
		POST: { role: 'superadmin', actions: { run: 'superadmin', clear: 'superadmin' } }
	},
	'/admin/errors': { GET: 'superadmin' },
	'/admin/logs': { GET: 'admin' },
	'/admin/mods': {
		GET: 'admin',
		POST: {
			role: 'admin',
			actions: {
				lock: 'superadmin',
				share: 'superadmin',
				upload: 'superadmin',
				recheck: 'admin',
				modpack: 'admin'
			}
		}
	},
	'/admin/mods/plan': { GET: 'admin', POST: { role: 'admin', actions: { run: 'admin' } } },
	'/admin/mods/projects/[id]': { GET: 'admin' },
	'/admin/operations/[id]': {
		GET: 'admin',
		POST: { role: 'admin', actions: { cancel: 'admin' } }
	},
	'/admin/players': { GET: 'admin', POST: { role: 'admin', actions: PLAYER_ACTIONS } },
	'/admin/players/[uuid]': { GET: 'admin', POST: { role: 'admin', actions: PLAYER_ACTIONS } },
	'/admin/players/confirm': { GET: 'admin' },
	'/admin/schedule': {
		GET: 'admin',
		POST: {
			role: 'admin',
			actions: { add: 'admin', toggle: 'admin', remove: 'admin', run: 'admin' }
		}
	},
	'/admin/schedule/confirm': { GET: 'admin' },
	'/admin/settings': {
		GET: 'superadmin',
		POST: {
			role: 'superadmin',
			actions: { save: 'superadmin', saveBackups: 'superadmin', saveGraphs: 'superadmin' }
		}
	},
	'/admin/stats': { GET: 'admin' },

	'/api/status': { GET: 'public' },
	'/api/server/start': { POST: 'admin' },
	'/api/server/stop': { POST: 'admin' },
	'/api/server/restart': { POST: 'admin' },
	'/api/server/kill': { POST: 'superadmin' },
	'/api/operations': { GET: 'admin' },
	'/api/operations/[id]': { GET: 'admin' },
	'/api/operations/[id]/cancel': { POST: 'admin' },
	'/api/operations/[id]/events': { GET: { role: 'admin', stream: true } },
	'/api/events': { GET: { role: 'admin', stream: true } },
	'/api/players': { GET: 'admin', POST: { role: 'admin', refine: refinePlayers } },
	'/api/players/stats': { GET: 'admin' },
	'/api/players/playtime': { GET: 'admin' },
	'/api/analytics': { GET: 'admin' },
	'/api/analytics/marks': { GET: 'admin' },
	'/api/chat': { GET: 'admin', POST: 'admin' },
	// Its lines hold the password of RCON.
	'/api/setup': { GET: 'superadmin' },
	'/api/settings': { GET: 'superadmin', PATCH: 'superadmin' },
	'/api/logs': { GET: 'admin' },
	'/api/logs/excerpt': { GET: 'admin' },
	'/api/logs/files': { GET: 'admin' },
	'/api/logs/files/[name]': { GET: 'admin' },
	'/api/console': { POST: 'superadmin' },
	'/api/mods': {
		GET: 'admin',
		PATCH: { role: 'admin', refine: refineModPatch },
		DELETE: 'admin'
	},
	'/api/mods/search': { GET: 'admin' },
	'/api/mods/projects/[id]': { GET: 'admin' },
	'/api/mods/icons/[projectId]': { GET: 'admin' },
	'/api/mods/plan': { POST: 'admin' },
	'/api/mods/install': { POST: 'admin' },
	'/api/mods/updates': { GET: 'admin' },
	'/api/mods/update': { POST: 'admin' },
	'/api/mods/upload': { POST: 'superadmin' },
	'/api/modpack': { GET: 'public', POST: 'admin' },
	'/api/snapshots': { GET: 'admin', POST: 'admin' },
	'/api/snapshots/prune': { POST: 'admin' },
	'/api/snapshots/[id]': { PATCH: 'admin', DELETE: 'superadmin' },
	'/api/snapshots/[id]/restore': { POST: 'superadmin' },
	// An archive holds server.properties with its secrets.
	'/api/backups': { GET: 'admin', POST: 'admin' },
	'/api/backups/[id]': { GET: 'superadmin', PATCH: 'admin', DELETE: 'superadmin' },
	'/api/backups/[id]/verify': { POST: 'admin' },
	'/api/backups/[id]/restore': { POST: 'superadmin' },
	'/api/schedule/tasks': { GET: 'admin', POST: 'admin', PATCH: 'admin', DELETE: 'admin' },
	'/api/schedule/tasks/run': { POST: 'admin' },
	'/api/schedule/runs': { GET: 'admin' },
	'/api/audit': { GET: 'admin' },
	'/api/errors': { GET: 'superadmin', POST: 'public' },
	'/api/openapi.json': { GET: 'admin' }
};

const RANK: Record<Role, number> = { admin: 1, superadmin: 2 };

/** The role of a session, null for anonymous. */
export function sessionRole(session: Session | null | undefined): Role | null {
	const role = session?.user?.role;
	return role === 'admin' || role === 'superadmin' ? role : null;
}

/** Throws unless the session has at least this role: 'unauthorized' when it is none, 'forbidden' when it is a lower one. */
export const requireRole = (least: Role) => (session: Session | null | undefined) => {
	const role = sessionRole(session);
	if (!role) throw new AppError('unauthorized', 'Log in first.');
	if (RANK[role] < RANK[least])
		throw new AppError('forbidden', `Only a ${least} may do this. You are logged in as ${role}.`);
};

const require = (least: Least, session: Session | null) => {
	if (least !== 'public') requireRole(least)(session);
};

const withoutGroups = (routeId: string) => routeId.replace(/\/\([^/]+\)/g, '') || '/';

function ruleOf(routeId: string | null, method: string): Rule {
	if (routeId === null) throw new AppError('not-found', 'There is nothing at this address.');
	const route = Object.hasOwn(ACCESS, routeId) ? routeId : withoutGroups(routeId);
	const methods = Object.hasOwn(ACCESS, route) ? ACCESS[route] : undefined;
	if (!methods) throw new AppError('forbidden', 'Nobody may use this address.');
	const name = method === 'HEAD' ? 'GET' : method;
	const rule = Object.hasOwn(methods, name) ? methods[name as Method] : undefined;
	if (rule && !(method === 'HEAD' && isStream(rule))) return rule;
	const allow = Object.entries(methods).flatMap(([one, each]) =>
		one === 'GET' && !isStream(each) ? ['GET', 'HEAD'] : [one]
	);
	throw new AppError('method-not-allowed', `This address does not answer ${method}.`, { allow });
}

const isStream = (rule: Rule) => typeof rule !== 'string' && rule.stream === true;

/** The least role of a route and method; for the description of the API and for tests. */
export function accessOf(routeId: string, method: string): Least {
	const rule = ruleOf(routeId, method);
	return typeof rule === 'string' ? rule : rule.role;
}

/**
 * Throws when this session may not make this request: 'not-found', 'forbidden' (not in the table, or a lower role),
 * 'method-not-allowed', 'unauthorized'. `action` is the form action's name for a POST to a page.
 */
export function decide(
	routeId: string | null,
	method: string,
	session: Session | null,
	action?: string
) {
	const rule = ruleOf(routeId, method);
	if (typeof rule === 'string') return require(rule, session);
	require(rule.role, session);
	if (rule.actions) requireAction(rule.actions, action ?? 'default', session);
}

/** The refinement, asked once the body or form is parsed. */
export function decideInput(
	routeId: string | null,
	method: string,
	session: Session | null,
	input: unknown,
	action?: string
) {
	decide(routeId, method, session, action);
	const rule = ruleOf(routeId, method);
	const least = typeof rule === 'string' ? null : rule.refine?.(input);
	if (least) requireRole(least)(session);
}

function requireAction(actions: Record<string, Role>, action: string, session: Session | null) {
	const least = Object.hasOwn(actions, action) ? actions[action] : undefined;
	if (!least) throw new AppError('not-found', 'This page has no such action.');
	requireRole(least)(session);
}
