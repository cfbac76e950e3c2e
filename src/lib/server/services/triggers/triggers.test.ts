import { expect, onTestFinished, test, vi } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { Role } from '#schemas/common';
import type { OperationSummary } from '#schemas/operation';
import type { TaskRun } from '#schemas/task';
import { TriggerCreate, TriggerPatch, type TriggerWhen } from '#schemas/trigger';
import type { Actor } from '#core/actor';
import { createDetector, type Look } from './detectors.ts';
import { createTriggers, NO_TRIGGERS, type TriggersState } from './index.ts';

const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };
const BOB: Actor = { name: 'bob', role: 'admin', address: null };
const LOOK: Look = {
	atMs: 0,
	state: 'running',
	readyAt: 'r1',
	endedAt: null,
	players: { online: 0, names: [] },
	tps: 20,
	failedBackups: []
};

const looks = (when: object, ...seen: (Partial<Look> & { own?: boolean })[]) => {
	const detect = createDetector(when as TriggerWhen);
	return seen.map(({ own = false, ...look }) => detect({ ...LOOK, ...look }, own));
};
const people = (...names: string[]) => ({ players: { online: names.length, names } });

test('what held at the first look has not just happened', () => {
	expect(looks({ event: 'ready' }, {}, {})).toEqual([false, false]);
	expect(looks({ event: 'ready' }, { readyAt: null }, {}, {}, { readyAt: 'r2' })).toEqual([
		false,
		true,
		false,
		true
	]);
	const crash = { state: 'crashed', endedAt: 'e1' } as const;
	expect(looks({ event: 'crashed' }, crash, crash)).toEqual([false, false]);
	expect(looks({ event: 'crashed' }, {}, crash, crash, {}, crash)).toEqual([
		...[false, true, false, false, false]
	]);
	const tried = { state: 'crashed', endedAt: 'e2' } as const;
	// It is down for the first one again once what was tried is taken back.
	expect(looks({ event: 'crashed' }, {}, crash, tried, crash)).toEqual([false, true, true, false]);
	expect(looks({ event: 'joined', name: 'Ada' }, people('Ada'), people('Ada'))).toEqual([
		false,
		false
	]);
});

test('a stop is not a crash', () => {
	expect(looks({ event: 'crashed' }, {}, { state: 'stopped', endedAt: 'e1' })).toEqual([
		false,
		false
	]);
});

test('players come and go: the first one, a particular one, and none for a while', () => {
	const comings = [people(), people('Bob'), people('Bob', 'ADA'), people(), people('ada')];
	expect(looks({ event: 'first-joined' }, ...comings)).toEqual([false, true, false, false, true]);
	expect(looks({ event: 'joined', name: 'Ada' }, ...comings)).toEqual([
		...[false, false, true, false, true]
	]);
	const minute = (n: number) => ({ atMs: n * 60_000 });
	expect(
		looks(
			{ event: 'empty', minutes: 2 },
			{ ...people('Bob'), ...minute(0) },
			minute(1),
			minute(3),
			minute(9),
			{ ...people('Bob'), ...minute(10) },
			minute(11),
			minute(13)
		)
	).toEqual([false, false, true, false, false, false, true]);
});

test('a server becomes empty again after a start, but not after a start by its own trigger', () => {
	const minute = (n: number) => ({ atMs: n * 60_000 });
	const when = { event: 'empty', minutes: 2 };
	const off = { state: 'stopped', readyAt: null, players: null } as const;
	const again = (own: boolean) =>
		looks(
			when,
			minute(0),
			minute(2),
			{ ...off, ...minute(3) },
			{ readyAt: 'r2', own, ...minute(4) },
			{ readyAt: 'r2', ...minute(6) }
		);
	expect(again(false)).toEqual([false, true, false, false, true]);
	expect(again(true)).toEqual([false, true, false, false, false]);
});

test('slow for a while is slow once; an unknown speed is not slow', () => {
	const at = (minute: number, tps: number | null) => ({ atMs: minute * 60_000, tps });
	expect(
		looks(
			{ event: 'tps-low', below: 15, minutes: 2 },
			...[at(0, 10), at(1, 10), at(2, null), at(3, 10), at(5, 14), at(6, 14), at(7, 15)]
		)
	).toEqual([false, false, false, false, true, false, false]);
});

