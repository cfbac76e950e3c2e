import { readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AuditEntry } from '#schemas/audit';
import { linesBackwards, openRegular } from '#core/files';
import { errno } from '#core/errors';

type Position = { generation: number; offset: number };

/** A line holds everything but the id, which says where the line is. */
const Line = AuditEntry.omit({ id: true });

/** Numbers of the full files, newest first. */
export async function generations(dir: string): Promise<number[]> {
	const names = await readdir(dir).catch((error) => {
		if (errno(error) === 'ENOENT') return [];
		throw error;
	});
	return names
		.map((name) => Number(/^audit\.(\d{1,9})\.jsonl$/.exec(name)?.[1]))
		.filter((number) => number > 0)
		.sort((a, b) => b - a);
}

/** Entries from newest to oldest, or from before a given position. Torn and foreign lines are skipped. */
export async function* readBackwards(
	dir: string,
	before: Position | null
): AsyncGenerator<AuditEntry> {
	const { full, current } = await openCurrent(dir);
	const newest = (full[0] ?? 0) + 1;
	for (const generation of [newest, ...full]) {
		const handle =
			generation === newest
				? current
				: await openRegular(path.join(dir, `audit.${generation}.jsonl`));
		if (!handle) continue;
		const offset = before?.generation === generation ? before.offset : undefined;
		if (before && before.generation < generation) await handle.close();
		else yield* entriesOf(handle, generation, offset);
	}
}

/** The file being written, and the numbers of the full ones, as they are at one moment. */
async function openCurrent(dir: string) {
	for (;;) {
		const full = await generations(dir);
		const current = await openRegular(path.join(dir, 'audit.jsonl'));
		if ((await generations(dir)).length === full.length) return { full, current };
		await current?.close();
	}
}

/** Entries of a span of time, newest first. They are in the order of their times, so what is newer is skipped by halves. */
export async function* readBetween(
	dir: string,
	from: string,
	to: string
): AsyncGenerator<AuditEntry> {
	const { full, current } = await openCurrent(dir);
	const newest = (full[0] ?? 0) + 1;
	for (const generation of [newest, ...full]) {
		const handle: FileHandle | null =
			generation === newest
				? current
				: await openRegular(path.join(dir, `audit.${generation}.jsonl`));
		if (!handle) continue;
		const end: number = await endOf(handle, to);
		for await (const entry of entriesOf(handle, generation, end)) {
			if (entry.at < from) return;
			if (entry.at <= to) yield entry;
		}
	}
}

/** Small enough to be read through; a block of this size has some ten entries. */
const CLOSE_BYTES = 4096;

/** A byte at which a line begins, after everything up to `to` and not long after it. */
async function endOf(handle: FileHandle, to: string): Promise<number> {
	let low = 0;
	let high = (await handle.stat()).size;
	while (high - low > CLOSE_BYTES) {
		const middle = Math.floor((low + high) / 2);
		const found = await entryBefore(handle, low, middle);
		if (!found) break;
		if (found.at > to) high = found.offset;
		else if (found.end > low) low = found.end;
	}
	return high;
}

/** The last whole entry between two bytes; a line begins at the first. */
async function entryBefore(handle: FileHandle, from: number, before: number) {
	const range = { from, before, blockBytes: CLOSE_BYTES };
	for await (const { bytes, cut, offset } of linesBackwards(handle, range)) {
		const entry = cut ? null : parse(bytes.toString());
		if (entry) return { at: entry.at, offset, end: offset + bytes.length + 1 };
	}
	return null;
}

/** Closes the file at the end. */
async function* entriesOf(handle: FileHandle, generation: number, before?: number) {
	try {
		for await (const { bytes, cut, offset } of linesBackwards(handle, { before })) {
			const entry = cut ? null : parse(bytes.toString());
			if (entry) yield { id: `${generation}-${offset}`, ...entry };
		}
	} finally {
		await handle.close();
	}
}

function parse(text: string) {
	try {
		return Line.parse(JSON.parse(text));
	} catch {
		return null; // one bad line is one line less
	}
}
