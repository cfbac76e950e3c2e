const pad = (n: number, width = 2) => String(n).padStart(width, '0');

export const day = (d: Date) => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`;
export const clock = (d: Date) =>
	`${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}`;

function zone(d: Date): string {
	const minutes = -d.getTimezoneOffset();
	const size = Math.abs(minutes);
	return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${pad(size % 60)}`;
}

/** `2025-06-15 17:29:07 +0300`: list files and advancements. */
export const javaDate = (d: Date) => `${day(d)} ${clock(d)} ${zone(d)}`;

/** Null for `forever` and for what is no such date. */
export function parseJavaDate(text: unknown): Date | null {
	const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$/.exec(String(text));
	if (!match) return null;
	const date = new Date(`${match[1]}T${match[2]}${match[3]}:${match[4]}`);
	return Number.isNaN(date.getTime()) ? null : date;
}

/** `2024-01-01_12.00.00`: the stamp in a crash report's name. */
export const crashStamp = (d: Date) => `${day(d)}_${clock(d).replaceAll(':', '.')}`;

/** `Sat Nov 02 16:39:06 UTC 2024`: the second line of server.properties. */
export function propertiesDate(d: Date): string {
	const [weekday, month] = d.toDateString().split(' ');
	const name =
		new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
			.formatToParts(d)
			.find((part) => part.type === 'timeZoneName')?.value ?? 'UTC';
	return `${weekday} ${month} ${pad(d.getDate())} ${clock(d)} ${name} ${d.getFullYear()}`;
}
