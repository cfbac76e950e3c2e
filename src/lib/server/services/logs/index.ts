import type { Role } from '#schemas/common';
import type { LogFiles, LogHit, LogPage, LogPageQuery } from '#schemas/log';
import { LATEST_LOG } from '#schemas/plain/limits';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createSerial } from '#core/serial';
import type { Follower } from '#minecraft/follow';
import type { LogReader } from '#minecraft/logs';
import type { LogMask } from '#minecraft/mask';
import { downloadOf, type Download } from './download.ts';
import { excerptOf } from './excerpt.ts';
import { createMasks } from './masks.ts';
import { createShared } from './shared.ts';
import { createSharedTail } from './tail.ts';

export { createMasks } from './masks.ts';

/** The game's logs and crash reports. Secrets are hidden from everybody, IP addresses from admins. */
export interface Logs {
	/**
	 * The newest entries that fit, oldest first; `notes` says what could not be read. The same search, or the same page
	 * of an old log, within 2 s gets the same answer. A search stops when `signal` aborts. AppError `not-found`, `busy`.
	 */
	read(query: LogPageQuery, viewer: Role, signal?: AbortSignal): Promise<LogPage>;
	files(): Promise<LogFiles>;
	/** Ids of the entries of a crash report that name whom the diagnosis suspects. */
	blamed(report: LogPage): Promise<string[]>;
	/** A whole file, unpacked, as it is read. AppError `not-found`. */
	download(name: string, viewer: Role): Promise<Download>;
	/**
	 * What is added to the current log from now on, as soon as it is written. An entry that gained more lines comes
	 * again with the same id. Returns a function that ends it.
	 */
	tail(viewer: Role, listener: (entries: LogHit[]) => void): () => void;
	/**
	 * A page as text to paste when asking strangers for help: without addresses and codes, with versions and mods on top.
	 * Of a search that finds nothing, it is the page without the search.
	 */
	excerpt(query: LogPageQuery, signal?: AbortSignal): Promise<string>;
	close(): void;
}

type Deps = {
	reader: LogReader;
	mask: (input: { secrets: Iterable<string>; addresses: boolean }) => LogMask;
	/** All secrets known now. What was once a secret stays hidden as long as the dashboard runs. */
	secrets: () => Promise<string[]>;
	/** Follows the current log: says when to look. */
	follower: Pick<Follower, 'subscribe'>;
	/** Text without colour codes and control characters. */
	plain: (text: string) => string;
	/** The lines of a crash report that name a suspect, by their index. */
	blamedLines: (lines: string[]) => number[];
	/** `Minecraft 1.21.1`, `Fabric 0.16.9`, `Java 21.0.9`, the enabled mods; one to a line. */
	about: () => Promise<string[]>;
	log: { error(message: string, facts: { cause: unknown }): void };
	clock: Clock;
};

const KEEP_MS = 2_000;
const SEARCHES_WAITING_MAX = 8;
const tooManySearches = () =>
	new AppError('busy', 'Too many searches wait already. Try again in a moment.');

export function createLogs(deps: Deps): Logs {
	const { reader, clock } = deps;
	const pages = createShared<LogPage>(clock, KEEP_MS);
	/** The current log as it is: reading it again costs less than keeping thousands of entries. */
	const currentPages = createShared<LogPage>(clock, 0);
	const listings = createShared<LogFiles>(clock, KEEP_MS);
	/** One after the other: two at once would hold up everybody else for twice as long at a time. */
	const searches = createSerial({ waitingMax: SEARCHES_WAITING_MAX, full: tooManySearches });
	const masks = createMasks(deps);
	const tail = createSharedTail({ ...deps, masks });

	async function page(query: LogPageQuery, viewer: Role, signal: AbortSignal) {
		const { q: text, level: levels, file, lines, before, at } = query;
		const mask = (await masks())[viewer];
		const run = () => reader.page({ file, lines, text, levels, before, at }, { mask, signal });
		return isSearch(query) ? searches.run(run, signal) : run();
	}

	const read: Logs['read'] = (query, viewer, signal) => {
		const shared = query.file === LATEST_LOG && !isSearch(query) ? currentPages : pages;
		return shared.get(
			JSON.stringify([viewer, query]),
			(ended) => page(query, viewer, ended),
			signal
		);
	};

	return {
		read,
		files: () => listings.get('', () => list(reader)),
		async blamed({ entries }) {
			const lines = entries.flatMap(({ id, message, continuation }) =>
				[message, ...continuation].map((text) => ({ id, text }))
			);
			const found = deps.blamedLines(lines.map(({ text }) => text));
			return [...new Set(found.map((index) => lines[index]!.id))];
		},
		async download(name, viewer) {
			return downloadOf(name, await reader.text(name, (await masks())[viewer]));
		},
		tail: tail.subscribe,
		async excerpt(query, signal) {
			const about = await deps.about();
			let page = await read(query, 'admin', signal);
			const header = [...about, `File: ${page.file}`, ...page.notes];
			if (isSearch(query) && !page.entries.length) {
				header.push('No line matches the search: these are the lines without it.');
				page = await read({ ...query, q: '', level: [] }, 'admin', signal);
			}
			return excerptOf(header, page.entries, deps.plain);
		},
		close() {
			pages.close();
			currentPages.close();
			listings.close();
			tail.close();
		}
	};
}

const isSearch = ({ q, level }: LogPageQuery) => q !== '' || level.length > 0;

async function list(reader: LogReader): Promise<LogFiles> {
	const { files, skipped, trouble } = await reader.list();
	const left = `${skipped} ${skipped === 1 ? 'file is' : 'files are'} not shown: no regular files, or names that cannot be shown.`;
	return { files, note: trouble ?? (skipped > 0 ? left : null) };
}
