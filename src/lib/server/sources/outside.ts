import { createHash } from 'node:crypto';
import { AppError } from '#core/errors';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import { createApi, download, type DownloadOptions, type RemoteFile } from '#core/net';
import { BadAnswer, parseJson, type Rule, type Transport, type Trouble } from '#core/net';
import { createTtlMap } from '#core/ttl-cache';

/** A service that versions or files come from. */
export type Place = {
	/** Its name for people. */
	who: string;
	/** The setting that holds its address, and the address of the real one. */
	setting: string;
	real: string;
	/** The hosts of its files, besides its own. */
	hosts: string[];
	/** The hosts those redirect to. */
	redirects?: string[];
};

export type OutsideDeps = {
	/** The configured address, or one that is only known when it is needed. */
	base: URL | (() => Promise<URL>);
	/** Names the program, its version and where to complain. */
	userAgent: string;
	transport: Transport;
	clock: Clock;
	log: Pick<Logger, 'info' | 'warn'>;
};

/** `listsFrom`: when the oldest of the answers that are told meanwhile was given; null when none was. */
export type ListTrouble = Trouble & { /** ISO */ listsFrom: string | null };

/** Anything with zod's `safeParse`. */
type Schema<T> = {
	safeParse(json: unknown): { success: true; data: T } | { success: false; error: unknown };
};

/**
 * One service. Its answers are cached for six hours; when it cannot be reached, the last answer is used however old.
 */
export interface Outside {
	json<T>(path: string, schema: Schema<T>): Promise<T>;
	/** By its own address, as another answer named it. `sha1`: of the answer, when it is known. */
	linked<T>(url: string, sha1: string | null, schema: Schema<T>): Promise<T>;
	text<T>(path: string, read: (text: string) => T): Promise<T>;
	/** The address of a file, for a path at this service. */
	address(path: string): Promise<string>;
	download(file: RemoteFile, to: string, options: DownloadOptions): Promise<void>;
	/** Why its answers may be old, and since when; null while it answers. */
	trouble(): ListTrouble | null;
	close(): void;
}

type Answer = { /** ISO */ at: string; value: unknown };

const FRESH_MS = 6 * 60 * 60_000;
const ANSWERS_MAX = 300;
/** After a failure, old answers are used for this long before it is queried again. */
const PAUSE_MS = 60_000;

export function createOutside(place: Place, deps: OutsideDeps): Outside {
	const { userAgent, transport, clock, log } = deps;
	const { who, setting } = place;
	const closing = new AbortController();
	const base = async () => (deps.base instanceof URL ? deps.base : deps.base());
	const api = createApi({
		...{ who, setting, base, userAgent, transport, clock, log },
		rule: (at) => rule(place, at)
	});
	const known = createTtlMap<string, Answer>({ ttlMs: FRESH_MS, max: ANSWERS_MAX, clock });
	let failedAtMs = -Infinity;
	/** Why old answers are told, whether it is down or answers nonsense. */
	let old: ListTrouble | null = null;

	const stale = <T>({ at, value }: Answer, why?: AppError): T => {
		const { since = clock.now().toISOString(), listsFrom = at, message = '' } = old ?? {};
		const from = listsFrom !== null && listsFrom < at ? listsFrom : at;
		old = { since, listsFrom: from, message: why?.message ?? message };
		return value as T;
	};

	/** `fetch` returns what is worth caching; every reader of one path parses it in the same way. */
	const remembered = async <T>(path: string, fetch: () => Promise<T>): Promise<T> => {
		const before = known.stale(path);
		if (before !== undefined && clock.monotonicMs() - failedAtMs < PAUSE_MS) {
			const fresh = known.get(path);
			return fresh ? (fresh.value as T) : stale(before);
		}
		try {
			const at = clock.now().toISOString();
			const answer = await known.load(path, async () => ({ at, value: await fetch() }));
			if (answer.at >= at) old = null;
			return answer.value as T;
		} catch (error) {
			if (before === undefined || !(error instanceof AppError) || error.kind === 'not-found')
				throw error;
			failedAtMs = clock.monotonicMs();
			return stale(before, error);
		}
	};

	return {
		json: (path, schema) =>
			remembered(path, () => api.get(path, {}, (json) => checked(json, schema))),
		linked: (url, sha1, schema) =>
			remembered(url, () => {
				const at = URL.parse(url);
				if (!at) throw refused(who, 'something that is not an address');
				return api.linked(at, (bytes) => {
					if (sha1 && createHash('sha1').update(bytes).digest('hex') !== sha1)
						throw new BadAnswer('its checksum (SHA-1) is not the one that was published');
					return checked(parseJson(bytes), schema);
				});
			}),
		text: (path, read) => remembered(path, () => api.text(path, read)),
		address: async (path) => `${(await base()).href.replace(/\/+$/, '')}/${path}`,
		async download(file, to, options) {
			await download(file, to, options, {
				...{ who, setting, userAgent, transport, clock, closing: closing.signal },
				rule: rule(place, await base())
			});
		},
		trouble() {
			const down = api.trouble();
			return down ? { ...down, listsFrom: old?.listsFrom ?? null } : old;
		},
		close() {
			api.close();
			closing.abort(new AppError('upstream', 'Craftwarden is being stopped.'));
		}
	};
}

/**
 * The service's own address, wherever it was set to, and the hosts where the real one keeps its files: those by https
 * on its own port, and never inside this machine or its network.
 */
export function rule({ who, real, hosts, redirects = [] }: Place, base: URL): Rule {
	const anyAddress = base.origin !== new URL(real).origin;
	return (url, hop) => {
		const bare = !url.username && !url.password;
		if (bare && url.origin === base.origin) return { anyAddress };
		const isKnown = hosts.includes(url.hostname) || (hop > 0 && redirects.includes(url.hostname));
		if (bare && isKnown && url.protocol === 'https:' && !url.port) return { anyAddress: false };
		throw refused(who, url.origin === 'null' ? url.protocol : url.origin);
	};
}

const refused = (who: string, to: string) =>
	new AppError(
		'upstream',
		`${who} point to ${to}, and files are not downloaded from there. Nothing was changed.`,
		{ code: 'address-refused' }
	);

function checked<T>(json: unknown, schema: Schema<T>): T {
	const read = schema.safeParse(json);
	if (read.success) return read.data;
	throw new BadAnswer('it does not have the expected form', read.error);
}
