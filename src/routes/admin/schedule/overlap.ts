import { nextOf } from '$lib/schemas/cron/cron';
import { taskKind, type Task, type TaskType } from '$lib/schemas/task';
import { dayAndTime } from '$lib/ui/format/format';

const HOUR_MS = 3_600_000;

/** The server goes down for it, whether or not it waits until nobody plays. */
const stopsServer = (type: TaskType) => !!taskKind(type).disconnects;

/** What the list says of each, which costs nothing. */
export const listedNext = ({ nextRunAt }: Task) => (nextRunAt ? new Date(nextRunAt) : null);

/** From an hour before, whatever the list says: some cron arithmetic for each. */
export const nextNear = (now: Date, timeZone: string) => (task: Task, time: Date) =>
	nextOf(task, new Date(Math.max(now.getTime(), time.getTime() - HOUR_MS - 1)), timeZone);

/**
 * Which other task stops the server within an hour of one of these times, in a sentence; null where none does, or where
 * this type does not stop it; pure. `next` says when another one runs that may be near.
 */
export function overlap(
	type: TaskType,
	times: Date[],
	others: Task[],
	timeZone: string,
	next: (task: Task, time: Date) => Date | null
): string | null {
	if (!stopsServer(type)) return null;
	const rivals = others.filter((task) => task.enabled && stopsServer(task.type));
	for (const time of times)
		for (const task of rivals) {
			const at = next(task, time);
			if (at && Math.abs(at.getTime() - time.getTime()) <= HOUR_MS)
				return `Also planned for ${dayAndTime(at, { timeZone })}: ${taskKind(task.type).does(task)}.`;
		}
	return null;
}