async function setup(over: { restartsAnyway?: boolean; roles?: Record<string, Role> } = {}) {
	const clock = createManualClock();
	const acted: string[] = [];
	const told: TaskRun[] = [];
	const errors: unknown[] = [];
	let look: Omit<Look, 'atMs' | 'failedBackups'> = { ...LOOK };
	let roles: Record<string, Role> = over.roles ?? { ada: 'superadmin', bob: 'admin' };
	let value: TriggersState = NO_TRIGGERS;
	/** The effect of the action on the world. */
	let action: (
		type: string,
		began: (operation: { id: string }) => void
	) => Promise<void> = async () => {};
	const triggers = createTriggers({
		store: {
			read: async () => value,
			update: async (change) => (value = await change(structuredClone(value)))
		},
		async run(_, { type, options }, { by, began }) {
			acted.push(`${type} ${JSON.stringify(options)} by ${by.name}`);
			await action(type, began);
			return { result: 'done', exitCode: 0, detail: 'Done.' };
		},
		left: async (run) => void told.push(run),
		runs: async () => told.toReversed(),
		look: async () => look,
		roleOf: (name) => roles[name] ?? null,
		restartsAnyway: async () => over.restartsAnyway ?? false,
		audit: async () => {},
		log: { error: (_, facts) => void errors.push(facts) },
		clock
	});
	onTestFinished(async () => {
		await triggers.close();
		expect(errors).toEqual([]);
	});
	await triggers.start();
	const see = async (next: Partial<typeof look>) => {
		look = { ...look, ...next };
		triggers.changed();
		await new Promise((resolve) => setTimeout(resolve, 5));
	};
	const add = async (body: object, by = ADA) => {
		const trigger = await triggers.add(TriggerCreate.parse(body), by);
		await see({});
		return trigger;
	};
	const operation = (id: string, state: OperationSummary['state'], kind = 'restart') =>
		triggers.heard({ id, kind, state } as OperationSummary);
	return {
		...{ triggers, clock, acted, told, see, add, operation },
		doing: (next: typeof action) => void (action = next),
		demote: (next: Record<string, Role>) => void (roles = next)
	};
}

const say = (message: string) => ({ type: 'say', message });

test('a trigger acts when it happens, within its rate limit', async () => {
	const { add, see, acted, clock } = await setup();
	await see({ readyAt: null });
	await add({ when: { event: 'ready' }, do: say('Hello') });
	await see({ readyAt: 'r2' });
	await see({ readyAt: 'r3' });
	expect(acted).toEqual(['say {"message":"Hello"} by ada']);
	await clock.advance(61_000);
	await see({ readyAt: 'r4' });
	expect(acted).toHaveLength(2);
});

test('data of the event is not part of the action', async () => {
	const { add, see, acted } = await setup();
	await add({
		when: { event: 'joined', name: 'Ada' },
		do: { type: 'console', command: 'say {name} $name @p' }
	});
	await see(people());
	await see(people('Ada'));
	expect(acted).toEqual(['console {"command":"say {name} $name @p"} by ada']);
});

test('a failed backup fires it once, however often it is reported', async () => {
	const { add, operation, acted } = await setup();
	await add({ when: { event: 'backup-failed' }, do: say('Sorry') });
	operation('b1', 'succeeded', 'backup');
	operation('b2', 'failed', 'backup');
	operation('b2', 'failed', 'backup');
	await vi.waitFor(() => expect(acted).toHaveLength(1));
});

test('a restart on ready is cut at its own start, and reported', async () => {
	const { add, see, acted, told, doing, operation, triggers, clock } = await setup();
	doing(async (_, began) => {
		operation('o1', 'running');
		began({ id: 'o1' });
		await see({ readyAt: null });
		await clock.advance(300_000); // a slow start
		await see({ readyAt: 'r3' });
		operation('o1', 'succeeded');
	});
	await see({ readyAt: null });
	await add({ when: { event: 'ready' }, do: { type: 'restart' }, minGapSeconds: 10 });
	await see({ readyAt: 'r2' });
	await vi.waitFor(() => expect(told).toHaveLength(1));
	expect(acted).toHaveLength(1);
	expect(told).toMatchObject([{ result: 'skipped', detail: expect.stringContaining('loop') }]);
	expect((await triggers.list()).triggers[0]?.last?.detail).toContain('loop');
	// A later start by a person sets it off again.
	await clock.advance(120_000);
	doing(async () => {});
	operation('o2', 'running');
	await see({ readyAt: 'r4' });
	await vi.waitFor(() => expect(acted).toHaveLength(2));
});

