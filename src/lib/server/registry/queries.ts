import type { Channel } from '#schemas/mod';
import { BadAnswer, type Api } from '#core/net';
import { toHit, toPack, toProject, toVersion } from './facts.ts';
import type { RegistryPack, RegistryProject, RegistryVersion } from './facts.ts';
import type { WireVersion } from './api-schemas.ts';
import {
	WireByHash,
	WireHits,
	WireProjects,
	WireVersion as Version,
	WireVersions
} from './api-schemas.ts';

export type SearchInput = {
	/** Mods by default. */
	kind?: 'mod' | 'modpack';
	q: string;
	offset: number;
	limit: number;
	sort: string;
	/** Empty: any. */
	category?: string;
	side?: keyof typeof SIDES;
	/** Any of them matches. */
	loaders: string[];
	gameVersion: string | null;
};
export type SearchAnswer = { total: number; hits: RegistryProject[] };
export type HistoryFilter = { loaders: string[]; gameVersion: string | null; changelogs?: boolean };
export type LatestFilter = { loaders: string[]; gameVersion: string; channels?: Channel[] };

/** Servers refuse addresses longer than 8 kB. */
const IDS_MAX_CHARS = 6_000;
const HASHES_MAX = 500;
const SORTS = new Set(['relevance', 'downloads', 'follows', 'newest', 'updated']);

const USED = ['required', 'optional'];
const NEEDLESS = ['optional', 'unsupported'];
/** Of use on one side although the other lacks it, in the fields that every project has. */
const SIDES = {
	'': [],
	server: sides(NEEDLESS, USED),
	client: sides(USED, NEEDLESS)
};
function sides(client: string[], server: string[]) {
	return [client.map((one) => `client_side:${one}`), server.map((one) => `server_side:${one}`)];
}

/** Our queries to the registry, and how their answers are read. `seenIcon` is told each project's icon on the way. */
export function createQuestions(
	api: Pick<Api, 'get' | 'post'>,
	seenIcon: (names: (string | null)[], address: string | null) => void
) {
	/** One POST for up to 500 hashes. */
	const byHash = async (path: string, hashes: string[], filter: object) => {
		const answer = new Map<string, WireVersion>();
		for (let at = 0; at < hashes.length; at += HASHES_MAX) {
			const part = hashes.slice(at, at + HASHES_MAX);
			const body = { hashes: part, algorithm: 'sha512', ...filter };
			const entries = await api.post(path, body, as(WireByHash));
			for (const hash of part) {
				const wire = Version.safeParse(entries.get(hash));
				if (wire.success) answer.set(hash, wire.data);
			}
		}
		return answer;
	};
	const bulk = async <T>(path: string, ids: string[], read: (json: unknown) => T[]) => {
		const parts = inParts(ids).map((part) => ({ ids: JSON.stringify(part) }));
		return (await Promise.all(parts.map((query) => api.get(path, query, read)))).flat();
	};

	return {
		async search(input: SearchInput): Promise<SearchAnswer> {
			const facets = [
				[`project_type:${input.kind ?? 'mod'}`],
				input.loaders.map((loader) => `categories:${loader}`),
				input.gameVersion ? [`versions:${input.gameVersion}`] : [],
				input.category ? [`categories:${input.category}`] : [],
				...SIDES[input.side ?? '']
			].filter((any) => any.length);
			const query = {
				query: input.q,
				facets: JSON.stringify(facets),
				index: SORTS.has(input.sort) ? input.sort : 'relevance',
				offset: String(input.offset),
				limit: String(input.limit)
			};
			const { hits, total_hits } = await api.get('search', query, as(WireHits));
			for (const hit of hits) seenIcon([hit.project_id, hit.slug], hit.icon_url);
			const listed = hits.map(toHit).filter((hit) => hit.listed);
			return { total: total_hits, hits: listed.slice(0, input.limit) };
		},
		/** A project asked for by slug is returned by slug. */
		async projects(ids: string[]) {
			const wires = await bulk('projects', ids, as(WireProjects));
			const found = new Map<string, RegistryProject>();
			for (const wire of wires) {
				seenIcon([wire.id, wire.slug], wire.icon_url);
				for (const name of [wire.slug, wire.id])
					if (name && ids.includes(name)) found.set(name, toProject(wire));
			}
			return found;
		},
		async versions(ids: string[]) {
			const wires = await bulk('versions', ids, as(WireVersions));
			const wanted = wires.filter(({ id }) => ids.includes(id));
			return new Map(wanted.map((wire) => [wire.id, toVersion(wire)]));
		},
		async history(projectId: string, filter: HistoryFilter): Promise<RegistryVersion[]> {
			const { loaders, gameVersion, changelogs = false } = filter;
			const query = {
				...(loaders.length ? { loaders: JSON.stringify(loaders) } : {}),
				...(gameVersion ? { game_versions: JSON.stringify([gameVersion]) } : {}),
				include_changelog: String(changelogs)
			};
			const path = `project/${encodeURIComponent(projectId)}/version`;
			const wires = await api.get(path, query, as(WireVersions));
			const versions = wires.map((wire) => toVersion(wire));
			return versions.sort((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt));
		},
		/** The versions of a pack, newest first. */
		async packs(projectId: string): Promise<RegistryPack[]> {
			const path = `project/${encodeURIComponent(projectId)}/version`;
			const wires = await api.get(path, { include_changelog: 'false' }, as(WireVersions));
			const packs = wires.flatMap((wire) => toPack(wire) ?? []);
			return packs.sort((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt));
		},
		/** Without those that the registry claims to know although it then lists no file with this hash. */
		async jars(hashes: string[]) {
			const wires = await byHash('version_files', hashes, {});
			const versions = [...wires].map(([hash, wire]) => [hash, toVersion(wire, hash)] as const);
			return new Map(versions.filter(([, { file }]) => file));
		},
		async latest(hashes: string[], { loaders, gameVersion, channels }: LatestFilter) {
			const wires = await byHash('version_files/update', hashes, {
				loaders,
				game_versions: [gameVersion],
				...(channels ? { version_types: channels } : {})
			});
			const versions = [...wires].map(([hash, wire]) => [hash, toVersion(wire)] as const);
			// A registry that ignores a filter must not get a wrong jar onto the server.
			const fits = (version: RegistryVersion) =>
				version.gameVersions.includes(gameVersion) &&
				version.loaders.some((loader) => loaders.includes(loader)) &&
				(!channels || channels.includes(version.channel));
			return new Map(versions.filter(([, version]) => fits(version)));
		}
	};
}

/** As many ids per query as fit into one address. */
function inParts(ids: string[]): string[][] {
	const parts: string[][] = [];
	let chars = Infinity;
	for (const id of ids) {
		const more = encodeURIComponent(`"${id}",`).length;
		if (chars + more > IDS_MAX_CHARS) {
			parts.push([]);
			chars = 0;
		}
		parts.at(-1)?.push(id);
		chars += more;
	}
	return parts;
}

type Schema<T> = {
	safeParse(json: unknown): { success: true; data: T } | { success: false; error: unknown };
};

const as =
	<T>(schema: Schema<T>) =>
	(json: unknown): T => {
		const read = schema.safeParse(json);
		if (read.success) return read.data;
		throw new BadAnswer('it does not have the expected form', read.error);
	};
