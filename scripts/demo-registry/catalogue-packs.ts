import { writeZip } from '../demo-server/world/zip.ts';
import type { FakeRegistry } from './registry.ts';

const GAME_VERSION = '1.21.1';
const LOADER_VERSION = '0.18.0';
/** Mods of the catalogue, with the side that the pack names. */
const MODS: [slug: string, server: 'required' | 'optional' | 'unsupported'][] = [
	['fabric-api', 'required'],
	['lithium', 'required'],
	['lantern-keeper', 'required']
];

/** One small pack, made of mods of the catalogue; its addresses are those of this very registry. */
export function addPacks({ addProject, addVersion, store }: FakeRegistry): void {
	const files = MODS.flatMap(([slug, server]) => {
		const project = store.find(slug);
		const version =
			project &&
			store
				.versionsOf(project.id)
				.find(
					({ gameVersions, channel }) =>
						gameVersions.includes(GAME_VERSION) && channel === 'release'
				);
		const [file] = version?.files ?? [];
		if (!file) return [];
		const { name, sha1, sha512, size, url } = file;
		return [
			{
				path: `mods/${name}`,
				hashes: { sha1, sha512 },
				env: { client: 'required', server },
				downloads: [url],
				fileSize: size
			}
		];
	});
	const index = {
		...{ formatVersion: 1, game: 'minecraft', versionId: '1.0.0', name: 'Lantern Evenings' },
		...{ summary: 'A small pack, made up for the demonstration.', files },
		dependencies: { minecraft: GAME_VERSION, 'fabric-loader': LOADER_VERSION }
	};
	const bytes = writeZip([
		{ name: 'modrinth.index.json', content: JSON.stringify(index, null, '\t') },
		{ name: 'overrides/config/lantern-keeper.toml', content: 'brightness = 12\n' },
		{ name: 'overrides/server.properties', content: 'motd=Lantern Evenings\nallow-flight=true\n' },
		{ name: 'client-overrides/options.txt', content: 'renderDistance:12\n' }
	]);
	addProject({
		slug: 'lantern-evenings',
		title: 'Lantern Evenings',
		description: 'A quiet world with many lights and few monsters.',
		author: 'tallow',
		projectType: 'modpack',
		categories: ['adventure'],
		clientSide: 'required',
		serverSide: 'optional',
		downloads: 48_200
	});
	addVersion('lantern-evenings', {
		number: '1.0.0',
		files: [{ name: 'Lantern Evenings 1.0.0.mrpack', bytes }]
	});
}
