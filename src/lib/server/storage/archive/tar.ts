import { isUtf8 } from 'node:buffer';
import { fromBytes, toBytes } from './bytes.ts';

export const BLOCK = 512;
/** Two empty blocks end an archive. */
export const END_BYTES = 2 * BLOCK;

export type EntryType = 'file' | 'folder' | 'link';
/** One file, folder or symbolic link. Names are byte strings. */
export type Entry = {
	path: string;
	type: EntryType;
	/** Permissions only. */
	mode: number;
	size: number;
	mtimeNs: bigint;
	/** The target of a link, else empty. */
	target: string;
};

export class BadArchive extends Error {}

const FLAGS: Record<EntryType, string> = { file: '0', folder: '5', link: '2' };
const NAME_BYTES = 100;
/** What eleven octal digits hold. */
const OCTAL_MAX = 8 ** 11;
const PAX_MAX = 64 * 1024;
const SECOND = 1_000_000_000n;

export const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

/**
 * The header blocks of an entry: POSIX.1-2001 (pax), with an extended header only where ustar cannot express it all.
 */
export function encodeHeader(entry: Entry): Buffer {
	const path = entry.type === 'folder' ? `${entry.path}/` : entry.path;
	const records: [string, Buffer][] = [];
	const add = (key: string, value: Buffer) => records.push([key, value]);
	const binary = !isUtf8(toBytes(path + entry.target));
	// Names are otherwise uninterpreted bytes, as GNU tar and libarchive treat them.
	if (binary) add('hdrcharset', Buffer.from('BINARY'));
	if (!fits(path)) add('path', toBytes(path));
	if (!fits(entry.target)) add('linkpath', toBytes(entry.target));
	if (entry.size >= OCTAL_MAX) add('size', Buffer.from(String(entry.size)));
	const seconds = floorSeconds(entry.mtimeNs);
	if (entry.mtimeNs !== seconds * SECOND || seconds < 0n || seconds >= BigInt(OCTAL_MAX))
		add('mtime', Buffer.from(decimal(entry.mtimeNs)));
	const facts = {
		...{ path: path.slice(0, NAME_BYTES), target: entry.target.slice(0, NAME_BYTES) },
		...{ mode: entry.mode, size: entry.size, flag: FLAGS[entry.type] },
		seconds: Number(seconds)
	};
	const own = block(facts);
	if (records.length === 0) return own;
	const body = Buffer.concat(records.map(([key, value]) => record(key, value)));
	const head = { path: 'PaxHeader', target: '', mode: 0o644, size: body.length, flag: 'x' };
	return Buffer.concat([
		block({ ...head, seconds: 0 }),
		body,
		Buffer.alloc(padding(body.length)),
		own
	]);
}

const fits = (name: string) => name.length <= NAME_BYTES && /^[ -~]*$/.test(name);
const floorSeconds = (ns: bigint) => (ns >= 0n ? ns / SECOND : -((-ns + SECOND - 1n) / SECOND));

