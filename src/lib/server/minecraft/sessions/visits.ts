import { datesOf, parsePrefix, type ParsedLine, type Stamp } from '#minecraft/log-format';
import { createRecogniser, createPresence } from '#minecraft/game-log';
import { decodeLine } from '#core/files';

/** What a log says about presence: players who come and go, and the server, which takes them all with it. */
export type Visit =
	| {
			kind: 'join' | 'leave';
			at: string | null;
			name: string;
			display: string;
			uuid: string | null;
	  }
	| { kind: 'start' | 'stop' | 'crash'; at: string | null };
/**
 * In the order of the file. Entries without a kind only carry the time: the log continues, and nobody comes or goes.
 */
export type Visits = (Visit | { kind: null; at: string | null })[];

/** Reads one log for that, forwards and as it grows: only a few of its lines are looked at closely. */
export interface VisitScan {
	/** Whole lines, in the order of the file. */
	take(bytes: Buffer): void;
	/** `date`: when the last line was written. */
	visits(date: Date): Visits;
}

/** Only lines with one of these texts can matter. */
const TELLING = [
	' joined the game',
	' left the game',
	' logged in with ',
	' lost connection: ',
	'UUID of player ',
	'Starting minecraft server ',
	'Stopping server',
	'unexpected exception',
	'crash report has been',
	'to be crashed, ',
	'Failed to start the m',
	'Failed to initialize s'
].map((text) => Buffer.from(text));
const NEWLINE = 0x0a;
const BRACKET = 0x5b;
const COLON = 0x3a;
/** Room for a prefix, a colour before it, and a byte order mark. */
const isFirstByte = (byte: number | undefined) =>
	byte === BRACKET || byte === 0x1b || byte === 0xef;
/** Reconnecting all day long must not fill the memory: of such a file the last visits are kept. */
const MARKS_MAX = 20_000;

type Mark = { stamp: Stamp | null; visit: Visit | null };

export function createVisitScan(): VisitScan {
	const presence = createPresence();
	const recognise = createRecogniser(presence);
	let marks: Mark[] = [];
	/** As two digits. */
	let hour = 0;
	let last: Stamp | null = null;

	const mark = (one: Mark) => {
		marks.push(one);
		if (marks.length > MARKS_MAX) marks = marks.slice(-MARKS_MAX / 2);
	};
	const notice = ({ stamp, ...line }: ParsedLine) => {
		const event = recognise({ ...line, at: null, continuation: [] });
		switch (event?.kind) {
			case 'start':
			case 'stop':
			case 'crash':
				return mark({ stamp, visit: { kind: event.kind, at: null } });
			case 'join':
			case 'leave':
				if (event.player) mark({ stamp, visit: { kind: event.kind, at: null, ...event.player } });
		}
	};
	const look = (line: Buffer, isTelling: boolean) => {
		const hourNow = hourOf(line) ?? hour;
		if (!isTelling && hourNow === hour) return presence.tick();
		const parsed = parsePrefix(decodeLine(line));
		if (!parsed) return;
		if (isTelling) notice(parsed);
		else presence.tick();
		// Days are counted by the times of day: one mark for each hour is enough for that.
		if (hourNow !== hour) mark({ stamp: parsed.stamp, visit: null });
		hour = hourNow;
	};

	return {
		take(bytes) {
			const telling = tellingLines(bytes);
			let head: Buffer | null = null;
			for (let from = 0; from < bytes.length;) {
				// By far the quickest way through a file that holds nothing else.
				if (bytes[from] === NEWLINE) {
					from++;
					continue;
				}
				const newline = bytes.indexOf(NEWLINE, from);
				const end = newline === -1 ? bytes.length : newline;
				if (isFirstByte(bytes[from])) look((head = bytes.subarray(from, end)), telling.has(from));
				from = end + 1;
			}
			if (head) last = parsePrefix(decodeLine(head))?.stamp ?? last;
		},
		visits(date) {
			const all = [...marks, { stamp: last, visit: null }];
			const times = datesOf(
				all.map(({ stamp }) => stamp),
				date
			);
			return all.map(({ visit }, i) => ({ ...(visit ?? { kind: null }), at: times[i] ?? null }));
		}
	};
}

/** Where the lines begin that contain one of the texts. */
function tellingLines(bytes: Buffer): Set<number> {
	const lines = new Set<number>();
	for (const text of TELLING)
		for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
			lines.add(bytes.lastIndexOf(NEWLINE, at) + 1);
	return lines;
}

/** Of `[12:00:00]`; where the line names the date, days need not be counted. */
const hourOf = (line: Buffer): number | null =>
	line[0] === BRACKET && line[3] === COLON ? (line[1]! << 8) | line[2]! : null;
