import { expect, test, vi } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { readSse } from '../../../../../tests/fakes/sse-reader.ts';
import type { BackupVerify } from '#schemas/backup';
import type { ChatMessage } from '#schemas/chat';
import type { Operation, OperationLog, OperationSummary, Step } from '#schemas/operation';
import type { Status } from '#schemas/status';
import { createBus } from '#core/bus';
import { AppError } from '#core/errors';
import type { AppEvent } from '#events';
import { createLive, STREAMS_MAX } from './index.ts';

type Deps = Parameters<typeof createLive>[0];

const STATUS: Status = {
	name: 'Home',
	state: 'running',
	online: true,
	address: 'box',
	version: '1.21.1',
	software: null,
	motd: null,
	players: { online: 1, max: 20, names: ['Ana'] },
	tps: 20,
	latencyMs: 1,
	via: 'ping',
	startedAt: null,
	checkedAt: '2026-01-02T03:04:05.000Z',
	reason: null
};
const OPERATION: Operation = {
	id: '20260102T030405123Z-1a2b',
	kind: 'start',
	subject: null,
	by: 'ada',
	state: 'running',
	startedAt: '2026-01-02T03:04:05.123Z',
	finishedAt: null,
	steps: [],
	cause: null
};
const step = (id: string, status: Step['status'], detail: string | null = null, at = 10): Step => ({
	id,
	label: id,
	status,
	detail,
	progress: null,
	at: `2026-01-02T03:04:${at}.000Z`
});
const summary = (over: Partial<OperationSummary> = {}): OperationSummary => {
	const facts: Partial<Operation> = { ...OPERATION };
	delete facts.steps;
	const flags = { cancellable: false, leavesServer: false, countsDown: false };
	return { ...(facts as OperationSummary), step: 'Start', ...flags, ...over };
};
const message = (id: number): ChatMessage => ({
	id: String(id),
	at: STATUS.checkedAt,
	kind: 'chat',
	player: 'Ana',
	text: `line ${id}`
});

function setup(over: Partial<Deps> = {}) {
	const clock = createManualClock();
	const bus = createBus<AppEvent>();
	const errors: unknown[] = [];
	const world = {
		status: STATUS,
		players: [{ name: 'Ana', uuid: 'a', since: null }],
		probes: 0,
		operation: null as Operation | null,
		log: null as OperationLog | null,
		watchers: new Map<
			string,
			(event: Parameters<Parameters<Deps['operations']['watch']>[1]>[0]) => void
		>(),
		chat: null as ((messages: ChatMessage[]) => void) | null,
		roles: new Map<string, 'admin' | 'superadmin' | null>()
	};
	const live = createLive({
		status: async () => {
			world.probes++;
			return (world.status = { ...world.status, checkedAt: clock.now().toISOString() });
		},
		players: () => world.players,
		operations: {
			running: () => world.operation,
			async get(id) {
				if (world.operation?.id === id) return world.operation;
				throw new AppError('not-found', 'There is no such operation.');
			},
			log: () => world.log,
			watch(id, listener) {
				world.watchers.set(id, listener);
				return () => world.watchers.delete(id);
			}
		},
		chat: {
			recentFor: async () => () => [message(1)],
			subscribe(listener) {
				world.chat = (messages) => listener({ admin: messages, superadmin: messages });
				return () => (world.chat = null);
			}
		},
		check: (id) => (world.roles.has(id) ? world.roles.get(id)! : 'admin'),
		silentPeers: async () => new Set<number>(),
		streamsPerAccount: 64,
		bus,
		log: { error: (_, facts) => errors.push(facts?.cause) },
		clock,
		...over
	});
	const who = (over: Partial<Parameters<typeof live.open>[0]> = {}) => {
		const abort = new AbortController();
		const reader = {
			account: 'ada',
			sessionId: 's1',
			role: 'admin' as const,
			address: '::1',
			signal: abort.signal,
			socket: { remotePort: 1, destroy: vi.fn() },
			...over
		};
		return { abort, reader };
	};
	const open = (over: Parameters<typeof who>[0] = {}) => {
		const { abort, reader } = who(over);
		return { abort, socket: reader.socket, ...readSse(live.open(reader)) };
	};
	const watch = async (id: string) => readSse(await live.watch(id, who().reader));
	return { live, clock, bus, world, errors, open, watch, who };
}
const idle = ({
	live,
	clock,
	world
}: Pick<ReturnType<typeof setup>, 'live' | 'clock' | 'world'>) => {
	expect(live.clients).toBe(0);
	expect(clock.sleeping).toBe(0);
	expect(world.chat).toBe(null);
	expect(world.watchers.size).toBe(0);
};