test('two triggers that cause each other are cut', async () => {
	const { add, see, acted, told, doing, operation } = await setup();
	let n = 0;
	doing(async (type, began) => {
		const id = `o${++n}`;
		if (n > 20) throw new Error('round and round');
		operation(id, 'running', type);
		began({ id });
		await see(type === 'backup' ? {} : { readyAt: `again${n}` });
		operation(id, type === 'backup' ? 'failed' : 'succeeded', type);
	});
	await see({ readyAt: null });
	await add({ when: { event: 'ready' }, do: { type: 'backup' }, minGapSeconds: 10 });
	await add({ when: { event: 'backup-failed' }, do: { type: 'restart' }, minGapSeconds: 10 });
	await see({ readyAt: 'r2' });
	await vi.waitFor(() => expect(told).toHaveLength(1));
	expect(acted.map((one) => one.split(' ')[0])).toEqual(['backup', 'restart']);
});

test('one that fires again and again within an hour is turned off, and reported', async () => {
	const { add, see, acted, told, clock, triggers } = await setup();
	await add({ when: { event: 'crashed' }, do: { type: 'start' }, minGapSeconds: 10 });
	for (let i = 0; i < 6; i++) {
		await clock.advance(120_000);
		await see({ state: 'crashed', endedAt: `e${i}` });
	}
	expect(acted).toHaveLength(3);
	expect(told).toMatchObject([{ detail: expect.stringContaining('turned off') }]);
	expect((await triggers.list()).triggers[0]?.enabled).toBe(false);
});

test('start after a crash is the automatic restart, and nothing is done twice', async () => {
	const { add, see, acted } = await setup({ restartsAnyway: true });
	const trigger = await add({ when: { event: 'crashed' }, do: { type: 'start' } });
	expect(trigger.note).toMatch(/automatic restart/);
	await see({ state: 'crashed', endedAt: 'e1' });
	expect(acted).toEqual([]);
});

test('it acts with the role that its creator has at that moment', async () => {
	const { add, see, acted, told, demote, clock, triggers } = await setup();
	const trigger = await add({
		when: { event: 'crashed' },
		do: { type: 'console', command: 'stop' }
	});
	demote({ ada: 'admin' });
	await see({ state: 'crashed', endedAt: 'e1' });
	demote({});
	await clock.advance(61_000);
	await see({ state: 'crashed', endedAt: 'e2' });
	expect(acted).toEqual([]);
	expect(told.map(({ detail }) => detail)).toEqual([
		expect.stringContaining('no longer a superadmin'),
		expect.stringContaining('no longer has an account')
	]);
	expect((await triggers.list()).triggers[0]?.note).toContain('no longer has an account');
	// Whoever sets its action is its creator; whoever turns it off is not.
	await triggers.change(trigger.id, { enabled: false }, BOB);
	expect((await triggers.list()).triggers[0]?.by).toBe('ada');
	await triggers.change(trigger.id, TriggerPatch.parse({ do: say('x') }), BOB);
	expect((await triggers.list()).triggers[0]?.by).toBe('bob');
});

test('there is room for a hundred', async () => {
	const { triggers } = await setup();
	const body = TriggerCreate.parse({ when: { event: 'ready' }, do: say('x'), enabled: false });
	for (let i = 0; i < 100; i++) await triggers.add(body, ADA);
	await expect(triggers.add(body, ADA)).rejects.toMatchObject({ kind: 'conflict' });
	await expect(triggers.change('0000000000000000', { enabled: true }, ADA)).rejects.toMatchObject({
		kind: 'not-found'
	});
	const [first] = (await triggers.list()).triggers;
	await triggers.remove(first!.id, ADA);
	await triggers.add(body, ADA);
});

test('each event and each action takes its own options, and nothing else', () => {
	const ok = (body: object) => TriggerCreate.safeParse(body).success;
	const act = say('Hello');
	for (const when of [
		{ event: 'ready' },
		{ event: 'empty', minutes: 5 },
		{ event: 'joined', name: '.Steve_1' },
		{ event: 'tps-low', below: 17.5, minutes: 1 }
	])
		expect(ok({ when, do: act }), JSON.stringify(when)).toBe(true);
	for (const body of [
		{ when: { event: 'empty' }, do: act },
		{ when: { event: 'ready', minutes: 5 }, do: act },
		{ when: { event: 'joined', name: 'a b' }, do: act },
		{ when: { event: 'tps-low', below: 21, minutes: 1 }, do: act },
		{ when: { event: 'never' }, do: act },
		{ when: { event: 'ready' }, do: { ...act, schedule: '0 4 * * *' } },
		{ when: { event: 'ready' }, do: { type: 'console' } },
		{ when: { event: 'ready' }, do: act, minGapSeconds: 9 },
		{ when: { event: 'ready' }, do: act, by: 'ada' }
	])
		expect(ok(body), JSON.stringify(body)).toBe(false);
	expect(TriggerPatch.safeParse({}).success).toBe(false);
});
