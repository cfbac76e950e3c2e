import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { Observation } from '#operations';
import type { Runtime, RuntimeState } from '#runtime';
import type { States } from './states.ts';
import { BEAT_MS, watch } from './watch.ts';

const RUNNING = { state: 'running', run: { id: '7' } } as Observation;
const ENDED = { state: 'crashed', run: null, endedAt: '2026-01-02T03:04:05.000Z' } as Observation;
const RUNS = { run: RUNNING.run } as RuntimeState;
const NONE = { run: null } as RuntimeState;

function reporting(work: (report: (state: RuntimeState) => void) => Promise<void>) {
	const watch: Runtime['watch'] = (report) => {
		void work(report);
		return { [Symbol.dispose]: () => {} };
	};
	return { watch } as Partial<Runtime> as Runtime;
}

test('a running server is only queried when somebody looks, until one of those probes is lost', async () => {
	const clock = createManualClock();
	const answers: boolean[] = [];
	let looked = 0;
	const states = {
		silent: false,
		last: RUNNING,
		observe: async () => (looked++, RUNNING),
		probed: (ok: boolean) => void answers.push(ok)
	};
	const asked: ((ok: boolean) => void)[] = [];
	const end = new AbortController();
	const watching = watch(
		{
			runtime: reporting(async (report) => report(RUNS)),
			states: states as Partial<States> as States,
			probe: () => new Promise((resolve) => asked.push(resolve)),
			seen: async () => {},
			clock,
			log: { error: (message) => expect.fail(message) }
		},
		end.signal
	);
	await clock.advance(5 * BEAT_MS);
	expect([looked, asked.length]).toEqual([1, 0]);

	states.silent = true;
	await clock.advance(3 * BEAT_MS);
	expect(looked).toBeGreaterThan(1);
	expect(asked).toHaveLength(1); // never two at once
	asked[0]!(false);
	await clock.advance(BEAT_MS);
	expect(asked).toHaveLength(2);
	states.silent = false;
	asked[1]!(true);
	await clock.advance(5 * BEAT_MS);
	expect(answers).toEqual([false, true]);
	expect(asked).toHaveLength(2);
	end.abort();
	await clock.advance(BEAT_MS);
	await watching;
});

test('a run that began and ended between two reports is seen to have ended', async () => {
	const clock = createManualClock();
	const seen: Observation[] = [];
	const states: Partial<States> & { last: Observation | null } = {
		silent: false,
		last: null,
		observe: async () => (states.last = ENDED)
	};
	const end = new AbortController();
	const watching = watch(
		{
			runtime: reporting(async (report) => report(NONE)),
			states: states as States,
			probe: () => expect.fail('it is not asked'),
			seen: async (observation) => void seen.push(observation),
			clock,
			log: { error: (message) => expect.fail(message) }
		},
		end.signal
	);
	await clock.advance(BEAT_MS);
	// The operation that started it saw it last, and nobody looked since.
	states.last = RUNNING;
	seen.length = 0;
	await clock.advance(BEAT_MS);
	expect(seen.at(-1)).toBe(ENDED);
	end.abort();
	await clock.advance(BEAT_MS);
	await watching;
});