test('a stream begins with a snapshot and keeps the rhythm: status 5 s, heartbeat 15 s, end 10 minutes', async () => {
	const all = setup();
	const { clock, open } = all;
	const reader = open();
	await settle();
	expect(reader.events.map(({ event }) => event)).toEqual(['status', 'players', 'chat']);
	expect(reader.of('players')).toEqual([{ online: [{ name: 'Ana', uuid: 'a', since: null }] }]);
	expect(reader.of('chat')).toEqual([{ messages: [message(1)] }]);
	await clock.advance(30_000);
	expect(reader.of('status')).toHaveLength(7);
	expect(reader.of('heartbeat')).toEqual([
		{ at: '2026-01-02T03:04:20.000Z' },
		{ at: '2026-01-02T03:04:35.000Z' }
	]);
	expect(reader.of('players')).toHaveLength(1);
	await clock.advance(569_999);
	expect(reader.state.ended).toBe(false);
	await clock.advance(1);
	expect(reader.state.ended).toBe(true);
	idle(all);
});

test('the snapshot contains an operation in progress, of this process or of another', async () => {
	const { bus, world, open } = setup();
	world.operation = { ...OPERATION, steps: [step('boot', 'running')] };
	const first = open();
	await settle();
	expect(first.of('operation')).toEqual([summary({ step: 'boot' })]);
	bus.publish({ type: 'operation', summary: summary({ step: 'Stop', cancellable: true }) });
	const second = open();
	await settle();
	expect(second.of('operation')).toEqual([summary({ step: 'Stop', cancellable: true })]);
	world.operation = null;
	bus.publish({ type: 'operation', summary: summary({ state: 'succeeded' }) });
	const third = open();
	await settle();
	expect(third.of('operation')).toEqual([]);
});

test('how the verifies of backups stand is told to everybody', async () => {
	const { bus, open } = setup();
	const readers = [open(), open({ account: 'bob' })];
	await settle();
	const verify: BackupVerify = {
		...{ id: '20260102T030405Z-1a2b', state: 'complete', verifiedAt: null, problem: null },
		...{ verifying: true, verifyProgress: { done: 1, total: 2 }, verifyProblem: null }
	};
	bus.publish({ type: 'backup-verify', verify });
	bus.publish({ type: 'backup-verify', verify: { ...verify, id: '20260102T030405Z-1a2c' } });
	await settle();
	for (const reader of readers)
		expect(reader.of('backup')).toEqual([verify, { ...verify, id: '20260102T030405Z-1a2c' }]);
});

test('a thousand readers share one probe per tick, one snapshot and one encoding of each event', async () => {
	const all = setup({ streamsPerAccount: 1000 });
	const { world, clock, open, live } = all;
	const readers = Array.from({ length: 1000 }, () => open());
	await settle();
	expect(readers.every((reader) => reader.events.length === 3)).toBe(true);
	expect(live.clients).toBe(1000);
	world.probes = 0;
	await clock.advance(15_000);
	expect(world.probes).toBe(3);
	expect(readers.every((reader) => reader.of('status').length === 4)).toBe(true);
	await Promise.all(readers.map((reader) => reader.leave()));
	idle(all);
	await clock.advance(60_000);
	expect(world.probes).toBe(3);
});

test('everything stops with the last reader and starts again with the next', async () => {
	const all = setup();
	for (const way of ['leave', 'abort'] as const) {
		const reader = all.open();
		await settle();
		expect(all.world.chat).not.toBe(null);
		expect(all.clock.sleeping).toBeGreaterThan(0);
		if (way === 'leave') await reader.leave();
		else reader.abort.abort();
		await settle();
		idle(all);
	}
});

