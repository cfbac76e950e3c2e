import { createHash } from 'node:crypto';
import { FABRIC, FORGE, GAMES, JAVAS, NEOFORGE, OLD_NEOFORGE, PAPER } from './catalogue.ts';
import {
	fabricJar,
	installerJar,
	javaArchive,
	paperJar,
	vanillaJar,
	type InstallerFault
} from './files.ts';

export type Answer = { status: number; type: string; body: Buffer | string | object };

const json = (body: object): Answer => ({ status: 200, type: 'application/json', body });
const text = (body: string, type = 'text/plain'): Answer => ({ status: 200, type, body });
const jar = (body: Buffer): Answer => ({ status: 200, type: 'application/java-archive', body });
export const NOT_FOUND: Answer = { status: 404, type: 'text/plain', body: 'Not Found' };
const failure = (status: number, message: string): Answer => ({
	...{ status, type: 'application/json', body: { message } }
});

export type Asked = { path: string; query: URLSearchParams };
export type World = {
	/** Of this server. */
	origin: string;
	installerFault: InstallerFault | null;
	/** Checksums beside files in the Maven repositories. */
	sums: boolean;
};

const hash = (algorithm: string, bytes: Buffer | string) =>
	createHash(algorithm).update(bytes).digest('hex');

/** The real answer of each service, by the first part of the path; each under the paths of the real one. */
export const SERVICES = {
	MOJANG_META_URL: mojang,
	FABRIC_META_URL: fabric,
	NEOFORGE_MAVEN_URL: neoforge,
	FORGE_FILES_URL: forgeFiles,
	FORGE_MAVEN_URL: forgeMaven,
	PAPER_API_URL: paper,
	ADOPTIUM_URL: adoptium
} satisfies Record<string, (asked: Asked, world: World) => Answer>;

function details(id: string, origin: string): string {
	const { java } = GAMES.find((game) => game.id === id)!;
	const bytes = vanillaJar(id, java);
	const sha1 = hash('sha1', bytes);
	return JSON.stringify({
		id,
		...(java ? { javaVersion: { component: `java-runtime-${java}`, majorVersion: java } } : {}),
		downloads: {
			server: {
				sha1,
				size: bytes.length,
				url: `${origin}/MOJANG_META_URL/v1/objects/${id}/server.jar`
			}
		}
	});
}

function mojang({ path }: Asked, { origin }: World): Answer {
	if (path === 'mc/game/version_manifest_v2.json')
		return json({
			latest: { release: '26.2', snapshot: '26.3-snapshot-3' },
			versions: GAMES.map(({ id, type, releasedAt }) => ({
				...{ id, type, time: releasedAt, releaseTime: releasedAt, complianceLevel: 1 },
				url: `${origin}/MOJANG_META_URL/v1/packages/${id}.json`,
				sha1: hash('sha1', details(id, origin))
			}))
		});
	const [, kind, id] =
		/^v1\/(packages|objects)\/([^/]+?)(?:\.json|\/server\.jar)$/.exec(path) ?? [];
	const game = GAMES.find((one) => one.id === id);
	if (!game) return NOT_FOUND;
	return kind === 'packages'
		? text(details(game.id, origin), 'application/json')
		: jar(vanillaJar(game.id, game.java));
}

function fabric({ path, query }: Asked): Answer {
	if (query.size) return failure(400, 'Query strings are not supported');
	if (path === 'v2/versions/game') return json(FABRIC.games);
	if (path === 'v2/versions/installer')
		return json(
			FABRIC.installers.map((one) => ({
				...one,
				maven: `net.fabricmc:fabric-installer:${one.version}`
			}))
		);
	const [, game = '', loader, installer] =
		/^v2\/versions\/loader\/([^/]+)(?:\/([^/]+)\/([^/]+)\/server\/jar)?$/.exec(path) ?? [];
	const supported =
		FABRIC.games.some(({ version }) => version === game) && !FABRIC.unsupported.includes(game);
	if (!loader)
		return json(
			supported
				? FABRIC.loaders.map((version, i) => ({
						loader: { version, stable: i === 1, maven: `net.fabricmc:fabric-loader:${version}` },
						intermediary: { version: game, stable: true }
					}))
				: []
		);
	const known =
		supported &&
		FABRIC.loaders.includes(loader) &&
		FABRIC.installers.some(({ version }) => version === installer);
	return known ? jar(fabricJar(game, loader)) : failure(400, 'Unable to find a valid version');
}

const metadata = (group: string, artifact: string, versions: string[]) =>
	text(
		[
			'<?xml version="1.0" encoding="UTF-8"?>',
			`<metadata>\n  <groupId>${group}</groupId>\n  <artifactId>${artifact}</artifactId>`,
			`  <versioning>\n    <latest>26.1.2.7-beta</latest>\n    <versions>`,
			...versions.map((version) => `      <version>${version}</version>`),
			'    </versions>\n  </versioning>\n</metadata>\n'
		].join('\n'),
		'application/xml'
	);

/** A file of a Maven repository, or the checksum beside it. */
function repository(path: string, bytes: Buffer, { sums }: World): Answer {
	const sum = /\.(sha1|sha256)$/.exec(path)?.[1];
	if (!sum) return jar(bytes);
	return sums ? text(hash(sum, bytes)) : NOT_FOUND;
}

