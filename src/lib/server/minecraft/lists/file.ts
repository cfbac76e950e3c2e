import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { errno } from '#core/errors';
import { diskTrouble, openRegular } from '#core/files';
import { parseListText } from './text.ts';

export const LIST_MAX_BYTES = 2 * 1024 * 1024;
/** The game empties a file and then writes it: a file caught in between is complete a moment later. */
const RETRY_MS = [50, 100, 250];

export type ListContent = {
	values: unknown[];
	/** Why this may not be what the file says, in one sentence; null when it is. */
	problem: string | null;
};

export interface ListFile {
	/** Never rejects. A file that cannot be read has the content that was last read. */
	read(): Promise<ListContent>;
}

type Attempt =
	| { values: unknown[] }
	/** It may be in the middle of being written. */
	| { torn: string }
	| { refused: string };

export function createListFile(file: string, clock: Clock): ListFile {
	const name = path.basename(file);
	let lastGood: unknown[] | null = null;

	return {
		async read() {
			let attempt = await tryRead(file);
			for (const waitMs of RETRY_MS) {
				if (!('torn' in attempt)) break;
				await clock.sleep(waitMs);
				attempt = await tryRead(file);
			}
			if ('values' in attempt) {
				lastGood = attempt.values;
				return { values: attempt.values, problem: null };
			}
			const why = 'torn' in attempt ? attempt.torn : attempt.refused;
			const shown = lastGood ? ' What is shown was read before that.' : '';
			return { values: lastGood ?? [], problem: `${name} ${why}.${shown}` };
		}
	};
}

async function tryRead(file: string): Promise<Attempt> {
	try {
		const handle = await openRegular(file);
		if (!handle) return (await isThere(file)) ? { refused: NOT_PLAIN } : { values: [] };
		try {
			const { size } = await handle.stat();
			if (size > LIST_MAX_BYTES) return { refused: 'is far larger than the game writes it' };
			const bytes = await handle.readFile();
			if (bytes.length === 0) return { torn: EMPTY };
			const list = parseListText(bytes);
			return list ? { values: list.elements.map(({ value }) => value) } : { torn: DAMAGED };
		} finally {
			await handle.close();
		}
	} catch (error) {
		return { refused: `cannot be read: ${diskTrouble(error)}` };
	}
}

const NOT_PLAIN = 'is a link or not a plain file, so it is never read';
const EMPTY = 'is empty, as after a crash: the game takes that for an empty list';
const DAMAGED = 'is damaged: it is not a list in JSON. Repair it while the server is stopped';

const isThere = (file: string) =>
	lstat(file).then(
		() => true,
		(error) => {
			if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return false;
			throw error;
		}
	);
