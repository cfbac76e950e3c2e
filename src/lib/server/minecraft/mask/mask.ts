import { addressRanges } from './addresses.ts';
import { credentialRanges } from './credentials.ts';
import type { Range } from './range.ts';

/** Replaces what a person may not see. */
export const MASKED = '***';

/**
 * Hides secrets and addresses in text of the log. Lines are kept apart: nothing is matched across a line break and no
 * line is lost, so that a block of lines can be masked at once. Takes time in proportion to the length.
 */
export interface LogMask {
	/**
	 * Returns the masked text. With `keep`, only what begins within its first `keep` UTF-16 units: a secret that the
	 * cut would split is hidden whole, provided that `reach` more units follow for recognising it.
	 */
	text(text: string, keep?: number): string;
	readonly reach: number;
}

type Input = {
	/** Hidden from everybody. */
	secrets: Iterable<string>;
	/** Whether IP addresses are hidden too. */
	addresses: boolean;
};

/** Masking shorter ones would turn half of the log into stars; nobody should have such a secret. */
const SECRET_MIN = 4;
/** The longest of what is recognised by its form: an address with its port, a word that announces a secret. */
const REACH_MIN = 512;

export function createLogMask({ secrets, addresses }: Input): LogMask {
	const forms = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length);
	const known = forms.length ? new RegExp(forms.map(escape).join('|'), 'g') : null;

	return {
		text(text, keep = text.length) {
			const ranges: Range[] = [];
			if (known) overlapping(known, text, ranges);
			credentialRanges(text, ranges);
			if (addresses) addressRanges(text, ranges);
			return ranges.length ? hide(text, ranges, keep) : text.slice(0, keep);
		},
		reach: Math.max(REACH_MIN, forms[0]?.length ?? 0)
	};
}

/**
 * A secret as it is, in a URL, in JSON, and with each of its UTF-8 bytes read as one character: whole files are
 * masked that way, so that bytes in them that are not UTF-8 stay as they are. A secret with line breaks is hidden
 * line by line.
 */
function formsOf(secret: string): string[] {
	return secret
		.split(/[\r\n]+/)
		.flatMap((line) => [line, encode(line), JSON.stringify(line).slice(1, -1)])
		.flatMap((form) => [form, Buffer.from(form).toString('latin1')])
		.filter((form) => form.length >= SECRET_MIN);
}

function encode(text: string) {
	try {
		return encodeURIComponent(text);
	} catch {
		return text; // half a surrogate pair
	}
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Includes those that begin inside another: when two secrets overlap, no end may be left over. */
function overlapping(pattern: RegExp, text: string, ranges: Range[]) {
	pattern.lastIndex = 0;
	for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
		ranges.push([found.index, found.index + found[0].length]);
		pattern.lastIndex = found.index + 1;
	}
}

function hide(text: string, ranges: Range[], keep: number) {
	ranges.sort((a, b) => a[0] - b[0]);
	let masked = '';
	let from = 0;
	for (const [start, end] of ranges) {
		if (start >= keep) break;
		if (start >= from) masked += text.slice(from, start) + MASKED;
		from = Math.max(from, end);
	}
	return masked + text.slice(from, Math.max(from, keep));
}
