import { createContext, untrack } from 'svelte';
import { browser, type BrowserEnv } from './browser-env.ts';

/** `['status']`, `['players']`, `['players', uuid]`: a key is also the prefix of longer ones. */
export type QueryKey = readonly (string | number)[];
export type QuerySource = {
	url: string;
	/** Selects the wanted part of the answer. */
	pick?: (body: never) => unknown;
	/** Refetched when nothing newer arrived for this long; never while the page is hidden. */
	pollMs?: number;
};

/** A fetch overtaken by a change is retried, so that it cannot undo the change. */
const OVERTAKEN_MAX = 3;
/** A dashboard that takes longer does not answer: neither to a fetch nor to a page load. */
const ANSWER_LIMIT_MS = 10_000;

class Query {
	readonly key: QueryKey;
	data = $state.raw<unknown>();
	error = $state.raw<string | null>(null);
	fetching = $state.raw(false);
	source: QuerySource | null = null;
	seeded: unknown;
	/** Counts writes, to see whether a fetch was overtaken. */
	version = 0;
	/** When data last arrived, or the server was last asked in vain. */
	atMs = -Infinity;
	/** When the server last said that this changed, or what it is now. */
	toldMs = -Infinity;
	/** What a load brought may be older than what the server has said since. */
	doubtful = false;
	flight: Promise<void> | null = null;
	cancelPoll = () => {};

	constructor(key: QueryKey) {
		this.key = key;
	}
}

/** The one cache of server data; loads and the live stream feed it, and it alone polls. */
export class Queries {
	// eslint-disable-next-line svelte/prefer-svelte-reactivity -- what a key holds is reactive, which keys exist is `#made`
	readonly #queries = new Map<string, Query>();
	readonly #env: BrowserEnv;
	/** Lets readers of a key that does not exist yet react when it appears. */
	#made = $state(0);
	#running: AbortController | null = null;

	constructor(env: BrowserEnv = browser) {
		this.#env = env;
	}

	/** Reactive; undefined while nothing is known. */
	read<T>(key: QueryKey): T | undefined {
		return this.#find(key)?.data as T | undefined;
	}

	/** Why the last fetch failed, in one sentence; the data stay as they were. Reactive. */
	error(key: QueryKey): string | null {
		return this.#find(key)?.error ?? null;
	}

	fetching(key: QueryKey): boolean {
		return this.#find(key)?.fetching ?? false;
	}

	/**
	 * Takes what a page load brought. The same object again changes nothing: later data is newer. The server is asked
	 * once more when it has told of a change while the load may already have been under way.
	 */
	seed(key: QueryKey, data: unknown) {
		const query = this.#make(key);
		if (data === undefined || query.seeded === data) return;
		query.seeded = data;
		this.#write(query, data);
		query.doubtful = this.#env.now() < query.toldMs + ANSWER_LIMIT_MS;
		this.#askIfDoubtful(query);
	}

	/** Merges what the live stream brought into what is known. */
	merge<T>(key: QueryKey, join: (old: T | undefined) => T) {
		const query = this.#make(key);
		query.toldMs = this.#env.now();
		this.#write(query, join(untrack(() => query.data) as T | undefined));
	}

	/** An optimistic change. Returns a function that undoes it, unless newer data has arrived since. */
	set<T>(key: QueryKey, change: (old: T | undefined) => T): () => void {
		const query = this.#make(key);
		const before = untrack(() => query.data);
		query.data = change(before as T | undefined);
		const version = ++query.version;
		return () => {
			if (query.version !== version) return void this.refetch(key);
			query.data = before;
			query.version++;
		};
	}

	/** Defines where a key's data come from. Returns a function that removes the definition; the data stay. */
	define(key: QueryKey, source: QuerySource): () => void {
		const query = this.#make(key);
		query.source = source;
		this.#schedule(query);
		this.#askIfDoubtful(query);
		return () => {
			if (query.source !== source) return;
			query.source = null;
			query.cancelPoll();
		};
	}

	/** Refetches every defined key that begins with this one; `[]` means all. */
	async refetch(prefix: QueryKey = []): Promise<void> {
		const wanted = [...this.#queries.values()].filter(({ key }) =>
			prefix.every((part, i) => part === key[i])
		);
		for (const query of wanted) {
			query.version++;
			query.toldMs = this.#env.now();
		}
		await Promise.all(wanted.filter(({ source }) => source).map((query) => this.#fetch(query)));
	}

	/** Polls until the returned function is called. */
	start(): () => void {
		const running = new AbortController();
		this.#running?.abort();
		this.#running = running;
		const all = () => this.#queries.forEach((query) => this.#schedule(query));
		const unwatch = this.#env.watch({ visibility: all });
		all();
		return () => {
			unwatch();
			running.abort();
			if (this.#running !== running) return;
			this.#running = null;
			all();
		};
	}

	#find(key: QueryKey) {
		const query = this.#queries.get(JSON.stringify(key));
		if (!query) void this.#made;
		return query;
	}

	#make(key: QueryKey): Query {
		const id = JSON.stringify(key);
		const known = this.#queries.get(id);
		if (known) return known;
		const query = new Query([...key]);
		this.#queries.set(id, query);
		// Writing must not make the writer's effect depend on it.
		untrack(() => this.#made++);
		return query;
	}

	#write(query: Query, data: unknown) {
		query.data = data;
		query.error = null;
		query.version++;
		query.atMs = this.#env.now();
	}

	#askIfDoubtful(query: Query) {
		if (!query.doubtful || !query.source) return;
		query.doubtful = false;
		void this.#fetch(query);
	}

	#schedule(query: Query) {
		query.cancelPoll();
		const { pollMs } = query.source ?? {};
		if (!pollMs || !this.#running || !this.#env.visible()) return;
		const dueMs = Math.max(0, query.atMs + pollMs - this.#env.now());
		query.cancelPoll = this.#env.later(query.atMs === -Infinity ? 0 : dueMs, () => {
			// The stream may have brought data since: then it is not due yet.
			if (this.#env.now() < query.atMs + pollMs) this.#schedule(query);
			else void this.#fetch(query);
		});
	}

	#fetch(query: Query): Promise<void> {
		query.flight ??= this.#ask(query).finally(() => {
			query.flight = null;
			query.fetching = false;
			this.#schedule(query);
		});
		return query.flight;
	}

	async #ask(query: Query) {
		query.fetching = true;
		const { signal } = this.#running ?? {};
		for (let tries = 1; query.source && !signal?.aborted; tries++) {
			const { source, version } = query;
			const answer = await this.#get(source, signal);
			if (query.source !== source || signal?.aborted) continue;
			query.atMs = this.#env.now();
			query.error = answer.error;
			if (answer.error !== null) return;
			if (query.version !== version && tries < OVERTAKEN_MAX) continue;
			return this.#write(query, answer.data);
		}
	}

	async #get({ url, pick }: QuerySource, signal?: AbortSignal) {
		try {
			const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
			const response = await this.#env.fetch(url, {
				headers: { accept: 'application/json' },
				signal: signal ? AbortSignal.any([signal, limit]) : limit
			});
			const body = await response.json();
			if (response.status === 401) this.#env.signIn();
			if (!response.ok)
				return { error: String(body.detail ?? `The answer was ${response.status}.`) };
			return { error: null, data: pick ? pick(body as never) : body };
		} catch {
			return { error: 'The dashboard does not answer.' };
		}
	}
}

export const [getQueries, setQueries] = createContext<Queries>();
