import type { Edge } from './graph.ts';

/** What a room may import beside its own files. A name that ends in `/*` means every room below it. */
type Room = {
	/** Its files: the first room whose prefix fits a file is the file's room. */
	at: string;
	/** Rooms, by prefix. */
	may: string[];
	/** Rooms of which only types may be named. */
	types?: string[];
	/** Packages and builtins: an exact name, or a prefix that ends in `*`. */
	packages?: string[];
};

const SERVER = 'src/lib/server';
const CORE = `${SERVER}/core/`;
const SCHEMAS = 'src/lib/schemas/';
const API = 'src/lib/api/';
const UI = 'src/lib/ui/';
const GAME = 'src/lib/game/';
const CLIENT = 'src/lib/client/';
const NODE = ['node:*', 'zod'];
const SVELTE = ['svelte', 'svelte/*', '$app/*', '@lucide/svelte/*'];

const minecraft = (name: string) => `${SERVER}/minecraft/${name}/`;
const storage = (name: string) => `${SERVER}/storage/${name}/`;
/** A room of the outside world: it knows core, schemas and the neighbours that are named. */
const world = (at: string, neighbours: string[] = [], packages: string[] = []): Room => ({
	at,
	may: [CORE, SCHEMAS, ...neighbours],
	packages: [...NODE, ...packages]
});

const WORLD: Room[] = [
	world(minecraft('text')),
	world(minecraft('zip')),
	world(minecraft('mask')),
	world(minecraft('rcon')),
	world(minecraft('follow')),
	world(minecraft('java')),
	world(minecraft('stats')),
	world(minecraft('mods-swap')),
	world(minecraft('log-format')),
	world(minecraft('ping'), [minecraft('text')]),
	world(minecraft('mods'), [minecraft('text'), minecraft('zip')], ['smol-toml']),
	world(minecraft('folder'), [minecraft('log-format'), minecraft('text'), minecraft('zip')]),
	world(minecraft('packs'), [minecraft('folder'), minecraft('zip')]),
	world(minecraft('lists'), [minecraft('folder'), minecraft('text')]),
	world(minecraft('commands'), [minecraft('lists'), minecraft('text')]),
	world(minecraft('log-files'), [minecraft('log-format')]),
	world(minecraft('game-log'), [minecraft('log-format'), minecraft('text')]),
	world(minecraft('logs'), [
		minecraft('log-files'),
		minecraft('log-format'),
		minecraft('mask'),
		minecraft('text')
	]),
	world(minecraft('sessions'), [
		minecraft('game-log'),
		minecraft('log-files'),
		minecraft('log-format')
	]),
	world(minecraft('diagnosis'), [
		minecraft('log-files'),
		minecraft('log-format'),
		minecraft('text'),
		`${SERVER}/runtime/`
	]),
	world(minecraft('tps'), [
		minecraft('commands'),
		minecraft('follow'),
		minecraft('log-format'),
		minecraft('rcon'),
		minecraft('text')
	]),
	world(`${SERVER}/runtime/`),
	world(`${SERVER}/trial/`, [minecraft('diagnosis'), minecraft('folder'), minecraft('text')]),
	world(`${SERVER}/registry/`),
	world(`${SERVER}/sources/`, [minecraft('folder'), minecraft('java'), minecraft('zip')]),
	world(`${SERVER}/picture/`, [], ['@vercel/og']),
	world(storage('archive')),
	world(storage('snapshots')),
	world(storage('journal')),
	world(storage('handover')),
	world(storage('metrics')),
	world(storage('crontab')),
	world(storage('state-file'))
];

const ROUTE_SERVER = [SCHEMAS, API, `${CORE}http/`];