test('readers beyond the limits are refused before the first byte and told when to come back', async () => {
	const { live, open, who } = setup({ streamsPerAccount: 2 });
	const first = open();
	open();
	const refused = expect.objectContaining({ kind: 'busy', retryAfterS: 10 });
	expect(() => open()).toThrow(refused);
	await expect(live.watch(OPERATION.id, who().reader)).rejects.toEqual(refused);
	open({ account: 'bob' });
	await first.leave();
	open();
	for (let i = live.clients; i < STREAMS_MAX; i++) open({ account: `account ${i}` });
	expect(() => open({ account: 'one more' })).toThrow(refused);
	live.close();
	expect(live.clients).toBe(0);
	expect(() => open()).toThrow(refused);
});

test('an ended session loses its streams at once, and receives nothing more', async () => {
	const { bus, live, open } = setup();
	const ended = open({ sessionId: 'old' });
	const dropped = open({ sessionId: 'other', account: 'bob' });
	const kept = open({ sessionId: 'new' });
	await settle();
	bus.publish({ type: 'session-ended', sessionId: 'old' });
	live.drop({ account: 'bob' });
	bus.publish({ type: 'operation', summary: summary() });
	await settle();
	expect([ended, dropped, kept].map(({ state }) => state.ended)).toEqual([true, true, false]);
	expect(ended.of('operation')).toEqual([]);
	expect(dropped.of('operation')).toEqual([]);
	expect(kept.of('operation')).toHaveLength(1);
	live.drop({});
	expect(live.clients).toBe(1);
});

test('each heartbeat checks the session again: an expired one ends, and so does one that cannot be checked', async () => {
	const check = vi.fn((id: string) => {
		if (id === 'broken') throw new Error('bug');
		return id === 'expired' ? null : ('superadmin' as const);
	});
	const { clock, errors, open } = setup({ check: async (id) => check(id) });
	const readers = ['expired', 'broken', 'good', 'good'].map((sessionId) => open({ sessionId }));
	await clock.advance(15_000);
	expect(readers.map(({ state }) => state.ended)).toEqual([true, true, false, false]);
	expect(readers.map((reader) => reader.of('heartbeat').length)).toEqual([0, 0, 1, 1]);
	expect(check).toHaveBeenCalledTimes(3);
	expect(errors).toEqual([new Error('bug')]);
});

test('a burst of 10,000 events in a second is at most five, and ends with the newest state', async () => {
	const { bus, clock, open } = setup();
	const reader = open();
	await settle();
	for (let i = 0; i < 10; i++) {
		for (let j = 0; j < 1000; j++)
			bus.publish({ type: 'operation', summary: summary({ step: `${i}.${j}` }) });
		await clock.advance(100);
	}
	await clock.advance(200);
	const steps = reader.of('operation').map((one) => (one as OperationSummary).step);
	expect(steps.length).toBeLessThanOrEqual(7);
	expect(steps.at(-1)).toBe('9.999');
});

test('a single event is not held back, and two operations do not hide each other', async () => {
	const { bus, clock, open } = setup();
	const reader = open();
	await settle();
	bus.publish({ type: 'operation', summary: summary({ state: 'succeeded' }) });
	await settle();
	expect(reader.of('operation')).toHaveLength(1);
	bus.publish({ type: 'operation', summary: summary({ id: 'a' }) });
	bus.publish({ type: 'operation', summary: summary({ id: 'b' }) });
	await clock.advance(200);
	expect(reader.of('operation').map((one) => (one as OperationSummary).id)).toEqual([
		OPERATION.id,
		'a',
		'b'
	]);
});

test('a flood of chat becomes a few events with its last 100 messages, in order', async () => {
	const { world, clock, open } = setup();
	const reader = open();
	await settle();
	world.chat!([message(2)]);
	await settle();
	for (let i = 3; i <= 1000; i++) world.chat!([message(i)]);
	await clock.advance(200);
	const events = reader.of('chat') as { messages: ChatMessage[] }[];
	expect(events).toHaveLength(3);
	expect(events[2]!.messages.map(({ id }) => Number(id))).toEqual(
		Array.from({ length: 100 }, (_, i) => 901 + i)
	);
});

