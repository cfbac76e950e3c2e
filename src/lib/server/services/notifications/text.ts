/**
 * The game decides the content of these texts. Nothing that could change the reading direction, hide, or reach another
 * line gets through.
 */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;
/** Direction marks and overrides, zero-width characters, fillers, tags, and lone halves of characters. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cs}|[\ufff9-\ufffb]/gu;
const FORMATTING = /§[0-9a-fk-orx]/gi;
const NAME_MAX = 120;

/** One line of plain text, at most `max` characters. */
export const plainLine = (text: string, max = NAME_MAX) =>
	shorten(
		plainText(text)
			.replace(/\s*\n\s*/g, ' ')
			.trim(),
		max
	);

/** Plain text of several lines. */
export const plainText = (text: string) =>
	text
		.replace(/\r\n?/g, '\n')
		.replace(FORMATTING, '')
		.replace(CONTROLS, ' ')
		.replace(INVISIBLE, '')
		.replace(/\n{3,}/g, '\n\n');

/** Never cuts a character in two. */
export function shorten(text: string, max: number): string {
	if (text.length <= max) return text;
	return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** At most this many bytes in UTF-8. */
export function shortenBytes(text: string, maxBytes: number): string {
	let cut = shorten(text, maxBytes);
	while (Buffer.byteLength(cut) > maxBytes) cut = shorten(cut, Math.floor(cut.length * 0.9));
	return cut;
}

/** As it stands, in Discord's markdown: no formatting, links, mentions, channels, timestamps or headings. */
export const escapeMarkdown = (text: string) =>
	text
		.replace(/[\\`*_~|[\](){}<>#:@]/g, '\\$&')
		.replace(/^(\s*\d*)([-+.])(?=\s)/gm, '$1\\$2')
		.replace(/\b(https?)\\:\/\//gi, '$1\\:\u200b//');

/** `14:05 UTC+1`: the machine’s clock, and how far it is ahead. */
export function clockTime(at: string): string {
	const date = new Date(at);
	const ahead = -date.getTimezoneOffset();
	const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
	const offset = `${ahead < 0 ? '−' : '+'}${hours}${minutes ? `:${minutes}` : ''}`;
	return `${two(date.getHours())}:${two(date.getMinutes())} UTC${ahead ? offset : ''}`;
}

const two = (number: number) => String(number).padStart(2, '0');

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2 Jan 2026, 14:05 UTC+1` */
export function momentOf(at: string): string {
	const date = new Date(at);
	const day = `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
	return `${day}, ${clockTime(at)}`;
}
