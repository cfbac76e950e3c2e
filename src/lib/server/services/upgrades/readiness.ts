import type { Channel, FailedUpgrade, LateMod, Upgrades, UpgradeVersion } from '#schemas/mod';
import type { GameVersion, LoaderBuild } from '#schemas/software/software';
import type { Registry, RegistryVersion } from '#registry';

export type Installed = {
	loader: string | null;
	gameVersion: string | null;
	/** Enabled jars. */
	files: { fileName: string; title: string; sha512: string | null }[];
	/** What was parked before, under its disabled name. */
	parked?: Installed['files'];
	/** By sha512, of those that the registry knows. */
	versions: ReadonlyMap<string, RegistryVersion>;
	/** How many requests to the registry this took. */
	requests: number;
	/** Why the registry could not be queried. */
	problem: string | null;
};

export type ReadinessDeps = {
	registry: Pick<Registry, 'projects' | 'latest'>;
	/** Every release of the game, newest first. */
	releases: () => Promise<GameVersion[]>;
	/** Newest first; none when the loader has no server for it. */
	builds: (loader: string, game: string) => Promise<LoaderBuild[]>;
	/** Which of the registry's versions the server would load with that game version. */
	loadersFor: (loader: string | null, game: string) => string[];
	mods: {
		/** What cannot stay when these files are set aside, as a plan finds it. */
		parkedWith(
			park: string[]
		): Promise<{ fileName: string; title: string; reason: string | null }[]>;
	};
};

/** What would be started now. */
export type Candidate = {
	gameVersion: string;
	build: string;
	/** Of the enabled mods as they are, by sha512. */
	installed: (string | null)[];
	/** Of the versions that they would get. */
	wanted: string[];
};

export type FailedUpgrades = {
	/** Another one when anything is to be judged anew. */
	key: string;
	/** The last attempt at exactly that, if the game did not start; null otherwise. */
	of(candidate: Candidate): FailedUpgrade | null;
	/** When somebody last went back from exactly that; undefined when nobody did. */
	wentBack(candidate: Candidate): UpgradeVersion['wentBack'];
};

/** The most requests to the registry for one answer, whatever the number of mods. */
const REQUESTS_MAX = 8;
const PROJECTS_REQUESTS = 1;
/** For one game version: releases, then betas, then what is only there as an alpha. */
const PER_VERSION_MAX = 3;
/** How many game versions are reported. */
const VERSIONS_MAX = 5;

/** A mod that the registry knows. */
export type Mod = {
	fileName: string;
	title: string;
	sha512: string;
	channel: Channel;
	/** Null when its project does not say. */
	games: Set<string> | null;
};

/**
 * Queries the newest game version, then from the newest down those that every project names, until one is
 * complete; then the ones that come close. Never by halving: support has gaps.
 */
export async function readiness(
	installed: Installed,
	deps: ReadinessDeps & { anew: boolean; failed: FailedUpgrades }
): Promise<Omit<Upgrades, 'checkedAt'>> {
	const { loader, gameVersion: current } = installed;
	const [releases, { mods, aside }] = await Promise.all([
		deps.releases(),
		knownMods(installed, deps)
	]);
	const newer = newerThan(current, releases);
	const unknown = installed.files
		.filter(({ sha512 }) => !sha512 || !installed.versions.has(sha512))
		.map(({ fileName }) => fileName);
	let left = REQUESTS_MAX - PROJECTS_REQUESTS - installed.requests;
	const found: UpgradeVersion[] = [];
	let oldest = newer.length;
	for (const game of inOrder(newer, mods)) {
		if (found.length >= VERSIONS_MAX || left < PER_VERSION_MAX) break;
		// Nobody needs a version older than a complete one.
		if (newer.indexOf(game) > oldest) continue;
		const build = bestBuild(loader ? await deps.builds(loader, game.id) : []);
		const { ready, requests } = await versionsFor(game.id, [...mods, ...aside], {
			...deps,
			loader
		});
		left -= requests;
		const behind = mods.filter(({ sha512 }) => !ready.has(sha512));
		const along = await deps.mods.parkedWith(behind.map(({ fileName }) => fileName));
		const stays = ({ fileName }: { fileName: string }) =>
			!along.some((one) => one.fileName === fileName);
		const coming = mods.filter((mod) => ready.has(mod.sha512) && stays(mod));
		const candidate = build && {
			...{ gameVersion: game.id, build: build.version },
			installed: installed.files.map(({ sha512 }) => sha512),
			wanted: coming.flatMap(({ sha512 }) => ready.get(sha512)?.file?.sha512 ?? [])
		};
		const wentBack = candidate ? deps.failed.wentBack(candidate) : undefined;
		const version: UpgradeVersion = {
			id: game.id,
			releasedAt: game.releasedAt,
			loader: build,
			ready: coming.length,
			total: mods.length,
			late: behind.map((mod) => late(mod, releases)),
			along: along.map(({ fileName, title, reason }) => ({ fileName, title, reason })),
			...(installed.parked?.length && { parked: parkedFor(installed.parked, ready) }),
			unknown: unknown.filter((fileName) => stays({ fileName })),
			failed: candidate && deps.failed.of(candidate),
			...(wentBack && { wentBack })
		};
		found.push(version);
		if (isComplete(version)) oldest = Math.min(oldest, newer.indexOf(game));
	}
	const versions = newer.flatMap(({ id }) => found.find((one) => one.id === id) ?? []);
	return { current, newestComplete: versions.find(isComplete)?.id ?? null, versions };
}

