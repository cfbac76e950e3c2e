import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { constants, createZstdDecompress } from 'node:zlib';
import { isSafePath, staysInside, walkKey } from './bytes.ts';
import { cutFrames } from './frames.ts';
import type { Progress, ReadBack, ReadJob, Totals } from './jobs.ts';
import { MANIFEST, manifestLine, sha256, type ManifestHead } from './manifest.ts';
import { PIECE, tidyMemory } from './sink.ts';
import { BadArchive, BLOCK, decodeHeader, decodePax, padding, type Entry } from './tar.ts';
import { openUnpacker, type Unpacker } from './unpack.ts';

/** 8 MiB, of which our own archives need a sixteenth: an archive that asks for more is malicious. */
const WINDOW_LOG_MAX = 23;
const AHEAD = 2;
const READ_BYTES = 1 << 20;
const HEAD_LINE_MAX = 1 << 20;
/** In pieces, as in the sink. */
const TIDY_EVERY = 12;

/**
 * Reads an archive back, from its first byte to its last, and compares it with its own manifest and with what was
 * recorded when it was made; unpacks on the way. Whatever is unpacked counts only when this resolves.
 */
export async function readBack(job: ReadJob, progress: Progress): Promise<ReadBack> {
	const { file, expected, into } = job;
	const unpacker = into && openUnpacker(into);
	const packed = createReadStream(file, { highWaterMark: READ_BYTES });
	const zstd = createZstdDecompress({
		// A whole frame fills it exactly, and is decompressed straight into it.
		...{ chunkSize: PIECE, readableHighWaterMark: AHEAD * PIECE },
		params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX }
	});
	const frames = Readable.from(cutFrames(packed), { highWaterMark: AHEAD });
	frames.on('error', (error) => zstd.destroy(error));
	try {
		await readEntries(new Bytes(frames.pipe(zstd), progress), expected, unpacker);
		if (packed.bytesRead !== expected.bytes)
			throw new BadArchive('It is not as long as it was when it was made.');
		return { unpacked: unpacker?.end() ?? 0 };
	} catch (error) {
		throw isZstd(error)
			? new BadArchive('The archive is damaged or cut off: it cannot be unpacked.')
			: error;
	} finally {
		frames.destroy();
		packed.destroy();
		zstd.destroy();
		unpacker?.close();
	}
}

const isZstd = (error: unknown) =>
	error instanceof Error &&
	/^(ZSTD_|Z_|ERR_ZLIB|ERR_STREAM_PREMATURE)/.test((error as { code?: string }).code ?? '');

async function readEntries(bytes: Bytes, expected: ReadJob['expected'], unpacker: Unpacker | null) {
	const lines = sha256();
	const seen: Omit<Totals, 'worldBytes'> = { files: 0, entries: 0, bytes: 0 };
	const order = createOrder();
	for (;;) {
		const entry = await nextEntry(bytes);
		if (!entry) throw new BadArchive('It ends without its manifest: it was never finished.');
		if (++seen.entries > expected.totals.entries)
			throw new BadArchive('It holds more entries than were put into it.');
		if (entry.path === MANIFEST) {
			await readManifest(bytes, entry, lines.digest('hex'), seen, expected);
			break;
		}
		order.check(entry);
		if (entry.type === 'file') {
			seen.files++;
			seen.bytes += entry.size;
			if (seen.bytes > expected.totals.bytes)
				throw new BadArchive('It holds more bytes than were put into it.');
		}
		const target = unpacker?.begin(entry) ?? null;
		const hash = sha256();
		await bytes.each(entry.size, (part) => {
			hash.update(part);
			target?.write(part);
		});
		target?.end();
		await skipPadding(bytes, entry.size);
		lines.update(manifestLine(entry, entry.type === 'file' ? hash.digest('hex') : null));
	}
	if (await nextEntry(bytes)) throw new BadArchive('Something follows after its manifest.');
	await bytes.untilEnd();
}

