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
