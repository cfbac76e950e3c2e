import type { Clock } from '#core/clock';

/** Asks one thing at a time: while an answer is late nobody asks again. */
export function createAnswers<T>(clock: Clock, limitMs: number) {
	let late: Promise<T | null> | null = null;
	return {
		/** Null when it does not come in time, or the one before has not come yet. */
		async take(ask: () => Promise<T | null>): Promise<T | null> {
			if (late) return null;
			const answer = ask();
			late = answer;
			const done = new AbortController();
			const free = () => {
				late = null;
				done.abort();
			};
			answer.then(free, free);
			const limit = clock.sleep(limitMs, done.signal).then(
				() => null,
				() => answer
			);
			return Promise.race([answer, limit]);
		}
	};
}
