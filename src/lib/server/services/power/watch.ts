import type { Clock } from '#core/clock';
import type { Runtime } from '#runtime';
import type { Observation } from '#operations';
import type { Log } from './facts.ts';
import type { States } from './states.ts';

export const BEAT_MS = 2000;

type Deps = {
	runtime: Runtime;
	states: States;
	probe: () => Promise<boolean>;
	seen: (observation: Observation) => Promise<void>;
	clock: Clock;
	log: Log;
};

/**
 * The watch that is always kept, also while nobody looks: whatever runs the server says when that changes. The server
 * itself is asked only while it loads, or once it has left a question unanswered.
 */
export async function watch(deps: Deps, signal: AbortSignal): Promise<void> {
	const { runtime, states, clock, log } = deps;
	const failed = (cause: unknown) => log.error('Watching the server failed', { cause });
	let probing = false;
	/** Something has changed that no look has shown yet. */
	let stale = true;
	/** The run that was last reported: one that an operation saw may begin and end between two reports. */
	let reported: string | null = null;

	const ask = () => {
		if (probing) return;
		probing = true;
		deps
			.probe()
			.then(states.probed)
			.catch(failed)
			.finally(() => (probing = false));
	};

	async function beat() {
		const { last } = states;
		const missed = (last?.run?.id ?? null) !== reported;
		const known = stale || missed || last?.state === 'starting' || states.silent ? null : last;
		const observation = known ?? (await look());
		// Not awaited: an automatic restart waits for many beats.
		deps.seen(observation).catch(failed);
		if (states.silent || (observation.state === 'starting' && observation.run)) ask();
	}

	async function look() {
		stale = false;
		return states.observe().catch((error) => {
			stale = true;
			throw error;
		});
	}

	const watching = runtime.watch(({ run }) => {
		stale = true;
		reported = run?.id ?? null;
		void beat().catch(failed);
	});
	try {
		for (; !signal.aborted; await clock.sleep(BEAT_MS, signal).catch(() => {}))
			// closed
			await beat().catch(failed);
	} finally {
		watching[Symbol.dispose]();
	}
}
