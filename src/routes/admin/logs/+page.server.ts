import { z } from 'zod';
import { LATEST_LOG, LOG_LINES_MAX } from '$lib/schemas/plain/limits';
import { LogLevel, LogPageQuery } from '$lib/schemas/log';
import { orProblem, page, parse } from '#core/http';
import { isReport, matchAmong, PAGE_LINES, type Match } from './logs';

/** A crash report is read whole; hardly any is longer. */
const REPORT_LINES = LOG_LINES_MAX;
const FILES = 50;
/** For how long a page waits to be told which match it shows. */
const MATCHES_MS = 1000;
const TOLD = ['not-found', 'busy', 'invalid', 'malformed'];

const text = z.string().nullable().catch(null).default(null);
/** The query parameters; invalid ones show the beginning. */
const View = z.object({
	view: z.enum(['lines', 'files']).catch('lines'),
	file: z.string().min(1).max(255).catch(LATEST_LOG),
	level: z
		.string()
		.transform((names) => [...new Set(names.toUpperCase().split(','))])
		.pipe(z.array(LogLevel))
		.catch([]),
	q: z
		.string()
		.transform((words) => words.slice(0, 200))
		.catch(''),
	before: text,
	at: text,
	kind: z.enum(['log', 'archive', 'crash']).nullable().catch(null).default(null),
	skip: z.coerce.number().int().min(0).max(100_000).catch(0)
});
type View = z.infer<typeof View>;

async function someEntries({ app, session }: App.Locals, view: View, signal: AbortSignal) {
	const { file, q, before, at } = view;
	const lines = isReport(file) ? REPORT_LINES : PAGE_LINES;
	const input = { file, q, lines, level: view.level.join(',') };
	const read = async () => {
		const query = parse(LogPageQuery, { ...input, before: before ?? '', at: at ?? '' });
		return app.logs.read(query, session!.user.role, signal);
	};
	try {
		// A missing line or file is reported in its place, so that the others can still be reached.
		const { value, problem } = await orProblem(read(), (kind) => TOLD.includes(kind));
		const blamed = value && isReport(file) ? await app.logs.blamed(value) : [];
		return { page: value, problem, blamed };
	} catch (cause) {
		// The person who asked has left: nobody reads it.
		if (signal.aborted) return { page: null, problem: 'The search was cancelled.', blamed: [] };
		throw cause;
	}
}

/** For an entry that is shown among others: which of the matches of its search it is. */
async function matchOf(
	{ app, session }: App.Locals,
	{ file, q, level, at }: View,
	asked: AbortSignal
): Promise<Match | null> {
	if (!at || !(q || level.length)) return null;
	const signal = AbortSignal.any([asked, AbortSignal.timeout(MATCHES_MS)]);
	const lines = LOG_LINES_MAX;
	const read = async () => {
		const query = parse(LogPageQuery, { file, q, level: level.join(','), lines });
		return app.logs.read(query, session!.user.role, signal);
	};
	try {
		const { value } = await orProblem(read());
		return value && matchAmong(value, at);
	} catch (cause) {
		if (signal.aborted) return null;
		throw cause;
	}
}

async function someFiles({ app }: App.Locals, { kind, skip }: View) {
	const { files, note } = await app.logs.files();
	const wanted = files.filter((file) => !kind || file.kind === kind);
	const rows = wanted.slice(skip, skip + FILES);
	return { rows, note, older: skip + FILES < wanted.length ? skip + FILES : null };
}

export const load = page('page /admin/logs', async ({ locals, url, request, isDataRequest }) => {
	const view = parse(View, Object.fromEntries(url.searchParams));
	const { files: known } = await locals.app.logs.files();
	/** Whether this file is there, any rotated log, and any file at all: nothing is offered for what is not. */
	const there = {
		file: known.some(({ name }) => name === view.file),
		earlier: known.some(({ kind }) => kind === 'archive'),
		any: known.length > 0
	};
	const log = view.view === 'lines' ? someEntries(locals, view, request.signal) : null;
	const files = log ? null : someFiles(locals, view);
	// From one match to the next, the lines stay where they are until the others are there.
	const isLater = isDataRequest && !view.at;
	// Awaited for a full page load; in a running app a skeleton is shown meanwhile.
	return {
		...{ ...view, there },
		log: isLater ? log : await log,
		match: await matchOf(locals, view, request.signal),
		files: isDataRequest ? files : await files
	};
});
