import { describe, expect, test } from 'vitest';
import type { NotificationEvent } from '#schemas/notifications/channel';
import type { Message } from '../message.ts';
import { createBudget, PER_HOUR } from './budget.ts';
import { createNoise, type Note, type Report } from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const T0 = Date.parse('2026-01-02T00:00:00.000Z');

let serial = 0;
const at = (ms: number) => new Date(ms).toISOString();
const report = (event: NotificationEvent, ms: number, more: Partial<Report> = {}): Report => ({
	...{ id: `r${serial++}`, event, subject: '', at: at(ms), lasts: null, facts: {} },
	...more
});
type Step = [ms: number, event: NotificationEvent, more?: Partial<Report>];

/** Runs the steps (since midnight) and everything due in between, with a restart of the dashboard after each. */
function simulate(steps: Step[], untilMs: number, restarts = false) {
	let noise = createNoise();
	const told: { at: number; note: Note }[] = [];
	const until = (end: number) => {
		for (let due = noise.nextAt(); due !== null && due <= end; due = noise.nextAt())
			for (const note of noise.tick(due)) told.push({ at: due - T0, note });
	};
	for (const [ms, event, more] of [...steps].sort((a, b) => a[0] - b[0])) {
		until(T0 + ms);
		for (const note of noise.report(report(event, T0 + ms, more), T0 + ms))
			told.push({ at: ms, note });
		if (restarts) noise = createNoise(JSON.parse(JSON.stringify(noise.state())));
	}
	until(T0 + untilMs);
	return told;
}
const brief = (told: ReturnType<typeof simulate>) =>
	told.map(({ at, note }) => [Math.round(at / 1000), note.event, note.kind, note.count]);

describe('crashes', () => {
	test('a crash and the recovery within two minutes are one message', () => {
		expect(
			brief(
				simulate(
					[
						[0, 'server.crashed'],
						[70_000, 'server.back']
					],
					HOUR
				)
			)
		).toEqual([[70, 'server.back', 'recovered', 1]]);
	});
	test('a crash without recovery is reported after two minutes, again after four hours, and when it ends', () => {
		const steps: Step[] = [
			[0, 'server.crashed'],
			[5 * HOUR, 'server.back']
		];
		expect(brief(simulate(steps, DAY))).toEqual([
			[120, 'server.crashed', 'plain', 1],
			[120 + 4 * 3600, 'server.crashed', 'still', 1],
			[5 * 3600, 'server.back', 'recovered', 1]
		]);
	});
	test('a crash after which nothing starts the server again is told soon', () => {
		const alone: Step[] = [[0, 'server.crashed', { facts: { restarts: null } }]];
		expect(brief(simulate(alone, HOUR))).toEqual([[30, 'server.crashed', 'plain', 1]]);
	});
	test('giving up is reported at once, together with the crash', () => {
		const steps: Step[] = [
			[0, 'server.crashed'],
			[9_000, 'server.gave-up']
		];
		expect(brief(simulate(steps, HOUR))).toEqual([[9, 'server.gave-up', 'plain', 1]]);
	});
	test('a server that stays down is reported soon, however often it came back before', () => {
		const steps: Step[] = [0, 20, 40].flatMap((minutes): Step[] => [
			[minutes * MINUTE, 'server.crashed'],
			[minutes * MINUTE + 30_000, 'server.back']
		]);
		const told = brief(simulate([...steps, [60 * MINUTE, 'server.crashed']], 2 * HOUR));
		expect(told.at(-1)).toEqual([62 * 60, 'server.crashed', 'again', 2]);
		const twice = steps.slice(0, 4);
		expect(brief(simulate([...twice, [60 * MINUTE, 'server.crashed']], 2 * HOUR)).at(-1)).toEqual([
			...[62 * 60, 'server.crashed', 'plain', 1]
		]);
	});
	test('a server that somebody stopped is not reported as still down', () => {
		const steps: Step[] = [
			[0, 'server.crashed'],
			[HOUR, 'server.stopped']
		];
		const crashes = simulate(steps, DAY).filter(({ note }) => note.event === 'server.crashed');
		expect(crashes).toHaveLength(1);
	});

	const DOWN = [1_000, 20_000, 80_000, 150_000];
	test.each(DOWN.flatMap((down) => [false, true].map((restarts) => [down, restarts] as const)))(
		'a thousand crashes in a day, down for %d ms each, are at most six messages (restarts: %s)',
		(down, restarts) => {
			const every = DAY / 1000;
			const steps = Array.from({ length: 1000 }, (_, i): Step[] => [
				[i * every, 'server.crashed'],
				[i * every + Math.min(down, every - 1000), 'server.back']
			]).flat();
			const told = simulate(steps, DAY, restarts);
			expect(told.length).toBeLessThanOrEqual(6);
			expect(told.length).toBeGreaterThan(2);
			expect(told.reduce((sum, { note }) => sum + note.count, 0)).toBeGreaterThan(500);
		}
	);
	test('after a crash loop, recovery is reported once it holds', () => {
		const steps: Step[] = [0, 1, 2, 3].flatMap((i): Step[] => [
			[i * MINUTE, 'server.crashed'],
			[i * MINUTE + 30_000, 'server.back']
		]);
		const told = brief(simulate(steps, DAY));
		expect(told.at(-1)).toEqual([expect.any(Number), 'server.back', 'steady', 1]);
		expect(told).toHaveLength(3);
	});
});

