import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { Observation } from '#operations';
import type { Runtime } from '#runtime';
import type { States } from './states.ts';
import { BEAT_MS, watch } from './watch.ts';

test('a running server is only queried when somebody looks, until one of those probes is lost', async () => {
	const clock = createManualClock();
	const answers: boolean[] = [];
	const running = { state: 'running', run: { id: '7' } } as Observation;
	let looked = 0;
	const states = {
		silent: false,
		last: running,
		observe: async () => (looked++, running),
		probed: (ok: boolean) => void answers.push(ok)
	};
	const asked: ((ok: boolean) => void)[] = [];
	const end = new AbortController();
	const watching = watch(
		{
			runtime: { watch: () => ({ [Symbol.dispose]: () => {} }) } as Partial<Runtime> as Runtime,
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