test('a change of state is sent at once, a new probe without one only with the tick', async () => {
	const { bus, clock, open, world } = setup();
	const reader = open();
	await clock.advance(1000);
	bus.publish({ type: 'status', status: { ...world.status, tps: 19, latencyMs: 9 } });
	await settle();
	expect(reader.of('status')).toHaveLength(1);
	const stopped: Status = {
		...world.status,
		state: 'stopped',
		online: false,
		players: { online: null, max: 20, names: null }
	};
	world.status = stopped;
	bus.publish({ type: 'status', status: stopped });
	await settle();
	expect(reader.of('status').at(-1)).toMatchObject({ state: 'stopped' });
	expect(reader.of('players').at(-1)).toEqual({ online: [] });
});

test('names that are briefly unknown do not empty the list', async () => {
	const { clock, open, world } = setup();
	const reader = open();
	await settle();
	world.players = [];
	world.status = { ...STATUS, players: { online: 1, max: 20, names: null } };
	await clock.advance(5000);
	expect(reader.of('players')).toHaveLength(1);
});

test('somebody who joins takes nobody off the list before it is known who that is', async () => {
	const { bus, open, world } = setup();
	const reader = open();
	await settle();
	world.status = { ...STATUS, players: { online: 2, max: 20, names: null } };
	bus.publish({ type: 'status', status: world.status });
	await settle();
	expect(reader.of('status').at(-1)).toMatchObject({ players: { online: 2 } });
	expect(reader.of('players')).toHaveLength(1);
});

test('names that stay unknown empty the list once it cannot be true any more', async () => {
	const { clock, open, world } = setup();
	const reader = open();
	await settle();
	world.players = [];
	world.status = { ...STATUS, players: { online: 2, max: 20, names: null } };
	await clock.advance(5000);
	expect(reader.of('players').at(-1)).toEqual({ online: [] });
});

test('a reader that reads nothing is dropped, the others receive everything', async () => {
	const { live, bus, clock, who, open } = setup();
	const slow = who();
	live.open(slow.reader); // nobody ever reads this one
	const quick = open();
	await settle();
	for (let i = 0; i < 200; i++) {
		bus.publish({ type: 'operation', summary: summary({ step: String(i).padEnd(1000, '.') }) });
		await clock.advance(200);
	}
	expect(live.clients).toBe(1);
	expect(slow.reader.socket!.destroy).toHaveBeenCalled();
	expect(quick.of('operation')).toHaveLength(200);
});

test('a reader whose network is gone is disconnected at the next heartbeat', async () => {
	const { clock, open } = setup({ silentPeers: async () => new Set([7]) });
	const gone = open({ socket: { remotePort: 7, destroy: vi.fn() } });
	const here = open({ socket: { remotePort: 8, destroy: vi.fn() } });
	await clock.advance(15_000);
	expect(gone.socket?.destroy).toHaveBeenCalled();
	expect(here.of('heartbeat')).toHaveLength(1);
});

test('a failing probe costs one tick, not the stream', async () => {
	let fails = 0;
	const { clock, errors, open } = setup({
		status: async () => {
			if (fails-- > 0) throw new Error('bug');
			return STATUS;
		}
	});
	const reader = open();
	await settle();
	fails = 1;
	await clock.advance(10_000);
	expect(errors).toEqual([new Error('bug')]);
	expect(reader.of('status')).toHaveLength(2);
});