/** Narrow rooms stand before wide ones. */
const ROOMS: Room[] = [
	{ at: SCHEMAS, may: [], packages: ['zod', 'cron-parser'] },
	{ at: API, may: [SCHEMAS], packages: ['zod'] },
	{
		at: `${CORE}http/`,
		may: [CORE, API, SCHEMAS],
		packages: [...NODE, '@sveltejs/kit', '@fastify/busboy']
	},
	{ at: CORE, may: [], types: [SCHEMAS], packages: NODE },
	...WORLD,
	{
		at: `${SERVER}/operations/`,
		may: [CORE, SCHEMAS],
		types: [storage('journal'), minecraft('diagnosis'), `${SERVER}/runtime/`],
		packages: NODE
	},
	{
		at: `${SERVER}/services/`,
		may: [CORE, SCHEMAS, `${SERVER}/operations/`],
		types: [...WORLD.map(({ at }) => at), `${SERVER}/events.ts`],
		packages: ['node:*', 'zod', 'fflate', 'nodemailer', 'nodemailer/*']
	},
	{ at: `${SERVER}/env/`, may: [CORE, SCHEMAS], packages: NODE },
	{
		at: `${SERVER}/auth/`,
		may: [CORE, SCHEMAS],
		types: [`${SERVER}/services/`],
		packages: [...NODE, '@auth/*', '@sveltejs/kit']
	},
	{ at: `${SERVER}/`, may: [`${SERVER}/`, SCHEMAS, API], packages: NODE },
	{ at: UI, may: [], packages: SVELTE },
	{
		at: CLIENT,
		may: [SCHEMAS],
		types: [API],
		packages: [...SVELTE, 'svelte-sonner', '@sveltejs/kit']
	},
	{ at: GAME, may: [UI, CLIENT, SCHEMAS], types: [API], packages: [...SVELTE, 'bits-ui'] }
];

/** Services reach the machine through the rooms of the outside world only. */
const NO_PROCESSES = 'node:child_process';

const fits = (name: string, list: string[]) =>
	list.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
const within = (file: string, rooms: string[]) => rooms.some((room) => file.startsWith(room));

/** Tests, and the programs that only they and the benchmarks start, may look into any room. */
export const isTest = (file: string) =>
	/\.(test|spec)\.ts$/.test(file) || /^(tests|scripts)\//.test(file);

export type Places = {
	/** Folders, with a slash at the end: those with a door (`index.ts`). */
	doors: Set<string>;
	/** Likewise, those of pages and endpoints. */
	pages: Set<string>;
	/** Schemas that bring zod with them. */
	heavy: Set<string>;
	/** What stands beside the pages and runs on the server, because a load uses it. */
	loaded: Set<string>;
};

const reached = (edges: Edge[], starts: (edge: Edge) => boolean, step: (edge: Edge) => boolean) => {
	const values = edges.filter(({ typeOnly }) => !typeOnly);
	const found = new Set(values.filter(starts).map(({ to }) => to));
	for (const file of found)
		for (const edge of values) if (edge.from === file && step(edge)) found.add(edge.to);
	return found;
};

/** Files beside the pages that run on the server. */
export const loadedBy = (edges: Edge[]) => {
	const beside = ({ to }: Edge) => to.startsWith('src/routes/') && !to.endsWith('.svelte');
	return reached(edges, (edge) => isServerRoute(edge.from) && beside(edge), beside);
};

/** Schemas that use zod, and those that use them. */
export function heavySchemas(edges: Edge[]): Set<string> {
	const values = edges.filter(({ from, typeOnly }) => from.startsWith(SCHEMAS) && !typeOnly);
	const found = new Set(values.filter(({ to }) => to === 'zod').map(({ from }) => from));
	for (const file of found) for (const { from, to } of values) if (to === file) found.add(from);
	return found;
}

/** Why an import may not be; null when it may. */
export function whyNot(edge: Edge, places: Places): string | null {
	const { from, to, inside, found } = edge;
	if (!found) return 'there is no such file';
	if (isTest(from)) return null;
	if (inside && isTest(to)) return 'what is shipped knows neither tests nor scripts';
	return (inside ? pastDoor(from, to, places.doors) : null) ?? forbidden(edge, places);
}

/** A room with a door (`index.ts`) is entered through it. */
function pastDoor(from: string, to: string, doors: Set<string>): string | null {
	const parts = to.split('/');
	for (let i = 1; i < parts.length; i++) {
		const folder = `${parts.slice(0, i).join('/')}/`;
		if (from.startsWith(folder) || !doors.has(folder)) continue;
		return to === `${folder}index.ts` ? null : `${folder}index.ts is the door of this room`;
	}
	return null;
}

