import type { FileHandle } from 'node:fs/promises';
import { AppError, errno } from '#core/errors';
import type { Run } from '#core/exec';
import { diskTrouble, openNameless, openRegular, PRIVATE_FILE, writeAtomic } from '#core/files';

/**
 * The crontab with the tasks, as text in which each character is one byte (latin1): what others wrote there comes
 * back byte for byte, whatever its encoding.
 */
export interface Crontab {
	/** `AppError('upstream')` when it cannot be read reliably: then nobody may write either. */
	read(): Promise<string>;
	/**
	 * Replaces it as a whole. `AppError('conflict')` when it is no longer `expected`, or when what was read cannot be
	 * written back as it stands there; `'upstream'` when writing failed.
	 */
	write(text: string, expected: string): Promise<void>;
}

const LIMIT_MS = 10_000;
const SIZE_MAX = 4 << 20;
const NO_CRONTAB = /^(?:crontab: )?no crontab for \S/m;

/** How Debian's `crontab -l` shows the bytes CR, BS and FF; the two characters may also be in the table themselves. */
const MAYBE_ESCAPED = /\\[rbf]/;

const UNSURE =
	'The crontab was to be written, and then it could not be read again: nobody knows whether it was changed. Look at it again, then repeat.';
const changed = () =>
	new AppError(
		'conflict',
		'Somebody else has just changed the crontab. Nothing was written: look at it again, then repeat.'
	);
const failed = (what: string, why: string, cause?: unknown) =>
	new AppError('upstream', `${what}: ${why}. Nothing of the crontab was changed.`, { cause });
const unlike = (why: string, cause?: unknown) =>
	new AppError(
		'conflict',
		`The crontab ${why}. It would be changed by being written back, so nothing was written: look at the lines with \\r, \\b or \\f in them with “crontab -e”, and take what is not needed out of them.`,
		{ cause }
	);
const firstLine = (text: string) =>
	text.trim().split('\n')[0]?.slice(0, 200) || 'it did not say why';

type UserDeps = {
	run: Run;
	environment: NodeJS.ProcessEnv;
	/** Where new content is kept until it is installed. */
	dir: string;
};

/** The user's own, through the `crontab` command, which replaces it atomically. */
export function createUserCrontab(deps: UserDeps): Crontab {
	const options = {
		env: {
			...deps.environment,
			// The message for "there is none" is only known in English.
			...{ LC_ALL: 'C', LANGUAGE: '' },
			// As the editor of `crontab -e` it shows the table as it is stored, and changes nothing.
			...{ VISUAL: 'cat', EDITOR: 'cat' }
		},
		timeoutMs: LIMIT_MS,
		encoding: 'latin1' as const,
		maxOutput: SIZE_MAX
	};
	const crontab = async (args: string[], what: string, input: string | FileHandle = '') => {
		try {
			// What an exit code means is decided here, by the output that came with it.
			return await deps.run('crontab', args, {
				...options,
				okCodes: 'any',
				input
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

	/** Checks that `listed` is the stored table: `crontab -l` may show other characters than are stored. */
	async function compare(listed: string) {
		if (!MAYBE_ESCAPED.test(listed)) return;
		const unknown = 'may hold control characters that “crontab -l” does not show as they are';
		const stored = await crontab(['-e'], 'The crontab could not be compared').catch((cause) => {
			throw unlike(unknown, cause);
		});
		if (stored.exitCode !== 0) throw unlike(unknown);
		if (stored.stdout !== listed)
			throw unlike('holds control characters that “crontab -l” does not show as they are');
	}

	/** From an open file, never a pipe: if we died, `crontab` would install the half that had arrived. */
	async function install(text: string): Promise<AppError> {
		const what = 'The crontab could not be written';
		const input = await openNameless(deps.dir, Buffer.from(text, 'latin1')).catch((cause) => {
			throw failed(what, diskTrouble(cause), cause);
		});
		try {
			const { stderr, exitCode } = await crontab(['-'], what, input);
			return failed(what, exitCode === 0 ? 'it is as it was' : firstLine(stderr));
		} catch (cause) {
			if (!(cause instanceof AppError)) throw cause;
			return cause;
		} finally {
			await input.close();
		}
	}

	return {
		read,
		async write(text, expected) {
			if ((await read()) !== expected) throw changed();
			await compare(expected);
			// Whatever it printed, or whether it hung: only what is stored now counts.
			const failure = await install(text);
			const now = await read().catch((cause) => {
				throw new AppError('upstream', UNSURE, { cause });
			});
			if (now === text) return;
			if (now !== expected) throw changed();
			throw failure;
		}
	};
}

/** A file with the same lines, run by the dashboard itself. */
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
			let replaced = false;
			const onReplaced = () => void (replaced = true);
			try {
				await writeAtomic(file, Buffer.from(text, 'latin1'), PRIVATE_FILE, { onReplaced });
			} catch (cause) {
				if (!errno(cause)) throw cause;
				// Only the fsync of the folder fails after that. Whoever is told "not changed" must not find it
				// changed.
				if (replaced) await writeAtomic(file, Buffer.from(expected, 'latin1')).catch(() => {});
				throw failed(`${file} could not be written`, diskTrouble(cause), cause);
			}
		}
	};
}
