import type { Span, SpanColor } from '#schemas/console';

export type Style = Omit<Span, 'text'>;
export const PLAIN: Style = {};

/** By their codes, `0` to `f`. */
const COLORS: [SpanColor, rgb: number][] = [
	['black', 0x000000],
	['dark-blue', 0x0000aa],
	['dark-green', 0x00aa00],
	['dark-aqua', 0x00aaaa],
	['dark-red', 0xaa0000],
	['dark-purple', 0xaa00aa],
	['gold', 0xffaa00],
	['gray', 0xaaaaaa],
	['dark-gray', 0x555555],
	['blue', 0x5555ff],
	['green', 0x55ff55],
	['aqua', 0x55ffff],
	['red', 0xff5555],
	['light-purple', 0xff55ff],
	['yellow', 0xffff55],
	['white', 0xffffff]
];
const FORMATS: Record<string, Style> = {
	k: { obfuscated: true },
	l: { bold: true },
	m: { strike: true },
	n: { underline: true },
	o: { italic: true }
};
/** A terminal counts red, green, yellow, blue; the game blue, green, aqua, red. */
const ANSI_ORDER = [0, 4, 2, 6, 1, 5, 3, 7];

/** After a code: a colour ends all formats, as in the game. */
export function legacyStyle(style: Style, code: string): Style {
	if (code === 'r') return PLAIN;
	const format = FORMATS[code];
	return format ? { ...style, ...format } : { color: COLORS[parseInt(code, 16)]![0] };
}

/** The nearest of the sixteen. */
export function hexColor(hex: string): SpanColor {
	const wanted = parseInt(hex, 16);
	const distance = (rgb: number) =>
		[16, 8, 0].reduce(
			(sum, bits) => sum + (((rgb >> bits) & 255) - ((wanted >> bits) & 255)) ** 2,
			0
		);
	return COLORS.reduce((best, one) => (distance(one[1]) < distance(best[1]) ? one : best))[0];
}

/** After `ESC [ … m`. Backgrounds, blinking and the rest are ignored. */
export function ansiStyle(style: Style, parameters: string): Style {
	const numbers = parameters.split(/[;:]/).map(Number);
	let next = { ...style };
	for (let i = 0; i < numbers.length; i++) {
		const number = numbers[i]!;
		if (number === 38 || number === 48) {
			const length = numbers[i + 1] === 2 ? 4 : numbers[i + 1] === 5 ? 2 : 0;
			const values = numbers.slice(i + 1, i + 1 + length);
			if (number === 38 && length > 0 && values.length === length) next.color = extended(values);
			i += length;
		} else next = simple(next, number);
	}
	return next;
}

function simple(style: Style, number: number): Style {
	if (number === 0) return {};
	if (number === 1) return { ...style, bold: true };
	if (number === 3) return { ...style, italic: true };
	if (number === 4) return { ...style, underline: true };
	if (number === 9) return { ...style, strike: true };
	if (number === 22) return without(style, 'bold');
	if (number === 23) return without(style, 'italic');
	if (number === 24) return without(style, 'underline');
	if (number === 29) return without(style, 'strike');
	if (number === 39) return without(style, 'color');
	const isDark = number >= 30 && number <= 37;
	if (isDark || (number >= 90 && number <= 97))
		return { ...style, color: base(number % 10, !isDark) };
	return style;
}

function without(style: Style, look: keyof Style): Style {
	const next = { ...style };
	delete next[look];
	return next;
}

const base = (number: number, isBright: boolean): SpanColor =>
	COLORS[ANSI_ORDER[number]! + (isBright ? 8 : 0)]![0];

/** `2, red, green, blue` or `5, number` of 256. */
function extended([kind, ...values]: number[]): SpanColor {
	if (kind === 2) return hexColor(values.map(twoDigits).join(''));
	const number = Math.min(values[0] ?? 0, 255);
	if (number < 16) return base(number % 8, number >= 8);
	if (number >= 232) return hexColor(twoDigits(8 + (number - 232) * 10).repeat(3));
	const cube = number - 16;
	const steps = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
	return hexColor(steps.map((step) => twoDigits(step && 55 + step * 40)).join(''));
}

const twoDigits = (number: number) =>
	Math.min(255, Math.max(0, number || 0))
		.toString(16)
		.padStart(2, '0');
