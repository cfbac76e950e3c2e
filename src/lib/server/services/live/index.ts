import type { Role } from '#schemas/common';
import type { LiveEvent } from '#schemas/live';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { encode, frame, openSse, type Reader, type SseStream } from '#core/sse';
import type { AppEvent } from '#events';
import { every } from './every.ts';
import { createFeed, dataFor, type FeedDeps } from './feed.ts';
import type { Outgoing } from './outbox.ts';
import { createTimelines, type OperationSource } from './timelines.ts';

const HEARTBEAT_MS = 15_000;
const STREAM_MAX_MS = 10 * 60_000;
export const STREAMS_MAX = 4000;
const RETRY_AFTER_S = 10;

export interface Live {
	/**
	 * The live stream: a snapshot, then changes; the status every 5 s, and sooner when a person would notice the difference.
	 * AppError `busy` beyond the caps, before the first byte.
	 */
	open(who: Reader): Response;
	/** One operation's stream, under the same caps and rules. AppError `not-found`, `busy`. */
	watch(operationId: string, who: Reader): Promise<Response>;
	/** Closes the streams of a session or of an account. */
	drop(match: { sessionId?: string; account?: string }): void;
	readonly clients: number;
	/** Ends all streams at once and accepts no more. */
	close(): void;
}

type Deps = Omit<FeedDeps, 'onError' | 'running'> & {
	operations: OperationSource & { running: FeedDeps['running'] };
	/** The role that the session has now; null when it has ended. Asked at each heartbeat. */
	check: (sessionId: string) => Promise<Role | null> | Role | null;
	/** Remote ports of connections whose other end is gone. */
	silentPeers: () => Promise<Set<number>>;
	streamsPerAccount: number;
	bus: Pick<Bus<AppEvent>, 'subscribe'>;
	log: { error(message: string, facts?: { cause?: unknown }): void };
	clock: Clock;
};

type Client = Reader & { stream: SseStream; endsAtMs: number };

/** Who may see an event, decided when it is sent. */
const AUDIENCE: Record<LiveEvent['event'], Role> = {
	status: 'admin',
	chat: 'admin',
	players: 'admin',
	operation: 'admin',
	backup: 'admin',
	heartbeat: 'admin'
};
const RANK: Record<Role, number> = { admin: 1, superadmin: 2 };
const mayHear = (role: Role, event: string) =>
	RANK[role] >= RANK[AUDIENCE[event as LiveEvent['event']] ?? 'superadmin'];

export function createLive(deps: Deps): Live {
	const { clock, operations } = deps;
	const onError = (cause: unknown) =>
		deps.log.error('The live stream failed unexpectedly', { cause });
	const feed = createFeed({ ...deps, running: operations.running, onError });
	const timelines = createTimelines({ operations, clock, onError });
	/** In the order in which they were opened, which is the order in which they end. */
	const clients = new Set<Client>();
	/** Those that have received their snapshot. */
	const listeners = new Set<Client>();
	let timers: AbortController | null = null;
	let closed = false;

	function admit({ account }: Reader) {
		let own = 0;
		for (const client of clients) if (client.account === account) own++;
		const why = closed
			? 'The dashboard is stopping.'
			: own >= deps.streamsPerAccount
				? `This account has ${own} live streams open already. Close some of its tabs.`
				: clients.size >= STREAMS_MAX
					? 'Too many live streams are open. Try again in a moment.'
					: null;
		if (why) throw new AppError('busy', why, { retryAfterS: RETRY_AFTER_S });
	}

	function connect(who: Reader, onLeave: (stream: SseStream) => void = () => {}): Client {
		let client: Client | null = null; // still null when the reader was gone before its stream was open
		const stream = openSse({ ...who, onClose: () => client && leave(client, onLeave) });
		client = { ...who, stream, endsAtMs: clock.monotonicMs() + STREAM_MAX_MS };
		if (stream.closed) return client;
		clients.add(client);
		if (!timers) start();
		return client;
	}

	function leave(client: Client, onLeave: (stream: SseStream) => void) {
		clients.delete(client);
		listeners.delete(client);
		onLeave(client.stream);
		if (clients.size) return;
		timers?.abort();
		timers = null;
	}

	function start() {
		timers = new AbortController();
		const { signal } = timers;
		feed.start(signal, broadcast);
		void every(HEARTBEAT_MS, clock, signal, beat, onError);
		void endInTime(signal);
	}

	/** Encoded once per role, however many listen. */
	function broadcast(batch: Outgoing[]) {
		const chunks = new Map<Role, Uint8Array>();
		for (const { role, stream } of [...listeners]) {
			let chunk = chunks.get(role);
			if (!chunk) {
				const heard = batch.filter(({ event }) => mayHear(role, event));
				chunks.set(
					role,
					(chunk = encode(...heard.map((one) => frame(one.event, dataFor(one, role)))))
				);
			}
			if (chunk.byteLength) stream.send(chunk);
		}
	}

	async function beat() {
		await Promise.all([recheck(), dropSilent()]);
		const chunk = encode(frame('heartbeat', { at: clock.now().toISOString() }));
		for (const { stream } of [...clients]) stream.send(chunk);
		await timelines.refresh();
	}

	/** Ends streams that are no longer allowed; a session that cannot be checked counts as ended. */
	async function recheck() {
		const roles = new Map<string, Role | null>();
		for (const id of new Set([...clients].map(({ sessionId }) => sessionId)))
			roles.set(id, await Promise.resolve(deps.check(id)).catch((error) => (onError(error), null)));
		for (const client of [...clients]) {
			const role = roles.get(client.sessionId);
			if (role) client.role = role;
			else if (role === null) client.stream.close();
		}
	}

	async function dropSilent() {
		const ports = await deps.silentPeers().catch((error) => (onError(error), new Set<number>()));
		if (ports.size)
			for (const { socket, stream } of [...clients])
				if (ports.has(socket?.remotePort ?? -1)) stream.drop();
	}

	async function endInTime(signal: AbortSignal) {
		for (const { endsAtMs, stream } of clients) {
			const leftMs = endsAtMs - clock.monotonicMs();
			if (leftMs > 0) await clock.sleep(leftMs, signal).catch(() => {}); // the last one has left
			if (signal.aborted) return;
			stream.close();
		}
	}

	function drop(match: { sessionId?: string; account?: string }) {
		for (const client of [...clients])
			if (client.sessionId === match.sessionId || client.account === match.account)
				client.stream.close();
	}
	const unsubscribe = deps.bus.subscribe((fact) => {
		if (fact.type === 'session-ended') drop({ sessionId: fact.sessionId });
	});

	async function greet(client: Client) {
		const chunk = await feed.snapshot(client.role);
		if (client.stream.closed) return;
		client.stream.send(chunk);
		if (!client.stream.closed) listeners.add(client);
	}

	return {
		open(who) {
			admit(who);
			const client = connect(who);
			greet(client).catch((error) => {
				onError(error);
				client.stream.close();
			});
			return client.stream.response;
		},
		async watch(operationId, who) {
			admit(who);
			const timeline = await timelines.attach(operationId);
			let stream: SseStream | null = null;
			try {
				admit(who);
				stream = connect(who, timeline.leave).stream;
				timeline.join(stream);
				return stream.response;
			} finally {
				if (!stream || stream.closed) timeline.release();
			}
		},
		drop,
		get clients() {
			return clients.size;
		},
		close() {
			closed = true;
			unsubscribe();
			feed.close();
			for (const { stream } of [...clients]) stream.close();
		}
	};
}
