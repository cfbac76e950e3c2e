import { nextOf } from '$lib/schemas/cron/cron';
import { taskKind, type Task, type TaskType } from '$lib/schemas/task';
import { dayAndTime } from '$lib/ui/format/format';

const HOUR_MS = 3_600_000;

/** The server goes down for it, whether or not it waits until nobody plays. */
const stopsServer = (type: TaskType) => !!taskKind(type).disconnects;

/**
 * Which other task stops the server within an hour of one of these times, in a sentence; null where none does, or where
 * this type does not stop it; pure.
 */
export function overlap(
	type: TaskType,
	times: Date[],
	others: Task[],
	now: Date,
	timeZone: string
): string | null {
	if (!stopsServer(type)) return null;
	const rivals = others.filter((task) => task.enabled && stopsServer(task.type));
	for (const time of times)
		for (const task of rivals) {
			const after = new Date(Math.max(now.getTime(), time.getTime() - HOUR_MS - 1));
			const at = nextOf(task, after, timeZone);
			if (at && at.getTime() - time.getTime() <= HOUR_MS)
				return `Also planned for ${dayAndTime(at, { timeZone })}: ${taskKind(task.type).does(task)}.`;
		}
	return null;
}
