import { lstatSync, type BigIntStats } from 'node:fs';
import { lstat, type FileHandle } from 'node:fs/promises';
import { errno } from '#core/errors';
import { openRegular, createLineSplitter, LINE_MAX_BYTES } from '#core/files';
import { countLines, skippedLine } from './skipped.ts';

const BLOCK_BYTES = 256 * 1024;
/** When more than this arrives at once, the oldest of it is counted and skipped instead of read as lines. */
const READ_MAX_BYTES = 4 * 1024 * 1024;
/** The bytes before the reading position that are compared to notice that a file was rewritten in place. */
const WITNESS_BYTES = 256;

const keyOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`;
const stampOf = (s: BigIntStats) => `${keyOf(s)}:${s.size}:${s.mtimeNs}:${s.ctimeNs}`;

/** Reads what was added to a file since the last `read`, as lines; always finishes the old file before a new one. */
export function createTail(file: string, from: 'end' | 'start', emit: (lines: string[]) => void) {
	const splitter = createLineSplitter();
	const block = Buffer.allocUnsafe(BLOCK_BYTES);
	// Held open as long as it may be the current file: the inode of an open file is never reused.
	let handle: FileHandle | null = null;
	let key = '';
	let stamp = '';
	let offset = 0;
	let witness: Buffer = Buffer.alloc(0);
	/** Lines skipped so far, while the end of the last of them has not arrived yet. */
	let skipping: { lines: number; exact: boolean } | null = null;
	let first: { key: string; size: bigint } | null = from === 'end' ? seen(file) : null;

	async function read() {
		const now = await lookAt(file);
		if (now && handle && stampOf(now) === stamp) return;
		if (handle && (!now || keyOf(now) !== key)) {
			await readTo(Number((await handle.stat({ bigint: true })).size));
			if (!now) return;
			await finish();
		}
		if (!now || (!handle && !(await begin()))) return;
		await readCurrent();
	}

	async function begin(): Promise<boolean> {
		handle = await openRegular(file);
		if (!handle) return false;
		key = keyOf(await handle.stat({ bigint: true }));
		offset = first?.key === key ? Number(first.size) : 0;
		first = null;
		witness = await before(Math.max(WITNESS_BYTES, LINE_MAX_BYTES));
		// A line that was begun before we started is delivered whole.
		splitter.push(witness.subarray(witness.lastIndexOf(0x0a) + 1));
		return true;
	}

	async function readCurrent() {
		const now = await handle!.stat({ bigint: true });
		if (Number(now.size) < offset || !(await before(witness.length)).equals(witness)) restart();
		await readTo(Number(now.size));
		stamp = stampOf(now);
	}

	/** The `length` bytes that stand before the reading position. */
	async function before(length: number): Promise<Buffer> {
		const wanted = Math.min(length, offset);
		const bytes = Buffer.alloc(wanted);
		const { bytesRead } = await handle!.read(bytes, 0, wanted, offset - wanted);
		return bytes.subarray(0, bytesRead);
	}

	function restart() {
		if (skipping) emit([skippedLine(skipping.lines, skipping.exact)]);
		emit(splitter.flush());
		offset = 0;
		witness = Buffer.alloc(0);
		skipping = null;
	}

	async function finish() {
		restart();
		await handle?.close();
		handle = null;
	}

	async function readTo(size: number) {
		if (size - offset > READ_MAX_BYTES) await skipTo(size - READ_MAX_BYTES);
		while (offset < size) {
			const { bytesRead } = await handle!.read(
				block,
				0,
				Math.min(BLOCK_BYTES, size - offset),
				offset
			);
			if (bytesRead === 0) return;
			offset += bytesRead;
			const bytes = block.subarray(0, bytesRead);
			witness = Buffer.from(
				Buffer.concat([witness, bytes.subarray(-WITNESS_BYTES)]).subarray(-WITNESS_BYTES)
			);
			take(bytes);
		}
	}

	function take(bytes: Buffer) {
		if (!skipping) return emit(splitter.push(bytes));
		const end = bytes.indexOf(0x0a);
		if (end === -1) return;
		emit([
			skippedLine(skipping.lines + 1, skipping.exact),
			...splitter.push(bytes.subarray(end + 1))
		]);
		skipping = null;
	}

	async function skipTo(target: number) {
		splitter.drop();
		const { lines, exact } = await countLines(handle!, block, offset, target);
		skipping = { lines: lines + (skipping?.lines ?? 0), exact };
		offset = target;
		witness = await before(WITNESS_BYTES);
	}

	return {
		read,
		async close() {
			await handle?.close();
			handle = null;
		}
	};
}

/** Opens a regular file there, or returns null. */
async function lookAt(file: string): Promise<BigIntStats | null> {
	const found = await lstat(file, { bigint: true }).catch((error) => {
		if (['ENOENT', 'ENOTDIR'].includes(errno(error) ?? '')) return null;
		throw error;
	});
	return found?.isFile() ? found : null;
}

/** Synchronously, not in a later turn: what is written after a subscription is never taken for old. */
function seen(file: string) {
	try {
		const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
		return found?.isFile() ? { key: keyOf(found), size: found.size } : null;
	} catch {
		return null; // unreadable now; once it is readable it counts as new
	}
}
