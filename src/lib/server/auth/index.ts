import type { SvelteKitAuthConfig } from '@auth/sveltekit';
import type { RequestEvent } from '@sveltejs/kit';
import { hash } from 'node:crypto';
import type { AuditAction } from '#schemas/audit';
import type { Role } from '#schemas/common';
import type { Credentials } from '#schemas/session';
import type { Actor } from '#core/actor';
import { AppError } from '#core/errors';
import { createLru } from '#core/lru';
import { foldName } from '#core/credentials';
import type { Accounts } from '#services/accounts';
import type { Sessions } from '#services/sessions';

export { safePath } from '#core/net';

/** One request; its path does not matter here. */
type Visit = Omit<RequestEvent, 'params'>;

export type Session = { user: { name: string; role: Role }; expires: string; id: string };

/** The glue to Auth.js, which makes the token; we decide who may sign in and which sessions are valid. */
export interface Auth {
	/** Null for anonymous, and for anything that goes wrong. Renews the cookie once a day. */
	read(event: Visit): Promise<Session | null>;
	/**
	 * Sets the cookie of a new session and ends the one before. False when name or password are wrong; other refusals
	 * are the `AppError`s of `Accounts.authorize`.
	 */
	signIn(event: Visit, credentials: Credentials): Promise<boolean>;
	signOut(event: Visit, options: { everywhere: boolean }): Promise<void>;
}

type Needs = {
	env: { authSecret: string; installation: string };
	accounts: Accounts;
	sessions: Sessions;
	audit: {
		record(by: Actor, action: AuditAction, facts?: { detail?: string | null }): Promise<void>;
	};
	log: { warn(message: string, facts?: Record<string, unknown>): void };
};
type User = { id: string; name: string; role: Role; sid: string };
type Authorize = (given: { username?: unknown; password?: unknown }) => Promise<User | null>;
/** What we read from a token. Its role is not used: the role comes from the configured account. */
type Token = { sid: string; iat: number; exp: number };

const DAY_S = 24 * 60 * 60;
const LIFETIME_S = 7 * DAY_S;
const DEVICE_LIFETIME_S = 180 * DAY_S;
const TOKEN_MAX = 2048;
const TOKEN_SHAPE = /^[\w-]+(?:\.[\w-]*){4}$/;
const DECODED_MAX = 500;

/**
 * This installation's own: cookies ignore ports, and dashboards on one host would log each other out. Browsers accept
 * a `__Host-` cookie only from this very host, and only over https.
 */
const cookieName = ({ env }: Needs, name: 'session' | 'device', secure: boolean) =>
	`${secure ? '__Host-' : ''}craftwarden_${name}_${env.installation}`;
/** Secure exactly when the request came by https: on a plain-http LAN browsers would drop the cookie. */
const isSecure = ({ url }: Visit) => url.protocol === 'https:';
const cookieOptions = (secure: boolean) =>
	({ httpOnly: true, sameSite: 'lax', path: '/', secure }) as const;

const kept = new WeakMap<Needs, Auth>();

/** The one of this app, for the hook and the two routes that sign in and out. */
export function authOf(app: Needs): Auth {
	const auth = kept.get(app) ?? createAuth(app);
	kept.set(app, auth);
	return auth;
}

function createAuth(app: Needs): Auth {
	const read = createReader(app);
	return {
		read,

		async signIn(event, credentials) {
			const result: { refusal?: unknown; device?: string } = {};
			const authorize: Authorize = async (given) => {
				try {
					const { user, device } = await begin(app, event, given);
					result.device = device;
					return user;
				} catch (error) {
					result.refusal = error;
					return null;
				}
			};
			// An empty `redirect` makes Auth.js return instead of throwing a redirect.
			const fields = { ...credentials, providerId: 'credentials', redirectTo: '/', redirect: '' };
			const body = new URLSearchParams(fields);
			const { glue, inner, passedOn } = await glueFor(
				app,
				event,
				{ method: 'POST', body },
				authorize
			);
			try {
				await glue.signIn(inner);
			} catch (error) {
				const reason = result.refusal ?? error;
				if (reason instanceof AppError && reason.kind === 'unauthorized') return false;
				throw reason;
			}
			if (!passedOn() || !result.device) throw new Error('Auth.js made no session cookie');
			const secure = isSecure(event);
			const lasting = { ...cookieOptions(secure), maxAge: DEVICE_LIFETIME_S };
			event.cookies.set(cookieName(app, 'device', secure), result.device, lasting);
			if (event.locals.session) await app.sessions.end(event.locals.session.id);
			return true;
		},

		async signOut(event, { everywhere }) {
			const { session, actor } = event.locals;
			const secure = isSecure(event);
			event.cookies.delete(cookieName(app, 'session', secure), cookieOptions(secure));
			if (!session) return;
			if (everywhere) await app.sessions.endAll(foldName(session.user.name));
			else await app.sessions.end(session.id);
			await app.audit.record(actor, 'session.end', everywhere ? { detail: 'everywhere' } : {});
		}
	};
}

