import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { writeAtomic } from '#core/files';
import type { Operations } from '#operations';
import type { Source, Sources } from '#sources';
import { sha512 } from '../../fakes/mods/change-setup.ts';
import { zip } from '../../fakes/mods/jars.ts';
import { openSoftware } from '../../fakes/software-desk.ts';

/** `bad`: an import whose server does not start, so that all is taken back. */
export const KINDS = ['import', 'create', 'bad'] as const;
export type Kind = (typeof KINDS)[number];

const JAR = 'fabric-server-mc.1.21.1-loader.0.18.0-launcher.1.1.0.jar';
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
export const FILES: Record<Kind, string[]> = {
	import: [
		...['config/own.toml', 'eula.txt', JAR, 'mods/named.jar', 'mods/own.jar'],
		...['server.properties', 'start.sh']
	],
	create: ['eula.txt', JAR, 'server.properties', 'start.sh'],
	bad: []
};

const fabric: Source = {
	loader: 'fabric',
	games: async () => ['1.21.1'],
	builds: async () => [{ id: '0.18.0', stable: true }],
	artifact: async () => ({
		...{ kind: 'launcher', fileName: JAR, url: 'https://example.org', size: null, maxBytes: 1 },
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

/** The service in the folder of one run. While `dir/bad` is there, the server does not start. */
export const deskAt = (dir: string, operations: Operations, clock: Clock) =>
	openSoftware({
		...{ dir, operations, clock, sources },
		broken: () => existsSync(path.join(dir, 'bad')),
		registry: {
			...{ search: nobody, projects: nobody, packsOf: nobody },
			fetchesFrom: async () => true,
			download: (_, to) => writeAtomic(to, NAMED, MODE)
		}
	});