test('an operation stream sends the whole, each change and the whole again, then ends', async () => {
	const all = setup();
	const { world, watch, clock } = all;
	world.operation = { ...OPERATION, steps: [step('launch', 'running')] };
	const reader = await watch(OPERATION.id);
	await settle();
	expect(reader.events).toEqual([{ event: 'operation', data: world.operation }]);
	const tell = world.watchers.get(OPERATION.id)!;
	tell({ type: 'step', step: step('launch', 'done') });
	tell({ type: 'step', step: step('boot', 'running') });
	await settle();
	expect(reader.of('step')).toEqual([step('launch', 'done'), step('boot', 'running')]);
	world.operation = {
		...world.operation,
		steps: [step('launch', 'done'), step('boot', 'running')]
	};
	await clock.advance(15_000);
	expect(reader.of('heartbeat')).toHaveLength(1);
	const finished = { ...OPERATION, state: 'succeeded' as const, steps: [step('boot', 'done')] };
	tell({ type: 'step', step: step('boot', 'done') });
	tell({ type: 'end', operation: finished });
	await reader.done;
	expect(reader.events.at(-1)).toEqual({ event: 'end', data: finished });
	expect(reader.events.filter(({ event }) => event !== 'heartbeat')).toHaveLength(4);
	expect(reader.state.ended).toBe(true);
	idle(all);
});

test('a finished operation answers at once, an unknown one is not found before the first byte', async () => {
	const all = setup();
	const { world, watch, live, who } = all;
	world.operation = { ...OPERATION, state: 'failed' };
	const reader = await watch(OPERATION.id);
	await reader.done;
	expect(reader.events).toEqual([
		{ event: 'operation', data: world.operation },
		{ event: 'end', data: world.operation }
	]);
	await expect(live.watch('20260102T030405123Z-0000', who().reader)).rejects.toMatchObject({
		kind: 'not-found'
	});
	idle(all);
});

test('the boot output of the server comes with the stream, even for those who connect late', async () => {
	const { world, watch, clock } = setup();
	world.operation = { ...OPERATION, steps: [step('boot', 'running')] };
	const early = await watch(OPERATION.id);
	await settle();
	const tell = world.watchers.get(OPERATION.id)!;
	const lines = (...lines: string[]) => ({ step: 'boot', lines });
	tell({ type: 'log', log: (world.log = lines('one')) });
	await settle();
	tell({ type: 'log', log: lines('one', 'two') });
	tell({ type: 'log', log: (world.log = lines('one', 'two', 'three')) });
	await clock.advance(200);
	expect(early.of('log')).toEqual([lines('one'), lines('one', 'two', 'three')]);
	const late = await watch(OPERATION.id);
	await settle();
	expect(late.events).toEqual([
		{ event: 'operation', data: world.operation },
		{ event: 'log', data: lines('one', 'two', 'three') }
	]);
});

test('a second watcher starts with what has happened, and progress comes at most five times a second', async () => {
	const { world, watch, clock } = setup();
	world.operation = { ...OPERATION, steps: [step('boot', 'running')] };
	const first = await watch(OPERATION.id);
	const tell = world.watchers.get(OPERATION.id)!;
	for (let i = 1; i <= 1000; i++) tell({ type: 'step', step: step('boot', 'running', `${i} %`) });
	tell({ type: 'step', step: step('rollback', 'pending') });
	const second = await watch(OPERATION.id);
	await settle();
	expect(second.of('operation')).toEqual([
		{ ...OPERATION, steps: [step('boot', 'running', '1000 %'), step('rollback', 'pending')] }
	]);
	await clock.advance(200);
	expect(first.of('step')).toEqual([
		step('boot', 'running', '1000 %'),
		step('rollback', 'pending')
	]);
});

test('an operation that another process runs is refreshed at each heartbeat', async () => {
	const all = setup();
	const { world, watch, clock } = all;
	world.operation = { ...OPERATION, steps: [step('copy', 'running')] };
	const reader = await watch(OPERATION.id);
	world.operation = { ...OPERATION, steps: [step('copy', 'done', null, 20)] };
	await clock.advance(15_000);
	expect(reader.of('step')).toEqual([step('copy', 'done', null, 20)]);
	world.operation = { ...world.operation, state: 'succeeded' };
	await clock.advance(15_000);
	expect(reader.of('end')).toEqual([world.operation]);
	idle(all);
});

test('closing ends every stream at once', async () => {
	const all = setup();
	all.world.operation = OPERATION;
	const readers = [all.open(), all.open(), await all.watch(OPERATION.id)];
	await settle();
	all.live.close();
	await Promise.all(readers.map(({ done }) => done));
	expect(readers.every(({ state }) => state.ended)).toBe(true);
	all.bus.publish({ type: 'operation', summary: summary() });
	idle(all);
});
