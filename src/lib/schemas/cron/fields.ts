/** cron's fields in order, with cron's ranges; Sunday is 0 and 7. */
const FIELDS = [
	{ name: 'minute', min: 0, max: 59 },
	{ name: 'hour', min: 0, max: 23 },
	{ name: 'day of the month', min: 1, max: 31 },
	{ name: 'month', min: 1, max: 12 },
	{ name: 'day of the week', min: 0, max: 7 }
];

/** Why a field is not one of the five forms (a star, a number, a span, a list, a star with a step); null when it is. */
function wrong(text: string, { name, min, max }: (typeof FIELDS)[number]): string | null {
	const fits = (digits: string | undefined) =>
		digits !== undefined && Number(digits) >= min && Number(digits) <= max;
	const range = `The ${name} goes from ${min} to ${max}`;
	if (text === '*') return null;
	if (/^\d{1,2}(,\d{1,2})*$/.test(text)) return text.split(',').every(fits) ? null : range;
	const span = /^(\d{1,2})-(\d{1,2})$/.exec(text);
	if (span) {
		if (!fits(span[1]) || !fits(span[2])) return range;
		return Number(span[1]) <= Number(span[2]) ? null : `The ${name} runs backwards: ${text}`;
	}
	const step = /^\*\/(\d{1,2})$/.exec(text);
	if (step) {
		const every = Number(step[1]);
		return every >= 1 && every <= max ? null : `The step of the ${name} goes from 1 to ${max}`;
	}
	return `The ${name} is one of *, N, N-N, N,N and */N, where N is a number`;
}

/** Single spaces between the fields, as a schedule is written into the crontab. */
export const spaced = (text: string) =>
	text
		.trim()
		.split(/[ \t]+/)
		.join(' ');

/** Why a text, `spaced`, is not a cron expression of five fields; null when it is. */
export function scheduleFault(text: string): string | null {
	const parts = text.split(' ');
	if (parts.length !== FIELDS.length || /[^\d*,/ -]/.test(text))
		return 'Five fields: minute, hour, day of the month, month, day of the week';
	for (const [i, field] of FIELDS.entries()) {
		const why = wrong(parts[i] ?? '', field);
		if (why) return why;
	}
	return null;
}

/** Whether a schedule is for this day (`YYYY-MM-DD`) and one time of it; cron knows no years. */
export function isForDay(schedule: string, day: string): boolean {
	const [, date, month] = /^\d+ \d+ (\d+) (\d+) \*$/.exec(schedule) ?? [];
	const [, asMonth, asDate] = day.split('-');
	return Number(date) === Number(asDate) && Number(month) === Number(asMonth);
}
