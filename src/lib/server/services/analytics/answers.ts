import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';

/** Asks one question at a time: while an answer is late, it is not asked again. */
export function createAnswers<T>(clock: Clock, limitMs: number) {
	let late: Promise<T | null> | null = null;
	return {
		/** Null when it does not come in time, or the one before has not come yet. */
		async take(ask: () => Promise<T | null>): Promise<T | null> {
			if (late) return null;
			const answer = ask();
			late = answer;
			const free = () => void (late = null);
			answer.then(free, free);
			return deadline(
				{ ms: limitMs, clock },
				() => answer,
				() => null
			);
		}
	};
}