/** What did not start here, or was not good enough to stay, is no reason to look no further. */
const isComplete = ({ loader, late, failed, wentBack }: UpgradeVersion) =>
	loader !== null && late.length === 0 && failed === null && !wentBack;

/** What was parked before, and whether it has a version for the game that was asked about. */
export const parkedFor = (
	parked: Installed['files'],
	ready: ReadonlyMap<string, RegistryVersion>
) =>
	parked.map(({ fileName, title, sha512 }) => ({
		...{ fileName, title },
		back: sha512 !== null && ready.has(sha512)
	}));

/** Those of the registry, with the game versions that their projects name; `aside` are the parked ones. */
export async function knownMods(
	{ files, parked = [], versions }: Installed,
	{ registry, anew }: ReadinessDeps & { anew: boolean }
): Promise<{ mods: Mod[]; aside: Mod[] }> {
	const known = [...files, ...parked].flatMap((file) => {
		const version = file.sha512 === null ? undefined : versions.get(file.sha512);
		return version && file.sha512 !== null ? [{ ...file, sha512: file.sha512, version }] : [];
	});
	const ids = [...new Set(known.map(({ version }) => version.projectId))];
	const projects = new Map(
		ids.length
			? (await registry.projects(ids, { anew })).map((project) => [project.id, project])
			: []
	);
	const all = known.map(({ fileName, title, sha512, version }) => {
		const project = projects.get(version.projectId);
		const games = project?.gameVersions.length ? new Set(project.gameVersions) : null;
		return { fileName, title: project?.title ?? title, sha512, channel: version.channel, games };
	});
	const isAside = (mod: Mod) => parked.some(({ fileName }) => fileName === mod.fileName);
	return { mods: all.filter((mod) => !isAside(mod)), aside: all.filter(isAside) };
}

/** Newest first. Only a release has a place among the releases. */
export function newerThan(current: string | null, releases: GameVersion[]): GameVersion[] {
	const at = releases.findIndex(({ id }) => id === current);
	return at < 0 ? [] : releases.slice(0, at);
}

/** The newest of all; those that may be complete, newest first; then those that most mods may have. */
function inOrder(newer: GameVersion[], mods: Mod[]): GameVersion[] {
	const hope = (game: GameVersion) =>
		mods.filter(({ games }) => games?.has(game.id) ?? true).length;
	const hopeful = newer
		.map((game) => ({ game, hope: hope(game) }))
		.filter(({ hope }) => hope > 0 || mods.length === 0)
		.sort((a, b) => b.hope - a.hope);
	return [...new Set([...newer.slice(0, 1), ...hopeful.map(({ game }) => game)])];
}

/**
 * Which of the mods have a version for that game, at least as stable as what is installed: an alpha only for what is
 * an alpha already. An old file that was marked for the new game counts: it needs no download.
 */
export async function versionsFor(
	game: string,
	mods: Mod[],
	{ registry, loadersFor, loader }: ReadinessDeps & { loader: string | null }
) {
	const ready = new Map<string, RegistryVersion>();
	const loaders = loadersFor(loader, game);
	let requests = 0;
	const ask = async (wanted: Mod[], channels: Channel[]) => {
		const open = wanted.filter(({ sha512 }) => !ready.has(sha512));
		if (!open.length || !loaders.length) return;
		requests++;
		const sha512s = open.map(({ sha512 }) => sha512);
		const found = await registry.latest(sha512s, { loaders, gameVersion: game, channels });
		for (const [sha512, version] of found)
			if (version.file && version.listed) ready.set(sha512, version);
	};
	// A game version that no version of a project names has nothing from it.
	const open = mods.filter(({ games }) => games?.has(game) ?? true);
	const of = (...channels: Channel[]) => open.filter(({ channel }) => channels.includes(channel));
	await ask(of('release'), ['release']);
	await ask(of('beta', 'alpha'), ['release', 'beta']);
	await ask(of('alpha'), ['release', 'beta', 'alpha']);
	return { ready, requests };
}

export function bestBuild(builds: LoaderBuild[]) {
	const best = builds.find(({ stable }) => stable) ?? builds[0];
	return best ? { version: best.id } : null;
}

function late({ fileName, title, games }: Mod, releases: GameVersion[]): LateMod {
	return { fileName, title, newestFor: releases.find(({ id }) => games?.has(id))?.id ?? null };
}
