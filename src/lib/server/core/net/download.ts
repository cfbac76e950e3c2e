import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Clock } from '../clock.ts';
import { AppError, type Code, errno } from '../errors.ts';
import { diskTrouble, syncDir } from '../files/index.ts';
import { explain, StatusFailure } from './failures.ts';
import { follow, type Rule } from './follow.ts';
import { IDLE_MS, watch } from './limits.ts';
import { retried } from './retry.ts';
import type { Transport } from './transport.ts';

export type DownloadOptions = {
	signal?: AbortSignal;
	progress?: (bytes: number) => void;
	/** The caller flushes the disk before it relies on the files, so a single one of many need not wait for it. */
	unflushed?: boolean;
};

/** One file, and everything that is known of it beforehand. */
export type RemoteFile = {
	/** Its name in failures. */
	fileName: string;
	url: string;
	/** Null: not known beforehand. */
	size: number | null;
	maxBytes: number;
	/** In lower case; null: none is published, so the caller checks the content. */
	hash: { algorithm: 'sha1' | 'sha256' | 'sha512'; hex: string } | null;
};

export type DownloadDeps = {
	rule: Rule;
	/** The source, as failures name it: `The registry`. */
	who: string;
	/** The setting that holds its address. */
	setting: string;
	userAgent: string;
	transport: Transport;
	clock: Clock;
	closing: AbortSignal;
};

const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };
/** Readable for everybody: the game may run as another user. */
const JAR_MODE = 0o644;
const ATTEMPTS = 3;
const LEAST_MS = 120_000;
/** A download slower than this on average is abandoned. */
const SLOWEST_BYTES_PER_MS = 64;

/**
 * Downloads one file to `to`: under that name there is nothing, or all of it, verified and on disk. `AppError`
 * `upstream`, `timeout` or (our disk) `internal`; the signal's reason when aborted.
 */
export async function download(
	file: RemoteFile,
	to: string,
	{ signal, progress, unflushed = false }: DownloadOptions,
	deps: DownloadDeps
): Promise<void> {
	signal?.throwIfAborted();
	const url = urlOf(file);
	if ((file.size ?? 0) > file.maxBytes) throw tooLarge(file);
	const temp = path.join(
		path.dirname(to),
		`.${path.basename(to)}.${randomBytes(6).toString('hex')}.tmp`
	);
	const outer = signal ? [signal, deps.closing] : [deps.closing];
	try {
		await retried(() => fetchTo(temp, url, file, { progress, unflushed }, outer, deps), {
			clock: deps.clock,
			attempts: ATTEMPTS,
			signal: AbortSignal.any(outer)
		});
		await disk(() =>
			rename(temp, to).then(() => (unflushed ? undefined : syncDir(path.dirname(to))))
		);
	} catch (error) {
		await rm(temp, { force: true }).catch(() => {}); // the failure that led here is the one to report
		if (signal?.aborted) throw signal.reason;
		throw explain(error, { host: url.host, setting: deps.setting });
	}
}

async function fetchTo(
	temp: string,
	url: URL,
	file: RemoteFile,
	{ progress, unflushed }: Omit<DownloadOptions, 'signal'>,
	outer: AbortSignal[],
	{ rule, who, userAgent, transport, clock }: DownloadDeps
) {
	const totalMs = LEAST_MS + (file.size ?? file.maxBytes) / SLOWEST_BYTES_PER_MS;
	const limits = watch(clock, { who, idleMs: IDLE_MS, totalMs }, ...outer);
	try {
		const answer = await follow(transport, rule, {
			url,
			headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' },
			signal: limits.signal
		});
		try {
			limits.touch();
			checkHead(answer, file);
			await save(temp, answer, file, {
				unflushed,
				progress(bytes) {
					limits.touch();
					progress?.(bytes);
				}
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

function checkHead({ statusCode = 0, headers }: IncomingMessage, file: RemoteFile) {
	if (statusCode === 404 || statusCode === 410)
		throw refused(file, 'it is not there any more', 'gone');
	if (statusCode !== 200) throw new StatusFailure(statusCode);
	const encoding = headers['content-encoding'];
	if (encoding && encoding !== 'identity') throw refused(file, `it comes encoded (${encoding})`);
	const length = headers['content-length'];
	if (length === undefined) return;
	if (file.size !== null && Number(length) !== file.size)
		throw refused(file, `it has ${length} bytes instead of ${file.size}`, 'wrong-size');
	if (Number(length) > file.maxBytes) throw tooLarge(file);
}

/** Hashes while writing; a different length or different bytes than announced are refused. */
async function save(
	temp: string,
	answer: IncomingMessage,
	file: RemoteFile,
	{ progress, unflushed }: Required<Pick<DownloadOptions, 'progress'>> & DownloadOptions
) {
	const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
	const handle = await disk(() => open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, JAR_MODE));
	try {
		const hash = createHash(file.hash?.algorithm ?? 'sha512');
		let size = 0;
		for await (const chunk of answer as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (file.size !== null && size > file.size)
				throw refused(file, `it goes on after ${file.size} bytes`, 'wrong-size');
			if (size > file.maxBytes) throw tooLarge(file);
			// The hash is computed while the disk is busy.
			const written = disk(() => writeAll(handle, chunk));
			hash.update(chunk);
			await written;
			progress(size);
		}
		const length = file.size ?? lengthOf(answer);
		if (length !== null && size !== length)
			throw refused(file, `it ended after ${size} of ${length} bytes`, 'wrong-size');
		if (file.hash && hash.digest('hex') !== file.hash.hex)
			throw refused(
				file,
				`its checksum (${ALGORITHMS[file.hash.algorithm]}) is not the one that was published`,
				'wrong-hash'
			);
		if (!unflushed) await disk(() => handle.sync());
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

function urlOf(file: RemoteFile): URL {
	const url = URL.parse(file.url);
	if (!url) throw refused(file, 'it has no address');
	return url;
}

const refused = (file: RemoteFile, why: string, code: Code = 'refused-file') =>
	new AppError('upstream', `${file.fileName} was rejected: ${why}. Nothing was changed.`, {
		code
	});

const lengthOf = ({ headers }: IncomingMessage) =>
	headers['content-length'] === undefined ? null : Number(headers['content-length']);

const tooLarge = (file: RemoteFile) =>
	refused(file, `it is larger than ${file.maxBytes >> 20} MB`, 'too-large');