/** Checks name and password, and begins a session: always a new one, whatever cookie came with the request. */
async function begin(app: Needs, event: Visit, given: Parameters<Authorize>[0]) {
	const { address } = event.locals.actor;
	const { username, password } = given;
	const cookie = onlyCookie(event, cookieName(app, 'device', isSecure(event)));
	const { account, device } = await app.accounts.authorize(
		{ username, password },
		{ address, device: cookie }
	);
	const userAgent = event.request.headers.get('user-agent');
	const { key, name, role, mark } = account;
	const { id: sid } = await app.sessions.create({ account: key, mark, address, userAgent });
	return { user: { id: key, name, role, sid }, device };
}

function createReader(app: Needs): Auth['read'] {
	const decoded = createLru<string, Token>(DECODED_MAX);

	async function tokenOf(text: string, salt: string): Promise<Token | null> {
		const key = hash('sha256', `${salt}=${text}`, 'base64');
		const known = decoded.get(key);
		if (known) return known;
		const { decode } = await import('@auth/core/jwt');
		const token = await decode({ token: text, secret: app.env.authSecret, salt });
		const { sid, iat, exp } = token ?? {};
		if (typeof sid !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return null;
		decoded.set(key, { sid, iat, exp });
		return { sid, iat, exp };
	}

	return async (event) => {
		const name = cookieName(app, 'session', isSecure(event));
		const text = onlyCookie(event, name);
		if (!text || text.length > TOKEN_MAX || !TOKEN_SHAPE.test(text)) return null;
		try {
			const token = await tokenOf(text, name);
			const nowS = Date.now() / 1000;
			if (!token || token.exp <= nowS) return null;
			// A token alone opens nothing: the list of sessions and the configured accounts are asked every time.
			const entry = app.sessions.check(token.sid);
			const account = entry && app.accounts.find(entry.account);
			if (!entry || !account) return null;
			if (nowS - token.iat > DAY_S) await renew(app, event, `${name}=${text}`);
			return {
				user: { name: account.name, role: account.role },
				expires: new Date(entry.expiresAt).toISOString(),
				id: entry.id
			};
		} catch {
			return null; // not a token of ours, or a fault of ours: nobody in both cases
		}
	};
}

/** Auth.js makes the token anew for another seven days. The session is good without that, too. */
async function renew(app: Needs, event: Visit, cookie: string) {
	const { glue, inner } = await glueFor(app, event, { headers: { cookie } }, async () => null);
	try {
		await glue.handle({ event: inner, resolve: () => new Response() });
		await inner.locals.auth();
	} catch (cause) {
		app.log.warn('A session cookie could not be renewed.', { cause });
	}
}

/**
 * Auth.js gets a request of our making: none of the visitor's headers and fields reaches it but those named, and of the
 * cookies that it sets only the session's is passed on, with our options.
 */
async function glueFor(app: Needs, event: Visit, init: RequestInit, authorize: Authorize) {
	// A fifth of the program's memory, and needed only when somebody signs in.
	const [{ SvelteKitAuth }, { default: CredentialsProvider }] = await Promise.all([
		import('@auth/sveltekit'),
		import('@auth/sveltekit/providers/credentials')
	]);
	const provider = CredentialsProvider({ credentials: { username: {}, password: {} }, authorize });
	const secure = isSecure(event);
	const url = new URL('/login', event.url);
	const headers = new Headers(init.headers);
	headers.set('host', url.host);
	let passed = false;
	const set: RequestEvent['cookies']['set'] = (name, value, options) => {
		if (name !== cookieName(app, 'session', secure)) return;
		event.cookies.set(name, value, { ...options, ...cookieOptions(secure) });
		passed = value !== '';
	};
	const request = new Request(url, { ...init, headers });
	const inner = { request, url, cookies: { set }, locals: {} } as unknown as RequestEvent;
	return {
		glue: SvelteKitAuth(configOf(app, secure, provider)),
		inner,
		passedOn: () => passed
	};
}

const configOf = (
	app: Needs,
	secure: boolean,
	provider: SvelteKitAuthConfig['providers'][number]
): SvelteKitAuthConfig => ({
	secret: app.env.authSecret,
	trustHost: true,
	useSecureCookies: secure,
	session: { strategy: 'jwt', maxAge: LIFETIME_S },
	cookies: {
		sessionToken: { name: cookieName(app, 'session', secure), options: cookieOptions(secure) }
	},
	pages: { signIn: '/login', signOut: '/', error: '/login' },
	logger: {
		error: (cause) => {
			if (cause.name !== 'CredentialsSignin') app.log.warn('Auth.js failed.', { cause });
		},
		warn: (code) => app.log.warn(`Auth.js warns: ${code}`),
		debug: () => {}
	},
	providers: [provider],
	callbacks: {
		/** Only `authorize` identifies a user; what a client sends to update a session is ignored. */
		jwt: ({ token, user }) => {
			if (!user) return token;
			const { sid, role } = user as User;
			return { ...token, sid, role };
		},
		session: ({ session, token }) => {
			const { sid, role } = token as { sid?: string; role?: Role };
			return { ...session, id: sid, user: { ...session.user, role } };
		}
	}
});

/** Returns the value of a cookie that the request carries exactly once, else null. */
function onlyCookie(event: Visit, name: string): string | null {
	const header = event.request.headers.get('cookie');
	if (!header) return null;
	const start = `${name}=`;
	const values = header
		.split(';')
		.map((part) => part.trim())
		.filter((part) => part.startsWith(start));
	return values.length === 1 ? values[0]!.slice(start.length) : null;
}