function forbidden(edge: Edge, places: Places): string | null {
	if (tooHeavy(edge, places))
		return 'zod would come to the browser: its values are in a file without';
	if (edge.from.startsWith('src/routes/')) return forbiddenToRoute(edge, places);
	const room = ROOMS.find(({ at }) => edge.from.startsWith(at));
	return room ? forbiddenTo(room, edge) : null;
}

function forbiddenTo(room: Room, { from, to, inside, typeOnly }: Edge): string | null {
	if (!inside) {
		if (to === NO_PROCESSES && from.startsWith(`${SERVER}/services/`))
			return 'services start no processes: take a function in Deps';
		return fits(to, room.packages ?? []) ? null : `${room.at} does not use this package`;
	}
	const service = /^src\/lib\/server\/services\/[^/]+\//;
	const [mine, theirs] = [from.match(service)?.[0], to.match(service)?.[0]];
	if (mine && theirs && mine !== theirs)
		return 'services do not know each other: take a function in Deps';
	if (to.startsWith(room.at) || within(to, room.may)) return null;
	if (!within(to, room.types ?? [])) return `${room.at} may not know that room`;
	return typeOnly ? null : `${room.at} may name its types only`;
}

/** The form of a new task checks its fields as the server does. */
const CHECKS_ITSELF = 'src/routes/admin/schedule/';

/** The browser takes types from the schemas, and values from those without zod. */
const tooHeavy = ({ from, to, typeOnly }: Edge, { heavy, loaded }: Places) =>
	!typeOnly &&
	heavy.has(to) &&
	within(from, [CLIENT, GAME, 'src/routes/']) &&
	!isServerRoute(from) &&
	!(loaded.has(from) || from.startsWith(CHECKS_ITSELF));

const isServerRoute = (file: string) =>
	/\/\+(?:server|page\.server|layout\.server)\.ts$/.test(file);

function forbiddenToRoute(edge: Edge, { pages, loaded }: Places): string | null {
	const { from, to, inside, typeOnly } = edge;
	if (loaded.has(from) && within(to, [UI, GAME, CLIENT]) && !typeOnly)
		return 'a load uses this file, and what the server answers is made without components';
	if (isServerRoute(from)) {
		if (!inside)
			return fits(to, ['@sveltejs/kit', 'zod'])
				? null
				: 'routes reach the machine through services';
		if (/^src\/routes\/log(in|out)\//.test(from) && to.startsWith(`${SERVER}/auth/`)) return null;
		if (to.startsWith(`${SERVER}/`) && !within(to, ROUTE_SERVER) && !typeOnly)
			return 'routes reach services through locals';
		if (within(to, [UI, GAME, CLIENT]) || to.endsWith('.svelte'))
			return typeOnly ? null : 'what the server answers is made without components';
	} else if (to.startsWith(API) && !typeOnly) return 'the browser knows the types of the API only';
	else if (to.startsWith(`${SERVER}/`) && !(typeOnly || within(to, ROUTE_SERVER)))
		return 'server code stays on the server';
	return to.startsWith('src/routes/') ? besideOther(from, to, pages) : null;
}

/** What one page uses stands beside it, or above it for several. */
function besideOther(from: string, to: string, pages: Set<string>): string | null {
	const here = folderOf(from);
	let there = folderOf(to);
	while (!pages.has(there) && there !== 'src/routes/') there = folderOf(there.slice(0, -1));
	if (here.startsWith(there) || folderOf(to).startsWith(here)) return null;
	return 'it stands beside another page: what several pages use is in src/lib/game';
}

const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1);

/** `A imports B` for one edge of every cycle, type imports included. */
export function cycles(edges: Edge[]): { edge: Edge; path: string[] }[] {
	const next = new Map<string, Edge[]>();
	for (const edge of edges)
		if (edge.inside && edge.found) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
	const done = new Set<string>();
	const found: { edge: Edge; path: string[] }[] = [];
	const walk = (file: string, trail: string[]) => {
		for (const edge of next.get(file) ?? []) {
			const at = trail.indexOf(edge.to);
			if (at >= 0) found.push({ edge, path: [...trail.slice(at), edge.to] });
			else if (!done.has(edge.to)) walk(edge.to, [...trail, edge.to]);
		}
		done.add(file);
	};
	for (const file of next.keys()) if (!done.has(file)) walk(file, [file]);
	return found;
}