describe('lasting conditions', () => {
	const lasting = (from: number, to: number): Step[] => [
		[from, 'server.hanging', { lasts: 'begins' }],
		[to, 'server.hanging', { lasts: 'over' }]
	];
	test('that end within 30 s are not reported', () => {
		expect(simulate(lasting(0, 29_000), HOUR)).toEqual([]);
	});
	test('that last longer are reported, and their end too', () => {
		expect(brief(simulate(lasting(0, 90_000), HOUR))).toEqual([
			[30, 'server.hanging', 'plain', 1],
			[90, 'server.back', 'recovered', 1]
		]);
	});
	test('one that ended instead is not reported as answering again', () => {
		const told = simulate(
			[
				[0, 'server.hanging', { lasts: 'begins' }],
				[90_000, 'server.hanging', { lasts: 'gone' }]
			],
			HOUR
		);
		expect(brief(told)).toEqual([[30, 'server.hanging', 'plain', 1]]);
	});
	describe('a hang that has been told, and that a restart has ended,', () => {
		const restarted = (...between: Step[]): Step[] => [
			[0, 'server.hanging', { lasts: 'begins' }],
			[90_000, 'server.hanging', { lasts: 'gone' }],
			[95_000, 'server.hanging', { lasts: 'gone' }],
			...between,
			[200_000, 'server.back']
		];
		test.each([false, true])('is said to be over when it is up again', (restarts) => {
			const told = simulate(restarted(), HOUR, restarts);
			expect(brief(told)).toEqual([
				[30, 'server.hanging', 'plain', 1],
				[200, 'server.back', 'recovered', 1]
			]);
			expect(told[1]!.note).toMatchObject({
				also: ['server.hanging'],
				first: { event: 'server.hanging', at: at(T0) }
			});
			expect(brief(simulate([...restarted(), [300_000, 'server.back']], HOUR))).toHaveLength(2);
		});
		test('is over with a crash too, which is told of by itself', () => {
			const told = simulate(restarted([100_000, 'server.crashed']), HOUR);
			expect(brief(told)).toEqual([
				[30, 'server.hanging', 'plain', 1],
				[200, 'server.back', 'recovered', 1]
			]);
			expect(told[1]!.note.also).toEqual(['server.crashed', 'server.hanging']);
		});
		test('is not said to be over once somebody has stopped it', () => {
			const told = simulate(restarted([100_000, 'server.stopped']), HOUR);
			expect(told.map(({ note }) => note.event)).not.toContain('server.back');
		});
	});
	test('that stay unchanged are reported again after four hours', () => {
		const told = simulate([[0, 'disk.low', { lasts: 'begins' }]], DAY - 1);
		expect(told.map(({ at }) => Math.round(at / HOUR))).toEqual([0, 4, 8, 12, 16, 20]);
	});
	test('around a threshold all day cause a handful of messages', () => {
		const steps = Array.from({ length: 700 }, (_, i) =>
			lasting(i * 2 * MINUTE, i * 2 * MINUTE + 70_000)
		).flat();
		expect(simulate(steps, DAY).length).toBeLessThan(15);
	});
});

