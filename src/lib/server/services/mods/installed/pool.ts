import type { JarDependency, JarMod } from '#minecraft/mods';
import { isBefore, type Entry } from './entries.ts';
import type { ModServer, Satisfies } from './types.ts';

/** Something that answers to an id. */
export type Provider = {
	/** A file's name; for what the server itself brings, its id. */
	by: string;
	name: string;
	version: string | null;
	/** Null: the server itself. */
	entry: Entry | null;
};

export interface Pool {
	/** The mods that provide that id, as that mod sees it. */
	providers(id: string, seenFrom: Entry): Provider[];
	/** Null: unknown. */
	fits(provider: Provider, dependency: JarDependency, of: JarMod): boolean | null;
	/** The file that would answer, were it enabled. */
	disabled(id: string): string | null;
}

/** Ids that stand-ins of Fabric API answer to, whether they say so or not. */
const FABRIC_API = ['fabric-api', 'fabric'];
const STAND_INS = ['quilted_fabric_api', 'fabric_api'];

export function createPool(
	entries: Entry[],
	server: ModServer,
	connector: boolean,
	satisfies: Satisfies
): Pool {
	// Forge allows no dash in an id: Connector translates.
	const key = (id: string) =>
		connector ? id.toLowerCase().replaceAll('-', '_') : id.toLowerCase();
	const there = new Map<string, Provider[]>();
	const asleep = new Map<string, string>();
	const add = (id: string, provider: Provider) => {
		const list = there.get(key(id));
		if (list) list.push(provider);
		else there.set(key(id), [provider]);
	};

	for (const [id, version] of brought(server, connector))
		add(id, { by: id, name: BUILT_IN.get(id) ?? id, version, entry: null });
	for (const entry of entries) {
		for (const mod of entry.all)
			for (const [id, version] of answersTo(mod)) {
				if (entry.active) add(id, providerOf(entry, mod, version));
				else if (!entry.file.enabled && !asleep.has(key(id)))
					asleep.set(key(id), entry.file.fileName);
			}
	}
	/** What Fabric and Quilt call that version: of Java they know the major one only. */
	const named = (id: string, version: string) =>
		id === 'minecraft'
			? gameSemVer(version)
			: id === 'java' && server.java
				? String(server.java.major)
				: version;
	return {
		providers: (id, seenFrom) =>
			(there.get(key(id)) ?? []).filter(
				({ entry }) => !entry?.skipped || seenFrom.skipped || entry === seenFrom
			),
		fits({ version, entry }, { modId, range }, { loader }) {
			const dialect = loader === 'fabric' || loader === 'quilt' ? loader : 'maven';
			const isOwn = entry === null && version !== null && dialect !== 'maven';
			const has = isOwn ? named(modId, version) : version;
			if (has === null) return range === '*' ? true : null;
			const fits = satisfies(has, range, dialect);
			// Of another loader, by Connector: its versions follow other rules.
			const other = connector && entry !== null && entry.own[0]?.loader !== loader;
			return fits === false && other ? null : fits;
		},
		disabled: (id) => asleep.get(key(id)) ?? null
	};
}

const providerOf = (entry: Entry, mod: JarMod, version: string | null): Provider => ({
	by: entry.file.fileName,
	name: mod.name,
	version,
	entry
});

function answersTo(mod: JarMod): [id: string, version: string | null][] {
	const { modId, version, provides, providedVersions = {} } = mod;
	const versionOf = (id: string) =>
		Object.hasOwn(providedVersions, id) ? providedVersions[id]! : version;
	return [
		[modId, version],
		...provides.map((id): [string, string | null] => [id, versionOf(id)]),
		...(STAND_INS.includes(modId)
			? FABRIC_API.filter((id) => !provides.includes(id)).map((id): [string, null] => [id, null])
			: [])
	];
}

export const BUILT_IN = new Map([
	['minecraft', 'Minecraft'],
	['java', 'Java'],
	['fabricloader', 'Fabric Loader'],
	['quilt_loader', 'Quilt Loader'],
	['forge', 'Forge'],
	['neoforge', 'NeoForge']
]);

/** What is available without any mod. Null: present in an unknown version. */
function brought(server: ModServer, connector: boolean): [id: string, version: string | null][] {
	const { loader, gameVersion, loaderVersion } = server;
	// Forge's is also written with the game's before it.
	const version = loaderVersion?.replace(`${gameVersion}-`, '') ?? null;
	const always: [string, string | null][] = [
		['minecraft', gameVersion],
		['java', server.java?.version ?? null]
	];
	const others = (...ids: string[]) => ids.map((id): [string, null] => [id, null]);
	if (loader === 'fabric')
		return [...always, ['fabricloader', version], ...others('fabric-loader', 'mixinextras')];
	if (loader === 'quilt')
		return [
			...always,
			['quilt_loader', version],
			...others('fabricloader', 'fabric-loader', 'mixinextras')
		];
	const bridge = connector ? others('fabricloader', 'fabric-loader', 'mixinextras') : [];
	if (loader === 'forge')
		return [...always, ['forge', version], ...others('fml', 'mcp', 'javafml'), ...bridge];
	if (loader === 'neoforge') {
		// The first NeoForge, for 1.20.1, still was a Forge to its mods.
		const old: [string, string | null][] = isBefore(gameVersion, [1, 20, 2])
			? [['forge', version]]
			: [];
		return [...always, ['neoforge', version], ...old, ...bridge];
	}
	return [...always, ...others('fabricloader', 'quilt_loader', 'forge', 'neoforge')];
}

/** Fabric's and Quilt's name for a game version; null for the old weekly snapshots, which stand in no order. */
function gameSemVer(version: string): string | null {
	if (/^\d+(?:\.\d+)+$/.test(version)) return version;
	const early = /^(\d+(?:\.\d+)+)-(snapshot|pre|rc)-?(\d+)$/.exec(version);
	if (!early) return null;
	const stage = { snapshot: 'alpha', pre: 'beta', rc: 'rc' }[early[2] as 'snapshot' | 'pre' | 'rc'];
	return `${early[1]}-${stage}.${early[3]}`;
}
