import { nextOf } from '$lib/schemas/cron/cron';
import { USUAL_TIME } from '$lib/schemas/cron/presets';
import { taskKind, type Task, type TaskType } from '$lib/schemas/task';
import { dayAndTime } from '$lib/ui/format/format';

const HOUR_MS = 3_600_000;
const HALF_DAY_MS = 12 * HOUR_MS;

/** The server goes down for it, whether or not it waits until nobody plays. */
const stopsServer = (type: TaskType) => !!taskKind(type).disconnects;

/** What the list says of each, which costs nothing. */
export const listedNext = ({ nextRunAt }: Task) => (nextRunAt ? new Date(nextRunAt) : null);

/** The usual time of day, or the first full hour after it at which nothing that is planned begins; pure. */
export function freeTime(others: Task[], timeZone: string): string {
	const clock = new Intl.DateTimeFormat('sv-SE', {
		...{ timeZone, hour: '2-digit', minute: '2-digit' }
	});
	const taken = new Set(
		others.flatMap((task) => {
			const next = task.enabled && listedNext(task);
			return next ? [clock.format(next)] : [];
		})
	);
	const first = Number(USUAL_TIME.slice(0, 2));
	const hours = Array.from({ length: 24 }, (_, nth) => (first + nth) % 24);
	const times = hours.map((hour) => `${String(hour).padStart(2, '0')}:00`);
	return times.find((time) => !taken.has(time)) ?? USUAL_TIME;
}

/** From so long before, whatever the list says: some cron arithmetic for each. */
export const nextNear =
	(now: Date, timeZone: string) => (task: Task, time: Date, beforeMs: number) =>
		nextOf(task, new Date(Math.max(now.getTime(), time.getTime() - beforeMs - 1)), timeZone);

type Next = (task: Task, time: Date, beforeMs: number) => Date | null;
type Meeting = { task: Task; at: Date };

function meeting(times: Date[], rivals: Task[], withinMs: number, next: Next): Meeting | null {
	for (const time of times)
		for (const task of rivals) {
			const at = task.enabled && next(task, time, withinMs);
			if (at && Math.abs(at.getTime() - time.getTime()) <= withinMs) return { task, at };
		}
	return null;
}

/**
 * Which other task stops the server within an hour of one of these times, in a sentence; null where none does, or where
 * this type does not stop it; pure. `next` says when another one runs that may be near.
 */
export function overlap(
	type: TaskType,
	times: Date[],
	others: Task[],
	timeZone: string,
	next: Next
): string | null {
	if (!stopsServer(type)) return null;
	const rivals = others.filter((task) => stopsServer(task.type));
	const met = meeting(times, rivals, HOUR_MS, next);
	return (
		met &&
		`Also planned for ${dayAndTime(met.at, { timeZone })}: ${taskKind(met.task.type).does(met.task)}.`
	);
}

/** Several of one kind with a text of its own each, such as announcements, are nothing to wonder at. */
const saysItsOwn = (type: TaskType) =>
	Object.values(taskKind(type).fields).some(({ input }) => input === 'text');

/** Which other task does the same within half a day of one of these times, as a second restart in one night; pure. */
export function second(type: TaskType, times: Date[], others: Task[], next: Next): Task | null {
	if (saysItsOwn(type)) return null;
	const rivals = others.filter((task) => task.type === type);
	return meeting(times, rivals, HALF_DAY_MS, next)?.task ?? null;
}
