/* eslint-disable svelte/prefer-svelte-reactivity -- built and thrown away in one go, or never shown */
import type { LogLevel, LogHit, LogPage } from '$lib/schemas/log';
import { LOG_LINES_MAX } from '$lib/schemas/plain/limits';
import { browser, type BrowserEnv } from '../browser-env.ts';

/** Older entries are dropped when the log grows beyond this while it is being read. */
const KEPT_MAX = 100_000;

export type LogFilter = {
	file: string;
	/** None means all. */
	level: LogLevel[];
	q: string;
};

/** The address of a page of entries, for the API. */
export function logQuery({ file, level, q }: LogFilter, more: Record<string, string> = {}) {
	const query = new URLSearchParams({ file, ...more });
	if (level.length) query.set('level', level.join(','));
	if (q) query.set('q', q);
	return query;
}

/** The entries on the page: what its load brought, what was fetched before it, what was written since. */
export class LogFeed {
	/** Oldest first. */
	entries = $state.raw<LogHit[]>([]);
	notes = $state.raw<string[]>([]);
	/** Where the next older page begins; null at the very beginning. */
	next = $state.raw<string | null>(null);
	loading = $state.raw(false);
	/** Why older entries could not be fetched. */
	error = $state.raw<string | null>(null);
	readonly #env: BrowserEnv;
	#filter: LogFilter = { file: '', level: [], q: '' };
	/** Ids of the newest entries, whatever the filter: shows whether some were missed. */
	#seen: Set<string> | null = null;

	constructor(env: BrowserEnv = browser) {
		this.#env = env;
	}

	/** Starts over with what a load brought. */
	begin(filter: LogFilter, page: LogPage) {
		this.#filter = filter;
		this.entries = page.entries;
		this.notes = page.notes;
		this.next = page.truncated ? page.next : null;
		this.error = null;
		const all = !filter.level.length && !filter.q;
		this.#seen = all ? new Set(page.entries.map(({ id }) => id)) : null;
	}

	/**
	 * The newest entries of the log, unfiltered. Known ones are replaced, as they may have gained lines. Returns false when
	 * some were missed since the last time: then the page must be reloaded.
	 */
	hear(newest: LogHit[]): boolean {
		const seen = this.#seen;
		if (seen?.size && newest.length && !newest.some(({ id }) => seen.has(id))) return false;
		this.#seen = new Set(newest.map(({ id }) => id));
		const wanted = newest.filter((entry) => matches(entry, this.#filter));
		const fresh = new Map(wanted.map((entry) => [entry.id, entry]));
		const { entries } = this;
		// The newest known entries are at the end.
		let from = entries.length;
		while (from > 0 && fresh.has(entries[from - 1]!.id)) from--;
		const known = entries.slice(from);
		const added = wanted.filter(({ id }) => !known.some((one) => one.id === id));
		const changed = known.some((one) => !same(one, fresh.get(one.id)!));
		if (added.length || changed)
			this.entries = [...entries.slice(0, from), ...wanted].slice(-KEPT_MAX);
		return true;
	}

	/** Fetches the entries before the first one. */
	async older(): Promise<void> {
		const before = this.next;
		if (!before || this.loading || this.entries.length >= KEPT_MAX) return;
		const filter = this.#filter;
		this.loading = true;
		this.error = null;
		try {
			const query = logQuery(filter, { before, lines: String(LOG_LINES_MAX) });
			const page = await this.#get(`/api/logs?${query}`);
			if (filter !== this.#filter) return;
			const known = new Set(this.entries.map(({ id }) => id));
			this.entries = [...page.entries.filter(({ id }) => !known.has(id)), ...this.entries];
			this.notes = page.notes;
			this.next = page.truncated ? page.next : null;
		} catch (cause) {
			this.error = cause instanceof Refused ? cause.message : 'The dashboard does not answer.';
		} finally {
			this.loading = false;
		}
	}

	async #get(url: string): Promise<LogPage> {
		const response = await this.#env.fetch(url, { headers: { accept: 'application/json' } });
		if (response.status === 401) this.#env.signIn();
		const body = await response.json();
		if (!response.ok) throw new Refused(String(body.detail ?? `It answered ${response.status}.`));
		return body;
	}
}

class Refused extends Error {}

const same = (a: LogHit, b: LogHit) =>
	a.message === b.message && a.continuation.length === b.continuation.length;

/** As the server finds them: exactly these levels, plain text whatever the case. */
function matches({ level, message, continuation }: LogHit, filter: LogFilter) {
	if (filter.level.length && !filter.level.includes(level)) return false;
	if (!filter.q) return true;
	const wanted = filter.q.toLowerCase();
	return [message, ...continuation].some((line) => line.toLowerCase().includes(wanted));
}
