import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { openRegular, PRIVATE_FILE, syncDir } from '#core/files';
import type * as fflate from 'fflate';
import type { Contents } from './contents.ts';

const INDEX = 'modrinth.index.json';
/** Zips hold local time: the same in every time zone, and the earliest that they can hold. */
const epoch = () => new Date(1980, 0, 1);
const CHUNK_BYTES = 1 << 20;

/** `versionId` identifies the contents: the same mods make the same pack. */
export function packIndex({ files, dependencies, overrides }: Contents, name: string) {
	const digest = createHash('sha256')
		.update(JSON.stringify([files, dependencies, overrides, name]))
		.digest('hex');
	const versionId = `${dependencies['minecraft']}-${digest.slice(0, 8)}`;
	const summary = `What players need to join ${name}`;
	const index = { formatVersion: 1, game: 'minecraft', versionId, name, summary };
	return { ...index, files, dependencies };
}

export type PackIndex = ReturnType<typeof packIndex>;
export type Written = { bytes: number; sha256: string };

/**
 * Writes the pack to `file`: completely or not at all, with the same bytes for the same contents. AppError `conflict`
 * when a jar has changed since a moment ago.
 */
export async function writePack(
	file: string,
	{ index, overrides, modsDir }: { index: PackIndex; modsDir: string } & Pick<Contents, 'overrides'>
): Promise<Written> {
	const temp = `${file}.${randomBytes(6).toString('hex')}.part`;
	try {
		const handle = await open(temp, 'wx', PRIVATE_FILE);
		let written: Written;
		try {
			const zip = zipInto(handle, await import('fflate'));
			await zip.text(INDEX, `${JSON.stringify(index, null, '\t')}\n`);
			for (const one of overrides) await zip.jar(path.join(modsDir, one.fileName), one);
			written = await zip.end();
			await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(temp, file);
		await syncDir(path.dirname(file));
		return written;
	} catch (error) {
		await rm(temp, { force: true });
		throw error;
	}
}

/** A zip that is written as it is produced: jars are large. */
function zipInto(handle: FileHandle, { Zip, ZipDeflate }: typeof fflate) {
	const hash = createHash('sha256');
	const waiting: Uint8Array[] = [];
	let bytes = 0;
	const zip = new Zip((error, data) => {
		if (error) throw error;
		waiting.push(data);
	});
	const flush = async () => {
		for (const data of waiting.splice(0)) {
			hash.update(data);
			bytes += data.byteLength;
			await handle.writeFile(data);
		}
	};
	// Jars are "deflated" too, in uncompressed blocks: Java cannot read stored entries of a streamed zip.
	const add = (name: string, level: 0 | 9) => {
		const entry = new ZipDeflate(name, { level });
		entry.mtime = epoch();
		zip.add(entry);
		return entry;
	};
	return {
		async text(name: string, text: string) {
			add(name, 9).push(Buffer.from(text), true);
			await flush();
		},
		async jar(file: string, { fileName, sha512 }: { fileName: string; sha512: string }) {
			const entry = add(`overrides/mods/${fileName}`, 0);
			const found = createHash('sha512');
			for await (const chunk of chunksOf(file)) {
				found.update(chunk);
				entry.push(chunk, false);
				await flush();
			}
			entry.push(new Uint8Array(0), true);
			if (found.digest('hex') !== sha512)
				throw new AppError('conflict', `${fileName} has just been changed. Build the pack again.`);
		},
		async end(): Promise<Written> {
			zip.end();
			await flush();
			return { bytes, sha256: hash.digest('hex') };
		}
	};
}

/** In pieces of the same size each time, because the zip's blocks have the length of the pieces. */
async function* chunksOf(file: string): AsyncGenerator<Uint8Array> {
	const handle = await openRegular(file);
	if (!handle)
		throw new AppError('conflict', `${path.basename(file)} is gone. Build the pack again.`);
	try {
		for (;;) {
			const chunk = Buffer.alloc(CHUNK_BYTES);
			let length = 0;
			for (let read = -1; read !== 0 && length < chunk.length; length += read)
				read = (await handle.read(chunk, length, chunk.length - length)).bytesRead;
			if (length === 0) return;
			yield chunk.subarray(0, length);
		}
	} finally {
		await handle.close();
	}
}
