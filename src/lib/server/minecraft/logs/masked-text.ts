import { LINE_MAX_BYTES } from '#core/files';
import type { LogSource } from '#minecraft/log-files';
import { lineOf, withoutNul } from './text.ts';
import type { LogMask } from '#minecraft/mask';

const NEWLINE = 0x0a;
const CUT = Buffer.from(' … cut').toString('latin1');

/** What is not shown but may stand inside a secret, in UTF-8: terminal sequences and § codes. */
// eslint-disable-next-line no-control-regex
const CODES = /\u001b|\u00c2[\u0080-\u009f\u00a7]/;

/**
 * The text of a whole file, masked, block by block. Each byte is treated as a character: bytes that are not UTF-8
 * stay as they are, except NUL. A line with codes is returned as it is shown, without them. `notes` are asked for at
 * the end.
 */
export async function* maskedText(
	source: LogSource,
	mask: LogMask,
	notes: () => string[]
): AsyncGenerator<Buffer> {
	for await (const { bytes } of source.forwards(0, 'lines')) {
		const text = withoutNul(bytes.toString('latin1'));
		const inLines = hasLongLine(bytes) || CODES.test(text);
		const masked = inLines ? lineByLine(text, mask) : mask.text(text);
		yield Buffer.from(masked, 'latin1');
	}
	for (const note of notes()) yield Buffer.from(`\n… ${note}\n`);
}

function hasLongLine(bytes: Buffer) {
	let from = 0;
	for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
		if (to - from > LINE_MAX_BYTES) return true;
		from = to + 1;
	}
	return bytes.length - from > LINE_MAX_BYTES;
}

/**
 * Only the start of a long line is masked, with enough after it to see a whole secret. A block that ends within its
 * line is the start of a very long one, the rest of which is left out.
 */
function lineByLine(text: string, mask: LogMask) {
	const lines = text.split('\n').map((line) => {
		if (CODES.test(line)) return asShown(line, mask);
		return line.length <= LINE_MAX_BYTES
			? mask.text(line)
			: mask.text(line.slice(0, LINE_MAX_BYTES + mask.reach), keptOf(line)) + CUT;
	});
	return lines.join('\n') + (lines.at(-1)!.endsWith(CUT) ? '\n' : '');
}

function asShown(line: string, mask: LogMask) {
	const bytes = Buffer.from(line, 'latin1');
	const shown = lineOf(bytes, 0, bytes.length, mask);
	return Buffer.from(shown).toString('latin1') + (line.endsWith('\r') ? '\r' : '');
}

/** The cut goes before a character, not through its bytes. */
function keptOf(line: string) {
	let kept = LINE_MAX_BYTES;
	while (kept > LINE_MAX_BYTES - 3 && (line.charCodeAt(kept) & 0xc0) === 0x80) kept--;
	return kept;
}