async function readManifest(
	bytes: Bytes,
	entry: Entry,
	linesSha256: string,
	seen: Omit<Totals, 'worldBytes'>,
	expected: ReadJob['expected']
) {
	const whole = sha256();
	let first = '';
	let rest = false;
	await bytes.each(entry.size, (part) => {
		whole.update(part);
		if (rest) return;
		const end = part.indexOf(0x0a);
		first += part.toString('utf8', 0, end === -1 ? part.length : end);
		rest = end !== -1 || first.length > HEAD_LINE_MAX;
	});
	await skipPadding(bytes, entry.size);
	if (whole.digest('hex') !== expected.manifestSha256)
		throw new BadArchive('Its manifest is not the one it was made with.');
	const head = JSON.parse(first) as ManifestHead;
	if (head.linesSha256 !== linesSha256)
		throw new BadArchive('Files in it are not what its manifest says.');
	const { files, entries, bytes: total } = head.totals;
	if (files !== seen.files || entries !== seen.entries || total !== seen.bytes)
		throw new BadArchive('Files are missing in it.');
}

/** Null at the end of the archive. */
async function nextEntry(bytes: Bytes): Promise<Entry | null> {
	let pax = new Map<string, Buffer>();
	for (;;) {
		const header = decodeHeader(await bytes.exactly(BLOCK), pax);
		if (header.kind === 'end') {
			if (!(await bytes.exactly(BLOCK)).every((byte) => byte === 0))
				throw new BadArchive('Its end is damaged.');
			return null;
		}
		if (header.kind === 'entry') return header.entry;
		if (pax.size > 0) throw new BadArchive('An extended header follows another.');
		pax = decodePax(await bytes.exactly(header.size));
		await skipPadding(bytes, header.size);
	}
}

const skipPadding = async (bytes: Bytes, size: number) => {
	if (padding(size) > 0) await bytes.exactly(padding(size));
};

/**
 * Entries come in the order of a walk, so none is repeated, and each lies in a folder that came before: never behind
 * a link. Every name and every link stays below the root.
 */
function createOrder() {
	let last = '';
	let folders: string[] = [];
	return {
		check({ path, type, target }: Entry) {
			if (!isSafePath(path)) throw new BadArchive('It holds a name that leads elsewhere.');
			if (last !== '' && walkKey(path) <= walkKey(last))
				throw new BadArchive('It holds a name twice, or out of order.');
			last = path;
			const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null;
			folders = folders.filter((one) => path.startsWith(`${one}/`));
			if (parent !== null && folders.at(-1) !== parent)
				throw new BadArchive('It holds a file without its folder.');
			if (type === 'folder') folders.push(path);
			if (type === 'link' && !staysInside(path, target))
				throw new BadArchive('It holds a link that leads elsewhere.');
		}
	};
}

/** A stream of buffers, read in the portions that its content requires. */
class Bytes {
	#parts: AsyncIterator<Buffer>;
	#progress: Progress;
	#part: Buffer = Buffer.alloc(0);
	#read = 0;
	#count = 0;

	constructor(stream: AsyncIterable<Buffer>, progress: Progress) {
		this.#parts = stream[Symbol.asyncIterator]();
		this.#progress = progress;
	}

	async #next(): Promise<boolean> {
		const { done, value } = await this.#parts.next();
		if (done) return false;
		this.#part = value;
		await this.#progress((this.#read += value.length));
		if (++this.#count % TIDY_EVERY === 0) tidyMemory();
		return true;
	}

	async exactly(count: number): Promise<Buffer> {
		if (this.#part.length >= count) return this.#take(count);
		const parts: Buffer[] = [];
		await this.each(count, (part) => parts.push(part));
		return Buffer.concat(parts);
	}

	async each(count: number, use: (part: Buffer) => void): Promise<void> {
		for (let left = count; left > 0;) {
			if (this.#part.length === 0 && !(await this.#next())) throw new BadArchive('It is cut off.');
			const part = this.#take(Math.min(left, this.#part.length));
			left -= part.length;
			use(part);
		}
	}

	async untilEnd(): Promise<void> {
		if (this.#part.length > 0 || (await this.#next()))
			throw new BadArchive('Something follows after its end.');
	}

	#take(count: number): Buffer {
		const part = this.#part.subarray(0, count);
		this.#part = this.#part.subarray(count);
		return part;
	}
}
