import type { Channel, ModUpdates, ModUpdateState } from '#schemas/mod';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlMap, createTtlValue } from '#core/ttl-cache';
import type { ModFile } from '#minecraft/mods';
import type { Registry, RegistryVersion } from '#registry';
import { loadersFor } from './target.ts';
import type { RegistryFacts } from './facts.ts';
import { isLeftOut, type FailedVersion } from './failures/index.ts';
import type { Known, ServerFacts } from './known.ts';

/** What is newer in the registry: asked for in bulk, at most three requests for any number of mods. */
export interface Updates {
	/** At most 30 minutes old; when the registry fails, what was found last, with its age and why. */
	list(known: Known, refresh: boolean): Promise<ModUpdates>;
	/**
	 * Asks now: by sha512 the newest version that is allowed, null when there is none; a file that the registry does
	 * not know is absent. AppError `upstream`, `timeout`.
	 */
	newest(files: Hashed[], server: ServerFacts): Promise<Newest>;
}

export type Hashed = Pick<ModFile, 'sha512'>;

export type Newest = Map<string, RegistryVersion | null>;

type Deps = {
	registry: Pick<Registry, 'latest'>;
	facts: RegistryFacts;
	clock: Clock;
};

const FRESH_MS = 30 * 60_000;
const CHANGELOG_MAX_CHARS = 4000;
const AFTER_FAILURE_MS = 60_000;
/** Hashes of files that the registry does not know: not a reason to ask again before the time is up. */
const UNKNOWN_MAX = 2000;
const REQUESTS_MAX = 3;

/**
 * A mod is offered what is at least as stable as what is installed: a release only releases, a beta releases and
 * betas, an alpha everything. A less stable one can be installed from the project's page.
 */
const ALLOWED: Record<Channel, Channel[]> = {
	release: ['release'],
	beta: ['release', 'beta'],
	alpha: ['release', 'beta', 'alpha']
};

type Answer = { newest: Newest; checkedAt: Date; atMs: number };

export function createUpdates({ registry, facts, clock }: Deps): Updates {
	/** For the server as it is; a different version of the game makes it worthless. */
	const last = createTtlMap<string, Answer>({ ttlMs: FRESH_MS, max: 1, clock });
	const failed = createTtlValue<AppError>(AFTER_FAILURE_MS, clock);
	let asking: { key: string; answer: Promise<Answer> } | null = null;
	const unknown = new Set<string>();
	let withheld: ReadonlySet<string> = new Set();

	async function newest(files: Hashed[], server: ServerFacts): Promise<Newest> {
		const { loader, gameVersion } = server;
		const hashes = files.flatMap(({ sha512 }) => sha512 ?? []);
		const { versions, requests, problem, ...told } = await facts.of(hashes, {
			projects: false,
			insist: true
		});
		withheld = told.withheld;
		if (problem) throw new AppError('upstream', problem);
		const found: Newest = new Map();
		const groups = group(hashes, versions, REQUESTS_MAX - requests);
		const loaders = loadersFor(loader);
		if (!loaders.length || !gameVersion) return found;
		await Promise.all(
			[...groups].map(async ([channel, sha512s]) => {
				const channels = ALLOWED[channel];
				const latest = await registry.latest(sha512s, { loaders, gameVersion, channels });
				for (const sha512 of sha512s)
					found.set(sha512, newer(versions.get(sha512), latest.get(sha512) ?? null));
			})
		);
		return found;
	}

	async function ask(known: Known, refresh: boolean): Promise<Answer> {
		const server = serverKey(known.server);
		const kept = refresh ? undefined : last.get(server);
		const missing = kept
			? known.files.filter(({ sha512 }) => sha512 && !kept.newest.has(sha512))
			: known.files;
		const stillUnknown = missing.filter(({ sha512 }) => !unknown.has(`${server} ${sha512}`));
		if (kept && !stillUnknown.length) return kept;
		const found = await newest(missing, known.server);
		for (const { sha512 } of missing)
			if (sha512 && !found.has(sha512) && !withheld.has(sha512)) remember(`${server} ${sha512}`);
		const { checkedAt, atMs } = kept ?? { checkedAt: clock.now(), atMs: clock.monotonicMs() };
		const answer = { newest: new Map([...(kept?.newest ?? []), ...found]), checkedAt, atMs };
		last.set(server, answer, atMs);
		return answer;
	}

	function remember(key: string) {
		if (unknown.size >= UNKNOWN_MAX) unknown.clear();
		unknown.add(key);
	}

	/** Not right after a failure, unless a person asks again. */
	async function askInTurn(known: Known, refresh: boolean): Promise<Answer> {
		const justFailed = failed.get();
		if (justFailed && !refresh) throw justFailed;
		try {
			const answer = await ask(known, refresh);
			failed.forget();
			return answer;
		} catch (error) {
			if (error instanceof AppError) failed.set(error);
			throw error;
		}
	}

	return {
		newest,
		async list(known, refresh) {
			if (!loadersFor(known.server.loader).length || !known.server.gameVersion)
				return describe(known, null, NO_LOADER);
			const key = `${serverKey(known.server)} ${refresh} ${known.files.map((file) => file.sha512)}`;
			try {
				// Simultaneous requests share one answer.
				if (asking?.key !== key) {
					if (refresh) unknown.clear();
					const mine = { key, answer: askInTurn(known, refresh) };
					asking = mine;
					const done = () => void (asking === mine && (asking = null));
					mine.answer.then(done, done);
				}
				return describe(known, await asking.answer, null, withheld);
			} catch (error) {
				if (!(error instanceof AppError)) throw error;
				const old = last.stale(serverKey(known.server)) ?? null;
				return describe(known, old, `It could not be looked up. ${error.message}`);
			}
		}
	};
}

