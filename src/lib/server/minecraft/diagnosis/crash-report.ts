import { isPlatform, modsInFrames, type Mod } from './mod-names.ts';

/** More of a line says nothing about whose it is. */
const LINE_MAX_CHARS = 800;
const FRAMES_MAX = 120;
const SUSPECTS_MAX_LINES = 200;
const JAVA_HEAD_LINES = 10;
/** A fatal error, or too little memory for it. */
const JAVA_REPORT = /^# .*Java Runtime Environment/;

/** What a crash report of the game (or of Java itself) says. */
export type CrashReport = {
	/** `Ticking entity`; empty when the report does not say. */
	description: string;
	/** Its first line, e.g. `java.lang.NullPointerException: …`. */
	exception: string | null;
	/** From the section of that name, else the mods in the trace. */
	suspects: Mod[];
	/** The lines of the trace, by their index, that name a suspect. */
	blamed: number[];
	/** The line, by its index, below or in which the report lists suspects; -1 when it lists none. */
	listedAt: number;
	/** A report of Java itself: the game was not what failed. */
	javaItself: boolean;
	/** The first lines say what happened; system details and lists of mods follow. */
	causeLines: number;
};

/** The lines of a report, as they are read, that name whom the diagnosis suspects. By their index. */
export const blamedLines = (lines: string[]): number[] =>
	readCrashReport(lines.map((line) => line.slice(0, LINE_MAX_CHARS))).blamed;

/** Parses the lines of a report, already cleaned. Whatever is missing stays empty. */
export function readCrashReport(lines: string[]): CrashReport {
	const details = lines.findIndex((line) => /^-- (?:System Details|Plugin State) --/.test(line));
	const causeLines = details < 0 ? Math.min(lines.length, 400) : details;
	const cause = lines.slice(0, causeLines);
	const at = cause.findIndex((line) => line.startsWith('Description: '));
	const exception = cause.findIndex((line, i) => i > at && at >= 0 && /\w/.test(line));
	const named = suspectsNamed(lines);
	const trace = traceFrom(cause, exception);
	const suspects = named.length ? named : modsInFrames(trace);
	return {
		description: at < 0 ? '' : cause[at]!.slice(13).trim(),
		exception: exception < 0 ? null : cause[exception]!.trim(),
		suspects,
		blamed: trace.flatMap((frame, i) => (namesOne(frame, suspects) ? [exception + i] : [])),
		listedAt: named.length ? listedAt(lines) : -1,
		javaItself: lines.slice(0, JAVA_HEAD_LINES).some((line) => JAVA_REPORT.test(line)),
		causeLines
	};
}

const namesOne = (frame: string, suspects: Mod[]) =>
	modsInFrames([frame]).some(({ id }) =>
		// A suspect may be named by its id where the frame has only its jar.
		suspects.some(
			(suspect) => suspect.id === id || (/\.jar$/.test(id) && id.startsWith(suspect.id))
		)
	);

/** The trace of the exception and its causes, up to the first empty line. */
function traceFrom(lines: string[], from: number) {
	if (from < 0) return [];
	const rest = lines.slice(from, from + FRAMES_MAX);
	const end = rest.findIndex((line) => line.trim() === '');
	return end < 0 ? rest : rest.slice(0, end);
}

const listedAt = (lines: string[]) => lines.findIndex((line) => /^\s*Suspected Mods?:/.test(line));

/**
 * Forge writes `Suspected Mods:` and one mod per line, with its frames below; Not Enough Crashes writes the names in
 * one line. The id stands in the last parentheses: names may contain parentheses themselves.
 */
function suspectsNamed(lines: string[]): Mod[] {
	const at = listedAt(lines);
	if (at < 0) return [];
	const inline = lines[at]!.slice(lines[at]!.indexOf(':') + 1).trim();
	const entries = inline ? inline.split(', ') : [];
	for (const line of inline ? [] : lines.slice(at + 1, at + SUSPECTS_MAX_LINES)) {
		if (/^(?:-- |Stacktrace:|Details:)/.test(line.trim())) break;
		if (/, Version: /.test(line)) entries.push(line.replace(/, Version: .*$/, '').trim());
	}
	return entries.flatMap((entry) => {
		const match = /^(.{0,80}?) ?\(([a-z][\w.-]{1,63})\)$/.exec(entry);
		return match && !isPlatform(match[2]!) ? [{ id: match[2]!, name: match[1]! || null }] : [];
	});
}
