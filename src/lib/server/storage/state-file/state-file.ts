import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { AppError } from '#core/errors';
import {
	PRIVATE_FILE,
	diskTrouble,
	ensureDir,
	exists,
	replaceByCopy,
	sweepTemps,
	writeAtomic
} from '#core/files';
import { createSerial } from '#core/serial';
import { readState } from './read.ts';

/** A small piece of our own state in one JSON file: `{ version, data }`. */
export interface StateFile<T> {
	/** The value, frozen; read from disk once. `AppError('internal')` when the file is there but must not be used. */
	read(): Promise<T>;
	/**
	 * One at a time: `change` gets a copy of its own and returns the new value, which is on disk when this resolves.
	 * When it throws or the disk fails, the old value stays in memory and on disk.
	 */
	update(change: (value: T) => T | Promise<T>): Promise<T>;
}

type Options<T> = {
	file: string;
	schema: z.ZodType<T>;
	/** The version of the format. A file with a higher one was written by a newer release and is refused. */
	version: number;
	defaults: T;
	mode?: number;
	/** Called with one sentence about what was wrong with the file and what was done about it. */
	warn: (message: string) => void;
};

export function createStateFile<T>(options: Options<T>): StateFile<T> {
	const { file, schema, version, mode = PRIVATE_FILE } = options;
	let loading: Promise<T> | null = null;
	let value: T;
	const updates = createSerial();

	const read = () =>
		(loading ??= load(options).then(
			(loaded) => (value = freeze(loaded)),
			(error) => {
				loading = null; // a passing fault must not persist
				throw error;
			}
		));

	const apply = async (change: (value: T) => T | Promise<T>) => {
		await read();
		const next = schema.parse(await change(structuredClone(value)));
		const text = serialise(version, next);
		if (text === serialise(version, value)) return value;
		await save(file, text, mode);
		value = freeze(next);
		loading = Promise.resolve(value);
		return value;
	};

	return {
		read,
		update: (change) => updates.run(() => apply(change))
	};
}

const serialise = (version: number, data: unknown) =>
	`${JSON.stringify({ version, data }, null, '\t')}\n`;

async function save(file: string, text: string, mode: number) {
	const prev = `${file}.prev`;
	let replaced = false;
	try {
		await ensureDir(path.dirname(file));
		await writeAtomic(file, text, mode, { keep: prev, onReplaced: () => (replaced = true) });
	} catch (cause) {
		// Only the fsync of the folder can fail after that. Whoever is told "not saved" must not find it saved later.
		if (replaced) await takeBack(file, prev).catch(() => {});
		throw new AppError(
			'internal',
			`${path.basename(file)} could not be saved: ${diskTrouble(cause)}. Nothing was changed.`,
			{ cause }
		);
	}
}

const takeBack = async (file: string, prev: string) =>
	(await exists(prev)) ? replaceByCopy(prev, file) : rm(file, { force: true });

/** The file's value, else the previous copy's, else the defaults; a broken file is kept aside. */
async function load<T>({ file, schema, version, defaults, mode, warn }: Options<T>): Promise<T> {
	const name = path.basename(file);
	const rules = { schema, version, mode: mode ?? PRIVATE_FILE, warn };
	await sweepTemps(path.dirname(file), new Date()).catch(() => {});
	const main = await readState(file, rules);
	if (main.state === 'good') return main.value;
	const prev = await readState(`${file}.prev`, rules);
	if (main.state === 'missing' && prev.state === 'missing') return structuredClone(defaults);

	// Never defaults in place of what may be intact, and readable again tomorrow.
	if (main.state === 'unreadable' && prev.state !== 'good') throw main.error;
	if (prev.state === 'unreadable') throw prev.error;

	const problem = main.state === 'missing' ? 'is missing' : main.problem;
	const aside = main.state === 'broken' ? await setAside(file) : '';
	if (prev.state === 'good') {
		warn(`${name} ${problem}. The previous copy is used instead: the last change is lost.${aside}`);
		// Repaired for the next start, while the copy stays; when the disk refuses, the next start reports it again.
		if (main.state !== 'unreadable') await replaceByCopy(`${file}.prev`, file).catch(() => {});
		return prev.value;
	}
	if (prev.state === 'broken') await setAside(`${file}.prev`);
	warn(`${name} ${problem}, and there is no good previous copy. Defaults are used.${aside}`);
	return structuredClone(defaults);
}

/** Says where it was moved, as a sentence of its own. */
async function setAside(file: string) {
	const stamp = new Date().toISOString().replace(/[-:.]/g, '');
	const aside = `${file}.broken-${stamp}`;
	try {
		await rename(file, aside);
		return ` The broken file is kept as ${path.basename(aside)}.`;
	} catch {
		return '';
	}
}

function freeze<T>(value: T): T {
	if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
	Object.freeze(value);
	for (const inner of Object.values(value)) freeze(inner);
	return value;
}
