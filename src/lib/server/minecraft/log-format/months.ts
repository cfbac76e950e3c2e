/** Java writes the month in the machine's language. These languages are the most common on its users' machines. */
const LANGUAGES =
	'en de fr es it pt nl pl cs sk hu ro sv da nb fi et lv lt ru uk be bg sr hr sl tr el he vi id ca eu gl'.split(
		' '
	);
const ENGLISH = [
	'jan',
	'feb',
	'mar',
	'apr',
	'may',
	'jun',
	'jul',
	'aug',
	'sep',
	'oct',
	'nov',
	'dec'
];

/** Two languages use this one for different months. */
const AMBIGUOUS = 0;
let names: Map<string, number> | null = null;

/**
 * Returns 1 to 12 for a month's short name in any common language (`Feb`, `févr.`, `2월`); null when it is unknown, as
 * are many names that were decoded with the wrong charset.
 */
export function monthOf(text: string): number | null {
	// Korean, Chinese and Japanese months are numbered; the character after the number may be unreadable.
	const number = /^\d{1,2}(?!\d)/.exec(text)?.[0];
	if (number) return inYear(Number(number));
	const word = fold(text);
	const english = ENGLISH.indexOf(word);
	if (english >= 0) return english + 1;
	names ??= allNames();
	return inYear(names.get(word) ?? AMBIGUOUS);
}

const inYear = (month: number) => (month >= 1 && month <= 12 ? month : null);

const fold = (text: string) =>
	text
		.toLowerCase()
		.normalize('NFKD')
		.replace(/[^\p{L}\ufffd]/gu, '');

function allNames(): Map<string, number> {
	const months = new Map<string, number>();
	for (const language of LANGUAGES) {
		const options = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
		const format = new Intl.DateTimeFormat(language, options);
		for (let month = 1; month <= 12; month++) {
			const parts = format.formatToParts(Date.UTC(2025, month - 1, 15));
			const name = fold(parts.find(({ type }) => type === 'month')?.value ?? '');
			const known = months.get(name) ?? month;
			months.set(name, known === month ? month : AMBIGUOUS);
		}
	}
	return months;
}
