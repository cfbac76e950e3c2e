import { createGunzip, createInflateRaw, constants } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { FileHandle } from 'node:fs/promises';
import { errno } from '#core/errors';
import { piecesOf } from './blocks.ts';

/** More than a day of any real server; a file of a few megabytes can hold a thousand times its size. */
export const INFLATED_MAX_BYTES = 64 * 1024 * 1024;

/** `cut`: more than the limit. `damaged`: what could be decoded was delivered. */
export type InflateTrouble = 'cut' | 'damaged' | 'not-gzip';

const GZIP = 0x1f8b;
const DEFLATE = 8;

/** The content of a `.gz` file, in pieces, at most `maxBytes` of it. Never throws because of the file's content. */
export async function* inflate(
	handle: FileHandle,
	trouble: (what: InflateTrouble) => void,
	maxBytes = INFLATED_MAX_BYTES
): AsyncGenerator<Buffer> {
	let given = 0;
	const limited = async function* (pieces: AsyncIterable<Buffer>, skip: number) {
		for await (const piece of pieces) {
			const fresh = piece.subarray(Math.min(skip, piece.length), skip + maxBytes - given);
			skip = Math.max(0, skip - piece.length);
			given += fresh.length;
			if (fresh.length > 0) yield fresh;
			if (given === maxBytes) return;
		}
	};
	const body = await bodyOf(handle);
	if (body === null) return trouble('not-gzip');
	try {
		yield* limited(through(createGunzip(), piecesOf(handle, 0)), 0);
	} catch (error) {
		if (!errno(error)?.startsWith('Z_')) throw error;
		trouble('damaged');
		yield* limited(salvaged(handle, body), given);
	}
	if (given === maxBytes) trouble('cut');
}

/**
 * Without the checks of the surrounding format: with those, Node discards what it decoded when the checksum is wrong
 * or the end is missing.
 */
async function* salvaged(handle: FileHandle, from: number) {
	const options = { finishFlush: constants.Z_SYNC_FLUSH };
	try {
		yield* through(createInflateRaw(options), piecesOf(handle, from));
	} catch (error) {
		if (!errno(error)?.startsWith('Z_')) throw error;
	}
}

async function* through(
	decoder: NodeJS.ReadWriteStream & AsyncIterable<Buffer>,
	pieces: AsyncIterable<Buffer>
) {
	// Copied: the reader reuses the buffer.
	const input = Readable.from(copies(pieces), { objectMode: false });
	yield* pipeline(input, decoder, () => {}) as unknown as AsyncIterable<Buffer>;
}

async function* copies(pieces: AsyncIterable<Buffer>) {
	for await (const piece of pieces) yield Buffer.from(piece);
}

/** Where the compressed bytes begin after the header (RFC 1952), or null when there is no valid header. */
async function bodyOf(handle: FileHandle): Promise<number | null> {
	const header = Buffer.alloc(1024);
	const { bytesRead } = await handle.read(header, 0, header.length, 0);
	if (bytesRead < 10 || header.readUInt16BE(0) !== GZIP || header[2] !== DEFLATE) return null;
	const flags = header[3]!;
	let at = 10;
	if (flags & 4) at += 2 + header.readUInt16LE(at);
	for (const flag of [8, 16])
		if (flags & flag) at = header.indexOf(0, Math.min(at, 1023)) + 1 || 1024;
	return at + (flags & 2 ? 2 : 0);
}
