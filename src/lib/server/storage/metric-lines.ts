/** One sample: times are milliseconds since 1970, what is unknown is null. */
export type Sample = {
	t: number;
	ramBytes: number | null;
	cpuPercent: number | null;
	players: number | null;
	tps: number | null;
	mspt: number | null;
};

/** Short, because a year has two million of them; in this order, so that they can be read without a parser. */
const KEYS = ['t', 'ram', 'cpu', 'players', 'tps', 'mspt'] as const;
/** 2015 to 2100: a clock outside of that is wrong, and would stretch every graph. */
const EARLIEST_MS = 1_420_070_400_000;
const LATEST_MS = 4_102_444_800_000;
const SECONDS_BELOW = 1e11;

export const toMetricLine = ({ t, ramBytes, cpuPercent, players, tps, mspt }: Sample) =>
	JSON.stringify({ t, ram: ramBytes, cpu: cpuPercent, players, tps, mspt });

/** Numbers of one line, in the order of `KEYS`; NaN is unknown. Reused: read it before the next line. */
export type Row = Float64Array;
export const newRow = (): Row => new Float64Array(KEYS.length);

const QUOTE = 34;
const COLON = 58;
const COMMA = 44;
const CLOSE = 125;

/**
 * Reads one line of `text` (latin1) from `at` to `end` into `row`. False when it is no sample. The lines that we write
 * are read without a parser; any other is given to one.
 */
export function readRow(text: string, at: number, end: number, row: Row): boolean {
	return (readFast(text, at, end, row) || readSlowly(text.slice(at, end), row)) && isSane(row);
}

function readFast(text: string, at: number, end: number, row: Row): boolean {
	let place = at + 1;
	for (let i = 0; i < KEYS.length; i++) {
		const key = KEYS[i]!;
		if (text.charCodeAt(place) !== QUOTE || !text.startsWith(key, place + 1)) return false;
		place += key.length + 2;
		if (text.charCodeAt(place) !== COLON) return false;
		const start = ++place;
		while (place < end && text.charCodeAt(place) !== COMMA && text.charCodeAt(place) !== CLOSE)
			place++;
		if (place === start || place >= end) return false;
		const number = text.charCodeAt(start) === 110 ? NaN : Number(text.slice(start, place));
		row[i] = number;
		place++;
	}
	return place === end && text.charCodeAt(end - 1) === CLOSE;
}

/** The longest line that is worth a look: a longer one is no sample. */
const LINE_MAX = 4096;

function readSlowly(line: string, row: Row): boolean {
	if (line.length > LINE_MAX) return false;
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return false;
	}
	if (typeof value !== 'object' || value === null) return false;
	const fields = value as Record<string, unknown>;
	for (let i = 0; i < KEYS.length; i++) {
		const field = Object.hasOwn(fields, KEYS[i]!) ? fields[KEYS[i]!] : null;
		row[i] = typeof field === 'number' ? field : NaN;
	}
	if (typeof fields['t'] === 'string') row[0] = Date.parse(fields['t']);
	return true;
}

/** Makes seconds milliseconds, and what cannot be unknown. */
function isSane(row: Row): boolean {
	let t = row[0]!;
	if (t > 0 && t < SECONDS_BELOW) t *= 1000;
	row[0] = t;
	if (!(t >= EARLIEST_MS && t <= LATEST_MS)) return false;
	for (let i = 1; i < KEYS.length; i++) if (!(row[i]! >= 0 && row[i]! < 1e18)) row[i] = NaN;
	return true;
}
