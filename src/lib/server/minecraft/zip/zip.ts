import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';

const END_SIGNATURE = 0x06054b50;
const ZIP64_SIGNATURE = 0x07064b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ZIP64_LOCATOR_BYTES = 20;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_MAX_BYTES = 0xffff;
/** The largest server jar lists 10,000 files in 1 MB. */
const DIRECTORY_MAX_BYTES = 8 << 20;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const CHUNK_BYTES = 1 << 20;
/** What a Unix program wrote about an entry: its kind, in the upper half of the attributes. */
const MODE_SHIFT = 16;
const KIND_MASK = 0o170000;
const PLAIN_KINDS = [0, 0o100000, 0o040000];

const inflate = promisify(inflateRaw);

/** Bytes that can be read at any position: those of a file, or of a zip within a zip. */
export type ZipSource = { size: number; read(from: number, to: number): Promise<Buffer> };

/** Why something that is listed cannot be read. */
export type Unreadable = 'too-large' | 'encrypted' | 'damaged';
/** Why it is not a readable zip at all. `zip64` is for archives over 4 GB, and no jar is that large. */
export type NoZip = 'empty' | 'not-a-zip' | 'truncated' | 'zip64';

type Entry = { flags: number; method: number; crc: number; packed: number; offset: number };
/** What the directory says of one entry. */
export type ZipListed = Entry & {
	name: string;
	/** When unpacked, as the directory claims. */
	size: number;
	folder: boolean;
	/** A link, a device or the like. */
	special: boolean;
};

export interface Zip {
	has(name: string): boolean;
	/** Everything in the order of the directory, doubles included. */
	list(): ZipListed[];
	/**
	 * Unpacks what was listed in pieces, and never more than its listed size. Null when it was whole; otherwise what
	 * was written is worth nothing. What `write` throws is thrown.
	 */
	extract(entry: ZipListed, write: (chunk: Buffer) => Promise<void>): Promise<Unreadable | null>;
	/** Those of these files that are listed, in no order; each at most `maxBytes` large when unpacked. */
	read(names: Iterable<string>, maxBytes: number): Promise<Map<string, Buffer | Unreadable>>;
}

/**
 * The named files of a zip, each at most `maxBytes` large when unpacked; others and damaged ones are absent. Reads
 * the directory at the end and those files only. Null when it is not a zip, or of a kind that no jar is (zip64).
 */
export async function readZipEntries(
	handle: FileHandle,
	names: string[],
	maxBytes: number
): Promise<Map<string, Buffer> | null> {
	const zip = await openZip(await fileSource(handle));
	if (typeof zip === 'string') return null;
	const found = await zip.read(names, maxBytes);
	return new Map(
		[...found].filter((entry): entry is [string, Buffer] => Buffer.isBuffer(entry[1]))
	);
}

/** Reads the directory at the end, and nothing else until it is asked for. */
export async function openZip(source: ZipSource): Promise<Zip | NoZip> {
	const directory = await readDirectory(source);
	if (typeof directory === 'string') return directory;
	const { bytes, shift } = directory;
	return {
		has: (name) => find(bytes, [name]).size > 0,
		list: () => listed(bytes),
		extract: (entry, write) =>
			extractEntry(source, { ...entry, offset: entry.offset + shift }, write),
		async read(names, maxBytes) {
			const found = new Map<string, Buffer | Unreadable>();
			for (const [name, entry] of find(bytes, names))
				found.set(
					name,
					await readEntry(source, { ...entry, offset: entry.offset + shift }, maxBytes)
				);
			return found;
		}
	};
}

export async function fileSource(handle: FileHandle): Promise<ZipSource> {
	const { size } = await handle.stat();
	return { size, read: (from, to) => readAt(handle, from, to) };
}

export const bufferSource = (buffer: Buffer): ZipSource => ({
	size: buffer.length,
	read: async (from, to) => buffer.subarray(from, Math.max(from, to))
});

async function readDirectory(source: ZipSource) {
	const { size } = source;
	if (size === 0) return 'empty' as const;
	const tail = await source.read(Math.max(0, size - END_BYTES - COMMENT_MAX_BYTES), size);
	let end = tail.length - END_BYTES;
	while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
	if (end < 0) return noEnd(source);
	const locator = end - ZIP64_LOCATOR_BYTES;
	if (locator >= 0 && tail.readUInt32LE(locator) === ZIP64_SIGNATURE) return 'zip64' as const;
	const length = tail.readUInt32LE(end + 12);
	const start = tail.readUInt32LE(end + 16);
	// Something may precede the zip (a self-extracting jar): offsets count from where the zip begins.
	const directoryEnd = size - tail.length + end;
	const shift = directoryEnd - length - start;
	if (length > DIRECTORY_MAX_BYTES || shift < 0) return 'not-a-zip' as const;
	return { bytes: await source.read(directoryEnd - length, directoryEnd), shift };
}

/** The directory stands at the end: a file that begins like a zip and has none was cut off. */
async function noEnd(source: ZipSource): Promise<NoZip> {
	const head = await source.read(0, Math.min(4, source.size));
	return head.length === 4 && head.readUInt32LE(0) === LOCAL_SIGNATURE ? 'truncated' : 'not-a-zip';
}

