import type { Store } from './store.ts';
import type { Project } from './types.ts';

const LIMIT = 10;
const LIMIT_MAX = 100;

export class BadRequest extends Error {}

type Values = Record<string, (string | number)[]>;

/** Facets are AND of ORs; loaders are categories. */
export function search(store: Store, query: Record<string, string>) {
	const offset = whole(query['offset'], 0);
	const limit = Math.min(whole(query['limit'], LIMIT), LIMIT_MAX);
	const facets = parseFacets(query['facets']);
	const hits = store.projects
		.filter(({ status }) => status === 'approved' || status === 'archived')
		.map((project) => ({ project, values: valuesOf(store, project) }))
		.filter(({ values }) => facets.every((any) => any.some((facet) => holds(facet, values))))
		.map((hit) => ({ ...hit, score: scoreOf(hit.project, query['query'] ?? '') }))
		.filter(({ score }) => score > 0)
		.sort(order(query['index'] ?? 'relevance'))
		.map(({ project }) => project);
	return { hits: hits.slice(offset, offset + limit), offset, limit, total: hits.length };
}

function whole(text: string | undefined, fallback: number): number {
	if (text === undefined || text === '') return fallback;
	if (!/^\d{1,9}$/.test(text)) throw new BadRequest('invalid digit found in string');
	return Number(text);
}

function parseFacets(text: string | undefined): string[][] {
	if (!text) return [];
	let facets: unknown;
	try {
		facets = JSON.parse(text);
	} catch {
		throw new BadRequest('error while parsing facets');
	}
	if (!Array.isArray(facets)) throw new BadRequest('facets must be an array');
	return facets.map((any: unknown) => (Array.isArray(any) ? any : [any]).map(String));
}

function valuesOf(store: Store, project: Project): Values {
	const versions = store.versionsOf(project.id).filter(({ status }) => status === 'listed');
	return {
		project_type: [project.projectType],
		categories: [...project.categories, ...versions.flatMap(({ loaders }) => loaders)],
		versions: versions.flatMap(({ gameVersions }) => gameVersions),
		client_side: [project.clientSide],
		server_side: [project.serverSide],
		environment: project.environment ?? [],
		license: [project.license.toLowerCase()],
		project_id: [project.id],
		downloads: [project.downloads],
		follows: [project.follows],
		updated: [Math.max(0, ...versions.map(({ publishedAt }) => Date.parse(publishedAt)))]
	};
}

function holds(facet: string, values: Values): boolean {
	const [, key = '', operator = '', wanted = ''] =
		/^\s*(\w+)\s*(!=|>=|<=|[:=<>])\s*(.*?)\s*$/s.exec(facet) ?? [];
	const found = Object.hasOwn(values, key) ? values[key] : undefined;
	if (!found) throw new BadRequest(`unknown facet ${key}`);
	const same = (value: string | number) => String(value).toLowerCase() === wanted.toLowerCase();
	if (operator === ':' || operator === '=') return found.some(same);
	if (operator === '!=') return !found.some(same);
	const compare: Record<string, (a: number, b: number) => boolean> = {
		'>=': (a, b) => a >= b,
		'<=': (a, b) => a <= b,
		'>': (a, b) => a > b,
		'<': (a, b) => a < b
	};
	return found.some((value) => compare[operator]!(Number(value), Number(wanted)));
}

/** Every word must be somewhere; in the title it counts most. */
function scoreOf(project: Project, query: string): number {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const places: [string, number][] = [
		[project.title, 100],
		[project.slug, 50],
		[project.author, 10],
		[project.description, 5]
	];
	let score = 1;
	for (const word of words) {
		const found = places.find(([text]) => text.toLowerCase().includes(word));
		if (!found) return 0;
		score += found[1];
	}
	return score;
}

type Scored = { project: Project; score: number; values: Values };

function order(index: string): (a: Scored, b: Scored) => number {
	const by: Record<string, (hit: Scored) => number> = {
		relevance: ({ score, project }) => score * 1e9 + project.downloads,
		downloads: ({ project }) => project.downloads,
		follows: ({ project }) => project.follows,
		newest: ({ project }) => Date.parse(project.published),
		updated: ({ values }) => Number(values['updated']?.[0] ?? 0)
	};
	const weight = Object.hasOwn(by, index) ? by[index] : undefined;
	if (!weight) throw new BadRequest(`unknown index ${index}`);
	return (a, b) => weight(b) - weight(a) || (a.project.slug < b.project.slug ? -1 : 1);
}
