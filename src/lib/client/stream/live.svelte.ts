import { createContext } from 'svelte';
import type { Backup, BackupVerify } from '$lib/schemas/backup';
import type { ChatMessage } from '$lib/schemas/chat';
import type { LiveEvent, OnlinePlayer } from '$lib/schemas/live';
import type { OperationRow, OperationSummary } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
import { joinChat } from './chat.ts';
import { connect } from './connection.ts';
import { answers } from './health.ts';
import type { Queries } from '../queries.svelte.ts';
import { OPERATIONS, STATUS } from '../sources.ts';
import { browser, type BrowserEnv } from '../browser-env.ts';

const OPERATIONS_KEPT = 50;
/** The stream ends every ten minutes and is back within this time, without a notice. */
const LOST_AFTER_MS = 5000;
/** The status comes every 5 s, on a phone at times a second or two later: after this, what is shown may have changed. */
const QUIET_MS = 8000;
const ASK_LIMIT_MS = 3000;

/** The one live connection of a tab. It writes what it hears into the query cache. */
export class Live {
	/** False when the numbers on the page are getting old. */
	connected = $state.raw(false);
	/** When something was last heard, in ms since 1970; null before that. A page whose stream never came was heard once. */
	lastAt = $state.raw<number | null>(null);
	/** Nothing has been heard for longer than the stream is ever quiet. */
	quiet = $state.raw(false);
	/** Events that could not be understood. */
	skipped = $state.raw(0);

	readonly #queries: Queries;
	readonly #env: BrowserEnv;
	#cancelLost: (() => void) | null = null;
	#cancelQuiet = () => {};
	#broken = false;
	#retry = () => {};
	#startedAt = 0;

	constructor(queries: Queries, env: BrowserEnv = browser) {
		this.#queries = queries;
		this.#env = env;
	}

	/** When something was last heard, in ms since 1970, while the connection is lost; null otherwise. */
	get lostAt(): number | null {
		return this.connected ? null : this.lastAt;
	}

	/** As of when the page is, in ms since 1970, once that is not now: what counts stops there. Null while it is. */
	get asOf(): number | null {
		return this.quiet ? this.lastAt : this.lostAt;
	}

	/** Whether the dashboard may be out of reach: earlier than `connected` says so. */
	get doubtful(): boolean {
		const quietMs = this.lastAt === null ? 0 : this.#env.now() - this.lastAt;
		return this.#broken || quietMs > QUIET_MS;
	}

	/** Call once, from the root layout's effect, when signed in; the returned function ends it. */
	start(): () => void {
		this.#startedAt = this.#env.now();
		this.lastAt = null;
		const undefine = [
			this.#queries.define(['status'], STATUS),
			this.#queries.define(['operations'], OPERATIONS)
		];
		const { close, retry } = connect({
			url: '/api/events',
			events: ['status', 'players', 'chat', 'operation', 'backup', 'heartbeat'],
			onEvent: (event, data) => this.#hear(event, data),
			onBad: () => this.skipped++,
			onState: (state) => this.#onState(state),
			env: this.#env
		});
		this.#retry = retry;
		return () => {
			close();
			this.#retry = () => {};
			this.#cancelQuiet();
			this.#settle(false);
			for (const stop of undefine) stop();
		};
	}

	/** Connects anew at once. */
	retry(): void {
		this.#retry();
	}

	#onState(state: 'open' | 'lost' | 'silent' | 'paused' | 'resumed') {
		const isBroken = state === 'lost' || state === 'silent';
		this.#broken = isBroken || (this.#broken && state !== 'open');
		if (state === 'open') {
			this.#heard();
			this.#settle(true);
			this.#catchUp();
		} else if (state === 'paused') {
			this.#cancelLost?.();
			this.#cancelQuiet();
		} else if (state === 'silent') this.#settle(false);
		// The second time in a row the browser has failed to come back.
		else if (state === 'lost' && this.#cancelLost) this.#settle(false);
		else if (state === 'lost' && this.lastAt === null) void this.#lookOnce();
		else if (this.connected)
			this.#cancelLost = this.#env.later(LOST_AFTER_MS, () => this.#settle(false));
	}

	/** The stream could not even be opened: the dashboard may be gone, or only the stream refused. */
	async #lookOnce() {
		if (!(await answers(this.#env, ASK_LIMIT_MS)) && this.lastAt === null) this.#settle(false);
	}

	#settle(connected: boolean) {
		if (!connected) this.lastAt ??= this.#startedAt;
		this.#cancelLost?.();
		this.#cancelLost = null;
		this.connected = connected;
	}

	/** An operation or a verify that ended while we were away is not in the snapshot. */
	#catchUp() {
		const rows = this.#queries.read<OperationRow[]>(['operations']) ?? [];
		if (rows.some(({ state }) => state === 'running')) void this.#queries.refetch(['operations']);
		const backups = this.#queries.read<Backup[]>(['backups']) ?? [];
		if (backups.some(({ verifying }) => verifying)) void this.#queries.refetch(['backups']);
	}

	#heard() {
		this.lastAt = this.#env.now();
		this.quiet = false;
		this.#cancelQuiet();
		this.#cancelQuiet = this.#env.later(QUIET_MS, () => (this.quiet = true));
	}

	#hear(event: string, data: unknown) {
		this.#heard();
		if (!makesSense(event, data)) this.skipped++;
		else this.#tell({ event, data } as LiveEvent);
	}

	#tell({ event, data }: LiveEvent) {
		if (event === 'status') this.#queries.merge<Status>(['status'], () => data);
		else if (event === 'players')
			this.#queries.merge<{ online: OnlinePlayer[] }>(['players'], (old) => ({ ...old, ...data }));
		else if (event === 'chat')
			this.#queries.merge<ChatMessage[]>(['chat'], (old) => joinChat(old ?? [], data.messages));
		else if (event === 'operation')
			this.#queries.merge<OperationRow[]>(['operations'], (old) => joinOperation(old ?? [], data));
		else if (event === 'backup') this.#verified(data);
	}

	#verified(verify: BackupVerify) {
		this.#queries.merge<Backup[] | undefined>(['backups'], (old) =>
			old?.map((one) => (one.id === verify.id ? { ...one, ...verify } : one))
		);
	}
}

/** The parts that we rely on; an event from a newer server may hold more. */
function makesSense(event: string, data: unknown): boolean {
	if (typeof data !== 'object' || data === null) return false;
	const body = data as Record<string, unknown>;
	if (event === 'status') return typeof body.state === 'string' && isObject(body.players);
	if (event === 'players') return isListOf(body.online, 'name');
	if (event === 'chat') return isListOf(body.messages, 'id');
	if (event === 'operation' || event === 'backup')
		return typeof body.id === 'string' && typeof body.state === 'string';
	return true;
}
const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;
const isListOf = (value: unknown, property: string) =>
	Array.isArray(value) &&
	value.every((item) => isObject(item) && typeof item[property] === 'string');

function joinOperation(old: OperationRow[], summary: OperationSummary): OperationRow[] {
	const at = old.findIndex(({ id }) => id === summary.id);
	return at < 0
		? [summary, ...old].slice(0, OPERATIONS_KEPT)
		: old.with(at, { ...old[at], ...summary });
}

export const [getLive, setLive] = createContext<Live>();
