import type { Clock } from '#core/clock';
import type { Runtime } from '#runtime';
import type { Observation } from '#operations';
import type { Log } from './facts.ts';
import type { States } from './states.ts';

export const BEAT_MS = 2000;
/** Without a run, one that somebody starts by hand is looked for on every second beat. */
const SEARCH_BEATS = 2;

type Deps = {
	runtime: Runtime;
	states: States;
	probe: () => Promise<boolean>;
	seen: (observation: Observation) => Promise<void>;
	clock: Clock;
	log: Log;
};

/**
 * The watch that is always kept, also while nobody looks: one cheap look at its run per beat. It asks the server
 * itself only while that loads, or once it has left a question unanswered.
 */
export async function watch(deps: Deps, signal: AbortSignal): Promise<void> {
	const { runtime, states, clock, log } = deps;
	const failed = (cause: unknown) => log.error('Watching the server failed', { cause });
	let probing = false;

	const ask = () => {
		if (probing) return;
		probing = true;
		deps
			.probe()
			.then(states.probed)
			.catch(failed)
			.finally(() => (probing = false));
	};

	async function beat(count: number) {
		const observation = (await unchanged(states.last, count)) ?? (await states.observe());
		// Not awaited: an automatic restart waits for many beats.
		deps.seen(observation).catch(failed);
		if (states.silent || (observation.state === 'starting' && observation.run)) ask();
	}

	/** The last observation, when a cheap look shows that nothing can have happened since. */
	async function unchanged(last: Observation | null, count: number): Promise<Observation | null> {
		if (!last || last.state === 'starting' || states.silent) return null;
		const quiet = last.run ? await runtime.alive(last.run) : count % SEARCH_BEATS !== 0;
		return quiet ? last : null;
	}

	for (let count = 0; !signal.aborted; count++) {
		await beat(count).catch(failed);
		await clock.sleep(BEAT_MS, signal).catch(() => {}); // closed
	}
}
