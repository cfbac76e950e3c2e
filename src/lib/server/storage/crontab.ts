import { AppError, errno } from '../core/errors.ts';
import type { Run } from '../core/exec.ts';
import { diskTrouble, openRegular, writeAtomic } from '../core/files.ts';

/**
 * The table that tasks stand in, as text in which each character is one byte (latin1): what others wrote there comes
 * back byte for byte, whatever it is encoded in.
 */
export interface Crontab {
	/** `AppError('upstream')` when it cannot be read for sure: then nobody may write either. */
	read(): Promise<string>;
	/** Replaces it as a whole. `AppError('conflict')` when it is not `expected` any more, `'upstream'` when it failed. */
	write(text: string, expected: string): Promise<void>;
}

const LIMIT_MS = 10_000;
const SIZE_MAX = 4 << 20;
const NO_CRONTAB = /^(?:crontab: )?no crontab for \S/m;

const changed = () =>
	new AppError(
		'conflict',
		'Somebody else has just changed the crontab. Nothing was written: look at it again, then repeat.'
	);
const failed = (what: string, why: string, cause?: unknown) =>
	new AppError('upstream', `${what}: ${why}. Nothing of the crontab was changed.`, { cause });
const firstLine = (text: string) =>
	text.trim().split('\n')[0]?.slice(0, 200) || 'it did not say why';

/** The user's own, through the `crontab` command, which replaces it atomically. */
export function createUserCrontab(deps: { run: Run; environment: NodeJS.ProcessEnv }): Crontab {
	const options = {
		// The words for "there is none" are only known in English.
		env: { ...deps.environment, LC_ALL: 'C', LANGUAGE: '' },
		timeoutMs: LIMIT_MS,
		encoding: 'latin1' as const,
		maxOutput: SIZE_MAX
	};
	const crontab = async (args: string[], what: string, input?: string) => {
		try {
			// What an exit code means is decided here, by what was said with it.
			return await deps.run('crontab', args, {
				...options,
				okCodes: 'any',
				...(input !== undefined && { input })
			});
		} catch (cause) {
			if (!(cause instanceof AppError)) throw cause;
			throw failed(what, cause.message, cause);
		}
	};

	async function read(): Promise<string> {
		const what = 'The crontab could not be read';
		const { stdout, stderr, exitCode } = await crontab(['-l'], what);
		if (stdout.length >= SIZE_MAX) throw failed(what, 'it is too large');
		if (exitCode === 0) return stdout;
		if (exitCode === 1 && stdout === '' && NO_CRONTAB.test(stderr)) return '';
		throw failed(what, firstLine(stderr));
	}

	return {
		read,
		async write(text, expected) {
			if ((await read()) !== expected) throw changed();
			const what = 'The crontab could not be written';
			const { stderr, exitCode } = await crontab(['-'], what, text);
			const now = await read();
			if (now === text) return;
			if (now !== expected) throw changed();
			throw failed(what, exitCode === 0 ? 'it is as it was' : firstLine(stderr));
		}
	};
}

/** A file of the same lines, run by the dashboard itself. */
export function createFileCrontab(file: string): Crontab {
	async function read(): Promise<string> {
		try {
			const handle = await openRegular(file);
			if (!handle) return '';
			try {
				return await handle.readFile('latin1');
			} finally {
				await handle.close();
			}
		} catch (cause) {
			throw failed(`${file} could not be read`, diskTrouble(cause), cause);
		}
	}
	return {
		read,
		async write(text, expected) {
			if ((await read()) !== expected) throw changed();
			try {
				await writeAtomic(file, Buffer.from(text, 'latin1'));
			} catch (cause) {
				if (!errno(cause)) throw cause;
				throw failed(`${file} could not be written`, diskTrouble(cause), cause);
			}
		}
	};
}
