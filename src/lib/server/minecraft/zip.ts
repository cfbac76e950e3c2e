import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 0xffff;
/** The largest server jar lists 10,000 files in 1 MB. */
const DIRECTORY_MAX_BYTES = 8 << 20;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

const inflate = promisify(inflateRaw);

/**
 * The named files of a zip, each at most `maxBytes` large when unpacked; others and damaged ones are absent. Reads the
 * directory at the end and those files only. Null when it is no zip, or one of the kinds that no jar is (zip64).
 */
export async function readZipEntries(
	handle: FileHandle,
	names: string[],
	maxBytes: number
): Promise<Map<string, Buffer> | null> {
	const { size } = await handle.stat();
	const directory = await readDirectory(handle, size);
	if (!directory) return null;
	const found = new Map<string, Buffer>();
	for (const entry of listed(directory.bytes)) {
		if (!names.includes(entry.name) || found.has(entry.name)) continue;
		const data = await readEntry(
			handle,
			{ ...entry, offset: entry.offset + directory.shift },
			maxBytes
		);
		if (data) found.set(entry.name, data);
	}
	return found;
}

type Entry = { name: string; flags: number; method: number; packed: number; offset: number };

async function readDirectory(handle: FileHandle, size: number) {
	const tail = await readAt(handle, Math.max(0, size - END_BYTES - COMMENT_MAX_BYTES), size);
	let end = tail.length - END_BYTES;
	while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
	if (end < 0) return null;
	const length = tail.readUInt32LE(end + 12);
	const start = tail.readUInt32LE(end + 16);
	// Something may stand before the zip (a self-extracting jar): offsets count from where the zip begins.
	const directoryEnd = size - tail.length + end;
	const shift = directoryEnd - length - start;
	if (length > DIRECTORY_MAX_BYTES || shift < 0) return null;
	return { bytes: await readAt(handle, directoryEnd - length, directoryEnd), shift };
}

function* listed(directory: Buffer): Generator<Entry> {
	let at = 0;
	while (at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
		const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
		yield {
			name: directory.toString('utf8', at + 46, nameEnd),
			flags: directory.readUInt16LE(at + 8),
			method: directory.readUInt16LE(at + 10),
			packed: directory.readUInt32LE(at + 20),
			offset: directory.readUInt32LE(at + 42)
		};
		at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
	}
}

async function readEntry(handle: FileHandle, entry: Entry, maxBytes: number) {
	if (entry.flags & ENCRYPTED || entry.packed > maxBytes) return null;
	const local = await readAt(handle, entry.offset, entry.offset + 30);
	if (local.length < 30 || local.readUInt32LE(0) !== LOCAL_SIGNATURE) return null;
	const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
	const packed = await readAt(handle, start, start + entry.packed);
	if (packed.length < entry.packed) return null;
	if (entry.method === STORED) return packed;
	if (entry.method !== DEFLATED) return null;
	// Damaged, or larger than allowed: one file of many, so it is left out.
	return inflate(packed, { maxOutputLength: maxBytes }).catch(() => null);
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
