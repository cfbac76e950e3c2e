import { LATEST_LOG } from '#schemas/plain/limits';
import type { LogPage } from '#schemas/log';
import { AppError } from '#core/errors';
import { collect, type Collected } from './collect.ts';
import { anchorAt, anchorAtEnd, dated, type Anchor } from './dated.ts';
import {
	type LogFiles,
	INFLATED_MAX_BYTES,
	type InflateTrouble,
	type TimeBudget,
	type LogSource
} from '#minecraft/log-files';
import { createMatcher, type Filter, type Matcher } from './matches.ts';
import { placeId, type LogPlace } from './place.ts';
import type { LogMask } from '#minecraft/mask';

/** A position, and the current name of its file. */
export type Start = LogPlace & { name: string };

type Task = {
	/** Files to read, the newest first. */
	names: string[];
	start: Start | null;
	open: (name: string) => Promise<LogSource>;
	request: Filter & { lines: number };
	mask: LogMask;
	time: TimeBudget;
	budgetMs: number;
	files: LogFiles;
};

/** The limit on all the text in one answer. */
export const ANSWER_MAX_CHARS = 2 * 1024 * 1024;

/** One page, from as many files as it takes. */
export async function pageOf(task: Task): Promise<LogPage> {
	const { names, request, time } = task;
	const page: LogPage = { file: names[0]!, entries: [], truncated: false, next: null, notes: [] };
	const budget = { matcher: createMatcher(request), chars: ANSWER_MAX_CHARS };

	for (const [i, name] of names.entries()) {
		const older = placeId(names[i - 1] ?? name, 0, null);
		if (page.entries.length === request.lines) return stopped(page, older);
		if (i > 0 && time.over) return stopped(page, older, timeNote(task, name));
		const source = await opened(task, name, page.notes);
		if (!source) continue;
		try {
			const part = await readInto(page, source, task, budget, i === 0);
			if (part.ended === 'start') continue;
			if (part.ended !== 'time') return stopped(page, page.entries[0]?.id ?? older);
			const next = part.reached === Infinity ? older : placeId(name, part.reached, null);
			return stopped(page, next, timeNote(task, name));
		} finally {
			await source.close();
		}
	}
	return page;
}

async function readInto(
	page: LogPage,
	source: LogSource,
	{ start, request, mask, time }: Task,
	budget: { matcher: Matcher; chars: number },
	isFirst: boolean
): Promise<Collected> {
	const part = await collect(source, {
		...budget,
		mask,
		// A compressed file that is abandoned half-way was read for nothing: the first one is read to its end.
		time: isFirst && source.packed ? withoutEnd(time) : time,
		lines: request.lines - page.entries.length,
		...(isFirst && start && { before: start.offset })
	});
	const anchor = await anchorFor(source, request, isFirst ? start : null);
	page.entries = dated(source.name, part.found, anchor).concat(page.entries);
	page.notes.push(...notesOn(source));
	budget.chars -= part.chars;
	if (part.ended === 'chars') page.notes.push('The page was cut here: its lines are very long.');
	return part;
}

/** Null, with a note, when the page can do without the file. */
async function opened({ names, open, files }: Task, name: string, notes: string[]) {
	try {
		return await open(name);
	} catch (error) {
		const mustBe = names.length === 1 && name !== LATEST_LOG;
		if (!(error instanceof AppError) || mustBe) throw error;
		if (error.kind === 'upstream') notes.push(error.message);
		else if (name === LATEST_LOG) notes.push((await files.list()).trouble ?? NO_LATEST);
		return null;
	}
}

const NO_LATEST = 'There is no current log in this folder.';

function stopped(page: LogPage, next: string, note?: string): LogPage {
	return { ...page, truncated: true, next, notes: note ? [...page.notes, note] : page.notes };
}

const timeNote = ({ budgetMs }: Task, name: string) =>
	`The search stopped in ${name} after ${budgetMs / 1000} s. Older lines were not looked at.`;

/** The time from which the days of undated lines are counted. */
function anchorFor(
	source: LogSource,
	{ text, levels }: Filter,
	start: Start | null
): Anchor | Promise<Anchor> {
	if (start && start.atS !== null) return anchorAt(start.atS);
	const isFiltered = text !== '' || levels.length > 0 || start !== null;
	return isFiltered ? anchorAtEnd(source) : { stamp: null, date: source.date };
}

const withoutEnd = (time: TimeBudget): TimeBudget => ({
	get due() {
		return time.due;
	},
	rest: () => time.rest(),
	over: false
});

const TROUBLE: Record<InflateTrouble, (name: string) => string> = {
	cut: (name) =>
		`${name} is very large: only the first ${INFLATED_MAX_BYTES / 1024 / 1024} MB of its text were read.`,
	damaged: (name) => `${name} is damaged or was not finished: what can be read of it is shown.`,
	'not-gzip': (name) => `${name} is not a compressed file, despite its name.`
};

/** Sentences about what could not be read. */
export const notesOn = ({ name, trouble }: LogSource) => (trouble ? [TROUBLE[trouble](name)] : []);
