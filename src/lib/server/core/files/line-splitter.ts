import { StringDecoder } from 'node:string_decoder';

export const LINE_MAX_BYTES = 8 * 1024;
const CUT = ' … cut';
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export type LineSplitter = {
	/** The lines that these bytes complete. */
	push(bytes: Buffer): string[];
	/** What follows the last newline, as a line, for when no more will come. */
	flush(): string[];
	/** Forgets an unfinished line; true when there was one. */
	drop(): boolean;
};

/**
 * Splits bytes into lines at the byte `\n`, then decodes line by line, so that a bad byte, a cut character or another
 * charset spoils only its own line. A line keeps its first 8 kB, however long it is.
 */
export function createLineSplitter(): LineSplitter {
	let parts: Buffer[] = [];
	let kept = 0;
	let seen = 0;

	/** Copied: the caller reads its next block into the same buffer. */
	const keep = (bytes: Buffer) => {
		const part = Buffer.from(bytes.subarray(0, LINE_MAX_BYTES - kept));
		if (part.length) parts.push(part);
		kept += part.length;
		seen += bytes.length;
	};
	const take = (end: Buffer) => {
		if (seen === 0) return decodeLine(end);
		keep(end);
		const line = decodeLine(Buffer.concat(parts), seen > kept);
		drop();
		return line;
	};
	const drop = () => {
		const unfinished = seen > 0;
		parts = [];
		kept = seen = 0;
		return unfinished;
	};

	return {
		push(bytes) {
			const lines: string[] = [];
			let from = 0;
			for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
				lines.push(take(bytes.subarray(from, at)));
				from = at + 1;
			}
			if (from < bytes.length) keep(bytes.subarray(from));
			return lines;
		},
		flush: () => (seen > 0 ? [take(Buffer.alloc(0))] : []),
		drop
	};
}

/** Neither `\r` before the newline nor a byte order mark is text. A cut line ends before a cut character. */
export function decodeLine(bytes: Buffer, cut = bytes.length > LINE_MAX_BYTES): string {
	if (cut) return new StringDecoder('utf8').write(bytes.subarray(0, LINE_MAX_BYTES)) + CUT;
	const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
	const text = bytes.toString('utf8', 0, end);
	return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
