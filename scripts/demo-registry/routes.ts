import { hitAnswer, projectAnswer, versionAnswer } from './answers.ts';
import { drawIcon } from './png.ts';
import { BadRequest, search } from './search.ts';
import type { Store } from './store.ts';
import type { SeenRequest, Version } from './types.ts';

export type Found = { status: number; type: string; body: Buffer | string | object | null };

const json = (body: object): Found => ({ status: 200, type: 'application/json', body });
const NOT_FOUND: Found = { status: 404, type: 'text/plain', body: null };
const failure = (status: number, error: string, description: string): Found => ({
	status,
	type: 'application/json',
	body: { error, description }
});

/** The true answer to a request. */
export function answer(store: Store, request: SeenRequest, origin: string): Found {
	try {
		if (request.path.startsWith('/v2/'))
			return api(store, request, request.path.slice('/v2/'.length), origin);
		return file(store, request.path);
	} catch (error) {
		if (error instanceof URIError) return NOT_FOUND;
		if (!(error instanceof BadRequest)) throw error;
		return failure(400, 'invalid_input', error.message);
	}
}

function api(store: Store, request: SeenRequest, path: string, origin: string): Found {
	const { query, method } = request;
	const parts = path.split('/').map(decodeURIComponent);
	if (method === 'POST') return hashes(store, parts, request.body);
	if (path === 'search') {
		const { hits, offset, limit, total } = search(store, query);
		return json({
			hits: hits.map((project) => hitAnswer(store, project, origin)),
			offset,
			limit,
			total_hits: total
		});
	}
	if (path === 'projects') {
		const found = new Set(idsIn(query['ids']).flatMap((id) => store.find(id) ?? []));
		return json([...found].map((project) => projectAnswer(store, project, origin)));
	}
	if (path === 'versions') {
		const ids = idsIn(query['ids']);
		return json(
			store.versions.filter(({ id }) => ids.includes(id)).map((one) => versionAnswer(one))
		);
	}
	if (parts[0] === 'version' && parts.length === 2) {
		const version = store.versions.find(({ id }) => id === parts[1]);
		return version ? json(versionAnswer(version)) : NOT_FOUND;
	}
	if (parts[0] === 'version_file' && parts.length === 2) {
		const version = byHash(store, parts[1] ?? '', query['algorithm'] ?? 'sha1');
		return version ? json(versionAnswer(version)) : NOT_FOUND;
	}
	return projects(store, parts, query, origin);
}

function projects(
	store: Store,
	[first, name = '', third, wanted]: string[],
	query: Record<string, string>,
	origin: string
): Found {
	const project = first === 'project' ? store.find(name) : undefined;
	if (!project) return NOT_FOUND;
	if (third === undefined) return json(projectAnswer(store, project, origin));
	if (third === 'check') return json({ id: project.id });
	if (third !== 'version') return NOT_FOUND;
	const versions = store.versionsOf(project.id);
	if (wanted !== undefined) {
		// Numbers are not unique: the oldest is meant.
		const one =
			versions.find(({ id }) => id === wanted) ??
			versions.findLast(({ number }) => number === wanted);
		return one ? json(versionAnswer(one)) : NOT_FOUND;
	}
	const loaders = idsIn(query['loaders']);
	const gameVersions = idsIn(query['game_versions']);
	const fitting = versions.filter(
		(version) =>
			version.status === 'listed' &&
			(!loaders.length || version.loaders.some((one) => loaders.includes(one))) &&
			(!gameVersions.length || version.gameVersions.some((one) => gameVersions.includes(one)))
	);
	return json(fitting.map((one) => versionAnswer(one, query['include_changelog'] !== 'false')));
}

type Body = {
	hashes: string[];
	algorithm: string;
	loaders?: string[];
	game_versions?: string[];
	version_types?: string[];
};

/** Answers are objects by hash; what is unknown, or has nothing that fits, is absent. */
function hashes(store: Store, parts: string[], given: unknown): Found {
	const path = parts.join('/');
	if (path !== 'version_files' && path !== 'version_files/update') return NOT_FOUND;
	const body = given as Body;
	if (!Array.isArray(body?.hashes) || !['sha1', 'sha512'].includes(body.algorithm))
		throw new BadRequest('missing field `hashes` or `algorithm`');
	const isUpdate = parts.length === 2;
	if (isUpdate && !(Array.isArray(body.loaders) && Array.isArray(body.game_versions)))
		throw new BadRequest('missing field `loaders` or `game_versions`');
	const found: Record<string, object> = {};
	for (const hash of body.hashes) {
		const version = byHash(store, hash, body.algorithm);
		const told = version && isUpdate ? newest(store, version, body) : version;
		if (told) found[hash] = versionAnswer(told);
	}
	return json(found);
}

/** The newest of the same project that fits: possibly the same one, or an older one. */
const newest = (store: Store, { projectId }: Version, body: Body) =>
	store
		.versionsOf(projectId)
		.find(
			(version) =>
				version.status === 'listed' &&
				version.loaders.some((one) => body.loaders?.includes(one)) &&
				version.gameVersions.some((one) => body.game_versions?.includes(one)) &&
				(!body.version_types || body.version_types.includes(version.channel))
		);

const byHash = (store: Store, hash: string, algorithm: string) =>
	store.versions.find(({ files }) =>
		files.some((one) => (algorithm === 'sha512' ? one.sha512 : one.sha1) === hash)
	);

/** The registry's file server: `/data/<project>/versions/<version>/<file>`, `+` also as `%2B`. */
function file(store: Store, path: string): Found {
	const [, data, id = '', kind, versionId, name] = path.split('/');
	const project = data === 'data' ? store.find(decodeURIComponent(id)) : undefined;
	if (!project) return NOT_FOUND;
	if (kind === 'icon.png') return { status: 200, type: 'image/png', body: drawIcon(project.slug) };
	const version = store.versions.find(
		(one) => one.id === versionId && one.projectId === project.id
	);
	const found = version?.files.find((one) => one.name === decodeURIComponent(name ?? ''));
	if (kind !== 'versions' || !found) return NOT_FOUND;
	return { status: 200, type: 'application/java-archive', body: found.bytes };
}

function idsIn(text: string | undefined): string[] {
	if (text === undefined) return [];
	try {
		const ids: unknown = JSON.parse(text);
		if (Array.isArray(ids)) return ids.map(String);
	} catch {
		// told below
	}
	throw new BadRequest('expected a JSON array');
}
