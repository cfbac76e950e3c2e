import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createInstallationReader } from '#minecraft/folder';
import { createModsFolder, readJar, satisfies } from '#minecraft/mods';
import { systemClock } from '#core/clock';
import { createTrials } from '#trial';
import { findOut } from '../../../src/lib/server/trial/can.ts';
import { createCulprits } from '../../../src/lib/server/services/mods/culprit/index.ts';
import { demoJava } from '../../fakes/game/demo-java.ts';
import { standInFolder } from '../../fakes/game/server-folders.ts';
import { modSet, openMods, putOf, stillServer } from '../../fakes/mods/change-setup.ts';
import { zip } from '../../fakes/mods/jars.ts';
import { fabricJson, modsToml } from '../../fakes/mods/mod-jars.ts';
import { ann, createKit, finished } from '../../faults/operations-kit.ts';

const { problem: why } = await findOut();
const LOADERS = ['fabric', 'forge', 'neoforge'] as const;
type Loader = (typeof LOADERS)[number];
const METADATA = { fabric: null, forge: 'mods.toml', neoforge: 'neoforge.mods.toml' } as const;

/** A mod as the loader reads it, and as the demo's game does. */
function jarFor(loader: Loader, id: string, fault?: { fault: string; with?: string }) {
	const custom = fault && { custom: { 'craftwarden-demo': fault } };
	const file = METADATA[loader];
	return zip({
		'fabric.mod.json': fabricJson(id, custom),
		...(file && { [`META-INF/${file}`]: modsToml(id) })
	});
}

/** A folder as the loader's installer leaves it, with mods, and what looks after these in it. */
async function setup(loader: Loader, mods: Record<string, Buffer>) {
	const folder = await standInFolder(loader, {
		properties: { motd: 'Live', 'server-port': 25565 }
	});
	onTestFinished(() => folder.remove());
	const home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'trials-')));
	onTestFinished(() => rm(home, { recursive: true, force: true }));
	await demoJava(path.join(home, 'jdk'));
	await folder.write('eula.txt', 'eula=true\n');
	await folder.write('user_jvm_args.txt', '-Xmx64M\n');
	await folder.write('world/level.dat', 'the live world');
	if (loader === 'fabric') {
		const [jar] = (await readdir(folder.dir)).filter((name) => name.endsWith('.jar'));
		await folder.write('start.sh', `#!/bin/sh\nexec java -Xmx64M -jar ${jar} nogui\n`);
	}
	const serverDir = await realpath(folder.dir);
	const modsDir = path.join(serverDir, 'mods');
	await rm(modsDir, { recursive: true, force: true });
	await mkdir(modsDir);
	for (const [name, jar] of Object.entries(mods)) await writeFile(path.join(modsDir, name), jar);

	const kit = await createKit({ dir: path.join(home, 'data') });
	const { operations, journal } = kit;
	const dataDir = path.join(home, 'data');
	const reader = createInstallationReader(serverDir, {
		...{ command: null, rcon: { host: null, port: null, password: null } },
		javaHome: path.join(home, 'jdk')
	});
	const clock = systemClock;
	const errors: unknown[] = [];
	const log = {
		...{ info() {}, warn() {} },
		error: (...words: unknown[]) => void errors.push(words)
	};
	const trials = createTrials({
		...{ serverDir, dataDir, clock, log, trusted: false, environment: {} },
		mask: async () => (text) => text,
		hidden: { dirs: [], files: [] },
		async installation() {
			const { command, worldDir } = await reader.read();
			return { command: command?.argv ?? null, worldDir, supported: true };
		},
		liveBytes: async () => null,
		history: { read: async () => [], add: async () => {} },
		limits: { maxMs: 60_000, minMs: 60_000, holdMs: 100 },
		// At the lowest priority, beside other tests, it would take minutes.
		can: async () => ({ problem: null, gently: [] })
	});
	const scanned = createModsFolder({
		...{ dir: modsDir, cacheFile: path.join(home, 'cache.json'), clock, warn() {} }
	});
	onTestFinished(() => scanned.close());
	await writeFile(path.join(home, 'running'), '');
	const server = stillServer(path.join(home, 'running'));
	const { changes } = openMods({
		...{ operations, server, modsDir, dataDir, clock },
		trouble: { boot: trials.boot }
	});
	const culprits = createCulprits({
		...{ operations, journal, clock, satisfies, modsDir, serverDir, dataDir, trials, readJar, log },
		...{ audit: async () => {}, checkJar: async () => null, download: async () => {} },
		read: async () => ({ files: await scanned.scan(), server: await reader.read() }),
		remember: async () => {},
		acquit: async () => {}
	});
	culprits.define();
	return {
		...{ kit, trials, culprits, errors },
		install: async (id: string, content: Buffer) =>
			finished(
				operations,
				await changes.run(
					{
						...{ kind: 'install', planId: null, titles: [id], take: [], rename: [] },
						put: [putOf({ fileName: `${id}.jar`, title: id, content })],
						...{ before: await modSet(modsDir), restart: true, backupFirst: false }
					},
					ann
				)
			),
		names: async () => (await readdir(modsDir)).sort(),
		async untouched() {
			expect(await readFile(path.join(serverDir, 'world/level.dat'), 'utf8')).toBe(
				'the live world'
			);
			expect(await readFile(path.join(serverDir, 'server.properties'), 'utf8')).toContain(
				'motd=Live'
			);
			expect(await readdir(path.join(dataDir, 'trials'))).toEqual([]);
			expect((await server.observe()).state).toBe('running');
			expect(errors).toEqual([]);
		}
	};
}

describe.skipIf(why)(`on a server of its loader${why ? ` (${why})` : ''}`, () => {
	test.each(LOADERS)(
		'%s: a mod is tried on a copy before it goes in',
		{ timeout: 120_000 },
		async (loader) => {
			const server = await setup(loader, { 'old.jar': jarFor(loader, 'oldest') });
			expect(await server.trials.problem()).toBeNull();
			const bad = await server.install('quartz', jarFor(loader, 'quartz', { fault: 'crash' }));
			expect(bad).toMatchObject({
				state: 'failed',
				boots: [
					{ verdict: 'bad', control: false },
					{ verdict: 'good', control: true }
				],
				cause: { message: expect.stringMatching(/was never stopped/) }
			});
			expect(await server.names()).toEqual(['old.jar']);
			await server.untouched();
			const good = await server.install('opal', jarFor(loader, 'opal'));
			expect(good).toMatchObject({ state: 'succeeded', boots: [{ verdict: 'good' }] });
			expect(await server.names()).toEqual(['old.jar', 'opal.jar']);
		}
	);

	test.each(LOADERS)(
		'%s: the mod to blame is found among all',
		{ timeout: 120_000 },
		async (loader) => {
			const names = ['amber', 'flint', 'opal', 'quartz'];
			const faultOf = (id: string) => (id === 'flint' ? { fault: 'crash' } : undefined);
			const server = await setup(
				loader,
				Object.fromEntries(names.map((id) => [`${id}.jar`, jarFor(loader, id, faultOf(id))]))
			);
			const { kit, culprits, untouched } = server;
			const search = await culprits.start({ scope: 'all' }, ann);
			expect(await finished(kit.operations, search)).toMatchObject({
				state: 'succeeded',
				result: { culprits: [{ fileName: 'flint.jar' }], together: false }
			});
			await untouched();
		}
	);
});