/** One pass over the directory. Of two entries with one name the first counts. */
function find(directory: Buffer, names: Iterable<string>): Map<string, Entry> {
	const wanted = new Set(names);
	const lengths = new Set([...wanted].map((name) => Buffer.byteLength(name)));
	const found = new Map<string, Entry>();
	let at = 0;
	while (
		at + ENTRY_BYTES <= directory.length &&
		directory.readUInt32LE(at) === ENTRY_SIGNATURE &&
		found.size < wanted.size
	) {
		const length = directory.readUInt16LE(at + 28);
		const nameEnd = at + ENTRY_BYTES + length;
		// Most names can be told apart by their length: making strings of 10,000 of them takes longer than all the
		// rest.
		const name = lengths.has(length) ? directory.toString('utf8', at + ENTRY_BYTES, nameEnd) : null;
		if (name !== null && wanted.has(name) && !found.has(name))
			found.set(name, entryAt(directory, at));
		at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
	}
	return found;
}

const entryAt = (directory: Buffer, at: number): Entry => ({
	flags: directory.readUInt16LE(at + 8),
	method: directory.readUInt16LE(at + 10),
	crc: directory.readUInt32LE(at + 16),
	packed: directory.readUInt32LE(at + 20),
	offset: directory.readUInt32LE(at + 42)
});

function listed(directory: Buffer): ZipListed[] {
	const all: ZipListed[] = [];
	let at = 0;
	while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
		const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
		const name = directory.toString('utf8', at + ENTRY_BYTES, nameEnd);
		const kind = (directory.readUInt32LE(at + 38) >>> MODE_SHIFT) & KIND_MASK;
		all.push({
			...entryAt(directory, at),
			name,
			size: directory.readUInt32LE(at + 24),
			folder: name.endsWith('/'),
			special: !PLAIN_KINDS.includes(kind)
		});
		at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
	}
	return all;
}

async function readEntry(
	source: ZipSource,
	entry: Entry,
	maxBytes: number
): Promise<Buffer | Unreadable> {
	if (entry.flags & ENCRYPTED) return 'encrypted';
	if (entry.packed > maxBytes) return 'too-large';
	const start = await startOf(source, entry);
	if (start === null) return 'damaged';
	const packed = await source.read(start, start + entry.packed);
	if (packed.length < entry.packed) return 'damaged';
	const data = await unpack(packed, entry.method, maxBytes);
	return typeof data === 'string' || crc32(data) === entry.crc ? data : 'damaged';
}

/** Where the bytes of an entry begin; null when there is none. */
async function startOf(source: ZipSource, { offset }: Entry): Promise<number | null> {
	const local = await source.read(offset, offset + LOCAL_BYTES);
	if (local.length < LOCAL_BYTES || local.readUInt32LE(0) !== LOCAL_SIGNATURE) return null;
	return offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
}

async function extractEntry(
	source: ZipSource,
	entry: ZipListed,
	write: (chunk: Buffer) => Promise<void>
): Promise<Unreadable | null> {
	if (entry.flags & ENCRYPTED) return 'encrypted';
	const start = await startOf(source, entry);
	if (start === null || ![STORED, DEFLATED].includes(entry.method)) return 'damaged';
	let size = 0;
	let crc = 0;
	let refused: { cause: unknown } | null = null;
	const take = async (chunks: AsyncIterable<Buffer>) => {
		for await (const chunk of chunks) {
			size += chunk.length;
			if (size > entry.size) throw new Error('It goes on after its listed size');
			crc = crc32(chunk, crc);
			await write(chunk).catch((cause) => {
				refused = { cause };
				throw cause;
			});
		}
	};
	const packed = chunksOf(source, start, start + entry.packed);
	try {
		if (entry.method === STORED) await take(packed);
		else await pipeline(packed, createInflateRaw(), take);
	} catch {
		// Whatever the writer did not throw, the entry did.
		if (refused) throw (refused as { cause: unknown }).cause;
		return 'damaged';
	}
	return size === entry.size && crc === entry.crc ? null : 'damaged';
}

async function* chunksOf(source: ZipSource, from: number, to: number): AsyncGenerator<Buffer> {
	for (let at = from; at < to; at += CHUNK_BYTES) {
		const chunk = await source.read(at, Math.min(to, at + CHUNK_BYTES));
		if (chunk.length === 0) return;
		yield chunk;
	}
}

async function unpack(packed: Buffer, method: number, maxBytes: number) {
	if (method === STORED) return packed;
	if (method !== DEFLATED) return 'damaged' as const;
	return inflate(packed, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) =>
		error.code === 'ERR_BUFFER_TOO_LARGE' ? ('too-large' as const) : ('damaged' as const)
	);
}

async function readAt(handle: FileHandle, from: number, to: number) {
	const buffer = Buffer.alloc(Math.max(0, to - from));
	let length = 0;
	while (length < buffer.length) {
		const { bytesRead } = await handle.read(buffer, length, buffer.length - length, from + length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return buffer.subarray(0, length);
}
