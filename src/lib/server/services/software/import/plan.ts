import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import type { ImportWish } from '#schemas/software/software';
import { AppError } from '#core/errors';
import { disksOf } from '#core/files';
import type { Pack, PackFiles } from '#minecraft/packs';
import { bestOf, gather, PORT, setUpSteps, usualMemoryMb, type Words } from '../plan.ts';
import { titleOf } from '../layout.ts';
import type { Creation } from '../types.ts';
import { FOR_PLAYERS, isForPlayers, isMod } from './jars.ts';
import { discardPack, withPack } from './staging.ts';
import type { ImportDeps, Staged } from './types.ts';

/** A server to make out of a pack. */
export type Import = Creation & {
	staged: Staged;
	/** What the pack was when it was planned. */ mark: string;
};
export type ImportDraft = { do: 'import'; what: Import; words: Words };
/** JSON, as operations store it. */
export type ImportInput = Import & { by: string };

const MB = 1 << 20;
/** A pack's own wish is granted up to this part of the machine. */
const MEMORY_SHARE = 0.75;
/** The loader, its libraries and the first chunks of a world. */
const BESIDES_BYTES = 700 * MB;
const NAMED = 8;

/** Nothing of the pack stays behind when it cannot be planned. */
export async function planImport(
	staged: Staged,
	wish: Pick<ImportWish, 'memoryMb' | 'port'>,
	deps: ImportDeps
): Promise<ImportDraft> {
	try {
		return await withPack(staged, deps, (pack, files) => planned(staged, wish, deps, pack, files));
	} catch (error) {
		await discardPack(staged, deps);
		throw error;
	}
}

async function planned(
	staged: Staged,
	wish: Pick<ImportWish, 'memoryMb' | 'port'>,
	deps: ImportDeps,
	pack: Pack,
	files: PackFiles
): Promise<ImportDraft> {
	await requireHosts(pack, deps);
	await requireSpace(pack, deps);
	const what: Import = {
		...{ loader: pack.loader, gameVersion: pack.gameVersion },
		build: await buildFor(pack, deps),
		memoryMb: wish.memoryMb ?? memoryFor(pack),
		port: wish.port ?? PORT,
		...{ seed: null, motd: null },
		java: await deps.sources.java(pack.loader, pack.gameVersion),
		staged,
		mark: markOf(pack)
	};
	const { bare, ...common } = await gather(what, deps);
	const clients = await clientsAmong(pack, files, deps);
	const bytes = pack.downloads.reduce((sum, { size }) => sum + size, 0);
	return {
		do: 'import',
		what: { ...what, bare },
		words: {
			steps: [
				`Read ${nameOf(staged, pack)}: ${pack.kind}, for ${titleOf(what)}.`,
				...common.steps,
				...(pack.downloads.length
					? [
							`Download ${counted(pack.downloads.length, 'file')} of the pack, and check each by its checksum.`
						]
					: []),
				...(pack.puts.length ? [`Copy ${counted(pack.puts.length, 'file')} out of the pack.`] : []),
				'Leave out mods whose own metadata says that they are for players only.',
				...setUpSteps(what)
			],
			add: [...grouped(pack, clients), ...common.add, 'eula.txt', 'server.properties'].filter(
				(name, i, all) => all.indexOf(name) === i
			),
			leaveOut: eachOnce([
				...clients.map((fileName) => ({ fileName, why: FOR_PLAYERS })),
				...pack.leftOut
			]),
			warnings: [...common.warnings, ...pack.notes, ...notesOn(pack, staged)],
			downloadBytes: common.downloadBytes + bytes
		}
	};
}

/** The index of a pack and its own files may be left out for the same reason. */
const eachOnce = (all: Pack['leftOut']) => [
	...new Map(all.map((one) => [one.fileName, one])).values()
];

export const markOf = (pack: Pack) =>
	createHash('sha256').update(JSON.stringify(pack)).digest('hex');

