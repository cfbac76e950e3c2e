import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { AppError, errno } from '#core/errors';
import { diskTrouble } from '#core/files';

const STATE_MAX_BYTES = 16 * 1024 * 1024;

export type Found<T> =
	| { state: 'good'; value: T }
	| { state: 'missing' }
	/** `problem` ends a sentence that begins with the file's name. */
	| { state: 'broken'; problem: string }
	/** The disk or its permissions are at fault; the content may be good. */
	| { state: 'unreadable'; problem: string; error: AppError };

type Rules<T> = {
	schema: z.ZodType<T>;
	version: number;
	mode: number;
	warn: (message: string) => void;
};

/** What takes the place of the file is not ours. */
const NO_FILE = ['ELOOP', 'EISDIR', 'ENXIO', 'ENODEV'];

/** Reads twice before it blames the disk. */
export async function readState<T>(file: string, rules: Rules<T>): Promise<Found<T>> {
	const found = await readOnce(file, rules);
	return found.state === 'unreadable' ? readOnce(file, rules) : found;
}

async function readOnce<T>(file: string, rules: Rules<T>): Promise<Found<T>> {
	let handle: FileHandle | null = null;
	try {
		handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const found = await handle.stat();
		if (!found.isFile()) return { state: 'broken', problem: 'is not a file' };
		if (found.size > STATE_MAX_BYTES) return { state: 'broken', problem: 'is far too large' };
		await tighten(handle, file, found.mode, rules);
		return interpret(file, await handle.readFile('utf8'), rules);
	} catch (cause) {
		if (cause instanceof AppError) throw cause;
		const code = errno(cause) ?? '';
		if (code === 'ENOENT') return { state: 'missing' };
		if (NO_FILE.includes(code)) return { state: 'broken', problem: 'is not a file' };
		const problem = `cannot be read: ${diskTrouble(cause)}`;
		const error = new AppError('internal', `${path.basename(file)} ${problem}.`, { cause });
		return { state: 'unreadable', problem, error };
	} finally {
		await handle?.close();
	}
}

async function tighten<T>(handle: FileHandle, file: string, is: number, { mode, warn }: Rules<T>) {
	if ((is & 0o777 & ~mode) === 0) return;
	const name = path.basename(file);
	const octal = (bits: number) => (bits & 0o777).toString(8).padStart(4, '0');
	await handle.chmod(mode).then(
		() => warn(`${name} was open to other users (${octal(is)}); it is ${octal(mode)} now.`),
		() => warn(`${name} is open to other users (${octal(is)}) and cannot be closed to them.`)
	);
}

function interpret<T>(file: string, text: string, { schema, version }: Rules<T>): Found<T> {
	const broken = (problem: string): Found<T> => ({ state: 'broken', problem });
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return broken(text.trim() === '' ? 'is empty' : 'is damaged');
	}
	if (typeof parsed !== 'object' || parsed === null || !('version' in parsed && 'data' in parsed))
		return broken('is not one of our files');
	const { version: found, data } = parsed;
	if (typeof found !== 'number' || !Number.isInteger(found)) return broken('has no format number');
	if (found > version)
		throw new AppError(
			'internal',
			`${file} was written by a newer Craftwarden (format ${found}, this one knows ${version}). ` +
				'Update Craftwarden, or move the file away.'
		);
	const result = schema.safeParse(data);
	if (result.success) return { state: 'good', value: result.data };
	const issue = result.error.issues[0];
	return broken(`has a wrong value (${issue?.path.join('.') || 'data'}: ${issue?.message})`);
}
