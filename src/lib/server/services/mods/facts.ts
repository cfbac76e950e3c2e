import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlMap, createTtlValue } from '#core/ttl-cache';
import type { Registry, RegistryProject, RegistryVersion } from '#registry';
import type { StateFile } from '#storage/state-file';
import type { FactsState } from './facts-state.ts';

/** What the registry says of files, by their content; kept on disk, so that a restart or an outage costs nothing. */
export interface RegistryFacts {
	/**
	 * Asks about what is new here or a day old: one request for all the files and one for all their projects. When the
	 * registry fails, what was known is kept, `problem` says why, and it is left alone for a minute.
	 */
	of(sha512s: string[], wish?: Wish): Promise<Facts>;
	/** Versions that are about to be installed: their files came from the registry, whatever it may be asked about. */
	learn(versions: RegistryVersion[]): Promise<void>;
	/** What is on disk, without asking the registry. */
	known(): Promise<Facts>;
}

export type Facts = {
	/** By sha512; a file that the registry does not know is absent. */
	versions: ReadonlyMap<string, RegistryVersion>;
	/** By id. */
	projects: ReadonlyMap<string, RegistryProject>;
	/** How many requests this answer took. */
	requests: number;
	problem: string | null;
	/** Files that the registry is not asked about: that they exist is private. */
	withheld: ReadonlySet<string>;
};

type Wish = {
	/** Without the projects when false. */
	projects?: boolean;
	/** Asks even if a request failed a moment ago. */
	insist?: boolean;
};

type Deps = {
	registry: Pick<Registry, 'byHash' | 'projects'>;
	state: StateFile<FactsState>;
	/** Whether the registry may be asked about files that are not known to come from it. */
	askAboutAll: () => Promise<boolean>;
	clock: Clock;
};

const FRESH_MS = 24 * 60 * 60_000;
const AFTER_FAILURE_MS = 60_000;
/** Files that have gone are remembered too, for they come back with a rollback; the oldest are forgotten first. */
const VERSIONS_MAX = 2000;
const PROJECTS_MAX = 1000;

export function createFacts({ registry, state, askAboutAll, clock }: Deps): RegistryFacts {
	/** Why the registry could not be asked. */
	const failed = createTtlValue<string>(AFTER_FAILURE_MS, clock);
	/** Projects that were withdrawn; not asked for again for a while. */
	const gone = createTtlMap<string, true>({ ttlMs: FRESH_MS, max: PROJECTS_MAX, clock });

	const fresh = (at: string) => {
		const ageMs = clock.now().getTime() - Date.parse(at);
		return ageMs >= 0 && ageMs < FRESH_MS;
	};

	async function askVersions(sha512s: string[]) {
		const { versions } = await state.read();
		const known = new Set(versions.filter(({ at }) => fresh(at)).map(({ sha512 }) => sha512));
		const asked = new Set(sha512s.filter((sha512) => !known.has(sha512)));
		if (!asked.size) return 0;
		const found = await registry.byHash([...asked]);
		const at = clock.now().toISOString();
		const told = [...asked].map((sha512) => {
			const version = found.get(sha512);
			return { sha512, at, version: version ? { ...version, changelog: null } : null };
		});
		await keep(told);
		return 1;
	}

	const keep = (told: FactsState['versions']) =>
		state.update((old) => {
			const fresh = new Set(told.map(({ sha512 }) => sha512));
			const rest = old.versions.filter(({ sha512 }) => !fresh.has(sha512));
			return { ...old, versions: [...told, ...rest].slice(0, VERSIONS_MAX) };
		});

	async function withheldOf(sha512s: string[]): Promise<Set<string>> {
		if (await askAboutAll()) return new Set();
		const { versions } = await state.read();
		const fromThere = new Set(versions.filter(({ version }) => version).map((one) => one.sha512));
		return new Set(sha512s.filter((sha512) => !fromThere.has(sha512)));
	}

	async function askProjects(sha512s: string[]) {
		const { versions, projects } = await state.read();
		const wanted = new Set(sha512s);
		const known = new Set(projects.filter(({ at }) => fresh(at)).map(({ project }) => project.id));
		const nowMs = clock.monotonicMs();
		const asked = new Set<string>();
		for (const { sha512, version } of versions)
			if (version && wanted.has(sha512) && !known.has(version.projectId))
				if (!gone.get(version.projectId)) asked.add(version.projectId);
		if (!asked.size) return 0;
		const found = await registry.projects([...asked]);
		for (const id of asked) gone.set(id, true, nowMs);
		for (const { id } of found) gone.forget(id);
		const there = new Set(found.map(({ id }) => id));
		const at = clock.now().toISOString();
		await state.update((old) => ({
			...old,
			projects: [
				...found.map((project) => ({ at, project: { ...project, body: '', gameVersions: [] } })),
				...old.projects
					.filter(({ project }) => !there.has(project.id))
					.map((one) =>
						asked.has(one.project.id) ? { at, project: { ...one.project, listed: false } } : one
					)
			].slice(0, PROJECTS_MAX)
		}));
		return 1;
	}

	async function ask(sha512s: string[], { projects = true, insist = false }: Wish) {
		const justFailed = failed.get();
		if (justFailed && !insist) return { requests: 0, problem: justFailed };
		let requests = 0;
		try {
			requests += await askVersions(sha512s);
			if (projects) requests += await askProjects(sha512s);
			failed.forget();
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			failed.set(error.message);
		}
		return { requests, problem: failed.stale() ?? null };
	}

	const read = async (asked: Pick<Facts, 'requests' | 'problem' | 'withheld'>): Promise<Facts> => {
		const { versions, projects } = await state.read();
		return {
			...asked,
			versions: new Map(
				versions.flatMap(({ sha512, version }) => (version ? [[sha512, version] as const] : []))
			),
			projects: new Map(projects.map(({ project }) => [project.id, project]))
		};
	};

	return {
		async of(sha512s, wish = {}) {
			const withheld = await withheldOf(sha512s);
			const open = sha512s.filter((sha512) => !withheld.has(sha512));
			return read({ ...(await ask(open, wish)), withheld });
		},
		async learn(versions) {
			const at = clock.now().toISOString();
			const told = versions.flatMap((version) =>
				version.file
					? [{ sha512: version.file.sha512, at, version: { ...version, changelog: null } }]
					: []
			);
			if (told.length > 0) await keep(told);
		},
		known: () => read({ requests: 0, problem: failed.stale() ?? null, withheld: new Set() })
	};
}
