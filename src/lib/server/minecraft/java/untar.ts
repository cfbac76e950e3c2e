import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, symlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError, errno } from '#core/errors';
import { diskTrouble } from '#core/files';

const BLOCK = 512;
const NAME_MAX_BYTES = 64 * 1024;
/** A Java with the compiler unpacks to 350 MB in 600 files. */
const LIMITS = { bytes: 2 * 1024 ** 3, entries: 20_000 };

type Header = { name: string; type: string; size: number; mode: number; target: string };

/**
 * Unpacks a tar.gz into an empty folder: plain files, folders, and links that stay inside it. Anything else, and
 * names that lead out, end it with `AppError('upstream')`; the caller then removes the folder.
 */
export async function unpackTarGz(file: string, dir: string, signal?: AbortSignal): Promise<void> {
	const source = createReadStream(file);
	const unzipped = pipeline(source, createGunzip(), () => {}); // a failure surfaces in the reader
	const links: { at: string; target: string }[] = [];
	const read = createReader(unzipped);
	let [entries, bytes, longName] = [0, 0, ''];
	try {
		for (;;) {
			signal?.throwIfAborted();
			const block = await read.exactly(BLOCK);
			if (!block || block.every((byte) => byte === 0)) break;
			const header = readHeader(block);
			if (++entries > LIMITS.entries || (bytes += header.size) > LIMITS.bytes)
				throw damaged('it is far too large');
			if (header.type === 'L' || header.type === 'x' || header.type === 'g') {
				const text = await content(read, header, NAME_MAX_BYTES);
				if (header.type === 'L') longName = text.replace(/\0.*$/s, '');
				if (header.type === 'x') longName = /\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName;
				continue;
			}
			const name = longName || header.name;
			longName = '';
			const at = inside(dir, name);
			if (header.type === '5') await mkdir(at, { recursive: true, mode: 0o755 });
			else if (header.type === '2') links.push({ at, target: header.target });
			else if (header.type === '0' || header.type === '\0') await put(read, header, at);
			else throw damaged(`${name.slice(0, 100)} is neither a file nor a folder`);
		}
	} catch (error) {
		throw error instanceof AppError || signal?.aborted ? error : explained(error);
	} finally {
		unzipped.destroy();
		source.destroy();
	}
	// Last of all, so that nothing is written through a link.
	for (const { at, target } of links) {
		inside(dir, path.relative(dir, path.resolve(path.dirname(at), target)));
		if (path.isAbsolute(target)) throw damaged('a link in it points outside it');
		await mkdir(path.dirname(at), { recursive: true })
			.then(() => symlink(target, at))
			.catch((error: unknown) => Promise.reject(explained(error)));
	}
}

async function put(read: Reader, { size, mode }: Header, at: string) {
	await mkdir(path.dirname(at), { recursive: true, mode: 0o755 });
	const handle: FileHandle = await open(at, 'wx', 0o644);
	try {
		for await (const chunk of read.some(size)) await handle.writeFile(chunk);
		await handle.sync();
	} finally {
		await handle.close();
	}
	if (mode & 0o100) await chmod(at, 0o755);
	await read.exactly(padding(size));
}

async function content(read: Reader, { size }: Header, max: number): Promise<string> {
	if (size > max) throw damaged('a name in it is too long');
	const bytes = await read.exactly(size);
	await read.exactly(padding(size));
	return bytes?.toString('utf8') ?? '';
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function readHeader(block: Buffer): Header {
	const text = (from: number, to: number) => block.toString('utf8', from, to).replace(/\0.*$/s, '');
	const octal = (from: number, to: number) => {
		const digits = text(from, to).trim();
		if (!/^[0-7]{0,12}$/.test(digits)) throw damaged('a number in it is not valid');
		return parseInt(digits || '0', 8);
	};
	const sum = block.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0);
	if (octal(148, 156) !== sum) throw damaged('its checksums are wrong');
	const prefix = text(257, 262) === 'ustar' ? text(345, 500) : '';
	return {
		name: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
		type: String.fromCharCode(block[156]!),
		size: octal(124, 136),
		mode: octal(100, 108),
		target: text(157, 257)
	};
}

/** The path of a name within the folder; refused when it leads out. */
function inside(dir: string, name: string): string {
	const parts = name.split('/').filter((part) => part !== '' && part !== '.');
	const bad = path.isAbsolute(name) || parts.includes('..') || /[\0\\]/.test(name);
	if (bad || parts.length === 0)
		throw damaged(`${JSON.stringify(name.slice(0, 100))} points outside it`);
	return path.join(dir, ...parts);
}

type Reader = ReturnType<typeof createReader>;

function createReader(stream: Readable) {
	const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
	let rest: Buffer = Buffer.alloc(0);
	const more = async () => {
		const { value, done } = await chunks.next();
		if (!done) rest = value;
		return !done;
	};
	async function* some(length: number) {
		let left = length;
		while (left > 0) {
			if (rest.length === 0 && !(await more())) throw damaged('it is cut off');
			const chunk = rest.subarray(0, left);
			rest = rest.subarray(chunk.length);
			left -= chunk.length;
			yield chunk;
		}
	}
	return {
		some,
		/** Null at the end of the archive. */
		async exactly(length: number): Promise<Buffer | null> {
			if (length > 0 && rest.length === 0 && !(await more())) return null;
			const parts: Buffer[] = [];
			for await (const chunk of some(length)) parts.push(chunk);
			return Buffer.concat(parts);
		}
	};
}

/** Colliding names are the archive's fault; other disk errors are not. */
function explained(error: unknown): AppError {
	const code = errno(error) ?? '';
	if (!/^E[A-Z]+$/.test(code) || ['EEXIST', 'EISDIR', 'ENOTDIR'].includes(code))
		return damaged('it is damaged', error);
	return new AppError('internal', `The archive could not be unpacked: ${diskTrouble(error)}.`, {
		cause: error
	});
}

const damaged = (why: string, cause?: unknown) =>
	new AppError('upstream', `The archive was rejected: ${why}. Nothing was changed.`, {
		cause,
		code: 'archive-damaged'
	});