function neoforge({ path }: Asked, world: World): Answer {
	const here = 'releases/net/neoforged';
	if (path === `${here}/neoforge/maven-metadata.xml`)
		return metadata('net.neoforged', 'neoforge', NEOFORGE);
	if (path === `${here}/forge/maven-metadata.xml`)
		return metadata('net.neoforged', 'forge', OLD_NEOFORGE);
	if (path === 'api/maven/versions/releases/net/neoforged/neoforge')
		return json({ isSnapshot: false, versions: NEOFORGE });
	const [, name, version] =
		/\/(neoforge|forge)\/([^/]+)\/\1-\2-installer\.jar(?:\.sha\d+)?$/.exec(path) ?? [];
	if (!name || !version || ![...NEOFORGE, ...OLD_NEOFORGE].includes(version)) return NOT_FOUND;
	const game = name === 'forge' ? '1.20.1' : gameOf(version);
	return repository(
		path,
		installerJar('neoforge', game, version.replace(/^1\.20\.1-/, ''), world.installerFault),
		world
	);
}

function gameOf(version: string): string {
	const [a, b, c, d] = version.replace(/-.*/, '').split('.');
	if (d !== undefined) return c === '0' ? `${a}.${b}` : `${a}.${b}.${c}`;
	return b === '0' ? `1.${a}` : `1.${a}.${b}`;
}

function forgeFiles({ path }: Asked): Answer {
	if (path === 'net/minecraftforge/forge/promotions_slim.json')
		return json({ homepage: 'https://files.minecraftforge.net/', promos: FORGE.promos });
	if (path === 'net/minecraftforge/forge/maven-metadata.json') return json(FORGE.builds);
	return NOT_FOUND;
}

function forgeMaven({ path }: Asked, world: World): Answer {
	const [, name = ''] =
		/^net\/minecraftforge\/forge\/([^/]+)\/forge-\1-installer\.jar(?:\.sha\d+)?$/.exec(path) ?? [];
	const [game = '', build = ''] = name.split(/-(.*)/);
	if (!FORGE.builds[game]?.includes(name)) return NOT_FOUND;
	return repository(path, installerJar('forge', game, build, world.installerFault), world);
}

function paper({ path }: Asked, { origin }: World): Answer {
	const build = (
		game: (typeof PAPER)[number],
		{ id, channel }: { id: number; channel: string }
	) => {
		const bytes = paperJar(game.id, game.java, id);
		const sha256 = hash('sha256', bytes);
		const name = `paper-${game.id}-${id}.jar`;
		return {
			...{ id, channel, time: '2025-09-06T21:50:11.982Z', commits: [] },
			downloads: {
				'server:default': {
					...{ name, checksums: { sha256 }, size: bytes.length },
					url: `${origin}/PAPER_API_URL/v1/objects/${game.id}/${id}/${name}`
				}
			}
		};
	};
	const [, gameId, buildId] = /^v1\/objects\/([^/]+)\/(\d+)\//.exec(path) ?? [];
	const found = PAPER.find(({ id }) => id === gameId);
	if (found) return jar(paperJar(found.id, found.java, Number(buildId)));
	if (path === 'v3/projects/paper')
		return json({
			project: { id: 'paper', name: 'Paper' },
			versions: { all: PAPER.map(({ id }) => id) }
		});
	if (path === 'v3/projects/paper/versions')
		return json({
			versions: PAPER.map(({ id, java, builds }) => ({
				version: {
					...{ id, support: { status: 'SUPPORTED' } },
					java: { version: { minimum: java }, flags: { recommended: ['-XX:+UseG1GC'] } }
				},
				builds: builds.map((one) => one.id)
			}))
		});
	const [, version, one] =
		/^v3\/projects\/paper\/versions\/([^/]+)\/builds(?:\/([^/]+))?$/.exec(path) ?? [];
	const game = PAPER.find(({ id }) => id === version);
	if (!game) return failure(404, 'Version not found.');
	if (!one) return json(game.builds.map((each) => build(game, each)));
	const wanted = game.builds.find(({ id }) => one === 'latest' || String(id) === one);
	return wanted ? json(build(game, wanted)) : failure(404, 'Build not found.');
}

function adoptium({ path, query }: Asked, { origin }: World): Answer {
	const [, file] = /^files\/(.+)$/.exec(path) ?? [];
	if (file) {
		const java = JAVAS.find(({ major }) => file.startsWith(`OpenJDK${major}U-`));
		return java ? { ...jar(archiveOf(java)), type: 'application/gzip' } : NOT_FOUND;
	}
	const [, major] = /^v3\/assets\/latest\/(\d+)\/hotspot$/.exec(path) ?? [];
	const java = JAVAS.find((one) => String(one.major) === major);
	const image = query.get('image_type') ?? '';
	if (!java || !java.images.includes(image)) return json([]);
	const bytes = archiveOf(java);
	const name = `OpenJDK${java.major}U-${image}_${query.get('architecture')}_linux_hotspot_${java.version.replace('+', '_')}.tar.gz`;
	return json([
		{
			binary: {
				...{ os: query.get('os'), architecture: query.get('architecture'), image_type: image },
				...{ jvm_impl: 'hotspot', heap_size: 'normal', updated_at: '2025-10-22T10:00:00Z' },
				package: {
					...{ name, link: `${origin}/ADOPTIUM_URL/files/${name}`, size: bytes.length },
					checksum: hash('sha256', bytes)
				}
			},
			...{ release_name: `jdk-${java.version}`, vendor: 'eclipse' },
			version: { major: java.major, semver: java.version, openjdk_version: java.version }
		}
	]);
}

const archiveOf = ({ version }: (typeof JAVAS)[number]) =>
	javaArchive(`jdk-${version}-jre`, version);