describe('events', () => {
	test('a rollback at night is exactly one message', () => {
		const one = { subject: 'op1', id: 'op1', facts: { culprit: 'Lithium' } };
		const steps: Step[] = [
			[3 * HOUR, 'mods.rolled-back', one],
			[3 * HOUR + 1000, 'mods.rolled-back', one]
		];
		expect(simulate(steps, DAY)).toHaveLength(1);
	});
	test('500 joins a minute are one message in five minutes', () => {
		const steps = Array.from({ length: 500 }, (_, i): Step => [i * 120, 'player.joined']);
		const told = simulate(steps, HOUR);
		expect(told).toHaveLength(2);
		expect(told[1]!.note).toMatchObject({ kind: 'again', count: 499 });
	});
	test('a backup that fails every hour is not reported every hour', () => {
		const steps = Array.from({ length: 24 }, (_, i): Step => [i * HOUR, 'backup.failed']);
		expect(simulate(steps, DAY).length).toBeLessThanOrEqual(8);
	});
	test('a clock that goes back an hour delays nothing', () => {
		const noise = createNoise();
		noise.report(report('player.joined', T0), T0);
		noise.report(report('player.joined', T0), T0 + 1000);
		expect(noise.report(report('backup.done', T0), T0 - HOUR)).toHaveLength(1);
		expect(noise.nextAt()).toBeLessThanOrEqual(T0 - HOUR + 5 * MINUTE);
	});
});

describe('the limit of a channel', () => {
	const message = (i: number, level: Message['level'] = 'info') =>
		({ id: `m${i}`, event: 'player.joined', level, title: `t${i}`, url: null }) as Message;
	test('twenty an hour, then one summary that names the urgent ones', () => {
		const budget = createBudget();
		const sent = Array.from({ length: 60 }, (_, i) =>
			budget.offer(message(i, i === 50 ? 'bad' : 'info'), T0 + i * 1000)
		).flat();
		expect(sent).toHaveLength(PER_HOUR);
		expect(budget.tick(T0 + 30 * MINUTE)).toEqual([]);
		expect(budget.nextAt()).toBe(T0 + HOUR);
		const [summary, ...more] = budget.tick(T0 + HOUR);
		expect(more).toEqual([]);
		expect(summary).toMatchObject({
			title: '40 more messages were held back',
			data: { count: 40 }
		});
		expect(summary!.text).toContain('• t50');
		expect(budget.nextAt()).toBeNull();
	});
	test('a restart remembers what was sent and what was held back, and the summary is the same', () => {
		const budget = createBudget();
		for (let i = 0; i < 30; i++) budget.offer(message(i), T0 + i * 1000);
		const state = JSON.stringify(budget.state());
		const [first, second] = [createBudget(JSON.parse(state)), createBudget(JSON.parse(state))];
		expect(first.offer(message(30), T0 + MINUTE)).toEqual([]);
		expect(first.tick(T0 + HOUR)).toMatchObject([{ data: { count: 11 } }]);
		const [summary] = second.tick(T0 + HOUR + MINUTE);
		expect(summary!.id).toBe(createBudget(JSON.parse(state)).tick(T0 + HOUR)[0]!.id);
	});
	test('holds in every hour of a flood', () => {
		const budget = createBudget();
		const times: number[] = [];
		for (let ms = 0; ms < 6 * HOUR; ms += 20_000)
			times.push(...budget.offer(message(ms), T0 + ms).map(() => ms));
		for (const from of times)
			expect(times.filter((ms) => ms >= from && ms < from + HOUR).length).toBeLessThanOrEqual(
				PER_HOUR
			);
	});
});
