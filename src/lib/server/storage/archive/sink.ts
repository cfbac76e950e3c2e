import { fdatasync, write } from 'node:fs';
import { promisify } from 'node:util';
import { constants, createZstdCompress } from 'node:zlib';
import { createSerial } from '#core/serial';

/** Region files are deflated already: higher levels cost three times the CPU for one percent. */
const LEVEL = 1;
/** The portion that is read, hashed and written at once. */
export const CHUNK = 256 * 1024;
/**
 * The portion that is compressed at once: a frame of its own, so that two can be in progress and neither waits for
 * us.
 */
export const PIECE = 512 * 1024;
const LANES = 2;
const PIECES = 5;
/**
 * zstd copies everything twice unless the output buffer is certain to suffice; this is for two pieces that do not
 * shrink.
 */
const OUT_CHUNK = 2 * (PIECE + (PIECE >> 8) + 64);
/**
 * How often buffers are released, in pieces. Too rarely, and they pile up to a hundred megabytes; too often, and the
 * garbage collector takes those in use for old ones and keeps them even longer.
 */
const TIDY_EVERY = 10;
/** How much is written before it is flushed to disk: two gigabytes at once would stall the game's own saves. */
const SYNC_EVERY_BYTES = 64 << 20;

const writeTo = promisify(write);
const sync = promisify(fdatasync);

export const tidyMemory = () => void globalThis.gc?.({ type: 'minor', execution: 'sync' });

/** Turns bytes into zstd frames in a file, with little memory: compressing and writing continue beside the reading. */
export interface Sink {
	/** The buffer for the next bytes; `filled` says how many were put in. Never empty. */
	space(): Buffer;
	filled(count: number): Promise<void> | null;
	write(bytes: Buffer): Promise<void>;
	/** Resolves with the size once everything is in the file. */
	end(): Promise<number>;
	/** When it resolves, nothing touches the file any more, however it went. */
	close(): Promise<void>;
}

export function openSink(fd: number): Sink {
	const lanes = Array.from({ length: LANES }, createLane);
	const pieces = Array.from({ length: PIECES }, () => Buffer.allocUnsafeSlow(PIECE));
	/** One for each piece that is not in the file yet, oldest first. */
	const under: Promise<void>[] = [];
	let [current, at, written, sent, unsynced] = [0, 0, 0, 0, 0];
	/** In the order of the pieces, whichever is compressed first. */
	const writing = createSerial();
	let syncing: Promise<void> | null = null;
	let failed: Error | null = null;
	const fail = (error: Error) => void (failed ??= error);

	const check = () => {
		if (failed) throw failed;
	};
	async function put(compressed: Promise<Buffer[]>) {
		const parts = await compressed;
		check();
		for (const part of parts) {
			for (let from = 0; from < part.length;)
				from += (await writeTo(fd, part, from, part.length - from)).bytesWritten;
			written += part.length;
			unsynced += part.length;
		}
		if (unsynced >= SYNC_EVERY_BYTES && !syncing) syncing = pushOut();
	}
	async function pushOut() {
		unsynced = 0;
		await sync(fd).catch(fail);
		syncing = null;
	}
	async function send() {
		check();
		const compressed = lanes[sent % LANES]!.compress(pieces[current]!.subarray(0, at));
		compressed.catch(() => {}); // reported in its turn
		under.push(writing.run(() => put(compressed)).catch(fail));
		[current, at] = [(current + 1) % PIECES, 0];
		if (++sent % TIDY_EVERY === 0) tidyMemory();
		if (under.length >= PIECES) await under.shift();
		check();
	}
	const filled = (count: number) => ((at += count) === PIECE ? send() : null);

	return {
		space: () => pieces[current]!.subarray(at, Math.min(at + CHUNK, PIECE)),
		filled,
		async write(bytes) {
			for (let from = 0; from < bytes.length;) {
				const count = bytes.copy(pieces[current]!, at, from);
				from += count;
				await filled(count);
			}
		},
		async end() {
			if (at > 0) await send();
			await writing.run(() => {});
			check();
			return written;
		},
		async close() {
			for (const lane of lanes) lane.close();
			await writing.run(() => {});
			await syncing;
		}
	};
}

/** Compresses each piece into a frame, one after the other. */
function createLane() {
	const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag, ZSTD_e_end } = constants;
	const zstd = createZstdCompress({
		...{ flush: ZSTD_e_end, chunkSize: OUT_CHUNK, readableHighWaterMark: 2 * OUT_CHUNK },
		params: { [ZSTD_c_compressionLevel]: LEVEL, [ZSTD_c_checksumFlag]: 1 }
	});
	zstd.on('error', () => {}); // reported by the piece in which it happened
	return {
		compress: (piece: Buffer) =>
			new Promise<Buffer[]>((resolve, reject) => {
				zstd.write(piece, (error) => {
					if (error) return reject(error);
					const parts: Buffer[] = [];
					for (let part = zstd.read(); part !== null; part = zstd.read()) parts.push(part);
					resolve(parts);
				});
			}),
		close: () => void zstd.destroy()
	};
}
