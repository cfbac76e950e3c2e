const ID_INSIDE = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\d*Z-[0-9a-f]{4}/g;

/** `backup of 2 Jan 2026, 14:05`: an id in a subject begins with a time, which says more to people. */
export const withoutIds = (subject: string, time: (at: string) => string): string =>
	subject.replace(
		ID_INSIDE,
		(_, ...[year, month, day, hour, minute, second]: string[]) =>
			`of ${time(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)}`
	);
