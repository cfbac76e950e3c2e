import type { FileHandle } from 'node:fs/promises';
import { AppError } from '#core/errors';
import { openRegular } from '#core/files';
import type { Gate, Turn } from './gate.ts';
import { parseRange, type Range } from './range.ts';

/** An archive being downloaded. */
export type Download = {
	status: 200 | 206;
	headers: Record<string, string>;
	/** Read only as fast as it is consumed; opened at the first read, closed at the end and when cancelled. */
	stream: ReadableStream<Uint8Array>;
};

const PIECE_BYTES = 128 * 1024;

type Wanted = {
	file: string;
	id: string;
	name: string;
	range: string | null;
	ifRange: string | null;
};

export async function openDownload(
	wanted: Wanted,
	{ gate, disposition }: { gate: Gate; disposition: (name: string) => string }
): Promise<Download> {
	const { file, id, range } = wanted;
	gate.check();
	const handle = await openRegular(file);
	if (!handle) throw new AppError('not-found', 'There is no such backup.');
	let part: Range | 'outside' | null;
	let size: number;
	try {
		({ size } = await handle.stat());
		const etag = `"${id}"`;
		// An archive never changes while it has the same id.
		part = wanted.ifRange === null || wanted.ifRange === etag ? parseRange(range, size) : null;
	} finally {
		await handle.close();
	}
	if (part === 'outside')
		throw new AppError('out-of-range', 'The archive has no such part. Ask for the whole of it.', {
			bytes: size
		});
	const { start, end } = part ?? { start: 0, end: size - 1 };
	return {
		status: part ? 206 : 200,
		headers: {
			'content-type': 'application/zstd',
			'content-length': String(end - start + 1),
			'content-disposition': disposition(wanted.name),
			'accept-ranges': 'bytes',
			etag: `"${id}"`,
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
			...(part && { 'content-range': `bytes ${start}-${end}/${size}` })
		},
		stream: pieces(file, start, end, gate)
	};
}

function pieces(file: string, start: number, end: number, gate: Gate): ReadableStream<Uint8Array> {
	let handle: FileHandle | null = null;
	let turn: Turn | null = null;
	let at = start;
	const close = async () => {
		turn?.leave();
		await handle?.close();
		handle = null;
	};
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					// Not earlier: the answer may never be read.
					turn ??= gate.enter();
					handle ??= await openRegular(file);
					if (!handle) throw new Error('The archive was deleted meanwhile');
					const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at + 1));
					await turn.take(piece.length);
					const { bytesRead } = await handle.read(piece, 0, piece.length, at);
					if (bytesRead === 0 && at <= end) throw new Error('The archive is shorter than it was');
					at += bytesRead;
					if (bytesRead > 0) controller.enqueue(piece.subarray(0, bytesRead));
					if (at <= end) return;
					await close();
					controller.close();
				} catch (error) {
					await close();
					throw error;
				}
			},
			cancel: close
		},
		{ highWaterMark: 0 }
	);
}
