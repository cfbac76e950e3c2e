import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** Including the one being written. */
const FILES = 3;

/** The names of the file and its older versions, newest first. */
export const rotatedNames = (file: string) => [
	file,
	...Array.from({ length: FILES - 1 }, (_, n) => `${file}.${n + 1}`)
];

/**
 * Appends one line, mode 0600. A file that would grow past `maxBytes` becomes `<file>.1`, that one `.2`; the oldest
 * is deleted. Opens the file for each line, so that a rotation by another process is followed. Never writes through a
 * symlink.
 */
export function appendRotated(file: string, line: string, maxBytes: number) {
	const bytes = Buffer.from(`${line}\n`);
	let fd = openForAppend(file);
	try {
		if (fstatSync(fd).size + bytes.length > maxBytes && fstatSync(fd).size > 0) {
			closeSync(fd);
			fd = -1;
			rotate(file);
			fd = openForAppend(file);
		}
		for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
	} finally {
		if (fd !== -1) closeSync(fd);
	}
}

const openForAppend = (file: string) =>
	openSync(
		file,
		// Not blocking: a FIFO without a reader must fail, not wait.
		constants.O_WRONLY |
			constants.O_APPEND |
			constants.O_CREAT |
			constants.O_NOFOLLOW |
			constants.O_NONBLOCK,
		0o600
	);

function rotate(file: string) {
	for (let n = FILES - 1; n >= 1; n--) {
		try {
			renameSync(n === 1 ? file : `${file}.${n - 1}`, `${file}.${n}`);
		} catch {
			// There is none of that age yet.
		}
	}
}
