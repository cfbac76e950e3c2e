import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

/** `who` is queried; failures name them this way. */
export type Limits = { who: string; idleMs: number; totalMs: number };

/** After this long without a byte, we give up on the other side. */
export const IDLE_MS = 15_000;

/**
 * Time limits of one exchange. `signal` aborts it with `AppError('timeout')`; `touch` reports that something arrived.
 */
export type Watch = { signal: AbortSignal; touch(): void; done(): void };

export function watch(clock: Clock, limits: Limits, ...outer: AbortSignal[]): Watch {
	const startMs = clock.monotonicMs();
	let touchedMs = startMs;
	const late = new AbortController();
	const over = new AbortController();
	const leftMs = () => {
		const now = clock.monotonicMs();
		return {
			idle: touchedMs + limits.idleMs - now,
			total: startMs + limits.totalMs - now
		};
	};
	const guard = async () => {
		for (;;) {
			const { idle, total } = leftMs();
			if (idle <= 0 || total <= 0) return late.abort(tooSlow(limits.who, idle <= 0));
			await clock.sleep(Math.min(idle, total), over.signal);
		}
	};
	guard().catch(() => {}); // it only ever ends as `done`
	return {
		signal: AbortSignal.any([late.signal, ...outer]),
		touch: () => (touchedMs = clock.monotonicMs()),
		done: () => over.abort()
	};
}

const tooSlow = (who: string, silent: boolean) =>
	new AppError(
		'timeout',
		silent
			? `${who} stopped answering. Try again later.`
			: `${who} answers too slowly. Try again later.`,
		{ code: silent ? 'silent' : 'slow' }
	);
