import { LATEST_LOG } from '#schemas/plain/limits';
import type { LogPage } from '#schemas/log';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { entriesFrom, isThere } from './around.ts';
import { collect } from './collect.ts';
import { anchorAt, dated } from './dated.ts';
import {
	rotatedFirst,
	unreadable,
	type Listing,
	type LogFiles,
	createTimeBudget,
	type TimeBudget,
	type LogSource
} from '#minecraft/log-files';
import { maskedText } from './masked-text.ts';
import { createMatcher, type Filter } from './matches.ts';
import { ANSWER_MAX_CHARS, notesOn, pageOf, type Start } from './pages.ts';
import { fileKey, parsePlace, type LogPlace } from './place.ts';
import { createLogTail, type LogTail } from './tail.ts';
import type { LogMask } from '#minecraft/mask';

export type PageRequest = Filter & {
	file: string;
	lines: number;
	/** The id of an entry, or where a page stopped: returns what precedes it. */
	before?: string | undefined;
	/** The id of an entry: returns it and what surrounds it. */
	at?: string | undefined;
};
export type LogView = { mask: LogMask; signal?: AbortSignal | undefined };

/** Reads the server's logs. Everything it returns is masked. */
export interface LogReader {
	list(): Promise<Listing>;
	/**
	 * The newest matching entries, at most `lines`, found within 2 s. A search in the current log, by text or by
	 * level, continues into the rotated ones. AppError `not-found`: no such file, or the position is no longer in the logs.
	 */
	page(request: PageRequest, view: LogView): Promise<LogPage>;
	/** A whole file, decompressed; must be closed, read or not. AppError `not-found`. */
	text(name: string, mask: LogMask): Promise<MaskedText>;
	/** Starts at the end of the current log. */
	tail(): LogTail;
}

export type MaskedText = { pieces: AsyncGenerator<Buffer>; close(): Promise<void> };

type Deps = { files: LogFiles; clock: Clock; budgetMs?: number };

const BUDGET_MS = 2_000;
/** How many files are searched for a line whose file has been renamed. */
const LOCATE_MAX = 12;

export function createLogReader({ files, clock, budgetMs = BUDGET_MS }: Deps): LogReader {
	async function open(name: string): Promise<LogSource> {
		const source = await files.open(name).catch((cause) => {
			throw new AppError('upstream', unreadable(name, cause), { cause });
		});
		if (source) return source;
		throw new AppError('not-found', 'There is no such log file.');
	}

	/** Under the current name of the entry's file: the game renames it when it begins a new one. */
	async function locate(id: string, time: TimeBudget): Promise<Start> {
		const place = parsePlace(id);
		if (!place) throw new AppError('not-found', 'There is no such place in the logs.');
		const listed = (await files.list()).files;
		const rotated = rotatedFirst(listed).slice(0, LOCATE_MAX);
		const named = [LATEST_LOG, ...listed.map(({ name }) => name)];
		const names = new Set([
			...named.filter((name) => fileKey(name) === place.file),
			LATEST_LOG,
			...rotated.map(({ name }) => name)
		]);
		for (const name of names) {
			if (await holds(name, place)) return { ...place, name };
			if (place.atS === null || time.over) break;
			await time.rest();
		}
		throw new AppError('not-found', 'This line is not in the logs any more.');
	}

	async function holds(name: string, place: LogPlace) {
		const source = await files.open(name).catch(() => null);
		try {
			return source !== null && (await isThere(source, place));
		} finally {
			await source?.close();
		}
	}

	async function around(
		id: string,
		lines: number,
		mask: LogMask,
		time: TimeBudget
	): Promise<LogPage> {
		const place = await locate(id, time);
		const source = await open(place.name);
		try {
			const half = Math.floor(lines / 2);
			const chars = ANSWER_MAX_CHARS / 2;
			const matcher = createMatcher({ text: '', levels: [] });
			const wanted = { matcher, mask, time, lines: Math.max(1, half), chars };
			const older = await collect(source, { ...wanted, before: place.offset });
			const newer = await entriesFrom(source, place, { lines: lines - half, chars, mask });
			const anchor = place.atS === null ? { stamp: null, date: source.date } : anchorAt(place.atS);
			const entries = [...dated(source.name, older.found, anchor), ...newer];
			const next = older.ended === 'start' ? null : (entries[0]?.id ?? null);
			return { file: source.name, entries, truncated: next !== null, next, notes: notesOn(source) };
		} finally {
			await source.close();
		}
	}

	/** A search in the current log continues into the older ones. */
	async function namesFor(
		{ file, text, levels }: PageRequest,
		start: Start | null
	): Promise<string[]> {
		const isSearch = text !== '' || levels.length > 0;
		if (file !== LATEST_LOG || !isSearch) return [start?.name ?? file];
		const rotated = rotatedFirst((await files.list()).files).map(({ name }) => name);
		const all = [LATEST_LOG, ...rotated];
		return start ? all.slice(Math.max(0, all.indexOf(start.name))) : all;
	}

	return {
		list: () => files.list(),
		async page(request, { mask, signal }) {
			const time = createTimeBudget(clock, budgetMs, signal);
			if (request.at !== undefined) return around(request.at, request.lines, mask, time);
			const start = request.before === undefined ? null : await locate(request.before, time);
			const names = await namesFor(request, start);
			return pageOf({ names, start, open, request, mask, time, budgetMs, files });
		},
		async text(name, mask) {
			const source = await open(name);
			const pieces = maskedText(source, mask, () => notesOn(source));
			return { pieces, close: () => source.close() };
		},
		tail: () => createLogTail(files)
	};
}
