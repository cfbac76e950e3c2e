const JAVA_DATE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/;

/** `2025-06-15 17:29:07 +0300` as ISO 8601 in UTC; null for `forever` and for anything that is not such a date. */
export function parseJavaDate(text: unknown): string | null {
	const [, day, time, hours, minutes] = JAVA_DATE.exec(typeof text === 'string' ? text : '') ?? [];
	if (!day) return null;
	const date = new Date(`${day}T${time}${hours}:${minutes}`);
	return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** As the game writes it into its lists, in UTC. */
export const javaDate = (date: Date) =>
	`${date.toISOString().slice(0, 19).replace('T', ' ')} +0000`;
