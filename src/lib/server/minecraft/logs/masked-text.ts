import { LINE_MAX_BYTES } from '#core/files';
import type { LogSource } from '#minecraft/log-files';
import { withoutNul } from './text.ts';
import type { LogMask } from '#minecraft/mask';

const NEWLINE = 0x0a;
const CUT = Buffer.from(' … cut').toString('latin1');

/**
 * The text of a whole file, masked, block by block. Each byte is taken for a character: what is not UTF-8 stays as it
 * is, but for NUL. `notes` are asked for at the end.
 */
export async function* maskedText(
	source: LogSource,
	mask: LogMask,
	notes: () => string[]
): AsyncGenerator<Buffer> {
	for await (const { bytes } of source.forwards(0, 'lines')) {
		const text = withoutNul(bytes.toString('latin1'));
		const masked = hasLongLine(bytes) ? withShortLines(text, mask) : mask.text(text);
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
 * Only the start of a long line is masked, with enough behind it to see a whole secret. A block that ends within its
 * line is the start of a very long one, of which nothing more comes.
 */
function withShortLines(text: string, mask: LogMask) {
	const short = (line: string) =>
		line.length <= LINE_MAX_BYTES
			? mask.text(line)
			: mask.text(line.slice(0, LINE_MAX_BYTES + mask.reach), keptOf(line)) + CUT;
	const lines = text.split('\n').map(short);
	return lines.join('\n') + (lines.at(-1)!.endsWith(CUT) ? '\n' : '');
}

/** The cut goes before a character, not through its bytes. */
function keptOf(line: string) {
	let kept = LINE_MAX_BYTES;
	while (kept > LINE_MAX_BYTES - 3 && (line.charCodeAt(kept) & 0xc0) === 0x80) kept--;
	return kept;
}
