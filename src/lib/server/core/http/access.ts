import { api, type Endpoint, type Least, type Page } from '#api';
import { AppError } from '#core/errors';

type Role = Exclude<Least, 'public'>;
type Session = { user: { role: Role } };
type Rule = {
	role: Least;
	/** A stream has no HEAD. */
	head: boolean;
	/** Of a page's form actions, by name. */
	actions: Map<string, Least> | null;
};
type Table = Readonly<Record<string, Endpoint | Page>>;

const RANK: Record<Role, number> = { admin: 1, superadmin: 2 };

/** The role of a session, null for anonymous. */
export function sessionRole(session: Session | null | undefined): Role | null {
	const role = session?.user?.role;
	return role === 'admin' || role === 'superadmin' ? role : null;
}

/**
 * Throws unless the session has at least this role: 'unauthorized' when there is no session, 'forbidden' when its
 * role is lower.
 */
export const requireRole = (least: Least) => (session: Session | null | undefined) => {
	if (least === 'public') return;
	const role = sessionRole(session);
	if (!role) throw new AppError('unauthorized', 'Log in first.');
	if (RANK[role] < RANK[least])
		throw new AppError('forbidden', `Only a ${least} may do this. You are logged in as ${role}.`);
};

/** The check that comes before a request is read, by kit's route ids without groups. */
export function createAccess(table: Table) {
	const routes = rulesOf(table);

	function ruleOf(routeId: string | null, method: string): Rule {
		if (routeId === null) throw new AppError('not-found', 'There is nothing at this address.');
		const methods = routes.get(routeId) ?? routes.get(withoutGroups(routeId));
		if (!methods) throw new AppError('forbidden', 'Nobody may use this address.');
		const rule = methods.get(method === 'HEAD' ? 'GET' : method);
		if (rule && (rule.head || method !== 'HEAD')) return rule;
		const allow = [...methods].flatMap(([one, { head }]) => (head ? ['GET', 'HEAD'] : [one]));
		throw new AppError('method-not-allowed', `This address does not answer ${method}.`, { allow });
	}

	/**
	 * Throws when this session may not make this request: 'not-found', 'forbidden' (not in the table, or a lower role),
	 * 'method-not-allowed', 'unauthorized'. `action` is the form action's name for a POST to a page.
	 */
	return (routeId: string | null, method: string, session: Session | null, action?: string) => {
		const { role, actions } = ruleOf(routeId, method);
		requireRole(role)(session);
		if (!actions) return;
		const least = actions.get(action ?? 'default');
		if (!least) throw new AppError('not-found', 'This page has no such action.');
		requireRole(least)(session);
	};
}

export const decide = createAccess(api);

function rulesOf(table: Table) {
	const routes = new Map<string, Map<string, Rule>>();
	for (const [key, entry] of Object.entries(table)) {
		const [verb = '', route = ''] = key.split(' ');
		const methods = routes.get(route) ?? new Map<string, Rule>();
		routes.set(route, methods);
		const { kind, role } = entry;
		const method = kind === 'page' ? 'GET' : verb;
		methods.set(method, { role, head: method === 'GET' && kind !== 'stream', actions: null });
		if (kind !== 'page' || !entry.actions) continue;
		const actions = new Map(Object.entries(entry.actions).map(([name, { role }]) => [name, role]));
		methods.set('POST', { role, head: false, actions });
	}
	return routes;
}

const withoutGroups = (routeId: string) => routeId.replace(/\/\([^/]+\)/g, '') || '/';
