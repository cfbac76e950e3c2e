import { constants } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { readTextIfExists } from '#core/files';
import { run } from '#core/exec';

/** A Java that is installed. */
export type Java = {
	/** Its version: `21.0.9`. */
	version: string;
	major: number;
	/** The program, links resolved. */
	path: string;
};

/** Folders that contain one Java each. */
const HOMES = ['/opt/jdk', '/opt/java', '/usr/local/java'];
/** Folders that contain such folders. */
const SHELVES = ['/usr/lib/jvm', '/usr/lib64/jvm', '/usr/java', '/opt/jdks'];
const OWN_SHELVES = ['.jdks', '.sdkman/candidates/java', '.gradle/jdks'];
const OPT = /^(?:open)?(?:jdk|jre|java)/i;
const PROBE_MS = 15_000;
const SHELF_MAX = 50;

export type Places = {
	/** The folder of our own ones. */
	dir: string;
	/** The machine's environment: PATH and HOME are read. */
	environment: NodeJS.ProcessEnv;
	/** JAVA_HOME. */
	home: string | null;
};

/** The programs called `java` on this machine, each once: from JAVA_HOME, PATH, the usual folders and our own. */
export async function javaPrograms({ dir, environment, home }: Places): Promise<string[]> {
	const user = environment['HOME'];
	const shelves = [
		dir,
		...SHELVES,
		...(user ? OWN_SHELVES.map((name) => path.join(user, name)) : [])
	];
	const onShelves = await Promise.all(shelves.map((shelf) => within(shelf, () => true)));
	const homes = [
		...(home ? [home] : []),
		...onShelves.flat(),
		...HOMES,
		...(await within('/opt', (name) => OPT.test(name)))
	];
	const bins = (environment['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute);
	const candidates = [
		...bins.map((bin) => path.join(bin, 'java')),
		...homes.flatMap((one) => [path.join(one, 'bin/java'), path.join(one, 'jre/bin/java')])
	];
	const real = await Promise.all(candidates.map(programAt));
	return [...new Set(real.filter((one) => one !== null))];
}

const within = async (shelf: string, fits: (name: string) => boolean) =>
	(await readdir(shelf).catch(() => [] as string[]))
		.filter((name) => !name.startsWith('.') && fits(name))
		.slice(0, SHELF_MAX)
		.map((name) => path.join(shelf, name));

/** Null when there is no such program. */
export const programAt = (file: string): Promise<string | null> =>
	access(file, constants.X_OK).then(
		() => realpath(file),
		() => null
	);

/** What `java` resolves to in an environment, links resolved. */
export async function programOnPath(environment: NodeJS.ProcessEnv): Promise<string | null> {
	for (const bin of (environment['PATH'] ?? '').split(path.delimiter).filter(path.isAbsolute)) {
		const found = await programAt(path.join(bin, 'java'));
		if (found) return found;
	}
	return null;
}

/** Determines a Java's version: from the file beside it, else by running it. Null when it is not a Java. */
export async function readJava(program: string): Promise<Java | null> {
	const release = path.join(path.dirname(program), '../release');
	const written = /^JAVA_VERSION="([^"\n]{1,40})"/m.exec(
		(await readTextIfExists(release).catch(() => null)) ?? ''
	)?.[1];
	const version = written ?? (await askVersion(program));
	const major = version === null ? null : majorOf(version);
	return version !== null && major !== null ? { version, major, path: program } : null;
}

async function askVersion(program: string): Promise<string | null> {
	const told = await run(program, ['-version'], {
		...{ timeoutMs: PROBE_MS, okCodes: 'any' },
		env: { PATH: '/usr/local/bin:/usr/bin:/bin' }
	}).catch(() => null);
	return /version "([^"\n]{1,40})"/.exec(told ? told.stderr + told.stdout : '')?.[1] ?? null;
}

/** `21.0.9` → 21, `1.8.0_472` → 8. */
export function majorOf(version: string): number | null {
	const [, first, second] = /^(\d{1,3})(?:\.(\d{1,3}))?/.exec(version) ?? [];
	const major = Number(first === '1' ? second : first);
	return Number.isInteger(major) && major > 0 ? major : null;
}
