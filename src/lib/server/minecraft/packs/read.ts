import { AppError } from '#core/errors';
import { within, type PackFiles } from './files.ts';
import { INDEX, readMrpack } from './mrpack.ts';
import type { Pack } from './pack.ts';
import { quoted } from './paths.ts';
import { readServerPack } from './server-pack.ts';

/** Folders of a server: what lies in one of these alone is not a pack within a folder. */
const CONTENT =
	/^(?:mods|config|defaultconfigs|kubejs|scripts|libraries|world|overrides|server-overrides|plugins|resourcepacks|datapacks|__MACOSX)$/i;
const DEPTH_MAX = 3;

/** What is no pack for a server, by what lies at its top, and what to do instead. */
const OTHERS: { has: RegExp; is: string }[] = [
	{
		has: /^(?:mmc-pack\.json|instance\.cfg)$/,
		is: 'This is an instance of Prism Launcher or MultiMC, made for players. Export it from the launcher as a Modrinth pack (.mrpack), and import that.'
	},
	{
		has: /^pack\.toml$/,
		is: 'This is a pack of packwiz. Export it as a Modrinth pack (packwiz modrinth export), and import that.'
	},
	{
		has: /^(?:fabric\.mod\.json|quilt\.mod\.json|mcmod\.info|META-INF\/(?:neoforge\.)?mods\.toml)$/,
		is: 'This is a single mod, not a pack. Set up a server first, then add it on the mods page.'
	},
	{
		has: /^(?:plugin\.yml|paper-plugin\.yml)$/,
		is: 'This is a single plugin, not a pack. Set up a server with Paper, then put it into the folder plugins.'
	},
	{
		has: /^META-INF\/MANIFEST\.MF$/,
		is: 'This is a single jar, not a pack. Create a server of that kind instead.'
	},
	{
		has: /^level\.dat$/,
		is: 'This is a world, not a pack. Set up a server first, then put the world into its folder.'
	},
	{
		has: /^pack\.mcmeta$/,
		is: 'This is a resource pack or a data pack, not a server.'
	}
];

const invalid = (message: string) => new AppError('invalid', message);

/**
 * What a pack makes of an empty folder, whichever common kind it is. `AppError('invalid')` names the kind that it is
 * instead, or what is missing. `scratch` is a folder of ours for what has to be looked into.
 */
export async function readPack(
	files: PackFiles,
	scratch: string
): Promise<{ pack: Pack; files: PackFiles }> {
	const top = within(files, topOf(files));
	const names = new Set(top.files.map(({ path }) => path));
	if (names.has(INDEX)) return { pack: await readMrpack(top), files: top };
	const has = (pattern: RegExp) => [...names].some((name) => pattern.test(name));
	const other = OTHERS.find((one) => has(one.has));
	if (other) throw invalid(other.is);
	if (!has(/^mods\/[^/]+\.jar$/i) && (await isClientPack(top)))
		throw invalid(
			'This is a CurseForge pack for players (manifest.json): it only names its mods, and CurseForge gives them to nobody without a key. Download the server pack of the same version from its page on CurseForge, and import that.'
		);
	return { pack: await readServerPack(top, scratch), files: top };
}

async function isClientPack(files: PackFiles): Promise<boolean> {
	const text = (await files.read('manifest.json', 8 << 20))?.toString('utf8') ?? '';
	return /"modLoaders"\s*:/.test(text) && /"files"\s*:/.test(text);
}

/** The folder in it that the pack is: the top, or one that holds all the rest. */
function topOf({ files }: PackFiles): string {
	let paths = files.map(({ path }) => path);
	let top = '';
	for (let depth = 0; depth <= DEPTH_MAX; depth++) {
		if (isPack(paths)) return top;
		const folders = [
			...new Set(paths.flatMap((path) => /^([^/]+)\//.exec(path)?.[1] ?? []))
		].filter((name) => !CONTENT.test(name));
		const below = (name: string) =>
			paths.flatMap((path) => (path.startsWith(`${name}/`) ? [path.slice(name.length + 1)] : []));
		const packs = folders.filter((name) => isPack(below(name)));
		if (packs.length > 1)
			throw invalid(
				`There are several servers in it: ${packs.slice(0, 5).map(quoted).join(', ')}. Import one of them by itself.`
			);
		const [next] = packs.length ? packs : folders.length === 1 ? folders : [];
		if (next === undefined) break;
		paths = below(next);
		top = top ? `${top}/${next}` : next;
	}
	throw invalid(nothing(files.map(({ path }) => path)));
}

const MARKS = [
	/^modrinth\.index\.json$/,
	/^manifest\.json$/,
	/^mods\/[^/]+\.jar$/i,
	/^libraries\/net\//,
	/^(?:server\.properties|variables\.txt|server-setup-config\.ya?ml)$/i,
	/^[^/]+\.jar$/i,
	/^[^/]*(?:start|run|launch|install)[^/]*\.(?:sh|bat|ps1)$/i
];
const isPack = (paths: string[]) =>
	paths.some(
		(path) => MARKS.some((mark) => mark.test(path)) || OTHERS.some(({ has }) => has.test(path))
	);

function nothing(paths: string[]): string {
	const inner = paths.find((path) => /\.(?:zip|mrpack|7z|rar|tar|t?gz)$/i.test(path));
	if (paths.length === 0) return 'There is nothing in it.';
	return inner
		? `There is another archive in it: ${quoted(inner)}. Unpack it, and import that one.`
		: 'This is no pack of a server: there is no index, no server jar, no start script and no folder mods in it.';
}
