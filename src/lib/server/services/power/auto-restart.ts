import type { Settings } from '#schemas/settings';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Observation } from '#operations';
import type { Log } from './facts.ts';

/** Waiting before the first, the second and every later restart within the window. */
const BACK_OFF_MS = [10_000, 30_000, 60_000];

export interface AutoRestart {
	/** Looks at a state; a crash that was not considered yet may lead to a start. */
	consider(seen: Observation): Promise<void>;
	/** What will happen, or why nothing will, in a sentence; null when there is nothing to say. */
	readonly note: string | null;
	close(): void;
}

/** It would be starting by now otherwise. */
const LEFT_DOWN =
	'Whatever runs it restarts it by its own rules, but not this time: it is left alone now.';

type Deps = {
	settings: () => Promise<Settings>;
	/** Whether an operation is in progress: then it alone decides. */
	busy: () => boolean;
	/** Whatever runs it starts it again by itself: both of us would be one too many. */
	restartsItself: () => Promise<boolean>;
	observe: () => Promise<Observation>;
	start: () => Promise<void>;
	/** Once for the crash at `endedAt`. */
	gaveUp: (words: string, endedAt: string) => Promise<void>;
	changed: () => void;
	log: Log;
	clock: Clock;
};

/** Starts the server again after a crash: with back-off, up to a limit, never during an operation. */
export function createAutoRestart(deps: Deps): AutoRestart {
	const { clock } = deps;
	const closing = new AbortController();
	let considered: string | null = null;
	let restartsMs: number[] = [];
	let note: string | null = null;
	let waiting = false;

	const say = (words: string | null) => {
		if (note === words) return;
		note = words;
		deps.changed();
	};

	async function decide(seen: Observation, endedAt: string) {
		const settings = await deps.settings();
		const windowMs = settings.autoRestartWindowMinutes * 60_000;
		const longAgo = clock.now().getTime() - Date.parse(endedAt) > windowMs;
		if (!settings.autoRestart || longAgo || seen.diagnosis?.restartable === false) return say(null);
		if (await deps.restartsItself()) {
			say(LEFT_DOWN);
			return deps.gaveUp(LEFT_DOWN, endedAt);
		}
		restartsMs = restartsMs.filter((at) => clock.monotonicMs() - at < windowMs);
		if (restartsMs.length < settings.autoRestartLimit) return restart();
		const times = restartsMs.length === 1 ? 'once' : `${restartsMs.length} times`;
		const words = `It was started again ${times} within ${settings.autoRestartWindowMinutes} minutes and is left alone now.`;
		say(words);
		await deps.gaveUp(words, endedAt);
	}

	async function restart() {
		const waitMs = BACK_OFF_MS[Math.min(restartsMs.length, BACK_OFF_MS.length - 1)] ?? 0;
		say(`It is started again after ${waitMs / 1000} s.`);
		await clock.sleep(waitMs, closing.signal);
		say(null);
		if (deps.busy() || !(await deps.settings()).autoRestart) return;
		if ((await deps.observe()).state !== 'crashed') return;
		restartsMs.push(clock.monotonicMs());
		await deps.start().catch((error) => {
			if (!(error instanceof AppError)) throw error;
			deps.log.error('The server could not be started again after a crash', { cause: error });
		});
	}

	return {
		async consider(seen) {
			if (seen.state !== 'crashed' && !waiting) say(null);
			const { endedAt } = seen;
			if (seen.state !== 'crashed' || !endedAt || endedAt === considered) return;
			if (waiting || deps.busy()) return;
			considered = endedAt;
			waiting = true;
			try {
				await decide(seen, endedAt);
			} catch (error) {
				if (!closing.signal.aborted) throw error;
			} finally {
				waiting = false;
			}
		},
		get note() {
			return note;
		},
		close: () => closing.abort()
	};
}
