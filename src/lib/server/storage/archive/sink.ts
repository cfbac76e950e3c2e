import { fdatasync, writeSync } from 'node:fs';
import { constants, createZstdCompress } from 'node:zlib';

/** Region files are deflated already: higher levels cost three times the CPU for one percent. */
const LEVEL = 1;
export const CHUNK = 256 * 1024;
const BUFFERS = 4;
/** Young buffers are given back that often, in chunks: otherwise they pile up to a hundred megabytes. */
const TIDY_EVERY = 16;
/** Written so far is pushed to the disk in portions: two gigabytes at once would stall the game's own saves. */
const SYNC_EVERY_BYTES = 64 << 20;

export const tidyMemory = () => void globalThis.gc?.({ type: 'minor', execution: 'sync' });

/** Bytes in, one zstd frame in a file out, with little memory: the compression runs beside the reading. */
export interface Sink {
	/** Where the next bytes go; `filled` tells how many. Never empty. */
	space(): Buffer;
	filled(count: number): Promise<void> | null;
	write(bytes: Buffer): Promise<void>;
	/** Everything is in the file and on the disk; how many bytes it is. */
	end(): Promise<number>;
}

export function openSink(fd: number): Sink {
	const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants;
	const zstd = createZstdCompress({
		chunkSize: CHUNK,
		params: { [ZSTD_c_compressionLevel]: LEVEL, [ZSTD_c_checksumFlag]: 1 }
	});
	const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(CHUNK));
	const under: Promise<void>[] = [];
	let [current, at, written, chunks, unsynced] = [0, 0, 0, 0, 0];
	let syncing = false;
	let failed: Error | null = null;
	const fail = (error: Error) => void (failed ??= error);
	const ended = new Promise<void>((resolve) => zstd.once('end', resolve).once('close', resolve));
	zstd.on('error', fail);
	zstd.on('data', (bytes: Buffer) => {
		try {
			for (let from = 0; from < bytes.length;) from += writeSync(fd, bytes, from);
		} catch (error) {
			fail(error as Error);
			zstd.destroy();
			return;
		}
		written += bytes.length;
		unsynced += bytes.length;
		if (unsynced >= SYNC_EVERY_BYTES && !syncing) pushOut();
	});
	function pushOut() {
		[syncing, unsynced] = [true, 0];
		fdatasync(fd, (error) => {
			syncing = false;
			if (error) fail(error);
		});
	}
	const check = () => {
		if (failed) throw failed;
	};
	const send = async () => {
		check();
		const bytes = buffers[current]!.subarray(0, at);
		under.push(
			new Promise((resolve) => {
				zstd.write(bytes, (error) => {
					if (error) fail(error);
					resolve();
				});
			})
		);
		[current, at] = [(current + 1) % BUFFERS, 0];
		if (++chunks % TIDY_EVERY === 0) tidyMemory();
		if (under.length >= BUFFERS) await under.shift();
		check();
	};
	const filled = (count: number) => ((at += count) === CHUNK ? send() : null);

	return {
		space: () => buffers[current]!.subarray(at),
		filled,
		async write(bytes) {
			for (let from = 0; from < bytes.length;) {
				const count = bytes.copy(buffers[current]!, at, from);
				from += count;
				await filled(count);
			}
		},
		async end() {
			if (at > 0) await send();
			await Promise.all(under);
			check();
			zstd.end();
			await ended;
			check();
			return written;
		}
	};
}
