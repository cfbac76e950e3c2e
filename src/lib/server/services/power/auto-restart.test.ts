import { expect, test, vi } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { Settings } from '#schemas/settings';
import { AppError } from '#core/errors';
import { createAutoRestart } from './auto-restart.ts';
import type { Observation } from '#operations';

function setup(settings: Partial<Settings> = {}) {
	const clock = createManualClock();
	const world = {
		settings: Settings.parse({ autoRestart: true, ...settings }),
		busy: false,
		seen: null as unknown as Observation
	};
	const crash = (restartable = true): Observation => {
		const endedAt = new Date(clock.now().getTime()).toISOString();
		const diagnosis = {
			code: 'crash' as const,
			message: '',
			log: [],
			mods: [],
			advice: '',
			restartable
		};
		return (world.seen = {
			state: 'crashed',
			run: null,
			reason: 'x',
			diagnosis,
			readyAt: null,
			endedAt
		});
	};
	const running = () =>
		(world.seen = { ...world.seen, state: 'running', diagnosis: null, endedAt: null });
	const start = vi.fn(async () => void running());
	const gaveUp = vi.fn(async (_: string, __: string) => {});
	const errors: unknown[] = [];
	const auto = createAutoRestart({
		settings: async () => world.settings,
		busy: () => world.busy,
		restartsItself: async () => false,
		observe: async () => world.seen,
		start,
		gaveUp,
		changed: () => {},
		log: { error: (message, facts) => void errors.push([message, facts?.cause]) },
		clock
	});
	/** What the watch does on every beat. */
	const beat = async () => {
		void auto.consider(world.seen);
		await settle();
	};
	return { clock, world, crash, running, start, gaveUp, errors, auto, beat };
}

test('a crash is followed by one start after ten seconds', async () => {
	const { clock, crash, start, auto, beat } = setup();
	crash();
	await beat();
	await beat();
	expect(auto.note).toBe('It is started again after 10 s.');
	await clock.advance(9_999);
	expect(start).not.toHaveBeenCalled();
	await clock.advance(1);
	expect(start).toHaveBeenCalledTimes(1);
	expect(auto.note).toBeNull();
	await beat();
	await clock.advance(600_000);
	expect(start).toHaveBeenCalledTimes(1);
});

test('a server that crashes again and again is started with growing pauses, up to the limit, then left alone', async () => {
	const { clock, crash, start, gaveUp, auto, beat } = setup({
		autoRestartLimit: 4,
		autoRestartWindowMinutes: 60
	});
	const pauses: number[] = [];
	for (let i = 0; i < 20; i++) {
		crash();
		await beat();
		const from = clock.monotonicMs();
		for (let s = 0; s < 120 && start.mock.calls.length === pauses.length; s++)
			await clock.advance(1000);
		if (start.mock.calls.length > pauses.length) pauses.push((clock.monotonicMs() - from) / 1000);
	}
	expect(pauses).toEqual([10, 30, 60, 60]);
	expect(start).toHaveBeenCalledTimes(4);
	expect(auto.note).toBe('It was started again 4 times within 60 minutes and is left alone now.');
	expect(gaveUp).toHaveBeenLastCalledWith(auto.note, expect.any(String));
});

test('restarts older than the window do not count', async () => {
	const { clock, crash, start, beat } = setup({ autoRestartLimit: 1, autoRestartWindowMinutes: 5 });
	for (let i = 0; i < 3; i++) {
		crash();
		await beat();
		await clock.advance(10_000);
		await clock.advance(5 * 60_000);
	}
	expect(start).toHaveBeenCalledTimes(3);
});

test('nothing is started when it is off, or when starting again would not help', async () => {
	const off = setup({ autoRestart: false });
	off.crash();
	const eula = setup();
	eula.crash(false);
	for (const { beat, clock, start, auto } of [off, eula]) {
		await beat();
		await clock.advance(120_000);
		expect(start).not.toHaveBeenCalled();
		expect(auto.note).toBeNull();
	}
});

test('an operation takes precedence: a crash during it is handled when it has ended', async () => {
	const { clock, world, crash, start, beat } = setup();
	world.busy = true;
	crash();
	await beat();
	await clock.advance(60_000);
	expect(start).not.toHaveBeenCalled();
	world.busy = false;
	await beat();
	await clock.advance(10_000);
	expect(start).toHaveBeenCalledTimes(1);
});

test.each([
	['somebody starts it', (kit: ReturnType<typeof setup>) => void kit.running()],
	['an operation begins', ({ world }: ReturnType<typeof setup>) => void (world.busy = true)],
	[
		'it is switched off',
		({ world }: ReturnType<typeof setup>) => void (world.settings.autoRestart = false)
	],
	['the dashboard closes', ({ auto }: ReturnType<typeof setup>) => auto.close()]
])('when %s during the pause, nothing is started', async (_, action) => {
	const kit = setup();
	kit.crash();
	await kit.beat();
	action(kit);
	await kit.clock.advance(120_000);
	expect(kit.start).not.toHaveBeenCalled();
	expect(kit.clock.sleeping).toBe(0);
});

test('an old crash, found after a start of the dashboard, is not followed by a start', async () => {
	const { clock, crash, start, beat } = setup({ autoRestartWindowMinutes: 10 });
	crash();
	await clock.advance(11 * 60_000);
	await beat();
	await clock.advance(120_000);
	expect(start).not.toHaveBeenCalled();
});

test('a start that is refused is logged and does not end the watch', async () => {
	const { clock, crash, start, errors, beat } = setup();
	start.mockRejectedValueOnce(new AppError('conflict', 'Busy.'));
	crash();
	await beat();
	await clock.advance(10_000);
	expect(errors).toHaveLength(1);
	crash();
	await beat();
	await clock.advance(30_000);
	expect(start).toHaveBeenCalledTimes(2);
});
