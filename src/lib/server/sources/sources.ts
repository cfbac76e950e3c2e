import { existsSync } from 'node:fs';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import { createTransport, type Transport } from '#core/net';
import type { GameVersion, LoaderBuild, ServerLoader } from '#schemas/software/software';
import { ADOPTIUM, createAdoptium, type JavaSource } from './adoptium.ts';
import { createFabric, FABRIC } from './fabric.ts';
import { createForge, FORGE_FILES, FORGE_MAVEN } from './forge.ts';
import { javaOf } from '#minecraft/java';
import { createMojang, MOJANG, type ManifestEntry } from './mojang.ts';
import { createNeoForge, NEOFORGE } from './neoforge.ts';
import { createPaper, PAPER } from './paper.ts';
import type { ListTrouble, Place } from './outside.ts';
import type { Source } from './source.ts';

/** The settings that hold the addresses, and the addresses of the real ones. */
export const SOURCE_ADDRESSES = Object.fromEntries(
	[MOJANG, FABRIC, NEOFORGE, FORGE_FILES, FORGE_MAVEN, PAPER, ADOPTIUM].map(({ setting, real }) => [
		setting,
		real
	])
) as Record<SourceSetting, string>;

export type SourceSetting =
	| 'MOJANG_META_URL'
	| 'FABRIC_META_URL'
	| 'NEOFORGE_MAVEN_URL'
	| 'FORGE_FILES_URL'
	| 'FORGE_MAVEN_URL'
	| 'PAPER_API_URL'
	| 'ADOPTIUM_URL';

/** Where games, loaders and Java come from. Failures are `AppError('upstream' | 'timeout')`. */
export interface Sources {
	/** One kind of server. */
	of(loader: ServerLoader): Source;
	/**
	 * The game versions that this kind of server exists for, newest first by date: releases, and what is
	 * newer than the newest of them.
	 */
	games(loader: ServerLoader): Promise<GameVersion[]>;
	/** The builds of each of these game versions. */
	buildsOf(loader: ServerLoader, games: string[]): Promise<Record<string, LoaderBuild[]>>;
	/** Every release of the game, newest first by its date, whatever a loader supports. */
	releases(): Promise<GameVersion[]>;
	/** The major version of Java that this kind of server needs for a game version. */
	java(loader: ServerLoader, game: string): Promise<number>;
	javas: JavaSource;
	/** Why answers about this kind of server may be old, and since when. */
	trouble(loader: ServerLoader): ListTrouble | null;
	close(): void;
}

export type SourcesDeps = {
	/** The value of a setting, or an address that is only known when it is needed. */
	address: (setting: SourceSetting) => URL | (() => Promise<URL>);
	/** Names the program, its version and where to complain: some services refuse others. */
	userAgent: string;
	machine?: { arch: string; musl: boolean };
	clock: Clock;
	log: Pick<Logger, 'info' | 'warn'>;
	/** For tests. */
	transport?: Transport;
};

export function createSources(deps: SourcesDeps): Sources {
	const { address, userAgent, clock, log, machine = thisMachine() } = deps;
	const transport = deps.transport ?? createTransport();
	const at = ({ setting }: Place) => ({
		...{ base: address(setting as SourceSetting), userAgent, transport, clock, log }
	});
	const mojang = createMojang(at(MOJANG));
	const fabric = createFabric(at(FABRIC));
	const neoforge = createNeoForge(at(NEOFORGE));
	const forge = createForge(at(FORGE_FILES), at(FORGE_MAVEN));
	const paper = createPaper(at(PAPER));
	const adoptium = createAdoptium(at(ADOPTIUM), machine);
	const all = { vanilla: mojang, fabric, neoforge, forge, paper };
	const of = (loader: ServerLoader): Source => all[loader].source;

	const releases = async () =>
		(await mojang.source.manifest()).filter(({ type }) => type === 'release').map(toGame);

	return {
		of,
		releases,
		async games(loader) {
			const [manifest, ids] = await Promise.all([mojang.source.manifest(), of(loader).games()]);
			const supported = new Set(ids);
			return offered(manifest.filter(({ id }) => supported.has(id))).map(toGame);
		},
		async buildsOf(loader, games) {
			const found = games.map(async (game) => [game, await of(loader).builds(game)] as const);
			return Object.fromEntries(await Promise.all(found));
		},
		async java(loader, game) {
			const [own, games] = await Promise.all([of(loader).java(game), mojang.source.java(game)]);
			return Math.max(own ?? 0, games);
		},
		javas: adoptium.source,
		trouble: (loader) => mojang.outside.trouble() ?? all[loader].outside.trouble(),
		close() {
			for (const { outside } of [...Object.values(all), adoptium]) outside.close();
			forge.lists.close();
			transport.close();
		}
	};
}

const thisMachine = () => ({ arch: process.arch, musl: existsSync('/etc/alpine-release') });

/** Releases, and what is newer than the newest of them. */
function offered(manifest: ManifestEntry[]): ManifestEntry[] {
	const newest = manifest.findIndex(({ type }) => type === 'release');
	return manifest.filter(
		({ type }, i) => type === 'release' || (i < newest && type === 'snapshot')
	);
}

const toGame = ({ id, type, releaseTime }: ManifestEntry): GameVersion => ({
	id,
	type: type === 'release' ? 'release' : 'snapshot',
	releasedAt: releaseTime ?? null,
	java: javaOf(id)
});
