import fs from 'node:fs';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

export type ZipEntry = { name: string; content: string | Buffer };

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const MAX_ENTRY_BYTES = 1024 * 1024;
/** 1980-01-01: the same folder gives the same bytes, so the same hashes. */
const DOS_DATE = 0x21;

export function writeZip(entries: ZipEntry[]): Buffer {
	const files: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const { name, content } of entries) {
		const raw = Buffer.from(content);
		const packed = deflateRawSync(raw);
		const title = Buffer.from(name);
		// version 20, flag 0x800 = names in UTF-8, method 8 = deflate
		const common = Buffer.alloc(26);
		common.writeUInt16LE(20, 0);
		common.writeUInt16LE(0x800, 2);
		common.writeUInt16LE(8, 4);
		common.writeUInt16LE(DOS_DATE, 8);
		common.writeUInt32LE(crc32(raw), 10);
		common.writeUInt32LE(packed.length, 14);
		common.writeUInt32LE(raw.length, 18);
		common.writeUInt16LE(title.length, 22);
		const local = Buffer.concat([word(LOCAL), common, title, packed]);
		files.push(local);
		const tail = Buffer.alloc(14);
		tail.writeUInt32LE(offset, 10);
		directory.push(word(CENTRAL), Buffer.from([20, 0]), common, tail, title);
		offset += local.length;
	}
	const central = Buffer.concat(directory);
	const end = Buffer.alloc(END_SIZE);
	end.writeUInt32LE(END, 0);
	end.writeUInt16LE(entries.length, 8);
	end.writeUInt16LE(entries.length, 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(offset, 16);
	return Buffer.concat([...files, central, end]);
}

function word(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

/**
 * One file out of a zip, found by the central directory; null when it is not in there.
 * Throws on what is no zip and on a directory over 16 MiB or an entry over 1 MiB.
 */
export function readZipEntry(file: string, name: string): Buffer | null {
	const fd = fs.openSync(file, 'r');
	try {
		const size = fs.fstatSync(fd).size;
		const at = (position: number, length: number) => {
			if (position < 0 || position + length > size) throw new Error('zip END header not found');
			const bytes = Buffer.alloc(length);
			fs.readSync(fd, bytes, 0, length, position);
			return bytes;
		};
		const tail = at(
			Math.max(0, size - END_SIZE - MAX_COMMENT),
			Math.min(size, END_SIZE + MAX_COMMENT)
		);
		const end = tail.lastIndexOf(word(END));
		if (end < 0 || end + END_SIZE > tail.length) throw new Error('zip END header not found');
		const length = tail.readUInt32LE(end + 12);
		if (length > MAX_DIRECTORY_BYTES) throw new Error('the zip directory is too large');
		const entry = findEntry(at(tail.readUInt32LE(end + 16), length), name);
		if (!entry) return null;
		if (entry.packed > MAX_ENTRY_BYTES) throw new Error(`${name} is too large`);
		const local = at(entry.offset, 30);
		const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
		const data = at(start, entry.packed);
		return entry.method === 0 ? data : inflateRawSync(data, { maxOutputLength: MAX_ENTRY_BYTES });
	} finally {
		fs.closeSync(fd);
	}
}

function findEntry(directory: Buffer, name: string) {
	for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === CENTRAL;) {
		const nameLength = directory.readUInt16LE(at + 28);
		if (directory.toString('utf8', at + 46, at + 46 + nameLength) === name)
			return {
				method: directory.readUInt16LE(at + 10),
				packed: directory.readUInt32LE(at + 20),
				offset: directory.readUInt32LE(at + 42)
			};
		at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
	}
	return null;
}
