import { isIPv6 } from 'node:net';
import type { Range } from './range.ts';

/**
 * Four numbers with dots, with a port. Not part of a longer row of numbers; may directly follow a colour code, whose
 * digit is not part of it.
 */
const V4 =
	/(?:(?<=§[0-9a-z])|(?<![\d§]|\d\.))\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d|\.\d)(?::\d{1,5}(?!\d))?/gi;
/** Every IPv6 address contains one of these: a double colon, or four groups in a row. */
const V6_CORE = /::|(?::[0-9a-f]{1,4}){4}/gi;
/** With an IPv4 address or a port at the end; a longer row of such characters is something else. */
const V6_MAX = 52;
const V6_ZONE = /%[\w.-]{1,32}/y;
/** The width of a row in the table of mods. */
const CONTEXT = 256;
const COLON = 0x3a;
const DOT = 0x2e;

/** Nearly every line has none of these: looking for a complete address costs ten times as much. */
const V4_HINT = /\d\.\d/;
const V6_HINT = ':';

/** Adds IP addresses, with their ports. Loopback and private ones too: who sits where is nobody's business either. */
export function addressRanges(text: string, ranges: Range[]) {
	if (V4_HINT.test(text)) addV4(text, ranges);
	if (text.includes(V6_HINT)) addV6(text, ranges);
}

function addV4(text: string, ranges: Range[]) {
	for (const { 0: found, index } of text.matchAll(V4)) {
		const end = index + found.length;
		if (isAddress(found) && !isVersion(text, index, end)) ranges.push([index, end]);
	}
}

function addV6(text: string, ranges: Range[]) {
	let seen = 0;
	for (const { 0: core, index } of text.matchAll(V6_CORE)) {
		if (index < seen) continue;
		const [start, end] = around(text, index, index + core.length);
		const range = end - start <= V6_MAX ? trimmed(text, start, end) : null;
		if (range) ranges.push(range);
		if (range || end - start > V6_MAX) seen = end;
	}
}

/** No host is in 0.0.0.0/8: it is "all addresses", or a version. */
const isAddress = (found: string) => {
	const numbers = found.split(':')[0]!.split('.').map(Number);
	return numbers[0] !== 0 && numbers.every((number) => number <= 255);
};

/**
 * Versions of mods may also have four numbers. Whatever marks one as a version, before or after it, must never stand
 * beside an address: in doubt it is an address.
 */
const VERSIONS: [before: RegExp, behind: RegExp][] = [
	[/$/, /^[\w.+-]*\.jar\b/],
	[/(?:^|[^a-z])v$/i, /^/],
	[/\bversion['"]?[:=]? ?['"]?[[(]?$|\brange: '[[(]$/i, /^/],
	[/\bFound status: [A-Z_]+ Current: (?:\S+ Target: )?$/, /^/],
	// `TRANSFORMER/jei@15.2.0.27/mezz.jei…` in a stack trace
	[/[A-Z]\/\w+@$/, /^\//],
	// the tables of mods: in what Forge and NeoForge print, and Quilt's with its checksums
	[/\.jar *\|[^\n]*\| *$/, /^ *\|/],
	[/\| $/, /^ +\| \w+ +\| [0-9a-f]{40} \|/]
];

function isVersion(text: string, start: number, end: number) {
	const before = text.slice(Math.max(0, start - CONTEXT), start);
	const behind = text.slice(end, end + CONTEXT);
	return VERSIONS.some(([left, right]) => right.test(behind) && left.test(before));
}

/** All the characters of an address, on both sides of its core; a little more than the longest at most. */
function around(text: string, coreStart: number, coreEnd: number): Range {
	let start = coreStart;
	while (coreEnd - start <= V6_MAX && isHexOrColon(text.charCodeAt(start - 1))) start--;
	if (text[start - 1] === '§' && start < coreStart) start++;
	let end = coreEnd;
	for (let code = text.charCodeAt(end); end - start <= V6_MAX; code = text.charCodeAt(++end))
		if (code !== DOT && !isHexOrColon(code)) break;
	return [start, end];
}

/** False for NaN, beyond either end of the text. */
const isHexOrColon = (code: number) =>
	(code >= 0x30 && code <= COLON) ||
	(code >= 0x61 && code <= 0x66) ||
	(code >= 0x41 && code <= 0x46);

/** The address without the punctuation around it, or null when it is something else that has colons. */
function trimmed(text: string, from: number, to: number): Range | null {
	// `ip:2001:db8::1` and `2001:db8::1: timed out`
	const start = text[from] === ':' && text[from + 1] !== ':' ? from + 1 : from;
	let end = to;
	while (text[end - 1] === '.' || (text[end - 1] === ':' && text[end - 2] !== ':')) end--;
	if (!isWritten(text.slice(start, end)) || !standsAlone(text, start, end)) return null;
	V6_ZONE.lastIndex = end;
	return [start, end + (V6_ZONE.exec(text)?.[0].length ?? 0)];
}

/** Java before 14 writes the port of a full address after one more colon. */
const isWritten = (found: string) =>
	found !== '::' && (isIPv6(found) || isIPv6(found.replace(/:\d{1,5}$/, '')));

/** `Vec3::add` is a name. */
function standsAlone(text: string, start: number, end: number) {
	if (/\w/.test(text[end] ?? '')) return false;
	const before = text.slice(Math.max(0, start - 12), start);
	return (
		/\d/.test(text[start]!) ||
		// eslint-disable-next-line no-control-regex
		/(?:^|[^0-9a-z_]|§[0-9a-z]|\u001b\[[\d;]*m|\\[a-z])$/i.test(before)
	);
}
