import { randomBytes } from 'node:crypto';
import { constants, type PathLike } from 'node:fs';
import { chmod, chown, lchown, mkdir, open, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { sentenceCase } from '#schemas/plain/words/sentence-case';
import { AppError } from '#core/errors';
import { diskTrouble, PRIVATE_DIR, PRIVATE_FILE } from '#core/files';
import type { Contents } from './content.ts';
import type { FileEntry } from './manifest.ts';
import { parentOf, placeOf, ROOTS, rootOf, shown, type Name } from './names.ts';
import { eachOf } from './read.ts';
import { targetOf } from './tree.ts';
import type { Fill, Plan } from './plan.ts';

const LANES = 4;
const ROOT_USER = 0;

type Deps = { serverDir: string; contents: Contents };
type Undo = () => Promise<unknown>;
type Place = (name: Name) => Buffer;

/**
 * Carries out a plan: first everything is written next to its place, then things are only renamed. A failure is
 * undone; after a kill a new plan continues from what is there. Returns the folders of what was moved away, for
 * `tidy`.
 */
export async function carryOut(deps: Deps, plan: Plan): Promise<Name[]> {
	const undo: Undo[] = [];
	const staging = stagingFor(plan);
	const at = (name: Name) => placeOf(deps.serverDir, name);
	try {
		// A root itself first: staging is inside the roots, so that no rename crosses to another disk.
		for (const dir of plan.dirs.filter(isRootDir)) await make(at(dir.name), undo);
		for (const dir of staging.values()) {
			await mkdir(at(dir), PRIVATE_DIR);
			undo.push(() => discard(at(dir)).catch(() => {})); // the next one tidies up
		}
		await eachOf(plan.fill, LANES, (fill, i) =>
			stage(deps, fill, at(`${staging.get(rootOf(fill.name))}/new${i}`))
		);
		await swap(plan, staging, at, undo);
		await syncAll(deps.serverDir, plan, at);
		await setModes(plan, at, undo);
		return [...staging.values()];
	} catch (cause) {
		throw await takeBack(undo, cause);
	}
}

/** Deletes what was moved away, now or by a killed process, and roots that did not exist. */
export async function tidy(serverDir: string, staging: Name[], { without }: Plan): Promise<void> {
	for (const name of staging) await discard(placeOf(serverDir, name));
	for (const root of without) await rmdir(placeOf(serverDir, root));
}

const discard = (dir: Buffer) => rm(dir, { recursive: true, force: true });
const isRootDir = ({ name }: { name: Name }) => ROOTS.includes(name);

/** One folder in each root into or out of which something moves. */
function stagingFor({ clear, fill }: Plan): Map<Name, Name> {
	const base = `.craftwarden-restore-${randomBytes(6).toString('hex')}`;
	const roots = [...clear, ...fill.map(({ name }) => name)].map(rootOf);
	return new Map(roots.map((root) => [root, `${root}/${base}`]));
}

async function make(dir: Buffer, undo: Undo[]) {
	await mkdir(dir, PRIVATE_DIR);
	undo.push(() => rmdir(dir));
}

async function stage(deps: Deps, fill: Fill, place: Buffer) {
	if (fill.kind === 'file') return stageFile(deps, fill, place);
	await symlink(targetOf(fill), place);
	if (isRoot()) await lchown(place, fill.uid, fill.gid);
}

async function stageFile({ contents }: Deps, file: FileEntry, place: PathLike) {
	const handle = await open(place, 'wx', PRIVATE_FILE);
	try {
		if (!(await contents.copy(file, handle)))
			throw new AppError('conflict', `The stored copy of ${shown(file.name)} is damaged.`);
		if (isRoot()) await handle.chown(file.uid, file.gid);
		await handle.chmod(file.mode);
		await handle.utimes(file.mtimeMs / 1000, file.mtimeMs / 1000);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Only names change: no place is ever filled before it is free, and nothing is deleted. */
async function swap(plan: Plan, staging: Map<Name, Name>, at: Place, undo: Undo[]) {
	const move = async (from: Name, to: Name) => {
		await rename(at(from), at(to));
		undo.push(() => rename(at(to), at(from)));
	};
	const stagingOf = (name: Name) => staging.get(rootOf(name))!;
	for (const [i, name] of plan.clear.entries()) await move(name, `${stagingOf(name)}/old${i}`);
	for (const dir of plan.dirs) if (!isRootDir(dir)) await make(at(dir.name), undo);
	for (const [i, { name }] of plan.fill.entries()) await move(`${stagingOf(name)}/new${i}`, name);
}

/** Last, and inner folders first: afterwards a folder may be closed to us. */
async function setModes({ dirs, modes }: Plan, at: Place, undo: Undo[]) {
	for (const { name, from, to } of modes) {
		await chmod(at(name), to);
		undo.push(() => chmod(at(name), from));
	}
	for (const { name, mode, uid, gid } of dirs.toReversed()) {
		if (isRoot()) await chown(at(name), uid, gid);
		await chmod(at(name), mode);
		undo.push(() => chmod(at(name), PRIVATE_DIR));
	}
}

/** Every folder in which a name appeared or disappeared. */
async function syncAll(serverDir: string, { clear, dirs, fill }: Plan, at: Place) {
	const names = [...clear, ...[...dirs, ...fill].map(({ name }) => name)];
	const parents = new Set(names.map(parentOf));
	await eachOf([...parents], LANES, async (parent) => {
		const dir = parent === null ? serverDir : at(parent);
		const handle = await open(dir, constants.O_RDONLY | constants.O_DIRECTORY);
		await handle.sync().finally(() => handle.close());
	});
}

/** Undoes everything, newest first; the error says how that went. */
async function takeBack(undo: Undo[], cause: unknown) {
	const why = cause instanceof AppError ? cause.message : `${sentenceCase(diskTrouble(cause))}.`;
	try {
		for (const back of undo.toReversed()) await back();
	} catch (second) {
		return new AppError(
			'internal',
			`The mods could not be restored. ${why} They are partly old and partly new now, for this could not be undone either: ${diskTrouble(second)}. Repair that and restore the snapshot again before you start the server.`,
			{ cause, code: 'half-restored' }
		);
	}
	const message = `The mods could not be restored. ${why} Nothing was changed.`;
	return new AppError('internal', message, { cause });
}

const isRoot = () => process.geteuid?.() === ROOT_USER;
