import { lstatSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { LATEST_LOG } from '#schemas/plain/limits';
import type { LogHit } from '#schemas/log';
import {
	type Block,
	type LogFiles,
	entriesIn,
	secondEntry,
	identityOf,
	type LogSource
} from '#minecraft/log-files';
import { dated } from './dated.ts';
import { placeId } from './place.ts';
import { entryOf, type Found } from './text.ts';
import type { LogMask } from '#minecraft/mask';

/** What is added to the current log, entry by entry, for viewers who may see different things. */
export interface LogTail {
	/**
	 * Entries that were added since the last call, for each mask. An entry that got more lines is returned again,
	 * whole, with the same id. Finishes the old file after a rotation. Not to be called again before it has resolved.
	 */
	read(masks: LogMask[]): Promise<LogHit[][]>;
	close(): Promise<void>;
}

/**
 * When more than this arrives at once, the rest is skipped and counted: nobody reads thousands of lines in a second.
 */
const READ_MAX_BYTES = 256 * 1024;
/** How many entries are handled before others get a turn. */
const PORTION = 500;
const NEWLINE = 0x0a;

type Mark = { identity: string; size: number };

/** Starts synchronously where the file ends now: whatever is written from here on is new. */
export function createLogTail(files: LogFiles): LogTail {
	let mark = endOf(path.join(files.dir, LATEST_LOG));
	let source: LogSource | null = null;
	/** Where the entry delivered last begins, and where it ended then. */
	let last = { offset: 0, end: 0 };

	async function readOn(from: LogSource, masks: LogMask[], hits: LogHit[][]) {
		const { size, date } = await from.state();
		if (size < last.end) last = { offset: 0, end: 0 };
		if (size === last.end) return;
		if (size - last.end > READ_MAX_BYTES) {
			const offset = await entryAfter(from, size - READ_MAX_BYTES);
			for (const list of hits) list.push(skipped(from.name, offset, offset - last.end));
			last = { offset, end: offset };
		}
		for await (const block of from.forwards(last.offset, 'entries', READ_MAX_BYTES)) {
			const entries = [...entriesIn(finished(block), from.heads)];
			const fresh = entries.filter(({ end }) => block.offset + end > last.end);
			for (const [i, mask] of masks.entries()) {
				const found = await inTurns(fresh, (one) => foundIn(block, one, mask));
				hits[i]!.push(...dated(from.name, found, { stamp: null, date }));
			}
			const final = entries.at(-1);
			if (final) last = { offset: block.offset + final.start, end: block.offset + final.end };
		}
	}

	return {
		async read(masks) {
			const hits: LogHit[][] = masks.map(() => []);
			const now = await files.open(LATEST_LOG);
			if (source && source.identity === now?.identity) await now.close();
			else {
				if (source) await readOn(source, masks, hits);
				await source?.close();
				source = now;
				last = source ? await beginningOf(source, mark) : { offset: 0, end: 0 };
				mark = null;
			}
			if (source) await readOn(source, masks, hits);
			return hits;
		},
		async close() {
			await source?.close();
			source = null;
		}
	};
}

/** A file that existed at the start is continued from there; a new one is read from its start. */
async function beginningOf(source: LogSource, mark: Mark | null) {
	if (mark?.identity !== source.identity) return { offset: 0, end: 0 };
	for await (const { bytes, offset } of source.backwards(mark.size)) {
		const head = source.heads.last(bytes, bytes.length);
		return { offset: head === -1 ? mark.size : offset + head, end: mark.size };
	}
	return { offset: 0, end: 0 };
}

async function entryAfter(source: LogSource, offset: number) {
	for await (const block of source.forwards(offset, 'lines'))
		return secondEntry(block, source.heads);
	return offset;
}

const foundIn = (
	block: Block,
	{ start, end }: { start: number; end: number },
	mask: LogMask
): Found => ({
	offset: block.offset + start,
	...entryOf(block.bytes, start, end, mask)
});

/** A flood of lines is handled in portions, so that others get their turn. */
async function inTurns<T, R>(items: T[], work: (item: T) => R): Promise<R[]> {
	const results: R[] = [];
	for (const item of items) {
		results.push(work(item));
		if (results.length % PORTION === 0) await turn();
	}
	return results;
}

/** Without the line that is still being written. */
const finished = ({ bytes }: Block) => bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);

const skipped = (file: string, offset: number, bytes: number): LogHit => ({
	at: null,
	level: 'INFO',
	thread: null,
	logger: null,
	message: `… ${Math.ceil(bytes / 1024)} kB of the log skipped: it grows faster than it can be shown`,
	continuation: [],
	id: placeId(file, offset - 1, null),
	file
});

function endOf(file: string): Mark | null {
	const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
	return found?.isFile() ? { identity: identityOf(found), size: Number(found.size) } : null;
}