const NO_LOADER = 'The server has no mod loader, or its version is not known yet.';

const UNKNOWN = 'The registry does not know this file.';
const UNLISTED = 'The registry does not list this mod publicly any more.';
const WITHHELD = 'The registry is not asked about this file (Settings, Mods).';

const serverKey = ({ loader, gameVersion }: ServerFacts) => `${loader} ${gameVersion}`;

/**
 * Files by the channel that is installed. When a request was spent on getting to know them and all three channels
 * occur, alphas are looked up like betas this once: never wrong, and complete the next time.
 */
function group(
	hashes: string[],
	versions: ReadonlyMap<string, RegistryVersion>,
	requestsLeft: number
) {
	const groups = new Map<Channel, string[]>();
	for (const sha512 of new Set(hashes)) {
		const version = versions.get(sha512);
		if (version) groups.set(version.channel, [...(groups.get(version.channel) ?? []), sha512]);
	}
	if (groups.size > requestsLeft) {
		groups.set('beta', [...(groups.get('beta') ?? []), ...(groups.get('alpha') ?? [])]);
		groups.delete('alpha');
	}
	return groups;
}

/** The registry's newest under these filters may be the same version, or an older one. */
function newer(installed: RegistryVersion | undefined, latest: RegistryVersion | null) {
	if (!installed || !latest?.file || latest.projectId !== installed.projectId) return null;
	const same = latest.id === installed.id || latest.file.sha512 === installed.file?.sha512;
	const isOlder = Date.parse(latest.publishedAt) <= Date.parse(installed.publishedAt);
	return same || isOlder ? null : latest;
}

function describe(
	known: Known,
	answer: Answer | null,
	trouble: string | null,
	withheld: ReadonlySet<string> = new Set()
): ModUpdates {
	const files = new Map(known.files.map((file) => [file.fileName, file]));
	return {
		checkedAt: answer?.checkedAt.toISOString() ?? null,
		mods: known.mods.map((mod): ModUpdateState => {
			const sha512 = files.get(mod.fileName)?.sha512 ?? null;
			const found = sha512 === null ? undefined : answer?.newest.get(sha512);
			const version = sha512 === null ? undefined : known.versions.get(sha512);
			const isListed = known.projects.get(version?.projectId ?? '')?.listed ?? true;
			const latest = found && isListed ? latestOf(found) : null;
			const unknown = withheld.has(sha512 ?? '') ? WITHHELD : UNKNOWN;
			const reason = found === undefined ? unknown : null;
			const failed = latest ? known.failure(found?.file?.sha512 ?? null) : null;
			return {
				fileName: mod.fileName,
				current: mod.version,
				latest,
				updateAvailable: latest !== null && latest.fileName !== bare(mod.fileName),
				failedHere: failed && told(failed),
				leftOut: failed !== null && isLeftOut(failed),
				locked: mod.locked,
				error: trouble ?? (isListed ? reason : UNLISTED)
			};
		})
	};
}

const told = ({ at, operationId, certain, ready }: FailedVersion) => ({
	...{ at, operationId, certain },
	...(ready && { ready })
});

const bare = (fileName: string) => fileName.replace(/\.disabled$/, '');

function latestOf({ id, file, number, publishedAt, channel, changelog }: RegistryVersion) {
	if (!file) return null;
	return {
		versionId: id,
		fileName: file.fileName,
		version: number,
		publishedAt: new Date(publishedAt).toISOString(),
		channel,
		changelog: changelog?.slice(0, CHANGELOG_MAX_CHARS) ?? null,
		size: file.size
	};
}
