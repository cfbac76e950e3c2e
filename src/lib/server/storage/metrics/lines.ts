/** One sample: times are milliseconds since 1970, unknown values are null. */
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

/** The numbers of one line, in the order of `KEYS`; NaN is unknown. Reused: read it before the next line. */
export type Row = Float64Array;
export const newRow = (): Row => new Float64Array(KEYS.length);

/** What precedes each number. */
const BEFORE = KEYS.map((key, i) => Buffer.from(`${i === 0 ? '{' : ','}"${key}":`));
const ZERO = 48;
const NINE = 57;
const POINT = 46;
const CLOSE = 125;
const NULL_START = 110;
const NULL_LENGTH = 4;
/** Numbers with more digits would not be read exactly. */
const DIGITS_MAX = 15;

/**
 * Parses the line of `bytes` from `at` to `end` into `row`. False when it is not a sample. Lines that we wrote are
 * read byte by byte, without a string; any other goes to a parser.
 */
export function readRow(bytes: Buffer, at: number, end: number, row: Row): boolean {
	return (readFast(bytes, at, end, row) || readSlowly(bytes, at, end, row)) && isSane(row);
}

function readFast(bytes: Buffer, at: number, end: number, row: Row): boolean {
	let place = at;
	for (let i = 0; i < BEFORE.length; i++) {
		const before = BEFORE[i]!;
		for (let k = 0; k < before.length; k++) if (bytes[place++] !== before[k]) return false;
		if (bytes[place] === NULL_START) {
			row[i] = NaN;
			place += NULL_LENGTH;
			continue;
		}
		let value = 0;
		let digits = 0;
		let scale = 0;
		for (; ; place++) {
			const byte = bytes[place]!;
			if (byte >= ZERO && byte <= NINE) {
				value = value * 10 + (byte - ZERO);
				digits++;
				scale *= 10;
			} else if (byte === POINT && scale === 0) scale = 1;
			else break;
		}
		if (digits === 0 || digits > DIGITS_MAX) return false;
		row[i] = scale === 0 ? value : value / scale;
	}
	return place === end - 1 && bytes[place] === CLOSE;
}

/** The longest line worth parsing: a longer one is not a sample. */
const LINE_MAX = 4096;

function readSlowly(bytes: Buffer, at: number, end: number, row: Row): boolean {
	if (end - at > LINE_MAX) return false;
	let value: unknown;
	try {
		value = JSON.parse(bytes.toString('latin1', at, end));
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

/** Converts seconds to milliseconds, and sets what must not be unknown. */
function isSane(row: Row): boolean {
	let t = row[0]!;
	if (t > 0 && t < SECONDS_BELOW) t *= 1000;
	row[0] = t;
	if (!(t >= EARLIEST_MS && t <= LATEST_MS)) return false;
	for (let i = 1; i < KEYS.length; i++) if (!(row[i]! >= 0 && row[i]! < 1e18)) row[i] = NaN;
	return true;
}
