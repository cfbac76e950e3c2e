import { constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errno } from '#core/errors';
import { shown } from './bytes.ts';
import type { Found } from './walk.ts';

/** Files up to this size are read whole, and again when they changed meanwhile; larger ones as they are. */
export const WHOLE_MAX = 16 << 20;
const TRIES = 5;
/** For all files together: a game that never rests must not hold up the backup. */
const RETRY_LIMIT_MS = 20_000;
/** The game truncates a small file and rewrites it in less time than this. */
const FRESH_MS = 50;

export const same = (a: BigIntStats, b: BigIntStats) =>
	a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino;

/** Reads files that another program may be writing. */
export function createReader(warn: (sentence: string) => void) {
	let scratch = Buffer.alloc(0);
	let retryMs = RETRY_LIMIT_MS;

	const pause = async (ms: number) => {
		retryMs -= ms;
		await delay(ms);
	};
	const readAll = (fd: number, size: number) => {
		if (scratch.length < size)
			scratch = Buffer.allocUnsafeSlow(
				Math.min(WHOLE_MAX, Math.max(size, scratch.length * 2, 1 << 20))
			);
		let read = 0;
		for (let count = -1; count !== 0 && read < size; read += count)
			count = readSync(fd, scratch, read, size - read, read);
		return scratch.subarray(0, read);
	};

	return {
		/** Null when it no longer exists, or is not readable; that is reported. */
		open({ path, at }: Found): number | null {
			try {
				return openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
			} catch (error) {
				const code = errno(error);
				if (code === 'EACCES' || code === 'EPERM')
					warn(`${shown(path)} was left out: permission was denied.`);
				else if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO')
					warn(`${shown(path)} vanished before it could be read.`);
				else throw error;
				return null;
			}
		},
		/** Its content at one moment; after some attempts, as it is. */
		async whole({ path }: Found, fd: number, stats: BigIntStats) {
			let before = stats;
			for (let attempt = 1; ; attempt++) {
				const age = Date.now() - Number(before.mtimeMs);
				if (age >= 0 && age < FRESH_MS && retryMs > 0) {
					await pause(FRESH_MS);
					before = fstatSync(fd, { bigint: true });
				}
				const size = Math.min(Number(before.size), WHOLE_MAX);
				const content = readAll(fd, size);
				const after = fstatSync(fd, { bigint: true });
				const steady = same(before, after) && content.length === Number(before.size);
				if (!steady && attempt < TRIES && retryMs > 0) {
					await pause(10 * 2 ** attempt);
					before = fstatSync(fd, { bigint: true });
					continue;
				}
				if (!steady) warn(`${shown(path)} changed while it was read.`);
				return { content, size: content.length, mtimeNs: before.mtimeNs };
			}
		}
	};
}
