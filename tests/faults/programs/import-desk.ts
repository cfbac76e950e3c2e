import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { writeAtomic } from '#core/files';
import type { Installation } from '#minecraft/folder';
import type { Operations } from '#operations';
import type { Source, Sources } from '#sources';
import { sha512 } from '../../fakes/mods/change-setup.ts';
import { zip } from '../../fakes/mods/jars.ts';
import { openSoftware, serverDirOf, type Options } from '../../fakes/software-desk.ts';

/** `bad`: an import whose server does not start, so that all is taken back. */
export const KINDS = ['import', 'create', 'bad'] as const;
/** Another build in place of the present one; the one of `change-bad` never starts. */
export const CHANGES = ['change', 'change-bad'] as const;
export type Kind = (typeof KINDS | typeof CHANGES)[number];

const jarOf = (build: string) => `fabric-server-mc.1.21.1-loader.${build}-launcher.1.1.0.jar`;
const OLD = '0.18.0';
const NEW = '0.18.1';
const JAR = jarOf(OLD);
const NAMED = 'a mod that the pack only names';
const MODE = 0o644;

export const PACK = zip({
	'modrinth.index.json': JSON.stringify({
		...{ formatVersion: 1, game: 'minecraft', versionId: '1', name: 'Lanterns' },
		dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.18.0' },
		files: [
			{
				path: 'mods/named.jar',
				hashes: { sha512: sha512(NAMED) },
				downloads: ['https://cdn.modrinth.com/named.jar'],
				fileSize: NAMED.length
			}
		]
	}),
	'overrides/mods/own.jar': 'a mod in the pack',
	'overrides/config/own.toml': 'light = 15'
});
export const FILES: Record<(typeof KINDS)[number], string[]> = {
	import: [
		...['config/own.toml', 'eula.txt', JAR, 'mods/named.jar', 'mods/own.jar'],
		...['server.properties', 'start.sh']
	],
	create: ['eula.txt', JAR, 'server.properties', 'start.sh'],
	bad: []
};

const startedBy = (jar: string) => `#!/bin/sh\nexec java -Xmx3G -jar ${jar} nogui\n`;
/** A server with the old build. */
export const BEFORE: Record<string, string> = {
	[JAR]: 'the launcher of before',
	'start.sh': startedBy(JAR),
	'server.properties': 'motd=mine\n',
	'mods/a.jar': 'a',
	'world/level.dat': 'a world'
};
export const NEW_JAR = jarOf(NEW);
/** The same server with the new build. */
export const AFTER: Record<string, string> = {
	...Object.fromEntries(Object.entries(BEFORE).filter(([name]) => name !== JAR)),
	...{ [NEW_JAR]: 'the launcher', 'start.sh': startedBy(NEW_JAR), made: 'new' }
};
export const CHANGE = { do: 'change', loader: 'fabric', build: NEW } as const;

const fabric: Source = {
	loader: 'fabric',
	games: async () => ['1.21.1'],
	builds: async () => [{ id: OLD, stable: true }],
	artifact: async (_, build) => ({
		...{
			kind: 'launcher',
			fileName: jarOf(build),
			url: 'https://example.org',
			size: null,
			maxBytes: 1
		},
		...{ hash: null, proof: { file: '', texts: [] } }
	}),
	java: async () => 21,
	download: (_, to) => writeAtomic(to, 'the launcher', MODE)
};
const nobody = () => {
	throw new Error('Nobody asks for it');
};
/** Fabric for one game, without a network. */
export const sources: Sources = {
	of: () => fabric,
	java: async () => 21,
	...{ games: nobody, buildsOf: nobody, releases: nobody, trouble: () => null, close() {} },
	javas: { find: nobody, download: nobody }
};

/** The service in the folder of one run. The server does not start while the file named in `dir/bad` is in its folder. */
export const deskAt = (
	dir: string,
	operations: Operations,
	clock: Clock,
	more: Partial<Options> = {}
) => {
	const at = (name: string) => path.join(serverDirOf(dir), name);
	const bad = path.join(dir, 'bad');
	const isNew = () => existsSync(at(jarOf(NEW)));
	return openSoftware({
		...{ dir, operations, clock, sources },
		retry: { everyMs: 20, forMs: 60_000 },
		broken: () => existsSync(bad) && existsSync(at(readFileSync(bad, 'utf8'))),
		installation: async () => installationIn(serverDirOf(dir)),
		...more,
		launched() {
			more.launched?.();
			if (isNew()) writeFileSync(at('made'), 'new');
		},
		registry: {
			...{ search: nobody, projects: nobody, packsOf: nobody },
			fetchesFrom: async () => true,
			download: (_, to) => writeAtomic(to, NAMED, MODE)
		}
	});
};

/** Describes a folder that has one of the two builds. */
async function installationIn(dir: string) {
	const script = readFileSync(path.join(dir, 'start.sh'), 'utf8');
	const jar = / -jar (\S+)/.exec(script)![1]!;
	const loaderVersion = /loader\.([\d.]+)-/.exec(jar)![1]!;
	const command = existsSync(path.join(dir, jar)) ? { argv: ['java', '-jar', jar], how: '' } : null;
	return {
		...{ loader: 'fabric', loaderVersion, gameVersion: '1.21.1', command, problem: null }
	} as Installation;
}
