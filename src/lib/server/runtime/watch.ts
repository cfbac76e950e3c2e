import type { Clock } from '#core/clock';
import type { RuntimeState } from './runtime.ts';

const ASK_EVERY_MS = 2000;
/** Without a run, finding one that somebody starts by hand is not urgent. */
const SEARCH_EVERY_MS = 4000;

/** For a runtime that reports nothing by itself: it is polled. */
export function watchByAsking(
	state: () => Promise<RuntimeState>,
	onChange: (state: RuntimeState) => void,
	clock: Clock
): Disposable {
	const end = new AbortController();
	let told: string | null = null;
	const look = async () => {
		const now = await state().catch(() => null); // a fault is reported to callers that ask for the state itself
		if (!now) return null;
		const { phase, run, restarts } = now;
		const seen = JSON.stringify([phase, run?.id, restarts]);
		if (seen !== told && !end.signal.aborted) {
			told = seen;
			onChange(now);
		}
		return now;
	};
	void (async () => {
		while (!end.signal.aborted) {
			const now = await look();
			await clock.sleep(now?.run ? ASK_EVERY_MS : SEARCH_EVERY_MS, end.signal).catch(() => {}); // disposed
		}
	})();
	return { [Symbol.dispose]: () => end.abort() };
}
