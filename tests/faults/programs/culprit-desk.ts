import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { satisfies, type JarFacts, type ModFile } from '#minecraft/mods';
import type { Operations } from '#operations';
import type { Journal } from '#storage/journal';
import { createCulprits } from '../../../src/lib/server/services/mods/culprit/index.ts';
import { modSet } from '../../fakes/mods/change-setup.ts';

/** Eight mods, one of which does not start. */
export const MODS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `${name}.jar`);
export const GUILTY = 'f.jar';
/** Every boot that was made, in whatever process: a file that belongs to the checker. */
export const bootsIn = (dir: string) => path.join(dir, 'boots');
/** Not subject to faults. */
export const modsIn = (dir: string) => path.join(dir, 'server', 'mods');

export async function fill(dir: string) {
	await mkdir(modsIn(dir), { recursive: true });
	for (const name of MODS) await writeFile(path.join(modsIn(dir), name), name);
}

const factsOf = (modId: string): JarFacts => ({
	ok: true,
	library: false,
	mods: [
		{
			...{ modId, name: modId, version: '1', loader: 'fabric', side: 'both' },
			...{ provides: [], dependencies: [], nested: false, description: null }
		}
	]
});

async function filesIn(dir: string): Promise<ModFile[]> {
	const hashes = await modSet(dir);
	return (await readdir(dir)).sort().map((fileName) => ({
		...{ fileName, enabled: true, size: 1, mtimeMs: 0, regular: true },
		...{ sha512: hashes[fileName] ?? null, facts: factsOf(fileName.replace('.jar', '')) }
	}));
}

type Needs = {
	operations: Operations;
	journal: Journal;
	clock: Clock;
	/** While one is under way. */
	booting?: () => Promise<void>;
};

/** The search, with boots that are recorded instead of made. */
export function culpritsAt(dir: string, { operations, journal, clock, booting }: Needs) {
	const modsDir = modsIn(dir);
	const culprits = createCulprits({
		...{ operations, journal, clock, satisfies, modsDir, log: { error() {} } },
		...{ dataDir: path.join(dir, 'data'), serverDir: path.dirname(modsDir) },
		audit: async () => {},
		checkJar: async () => null,
		download: async () => {},
		readJar: async (handle) => factsOf(await handle.readFile('utf8')),
		read: async () => ({
			files: await filesIn(modsDir),
			server: { loader: 'fabric', loaderVersion: '0.16.9', gameVersion: '1.21.1' }
		}),
		remember: async () => {},
		acquit: async () => {},
		trials: {
			problem: async () => null,
			times: async () => ({ limitMs: 1000, usualMs: 10, holdMs: 0, wholeMs: 10 }),
			async boot(jars) {
				const set = await Promise.all(jars.map((jar) => readFile(jar.path, 'utf8')));
				appendFileSync(bootsIn(dir), `${set.sort().join(' ')}\n`);
				await booting?.();
				const bad = set.includes(GUILTY);
				const cause = bad ? { message: 'It does not start.', log: [], mods: [] } : null;
				const verdict = bad ? ('bad' as const) : ('good' as const);
				return { verdict, cause, fingerprint: bad ? 'f' : null, readyMs: 1, durationMs: 1 };
			}
		}
	});
	culprits.define();
	return culprits;
}
