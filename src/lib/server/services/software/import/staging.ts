import { randomBytes } from 'node:crypto';
import { lstat, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { PACK_MAX_BYTES } from '#schemas/software/software';
import { AppError } from '#core/errors';
import { ensureDir, writeIncoming } from '#core/files';
import type { Pack, PackFiles } from '#minecraft/packs';
import type { ImportDeps, Staged } from './types.ts';

export type PackUpload = { name: string; bytes: AsyncIterable<Uint8Array> };

const NAME_MAX = 100;
/** Nobody keeps a server in these. */
const SYSTEM = ['/proc', '/sys', '/dev', '/run'];

/** An upload, written into our own folder. */
export async function receivePack({ name, bytes }: PackUpload, deps: ImportDeps): Promise<Staged> {
	if (!/\.(?:zip|mrpack)$/i.test(name))
		throw new AppError('invalid', 'Choose a pack: a file that ends in .mrpack or .zip.');
	const title = plain(name.replace(/\.(?:zip|mrpack)$/i, '')) || 'Uploaded pack';
	const origin = { from: 'upload', fileName: plain(name) } as const;
	return inOurFolder(deps, origin, title, async (archive) => {
		const limits = { maxBytes: PACK_MAX_BYTES, what: 'A pack' };
		const { size } = await writeIncoming(bytes, archive, limits, deps.closing);
		if (size === 0) throw new AppError('invalid', 'The file is empty.');
	});
}

/** A pack of the registry: its newest version unless one is named. */
export async function fetchPack(
	{ projectId, versionId }: { projectId: string; versionId: string | undefined },
	deps: ImportDeps
): Promise<Staged> {
	const registry = await deps.registry();
	const [[project], versions] = await Promise.all([
		registry.projects([projectId]),
		registry.packsOf(projectId)
	]);
	const version = versions.find(({ id }) => versionId === undefined || id === versionId);
	if (!project?.listed || !version)
		throw new AppError(
			'not-found',
			'The registry has no such pack (any more). Choose another one.'
		);
	const origin = { from: 'registry', projectId: project.id, versionId: version.id } as const;
	return inOurFolder(deps, origin, project.title, (archive) =>
		registry.download({ ...version.file, fileName: project.title }, archive, {
			maxBytes: PACK_MAX_BYTES
		})
	);
}

async function inOurFolder(
	{ importDir, packsInUse }: ImportDeps,
	origin: Staged['origin'],
	title: string,
	fill: (archive: string) => Promise<void>
): Promise<Staged> {
	await ensureDir(importDir);
	const archive = path.join(importDir, `${randomBytes(8).toString('hex')}.zip`);
	packsInUse.archives.add(archive);
	try {
		await fill(archive);
		return { origin, archive, title };
	} catch (error) {
		await discardPack({ archive }, { packsInUse }); // the failure that led here counts
		throw error;
	}
}

/** A folder of this machine, which is only read. */
export async function chosenFolder(dir: string, deps: ImportDeps): Promise<Staged> {
	const refuse = (why: string) =>
		new AppError('invalid', `${plain(dir)} ${why}`, { issues: [{ path: 'folder', message: why }] });
	const wanted = path.resolve(dir);
	const found = await lstat(wanted).catch(() => null);
	if (!found) throw refuse('is not there, or the dashboard may not look at it.');
	const real = await realpath(wanted);
	if (real !== wanted)
		throw refuse(`leads through a link. Name the folder itself: ${plain(real)}.`);
	if (!found.isDirectory()) throw refuse('is not a folder. Upload an archive instead.');
	if (real === '/' || SYSTEM.some((one) => holds(one, real)))
		throw refuse('belongs to the system.');
	for (const ours of deps.apart) {
		const at = await realpath(ours).catch(() => path.resolve(ours));
		if (holds(at, real) || holds(real, at))
			throw refuse(`is used by this dashboard (${plain(at)}). Name another folder.`);
	}
	const title = plain(path.basename(real));
	return { origin: { from: 'folder', dir: real }, archive: null, title };
}

const holds = (outer: string, inner: string) => inner === outer || inner.startsWith(`${outer}/`);

/** Opens and reads a pack, and closes it after `use`. */
export async function withPack<T>(
	{ archive, origin }: Staged,
	{ packs, importDir, packsInUse }: ImportDeps,
	use: (pack: Pack, files: PackFiles) => Promise<T>
): Promise<T> {
	await ensureDir(importDir);
	packsInUse.reading++;
	try {
		const opened =
			archive === null && origin.from === 'folder'
				? await packs.folder(origin.dir)
				: await packs.zip(archive ?? '');
		try {
			const { pack, files } = await packs.read(opened, importDir);
			return await use(pack, files);
		} finally {
			await opened.close();
		}
	} finally {
		packsInUse.reading--;
	}
}

/** Removes what is not needed any more; what cannot be removed now is left to `tidy`. */
export async function discardPack(
	{ archive }: Pick<Staged, 'archive'>,
	{ packsInUse }: Pick<ImportDeps, 'packsInUse'>
) {
	if (archive === null) return;
	packsInUse.archives.delete(archive);
	await rm(archive, { force: true }).catch(() => {});
}

/** People's own texts on one line. */
const plain = (text: string) =>
	text
		.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
		.trim()
		.slice(0, NAME_MAX);