const nameOf = ({ title }: Staged, { name, version }: Pack) =>
	`“${[name ?? title, version].filter(Boolean).join(' ')}”`;

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

async function requireHosts({ downloads }: Pack, deps: ImportDeps) {
	const registry = await deps.registry();
	for (const { path: name, urls } of downloads) {
		const allowed = await Promise.all(urls.map((url) => registry.fetchesFrom(url)));
		if (allowed.some(Boolean)) continue;
		throw new AppError(
			'invalid',
			`The pack is not taken: it wants ${name} from ${hostOf(urls[0])}, and files of packs are only fetched from Modrinth, GitHub and GitLab by https.`,
			{ code: 'address-refused' }
		);
	}
}

const hostOf = (url = '') => {
	const at = URL.parse(url);
	return (at?.host ? at.origin : (at?.protocol ?? 'nowhere')).slice(0, 80);
};

async function requireSpace({ downloads, puts }: Pack, { serverDir }: ImportDeps) {
	const needed = [...downloads, ...puts].reduce((sum, { size }) => sum + size, BESIDES_BYTES);
	const [disk] = await disksOf([serverDir]);
	if (!disk || disk.freeBytes > needed) return;
	const gb = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
	throw new AppError(
		'conflict',
		`The pack needs about ${gb(needed)} GB in the server’s folder, and ${gb(disk.freeBytes)} GB are free there. Make room first.`,
		{ code: 'no-space' }
	);
}

/** The pack's own; where it names none, the newest that is called stable. */
async function buildFor({ loader, gameVersion, loaderVersion }: Pack, { sources }: ImportDeps) {
	const builds = loaderVersion ? [] : await sources.of(loader).builds(gameVersion);
	const build = loaderVersion ?? bestOf(builds)?.id;
	if (build) return build;
	throw new AppError(
		'invalid',
		`There is no server of this kind for Minecraft ${gameVersion} that could be set up here. Forge is possible from 1.17 on.`
	);
}

function memoryFor({ memoryMb }: Pack) {
	const most = Math.floor((totalmem() / MB) * MEMORY_SHARE);
	return memoryMb === null ? usualMemoryMb() : Math.max(512, Math.min(memoryMb, most));
}

/** Mods in the pack itself: each is taken out, looked into and removed. */
async function clientsAmong({ puts, loader }: Pack, files: PackFiles, deps: ImportDeps) {
	const clients: string[] = [];
	const at = path.join(deps.importDir, `.${randomBytes(8).toString('hex')}.jar`);
	for (const put of puts.filter((one) => isMod(one.path)))
		try {
			await files.copy(put.from, at, new AbortController().signal);
			if (await isForPlayers(at, loader, deps)) clients.push(put.path);
		} finally {
			await rm(at, { force: true });
		}
	return clients;
}

/** `mods/ (34 files)`, and single files by name. */
function grouped({ downloads, puts }: Pack, clients: string[]): string[] {
	const counts = new Map<string, number>();
	for (const { path: name } of [...downloads, ...puts]) {
		if (clients.includes(name)) continue;
		const top = name.includes('/') ? name.slice(0, name.indexOf('/') + 1) : name;
		counts.set(top, (counts.get(top) ?? 0) + 1);
	}
	return [...counts].map(([top, count]) =>
		top.endsWith('/') ? `${top} (${counted(count, 'file')})` : top
	);
}

function notesOn({ puts }: Pack, { origin }: Staged): string[] {
	const worlds = puts.flatMap(({ path: name }) => /^([^/]+)\/level\.dat$/.exec(name)?.[1] ?? []);
	return [
		...(worlds.length
			? [`The pack comes with a world of its own: ${worlds.slice(0, NAMED).join(', ')}.`]
			: []),
		...(origin.from === 'folder'
			? ['The folder is copied as it is then. Stop a server that runs in it first.']
			: []),
		'Mods can do anything that this user can. Import only what you trust.'
	];
}
