import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';

/** Asks one question at a time: while an answer is late, the question is not asked again. */
export function createAnswers<T>(clock: Clock, limitMs: number) {
	let late: Promise<T | null> | null = null;
	return {
		/** Returns null when the answer does not come in time, or when the previous one is still pending. */
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
