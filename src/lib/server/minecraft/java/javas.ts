import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import type { Clock } from '#core/clock';
import { ensureDir, exists, syncDir } from '#core/files';
import { createSerial } from '#core/serial';
import { createTtlCache } from '#core/ttl-cache';
import {
	javaPrograms,
	programAt,
	programOnPath,
	readJava,
	type Java,
	type Places
} from './find.ts';
import { unpackTarGz } from './untar.ts';

/** The Java installations of this machine. */
export interface Javas {
	/** The newest first. */
	found(): Promise<Java[]>;
	/**
	 * The one to start a game with that needs this major version: JAVA_HOME whatever it is, else what `java` resolves to
	 * if it is new enough, else that very version or the next newer one. Null when none fits.
	 */
	choose(major: number): Promise<Java | null>;
	/** The one that a start command names, by path or as `java`; null when that is none, or not there. */
	named(program: string): Promise<Java | null>;
	/** Its program; null when plain `java` is the right one, or none fits. */
	command(major: number): Promise<string | null>;
	/**
	 * Unpacks an archive of one Java into a folder of our own. `AppError('upstream')`, with nothing left behind, when it is
	 * not a Java.
	 */
	install(archive: string, major: number, signal: AbortSignal): Promise<Java>;
	/** Where archives may be downloaded to; unfinished ones are removed with it. */
	readonly dir: string;
}

/** New ones are installed seldom, and each query takes a process. */
const FRESH_MS = 60_000;
const UNFINISHED = '.unfinished-';
/** Another operation may be downloading one at the moment. */
const LEFT_MS = 60 * 60_000;

export function createJavas({ clock, ...places }: Places & { clock: Clock }): Javas {
	const { dir, home } = places;
	const look = createTtlCache(
		async () => {
			const read = await Promise.all((await javaPrograms(places)).map(readJava));
			const found = read.filter((one) => one !== null);
			return found.sort((a, b) => b.major - a.major);
		},
		FRESH_MS,
		clock
	);
	const own = async () => {
		const program = home && (await programAt(path.join(home, 'bin/java')));
		return program ? readJava(program) : null;
	};

	/** Each install removes what others have left unfinished. */
	const inTurn = createSerial();

	const javas: Javas = {
		dir,
		found: look,
		async named(program) {
			if (path.basename(program) !== 'java') return null;
			const found = program.includes('/')
				? await programAt(program)
				: await programOnPath(places.environment);
			return found ? readJava(found) : null;
		},
		async command(major) {
			const chosen = await javas.choose(major);
			const usual = await programOnPath(places.environment);
			return chosen && chosen.path !== usual ? chosen.path : null;
		},
		async choose(major) {
			const wanted = await own();
			if (wanted) return wanted;
			const fitting = (await look()).filter((java) => java.major >= major);
			const usual = await programOnPath(places.environment);
			const first = fitting.find((java) => java.path === usual);
			if (first) return first;
			return fitting.toSorted((a, b) => a.major - b.major)[0] ?? null;
		},
		install: (...call) => inTurn.run(() => install(...call))
	};
	const install: Javas['install'] = async (archive, major, signal) => {
		await ensureDir(dir);
		await sweep(dir, clock.now());
		const temp = await mkdtemp(path.join(dir, UNFINISHED));
		try {
			await unpackTarGz(archive, temp, signal);
			const [name, ...others] = await readdir(temp);
			const program = name && (await programAt(path.join(temp, name, 'bin/java')));
			const java = program && others.length === 0 ? await readJava(program) : null;
			if (!name || java?.major !== major)
				throw new AppError('upstream', `The download is not Java ${major}. Nothing was changed.`, {
					code: 'archive-damaged'
				});
			const home = path.join(dir, name.replace(/[^\w.+-]/g, '_'));
			if (await exists(home)) await rm(home, { recursive: true });
			await rename(path.join(temp, name), home);
			await syncDir(dir);
			look.forget();
			return { ...java, path: path.join(home, 'bin/java') };
		} finally {
			await rm(temp, { recursive: true, force: true });
		}
	};
	return javas;
}

/** What a killed dashboard left behind: folders it unpacked to, and downloads that nothing writes to any more. */
async function sweep(dir: string, now: Date) {
	for (const name of await readdir(dir)) {
		if (!name.startsWith('.')) continue;
		const file = path.join(dir, name);
		const { mtimeMs } = await stat(file);
		if (name.startsWith(UNFINISHED) || now.getTime() - mtimeMs > LEFT_MS)
			await rm(file, { recursive: true, force: true });
	}
}
