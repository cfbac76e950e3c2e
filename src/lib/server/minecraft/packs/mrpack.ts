import { z } from 'zod';
import type { ServerLoader } from '#schemas/software/software';
import { AppError } from '#core/errors';
import type { PackFiles } from './files.ts';
import { sortOut, type Pack, type PackDownload, type PackPut } from './pack.ts';
import { leaves, oddPath, quoted, twinsAmong } from './paths.ts';
import { ruledOut } from './rules.ts';
import { versionOf } from './clues.ts';

export const INDEX = 'modrinth.index.json';
/** 2,000 files have 1 MB. */
const INDEX_MAX_BYTES = 8 << 20;
const FILES_MAX = 5000;
const MIRRORS_MAX = 10;
const TEXT_MAX = 120;

const Hash = z
	.string()
	.toLowerCase()
	.regex(/^[0-9a-f]{128}$/);
const Side = z.enum(['required', 'optional', 'unsupported']).catch('required');
const IndexFile = z.object({
	path: z.string().min(1),
	hashes: z.object({ sha512: Hash }),
	env: z
		.object({ server: Side.default('required') })
		.optional()
		.catch(undefined),
	downloads: z.array(z.string().max(2048)).min(1),
	fileSize: z.int().min(1)
});
const Index = z.object({
	formatVersion: z.literal(1),
	game: z.literal('minecraft'),
	versionId: z.string().optional().catch(undefined),
	name: z.string().optional().catch(undefined),
	files: z.array(z.unknown()),
	dependencies: z.record(z.string(), z.string())
});
type Index = z.output<typeof Index>;

const invalid = (why: string) => new AppError('invalid', `The pack is not taken: ${why}`);

/** A pack in Modrinth's format. `AppError('invalid')`: its index is broken, or means harm. */
export async function readMrpack(files: PackFiles): Promise<Pack> {
	const index = await readIndex(files);
	const listed = entriesOf(index);
	const { kept, leftOut } = sortOut(
		listed.filter(({ server }) => server !== 'unsupported'),
		ruledOut
	);
	const own = overrides(files);
	const overridden = new Set(own.kept.map(({ path }) => path));
	const downloads = kept.filter(({ path }) => !overridden.has(path));
	const optional = downloads.filter(({ server }) => server === 'optional');
	const clients = listed.filter(({ server }) => server === 'unsupported');
	return {
		kind: 'a Modrinth pack',
		name: textOf(index.name),
		version: textOf(index.versionId),
		...loaderOf(index.dependencies),
		memoryMb: null,
		downloads: downloads.map(({ path, urls, size, sha512 }) => ({ path, urls, size, sha512 })),
		puts: own.kept,
		leftOut: [
			...clients.map(({ path }) => ({
				fileName: path,
				why: 'The pack says that it is for players only.'
			})),
			...leftOut,
			...own.leftOut,
			...files.leftOut
		],
		notes: optional.length
			? [
					`The pack calls these optional, and they are put in: ${optional.map(({ path }) => path.replace(/^mods\//, '')).join(', ')}. Remove what you do not want afterwards.`
				]
			: []
	};
}

async function readIndex(files: PackFiles): Promise<Index> {
	const bytes = await files.read(INDEX, INDEX_MAX_BYTES);
	if (!bytes) throw invalid(`its ${INDEX} is larger than ${INDEX_MAX_BYTES >> 20} MB.`);
	let json: unknown;
	try {
		json = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
	} catch (cause) {
		throw new AppError('invalid', `The pack is not taken: its ${INDEX} is no JSON.`, { cause });
	}
	const read = Index.safeParse(json);
	if (!read.success) throw invalid(`its ${INDEX} is not written as format 1 for Minecraft.`);
	if (read.data.files.length > FILES_MAX) throw invalid(`it names more than ${FILES_MAX} files.`);
	return read.data;
}

type Listed = PackDownload & { server: 'required' | 'optional' | 'unsupported' };

function entriesOf({ files }: Index): Listed[] {
	const listed = files.map((one): Listed => {
		const read = IndexFile.safeParse(one);
		if (!read.success) throw invalid(brokenEntry(one, read.error.issues[0]?.path[0]));
		const { path, hashes, env, downloads, fileSize } = read.data;
		const harm = leaves(path);
		if (harm) throw invalid(`of ${quoted(path)} in its index, ${harm}.`);
		const odd = oddPath(path);
		if (odd) throw invalid(`it names the file ${quoted(path)}. ${odd}`);
		return {
			path,
			urls: downloads.slice(0, MIRRORS_MAX),
			size: fileSize,
			sha512: hashes.sha512,
			server: env?.server ?? 'required'
		};
	});
	const twins = twinsAmong(listed.map(({ path }) => path));
	if (twins)
		throw invalid(
			`${quoted(twins[0])} and ${quoted(twins[1])} in its index are one file, or one lies in the other.`
		);
	return listed;
}

function brokenEntry(entry: unknown, field: PropertyKey | undefined): string {
	const named = z.object({ path: z.string() }).safeParse(entry);
	const what = named.success ? quoted(named.data.path) : 'a file';
	const lacks: Record<string, string> = {
		hashes: 'a checksum (SHA-512)',
		downloads: 'an address',
		fileSize: 'a size'
	};
	return `its index names ${what} without ${lacks[String(field)] ?? 'a path'}.`;
}

/** `server-overrides` lie over `overrides`; what is for clients stays where it is. */
function overrides(files: PackFiles) {
	const puts = new Map<string, PackPut>();
	for (const top of ['overrides/', 'server-overrides/'])
		for (const { path: from, size } of files.files)
			if (from.startsWith(top) && from.length > top.length) {
				const path = from.slice(top.length);
				puts.set(path, { from, path, size });
			}
	const twins = twinsAmong([...puts.keys()]);
	if (twins) throw invalid(`${quoted(twins[0])} and ${quoted(twins[1])} in it are one file.`);
	const { kept, leftOut } = sortOut([...puts.values()], ruledOut);
	const forClients = files.files.some(({ path }) => path.startsWith('client-overrides/'));
	return {
		kept,
		leftOut: forClients
			? [...leftOut, { fileName: 'client-overrides/', why: 'It is for players.' }]
			: leftOut
	};
}

const KEYS: Record<string, ServerLoader> = {
	'fabric-loader': 'fabric',
	neoforge: 'neoforge',
	'neo-forge': 'neoforge',
	forge: 'forge'
};

function loaderOf(dependencies: Record<string, string>) {
	const gameVersion = versionOf(dependencies['minecraft']);
	if (!gameVersion) throw invalid('it does not say for which version of Minecraft it is.');
	if (dependencies['quilt-loader'] !== undefined)
		throw new AppError(
			'invalid',
			'This pack is made for Quilt, and servers with Quilt cannot be set up here yet. Look for a version of it for Fabric.'
		);
	const found = Object.entries(dependencies).filter(([key]) => Object.hasOwn(KEYS, key));
	if (found.length > 1) throw invalid('it names more than one mod loader.');
	const [key = '', number = ''] = found[0] ?? [];
	const loader: ServerLoader = KEYS[key] ?? 'vanilla';
	const version = versionOf(number.replace(`${gameVersion}-`, ''));
	if (found.length && !version)
		throw invalid('it does not say which version of its loader it needs.');
	return { loader, gameVersion, loaderVersion: version };
}

const textOf = (text: string | undefined) =>
	text
		?.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
		.trim()
		.slice(0, TEXT_MAX) || null;
