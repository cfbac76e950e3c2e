import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { JAR_MAX_BYTES } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError, type Code, errno } from '#core/errors';
import { diskTrouble, syncDir } from '#core/files';
import { explain, follow, IDLE_MS, retried, StatusFailure, watch, type Transport } from '#core/net';
import type { RegistryFile } from './facts.ts';
import { fileRule } from './transport/index.ts';

export type DownloadOptions = { signal?: AbortSignal; progress?: (bytes: number) => void };

type Deps = {
	base: () => Promise<URL>;
	userAgent: string;
	transport: Transport;
	clock: Clock;
	closing: AbortSignal;
};

/** Readable for everybody: the game may run as another user. */
const JAR_MODE = 0o644;
const ATTEMPTS = 3;
const LEAST_MS = 120_000;
/** A download slower than this on average is abandoned. */
const SLOWEST_BYTES_PER_MS = 64;

/** Downloads one file to `to`: under that name there is nothing, or all of it, verified and on disk. */
export async function download(
	file: RegistryFile,
	to: string,
	{ signal, progress }: DownloadOptions,
	deps: Deps
): Promise<void> {
	signal?.throwIfAborted();
	const url = urlOf(file);
	if (file.size > JAR_MAX_BYTES)
		throw refused(file, `it is larger than ${JAR_MAX_BYTES >> 20} MB`, 'too-large');
	const temp = path.join(
		path.dirname(to),
		`.${path.basename(to)}.${randomBytes(6).toString('hex')}.tmp`
	);
	const outer = signal ? [signal, deps.closing] : [deps.closing];
	try {
		await retried(() => fetchTo(temp, url, file, progress, outer, deps), {
			clock: deps.clock,
			attempts: ATTEMPTS,
			signal: AbortSignal.any(outer)
		});
		await disk(() => rename(temp, to).then(() => syncDir(path.dirname(to))));
	} catch (error) {
		await rm(temp, { force: true }).catch(() => {}); // the failure that led here is the one to report
		if (signal?.aborted) throw signal.reason;
		throw explain(error, { host: url.host, setting: 'MODRINTH_URL' });
	}
}

async function fetchTo(
	temp: string,
	url: URL,
	file: RegistryFile,
	progress: DownloadOptions['progress'],
	outer: AbortSignal[],
	{ base, userAgent, transport, clock }: Deps
) {
	const totalMs = LEAST_MS + file.size / SLOWEST_BYTES_PER_MS;
	const limits = watch(clock, { who: 'The registry', idleMs: IDLE_MS, totalMs }, ...outer);
	try {
		const answer = await follow(transport, fileRule(await base()), {
			url,
			headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
			signal: limits.signal
		});
		try {
			limits.touch();
			checkHead(answer, file);
			await save(temp, answer, file, (bytes) => {
				limits.touch();
				progress?.(bytes);
			});
		} finally {
			answer.destroy();
		}
	} catch (error) {
		throw limits.signal.aborted ? limits.signal.reason : error;
	} finally {
		limits.done();
	}
}

function checkHead({ statusCode = 0, headers }: IncomingMessage, file: RegistryFile) {
	if (statusCode === 404 || statusCode === 410)
		throw refused(file, 'it is not there any more', 'gone');
	if (statusCode !== 200) throw new StatusFailure(statusCode);
	const encoding = headers['content-encoding'];
	if (encoding && encoding !== 'identity') throw refused(file, `it comes encoded (${encoding})`);
	const length = headers['content-length'];
	if (length !== undefined && Number(length) !== file.size)
		throw refused(file, `it has ${length} bytes instead of ${file.size}`, 'wrong-size');
}

/** Hashes while writing; a different length or different bytes than announced are refused. */
async function save(
	temp: string,
	answer: IncomingMessage,
	file: RegistryFile,
	progress: (bytes: number) => void
) {
	const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
	const handle = await disk(() => open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, JAR_MODE));
	try {
		const hash = createHash('sha512');
		let size = 0;
		for await (const chunk of answer as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > file.size)
				throw refused(file, `it goes on after ${file.size} bytes`, 'wrong-size');
			hash.update(chunk);
			await disk(() => writeAll(handle, chunk));
			progress(size);
		}
		if (size !== file.size)
			throw refused(file, `it ended after ${size} of ${file.size} bytes`, 'wrong-size');
		if (hash.digest('hex') !== file.sha512)
			throw refused(file, 'its checksum (SHA-512) is not the one the registry names', 'wrong-hash');
		await disk(() => handle.sync());
	} finally {
		await handle.close();
	}
}

async function writeAll(handle: FileHandle, chunk: Buffer) {
	for (let at = 0; at < chunk.length;)
		at += (await handle.write(chunk, at, chunk.length - at)).bytesWritten;
}

/** Failures in there are our disk's, not the registry's. */
async function disk<T>(act: () => Promise<T>): Promise<T> {
	try {
		return await act();
	} catch (cause) {
		throw new AppError('internal', `The download could not be saved: ${diskTrouble(cause)}.`, {
			cause,
			code: `disk-${(errno(cause) ?? 'unknown').toLowerCase()}`
		});
	}
}

function urlOf(file: RegistryFile): URL {
	const url = URL.parse(file.url);
	if (!url) throw refused(file, 'it has no address');
	return url;
}

const refused = (file: RegistryFile, why: string, code: Code = 'refused-file') =>
	new AppError('upstream', `${file.fileName} was not taken: ${why}. Nothing was changed.`, {
		code
	});