function decimal(ns: bigint) {
	const sign = ns < 0n ? '-' : '';
	const size = ns < 0n ? -ns : ns;
	return `${sign}${size / SECOND}.${String(size % SECOND).padStart(9, '0')}`;
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function record(key: string, value: Buffer): Buffer {
	const rest = key.length + value.length + 3;
	let length = rest + String(rest).length;
	if (String(length).length !== String(rest).length) length = rest + String(length).length;
	return Buffer.concat([Buffer.from(`${length} ${key}=`), value, Buffer.from('\n')]);
}

type Block = {
	path: string;
	target: string;
	mode: number;
	size: number;
	seconds: number;
	flag: string;
};

function block({ path, target, mode, size, seconds, flag }: Block): Buffer {
	const head = Buffer.alloc(BLOCK);
	const octal = (value: number, at: number, digits: number) =>
		head.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
	toBytes(path).copy(head, 0);
	octal(mode, 100, 7);
	octal(0, 108, 7);
	octal(0, 116, 7);
	octal(size < OCTAL_MAX ? size : 0, 124, 11);
	octal(Math.min(Math.max(seconds, 0), OCTAL_MAX - 1), 136, 11);
	head.fill(0x20, 148, 156);
	head.write(flag, 156, 'latin1');
	toBytes(target).copy(head, 157);
	head.write('ustar\x0000', 257, 'latin1');
	let sum = 0;
	for (const byte of head) sum += byte;
	head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
	return head;
}

export type Header =
	{ kind: 'end' } | { kind: 'pax'; size: number } | { kind: 'entry'; entry: Entry };

/**
 * Parses one header block. Accepts only what `encodeHeader` writes: no hard links, devices, sparse or GNU entries, no
 * global headers, no set-uid bits.
 */
export function decodeHeader(head: Buffer, pax: Map<string, Buffer>): Header {
	if (head.every((byte) => byte === 0)) return { kind: 'end' };
	checkSum(head);
	const flag = String.fromCharCode(head[156]!);
	const size = octalAt(head, 124, 12);
	if (flag === 'x') {
		if (size > PAX_MAX) throw new BadArchive('An extended header is too long.');
		return { kind: 'pax', size };
	}
	const type = (Object.keys(FLAGS) as EntryType[]).find((one) => FLAGS[one] === flag);
	if (!type)
		throw new BadArchive(`It holds an entry of an unknown kind (${JSON.stringify(flag)}).`);
	const named = fromBytes(pax.get('path') ?? textAt(head, 0, NAME_BYTES));
	const mode = octalAt(head, 100, 8);
	if (mode > 0o777) throw new BadArchive('It holds a file with special rights.');
	if (textAt(head, 345, 155).length > 0) throw new BadArchive('It holds a name in two parts.');
	const entry: Entry = {
		path: type === 'folder' ? named.replace(/\/$/, '') : named,
		type,
		mode,
		size: pax.has('size') ? wholeNumber(pax.get('size')!) : size,
		mtimeNs: pax.has('mtime')
			? nanoseconds(pax.get('mtime')!)
			: BigInt(octalAt(head, 136, 12)) * SECOND,
		target: type === 'link' ? fromBytes(pax.get('linkpath') ?? textAt(head, 157, NAME_BYTES)) : ''
	};
	if (type !== 'file' && entry.size !== 0) throw new BadArchive('A folder or a link has content.');
	return { kind: 'entry', entry };
}

const PAX_KEYS = new Set(['hdrcharset', 'path', 'linkpath', 'size', 'mtime']);

export function decodePax(body: Buffer): Map<string, Buffer> {
	const found = new Map<string, Buffer>();
	for (let at = 0; at < body.length;) {
		const space = body.indexOf(0x20, at);
		const length = space === -1 ? NaN : Number(body.toString('latin1', at, space));
		const end = at + length;
		const equals = body.indexOf(0x3d, space);
		const sound = Number.isSafeInteger(length) && length > 0 && end <= body.length && equals < end;
		if (!sound || equals === -1 || body[end - 1] !== 0x0a)
			throw new BadArchive('An extended header is damaged.');
		const key = body.toString('latin1', space + 1, equals);
		if (!PAX_KEYS.has(key) || found.has(key))
			throw new BadArchive('An extended header says something unknown.');
		found.set(key, body.subarray(equals + 1, end - 1));
		at = end;
	}
	return found;
}

function checkSum(head: Buffer) {
	let sum = 0;
	for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : head[i]!;
	if (octalAt(head, 148, 8) !== sum || head.toString('latin1', 257, 262) !== 'ustar')
		throw new BadArchive('A header is damaged.');
}

function textAt(head: Buffer, at: number, bytes: number): Buffer {
	const field = head.subarray(at, at + bytes);
	const end = field.indexOf(0);
	return end === -1 ? field : field.subarray(0, end);
}

function octalAt(head: Buffer, at: number, bytes: number): number {
	const text = head.toString('latin1', at, at + bytes).replace(/[\0 ]+$/, '');
	if (!/^[0-7]{1,11}$/.test(text)) throw new BadArchive('A header is damaged.');
	return parseInt(text, 8);
}

function wholeNumber(bytes: Buffer): number {
	const text = bytes.toString('latin1');
	if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
		throw new BadArchive('A size is not a number.');
	return Number(text);
}

function nanoseconds(bytes: Buffer): bigint {
	const [, sign, whole, part = ''] =
		/^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/.exec(bytes.toString('latin1')) ?? [];
	if (whole === undefined) throw new BadArchive('A time is not a number.');
	const ns = BigInt(whole) * SECOND + BigInt(part.padEnd(9, '0'));
	return sign ? -ns : ns;
}
