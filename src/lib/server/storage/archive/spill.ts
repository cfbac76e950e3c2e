import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { PRIVATE_FILE } from '#core/files';
import { sha256 } from './manifest.ts';
import { CHUNK } from './sink.ts';

export type Spill = ReturnType<typeof openSpill>;

/** Keeps the manifest's lines on disk until the archive is complete: there may be a million. */
export function openSpill(file: string) {
	const fd = openSync(file, 'wx+', PRIVATE_FILE);
	const hash = sha256();
	let [waiting, length, bytes]: [string[], number, number] = [[], 0, 0];
	const flush = () => {
		const text = Buffer.from(waiting.join(''));
		[waiting, length] = [[], 0];
		hash.update(text);
		for (let from = 0; from < text.length;) from += writeSync(fd, text, from);
		bytes += text.length;
	};
	return {
		write(line: string) {
			waiting.push(line);
			if ((length += line.length) >= CHUNK) flush();
		},
		end() {
			flush();
			return { bytes, sha256: hash.digest('hex'), parts: () => partsOf(fd) };
		},
		close: () => closeSync(fd)
	};
}

function* partsOf(fd: number) {
	for (let at = 0; ;) {
		const part = Buffer.allocUnsafeSlow(CHUNK);
		const count = readSync(fd, part, 0, part.length, at);
		if (count === 0) return;
		at += count;
		yield part.subarray(0, count);
	}
}
