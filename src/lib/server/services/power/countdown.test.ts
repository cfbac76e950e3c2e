import { expect, test } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import type { Run, RuntimeState } from '#runtime';
import type { StepContext } from '#operations';
import { announcement, callOff, countDown } from './countdown.ts';

const RUN: Run = { id: 'boot 1 1', pid: 1, startedAt: '2026-01-02T03:04:05.000Z', ours: true };

function setup(answer: () => Promise<string> = async () => '') {
	const clock = createManualClock();
	const controller = new AbortController();
	const told: [number, string][] = [];
	const details: string[] = [];
	const announced: string[] = [];
	const shown: unknown[] = [];
	let memory: Record<string, unknown> = {};
	const progress: number[] = [];
	const ctx: StepContext = {
		detailOf() {},
		label() {},
		id: 'x',
		signal: controller.signal,
		get checkpoint() {
			return memory;
		},
		report: async () => {},
		remember: async (patch) => void (memory = { ...memory, ...patch }),
		announced: (what) => void shown.push(what),
		detail: (text) => void details.push(text),
		progress: (done) => void progress.push(done),
		log: () => {},
		expect: () => {},
		skip: () => {
			throw new Error('not here');
		}
	};
	const command = (line: string) => {
		told.push([clock.monotonicMs() / 1000, JSON.parse(line.slice('tellraw @a '.length)).text]);
		return answer();
	};
	const deps = {
		...{ rcon: { command }, clock },
		announced: (text: string) => void announced.push(text)
	};
	const run = (seconds: number, message = '') =>
		countDown(ctx, { action: 'restart', run: RUN, seconds, message }, deps);
	const off = (id: string | null = RUN.id) =>
		callOff(ctx, {
			...deps,
			runtime: { state: async () => ({ run: id && { ...RUN, id } }) as RuntimeState }
		});
	const remember = ctx.remember;
	return { clock, controller, told, details, announced, shown, progress, run, off, remember };
}

test('players are told at the start and at the marks, and it ends on time', async () => {
	const { clock, told, progress, run } = setup();
	let over = false;
	void run(90, 'Back soon').then(() => (over = true));
	await clock.advance(89_999);
	expect(over).toBe(false);
	await clock.advance(1);
	expect(over).toBe(true);
	expect(told.map(([at]) => 90 - at)).toEqual([90, 60, 30, 10, 5, 4, 3, 2, 1]);
	expect(told[0]?.[1]).toBe('The server restarts in 1 minute 30 seconds. Back soon');
	expect(told[1]?.[1]).toBe('The server restarts in 1 minute. Back soon');
	expect(told.at(-1)?.[1]).toBe('The server restarts in 1 second. Back soon');
	expect(progress.at(-1)).toBe(89);
	expect(clock.sleeping).toBe(0);
});

test('a mark at the very start is announced once', async () => {
	const { clock, told, run } = setup();
	void run(10);
	await clock.advance(10_000);
	expect(told.map(([at]) => 10 - at)).toEqual([10, 5, 4, 3, 2, 1]);
});

test('a cancellation is announced, and the countdown rejects', async () => {
	const { clock, controller, told, run } = setup();
	const running = run(60);
	running.catch(() => {});
	await clock.advance(20_000);
	controller.abort(new Error('cancelled'));
	await expect(running).rejects.toThrow('cancelled');
	expect(told.at(-1)).toEqual([20, 'The restart was called off.']);
	expect(clock.sleeping).toBe(0);
});

test('what was announced is only what the game has accepted, and when', async () => {
	const { clock, announced, shown, details, run } = setup();
	void run(2, '§4Back soon');
	await clock.advance(2000);
	expect(announced).toEqual([
		'The server restarts in 2 seconds. 4Back soon',
		'The server restarts in 1 second. 4Back soon'
	]);
	const at = new Date(clock.now().getTime() - 1000).toISOString();
	expect(shown.at(-1)).toEqual({ text: announced[1], at });
	expect(details.at(-1)).toBe('Announced in game.');
});

test.each([
	['No player was found', 'Announced in game, where nobody was there to read it.', 1],
	[
		'Unknown or incomplete command, see below for error',
		'Not announced: the server did not accept it. It answered: Unknown or incomplete command, see below for error',
		0
	]
])('an answer “%s” is told as what it is', async (answer, detail, count) => {
	const { clock, announced, shown, details, run } = setup(async () => answer);
	void run(1);
	await clock.advance(1000);
	expect(details.at(-1)).toBe(detail);
	expect([announced.length, shown.length]).toEqual([count, count]);
});

test('one that comes to nothing is called off once, and only for those who were told', async () => {
	const { clock, told, run, off, remember } = setup();
	expect(await off()).toBe(false);
	void run(1);
	await clock.advance(1000);
	expect(await off('boot 2 2')).toBe(false);
	expect(await off(null)).toBe(false);
	await remember({ told: RUN.id });
	expect(await off()).toBe(false);
	await remember({ told: undefined });
	expect(await off()).toBe(true);
	expect(told.at(-1)?.[1]).toBe('The restart was called off.');
	expect(await off()).toBe(false);
});

test('a server that cannot be reached does not delay it, and the step says why', async () => {
	const { clock, details, run } = setup(async () => {
		throw new AppError('offline', 'RCON cannot be reached.');
	});
	let over = false;
	void run(5).then(() => (over = true));
	await clock.advance(5000);
	expect(over).toBe(true);
	expect(details.at(-1)).toBe('Not announced in game: RCON cannot be reached.');
});

test('one that answers slowly costs marks, not time', async () => {
	const slow = setup(() => slow.clock.sleep(2500).then(() => ''));
	let over = false;
	void slow.run(10).then(() => (over = true));
	await slow.clock.advance(13_000);
	await settle();
	expect(over).toBe(true);
	expect(slow.told.length).toBeLessThan(6);
});

test.each([
	['quotes and backslashes', 'say "hi" \\ there', 'say "hi" \\ there'],
	['formatting codes', '§4red §k', '4red k'],
	['control characters', 'a\u0000\u001b[31m\nb', 'a[31mb'],
	['direction marks', 'a\u202eb\u2066c', 'abc'],
	['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
	['selectors and JSON', '@a {"text":"x"}', '@a {"text":"x"}'],
	['emoji', '🙂', '🙂']
])('%s go into the game as plain words in one JSON string', (_, text, wanted) => {
	const command = announcement(text);
	expect(command.startsWith('tellraw @a {')).toBe(true);
	expect(JSON.parse(command.slice('tellraw @a '.length))).toEqual({
		text: wanted,
		color: 'yellow'
	});
	expect(command).not.toMatch(/[\n§]/);
});

test('a command is never longer than the game accepts', () => {
	for (const text of ['🙂'.repeat(2000), '"'.repeat(5000), 'x'.repeat(1446)])
		expect(Buffer.byteLength(announcement(text))).toBeLessThanOrEqual(1446);
});
