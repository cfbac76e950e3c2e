import type { ChatByRole, ChatMessage } from '#schemas/chat';
import type { Role } from '#schemas/common';
import type { LiveEvent, OnlinePlayer } from '#schemas/live';
import type { Operation, OperationSummary } from '#schemas/operation';
import type { Status } from '#schemas/status';
import type { Bus } from '#core/bus';
import type { Clock } from '#core/clock';
import { encode, frame } from '#core/sse';
import type { AppEvent } from '#events';
import { toSummary } from '#operations';
import { every } from './every.ts';
import { createOutbox, type Outbox, type Outgoing } from './outbox.ts';

const STATUS_EVERY_MS = 5000;
/** Chat messages of a snapshot, and of what a flood leaves in one event. */
const CHAT_RECENT = 100;

export type FeedDeps = {
	status: () => Promise<Status>;
	players: () => OnlinePlayer[];
	running: () => Operation | null;
	chat: {
		/** Oldest first. */
		recentFor: (viewer: Role) => Promise<(count: number) => ChatMessage[]>;
		/** Reads the log only while somebody is subscribed. */
		subscribe: (listener: (messages: ChatByRole) => void) => () => void;
	};
	bus: Pick<Bus<AppEvent>, 'subscribe'>;
	clock: Clock;
	onError: (error: unknown) => void;
};

/** What every client of `/api/events` gets: one status tick and one log reader, however many listen. */
export interface Feed {
	/** From the first listener on, until the signal. */
	start(signal: AbortSignal, send: (batch: Outgoing[]) => void): void;
	/** Where a new listener begins; the same bytes for everyone with the same role who arrives meanwhile. */
	snapshot(viewer: Role): Promise<Uint8Array>;
	close(): void;
}

/** Typed by the schema: an event that is not in it cannot be created. */
const event = <K extends LiveEvent['event']>(
	name: K,
	data: Extract<LiveEvent, { event: K }>['data']
): Outgoing => ({ event: name, data });

export function createFeed(deps: FeedDeps): Feed {
	const { clock, onError } = deps;
	let outbox: Outbox | null = null;
	let running: OperationSummary | null = null;
	let ticking = false;
	let told = { visible: '', online: '', count: 0 };
	let cached: { status: Status; bytes: Partial<Record<Role, Uint8Array>> } | null = null;

	const put = (
		{ event, data }: Outgoing,
		options?: { key?: string; merge?: (waiting: unknown) => unknown }
	) => {
		cached = null;
		outbox?.put(event, data, options);
	};

	const tellStatus = (status: Status) => {
		told.visible = visible(status);
		put(event('status', status));
		const online = onlineNow(status, deps.players(), told.count);
		const text = JSON.stringify(online);
		if (online && text !== told.online) {
			told.online = text;
			told.count = online.length;
			put(event('players', { online }));
		}
	};
	/** A tick sends everything; in between, only what a person would notice. */
	const onStatus = (status: Status) => {
		if (outbox && !ticking && visible(status) !== told.visible) tellStatus(status);
	};
	const tick = async () => {
		ticking = true;
		try {
			tellStatus(await deps.status());
		} finally {
			ticking = false;
		}
	};
	const onChat = (messages: ChatByRole) => {
		cached = null;
		outbox?.put('chat', newest(messages), {
			merge: (waiting: ChatByRole) =>
				newest({
					admin: [...waiting.admin, ...messages.admin],
					superadmin: [...waiting.superadmin, ...messages.superadmin]
				})
		});
	};

	const close = deps.bus.subscribe((fact) => {
		if (fact.type === 'status') onStatus(fact.status);
		if (fact.type === 'backup-verify') put(event('backup', fact.verify), { key: fact.verify.id });
		if (fact.type === 'operation-noted')
			put(event('operation', fact.summary), { key: fact.summary.id });
		if (fact.type !== 'operation') return;
		running = fact.summary.state === 'running' ? fact.summary : null;
		put(event('operation', fact.summary), { key: fact.summary.id });
	});

	/** An operation of another process sends no events here, but it is known to be running. */
	const runningNow = () => {
		const operation = deps.running();
		return operation && running?.id !== operation.id ? toSummary(operation) : operation && running;
	};

	return {
		start(signal, send) {
			const mine = createOutbox({ clock, signal, send });
			outbox = mine;
			told = { visible: '', online: '', count: 0 };
			const off = deps.chat.subscribe(onChat);
			signal.addEventListener('abort', () => {
				off();
				if (outbox === mine) outbox = cached = null;
			});
			void every(STATUS_EVERY_MS, clock, signal, tick, onError);
		},
		async snapshot(viewer) {
			// No awaiting from here on: whatever arrived meanwhile would be missed.
			const [status, recent] = await Promise.all([deps.status(), deps.chat.recentFor(viewer)]);
			if (cached?.status !== status) cached = { status, bytes: {} };
			const before = cached.bytes[viewer];
			if (before) return before;
			const online = onlineNow(status, deps.players(), 0) ?? [];
			const operation = runningNow();
			if (!told.visible)
				told = {
					visible: visible(status),
					online: JSON.stringify(online),
					count: online.length
				};
			const first = [
				event('status', status),
				event('players', { online }),
				event('chat', { messages: recent(CHAT_RECENT) }),
				...(operation ? [event('operation', operation)] : [])
			];
			const bytes = encode(...first.map(({ event, data }) => frame(event, data)));
			cached.bytes[viewer] = bytes;
			return bytes;
		},
		close
	};
}

/**
 * Who is online, by name. Where the status only counts them, those who are still `known`; null when nobody is, but their
 * number is the one that was told last: then that list still holds.
 */
function onlineNow(
	{ online, players }: Status,
	known: OnlinePlayer[],
	told: number
): OnlinePlayer[] | null {
	if (!online) return [];
	if (!players.names) return known.length || players.online !== told ? known : null;
	const byName = new Map(known.map((player) => [player.name, player]));
	return players.names.map((name) => byName.get(name) ?? { name, uuid: null, since: null });
}

const newest = ({ admin, superadmin }: ChatByRole): ChatByRole => ({
	admin: admin.slice(-CHAT_RECENT),
	superadmin: superadmin.slice(-CHAT_RECENT)
});

/** What a client with that role is sent; of the chat, only what they may see. */
export const dataFor = ({ event: name, data }: Outgoing, role: Role): unknown =>
	name === 'chat' ? { messages: (data as ChatByRole)[role] } : data;

const visible = ({ checkedAt: _, latencyMs: __, tps: ___, ...rest }: Status) =>
	JSON.stringify(rest);
