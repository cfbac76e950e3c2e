import { parseLogLine } from '#minecraft/log-format';
import type { ExitStatus } from '#runtime';
import { readCrashReport, type CrashReport } from './crash-report.ts';
import { stripCodes } from '#minecraft/text';

/** The newest of each source. */
const LINES_MAX = 2000;
const LINE_MAX_CHARS = 800;
const REPORT_MAX_CHARS = 256 * 1024;
const SHOWN_LINES = 12;
const SHOWN_CHARS = 300;
const MESSAGE_MAX_CHARS = 500;
const MODS_MAX = 20;
const HITS_MAX = 50;

export type Diagnosis = {
	code:
		| 'eula'
		| 'port'
		| 'java-version'
		| 'java-missing'
		| 'mods'
		| 'memory'
		| 'watchdog'
		| 'world-locked'
		| 'crash'
		| 'unknown';
	/** One sentence: what happened. */
	message: string;
	/** Quoted from the log, at most 12 lines of 300 characters. */
	log: string[];
	/** Ids of the mods involved; a jar's name where no id is known. */
	mods: string[];
	/** What to do. */
	advice: string;
	/**
	 * What the advice is, for whoever knows more: to update the mods that it names, or to disable them; `start`: only to
	 * start it again, as nothing in the folder has brought it about.
	 */
	remedy?: 'update' | 'start';
	/** Starting it again may help; false when it would fail in the same way. */
	restartable: boolean;
};

/** `text` is the message without its prefix; a line without a level continues the one before, or is plain output. */
export type Line = { text: string; shown: string; level: string | null };
export type Source = Line[];
export type Hit = { match: RegExpExecArray; lines: Source; index: number };

export type Evidence = {
	/** Output and log of a server that never got ready, and the cause that a crash report gives. */
	early: Source[];
	all: Source[];
	ready: boolean;
	report: CrashReport | null;
	/** The lines of the report that name whom it suspects: of the trace, or else the one that lists them. */
	blamed: Line[];
	exit: ExitStatus | null;
};
export type Rule = (evidence: Evidence) => Diagnosis | null;

export function collectEvidence(
	text: { log: string[]; output: string[]; crashReport: string | null; exit: ExitStatus | null },
	readyLine: RegExp
): Evidence {
	const written = [text.output, text.log].map((lines) => lines.slice(-LINES_MAX));
	const sources = written.map(readLines);
	const reportLines = readLines((text.crashReport ?? '').slice(0, REPORT_MAX_CHARS).split('\n'));
	const report = text.crashReport ? readCrashReport(reportLines.map((line) => line.text)) : null;
	const cause = reportLines.slice(0, report?.causeLines ?? 0);
	const ready =
		/^(?:Ticking|Exception (?:while )?ticking|Watching Server)/.test(report?.description ?? '') ||
		written.some((lines) => lines.some((line) => readyLine.test(cut(line)))) ||
		sources.some((lines) => lines.some(({ level, text }) => level !== null && RAN.test(text)));
	return {
		early: ready ? [cause] : [...sources, cause],
		all: [...sources, cause],
		ready,
		report,
		blamed: report ? blamedIn(report, reportLines) : [],
		exit: text.exit
	};
}

const blamedIn = ({ blamed, listedAt }: CrashReport, lines: Source) =>
	(blamed.length ? blamed : [listedAt]).flatMap((at) => lines[at] ?? []);

/** Only a server that players could join logs these; its ready line may be older than the lines we keep. */
const RAN = /^(?:UUID of player \S|Can't keep up! |.{1,60} (?:joined|left) the game$)/;

const cut = (line: string) => line.slice(0, LINE_MAX_CHARS);

const readLines = (lines: string[]): Source =>
	lines.map((line) => {
		const clean = stripCodes(cut(line)).replaceAll('\n', ' ').trimEnd();
		const parsed = parseLogLine(clean);
		return {
			text: parsed?.message ?? clean,
			shown: clean.slice(0, SHOWN_CHARS),
			level: parsed?.level ?? null
		};
	});

/** Levels that ordinary chat and news never have. */
const SERIOUS = new Set([null, 'WARN', 'ERROR', 'FATAL', 'STDERR']);
const FAILED = new Set([null, 'ERROR', 'FATAL', 'STDERR']);
export const isSerious = (line: Line) => SERIOUS.has(line.level);
export const isFailure = (line: Line) => FAILED.has(line.level);

/** Matching lines, in order; what players write is excluded by `accept` or by a pattern that begins with `^`. */
export function findAll(
	sources: Source[],
	pattern: RegExp,
	accept: (line: Line) => boolean = isSerious
): Hit[] {
	const hits: Hit[] = [];
	for (const lines of sources)
		for (let index = 0; index < lines.length && hits.length < HITS_MAX; index++) {
			const line = lines[index]!;
			const match = accept(line) ? pattern.exec(line.text) : null;
			if (match) hits.push({ match, lines, index });
		}
	return hits;
}

export const find = (...search: Parameters<typeof findAll>): Hit | null =>
	findAll(...search)[0] ?? null;

/** The lines of one message after its first, up to the next one with a prefix, limited in number. */
export function continuation({ lines, index }: Hit, max: number): Line[] {
	const rest = lines.slice(index + 1, index + 1 + max);
	const end = rest.findIndex((line) => line.level !== null);
	return end < 0 ? rest : rest.slice(0, end);
}

/** The lines to show: each match with what follows it, without stack frames and repetitions. */
export function excerpt(hits: (Hit | null)[], following = 2): string[] {
	const shown = hits.flatMap((hit) => {
		if (!hit) return [];
		const rest = continuation(hit, following * 20).filter(({ text }) => !isFrame(text));
		return [hit.lines[hit.index]!, ...rest.slice(0, following)];
	});
	return unique(shown.map((line) => line.shown)).slice(0, SHOWN_LINES);
}

/** Lines that mean nothing to anybody but the program's authors; also empty lines. */
export const isFrame = (text: string) => /^\s*(?:at \S|\.{3} \d{1,4} more|$)/.test(text);

export const unique = <T>(values: T[]) => [...new Set(values)];

export function diagnosis(
	code: Diagnosis['code'],
	message: string,
	rest: Pick<Diagnosis, 'log' | 'advice' | 'restartable' | 'remedy'> & { mods?: string[] }
): Diagnosis {
	const { log, advice, restartable, remedy, mods = [] } = rest;
	return {
		code,
		message: sentence(message),
		log,
		mods: unique(mods).slice(0, MODS_MAX),
		advice: sentence(advice),
		...(remedy && { remedy }),
		restartable
	};
}

/** What a program has written ends as it likes: another sentence may follow. */
const sentence = (text: string) => {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line.length > MESSAGE_MAX_CHARS)
		return `${line.slice(0, MESSAGE_MAX_CHARS - 2).toWellFormed()}….`;
	return !line || /[.!?…]["”)]?$/.test(line) ? line : `${line}.`;
};

/** `java.lang.NullPointerException: x` without its package. */
export const shortException = (text: string) =>
	text
		.replace(/^(?:Caused by: |Exception in thread "[^"]{0,100}" )/, '')
		.replace(/^(?:[a-z]\w{0,60}\.){1,12}(?=[A-Z])/, '')
		.slice(0, 240);
