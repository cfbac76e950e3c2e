import { SCHEDULE, type Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Dispatch, Outcome } from './dispatch.ts';
import type { TaskOrder } from './command.ts';

type Deps = {
	dispatch: Dispatch;
	/** Takes out the line of a task, if it is for that day. */
	remove: (id: string, by: Actor, on: string) => Promise<void>;
	clock: Clock;
};

/** What a task of 23:59 may take to be started. */
const LATE_MS = 5 * 60_000;

/**
 * Does a task on its one day. Cron knows no years, so that its line is taken out of the crontab; where that fails, the
 * day keeps it from being done again.
 */
export function createOnce({ dispatch, remove, clock }: Deps) {
	/** Why the line is still there; null when it is not. */
	const takeOut = (id: string, on: string): Promise<string | null> =>
		remove(id, SCHEDULE, on).then(
			() => null,
			(error) => {
				if (!(error instanceof AppError)) throw error;
				return error.kind === 'not-found' ? null : error.message;
			}
		);

	return async (
		order: TaskOrder,
		signal: AbortSignal,
		{ id, on }: { id: string | null; on: string }
	): Promise<Outcome> => {
		const now = clock.now();
		const today = dayOf(now);
		const due = on === today || on === dayOf(new Date(now.getTime() - LATE_MS));
		// Before it is done, which may take hours: until then somebody may have planned it for another day. A clock that
		// is slow takes out nothing that is still to come.
		const left = id !== null && on <= today ? await takeOut(id, on) : null;
		const rest = left === null ? '' : ` It is over, but its line is still in the crontab: ${left}`;
		if (!due)
			return { result: 'skipped', exitCode: 0, detail: `It was only for the day ${on}.${rest}` };
		const outcome = await dispatch(order, signal);
		return { ...outcome, detail: `${outcome.detail}${rest}` };
	};
}

/** By the machine's clock, as cron does. */
const dayOf = (time: Date) =>
	[time.getFullYear(), time.getMonth() + 1, time.getDate()]
		.map((number) => String(number).padStart(2, '0'))
		.join('-');
