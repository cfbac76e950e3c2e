import { copyFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { OperationId } from '#schemas/operation';
import { AppError, errno } from '#core/errors';
import { ensureDir, exists, onDisk } from '#core/files';
import type { Operations, StepContext } from '#operations';
import type { Deps, ModChange } from './types.ts';

type Put = ModChange['put'];

/** `DATA_DIR/downloads/<operation>/`: what is on its way into `mods/`. */
export function createDownloads({
	dataDir,
	download,
	checkJar,
	log,
	operations
}: Pick<Deps, 'dataDir' | 'download' | 'checkJar' | 'log'> & {
	operations: Pick<Operations, 'list'>;
}) {
	const root = path.join(dataDir, 'downloads');
	const dirOf = (operation: string) => path.join(root, operation);
	const fileOf = (operation: string, index: number) => path.join(dirOf(operation), `${index}.jar`);

	async function fetch(ctx: StepContext, put: Put) {
		const totalBytes = put.reduce((sum, { size }) => sum + size, 0);
		let doneBytes = 0;
		const progress = (bytes: number) =>
			ctx.progress(Math.min(totalBytes, doneBytes + bytes), totalBytes, 'bytes');
		for (const [index, one] of put.entries()) {
			ctx.signal.throwIfAborted();
			ctx.detail(one.title);
			const to = fileOf(ctx.id, index);
			// Only complete and verified files ever have this name.
			if (!(await exists(to))) await bring(ctx, one, { to, progress });
			doneBytes += one.size;
			progress(0);
		}
		ctx.detail(put.length === 1 ? '1 file, checked.' : `${put.length} files, checked.`);
	}

	async function bring(
		ctx: StepContext,
		one: Put[number],
		{ to, progress }: { to: string; progress: (bytes: number) => void }
	) {
		const part = `${to}.part`;
		await rm(part, { force: true });
		const from = one.file ? part : one.staged;
		if (one.file) await download(one.file, part, { signal: ctx.signal, progress });
		if (!from) throw new Error(`Nobody said where ${one.fileName} comes from`);
		const problem = await checkJar(from);
		if (problem)
			throw new AppError('conflict', `${one.title} cannot be used here: ${problem}`, {
				code: 'bad-jar'
			});
		ctx.signal.throwIfAborted();
		// An upload may lie on another disk.
		await rename(from, to).catch(async (error) => {
			if (errno(error) !== 'EXDEV') throw error;
			await copyFile(from, part);
			await rename(part, to);
			await rm(from);
		});
	}

	/** Whatever is left behind costs only space: the next operation removes it. */
	const quietly = (work: Promise<unknown>) =>
		work.catch((cause) => log.error('Downloads could not be removed', { cause }));

	return {
		fileOf,
		async fetch(ctx: StepContext, put: Put) {
			await onDisk('The download could not be saved', async () => {
				await ensureDir(dirOf(ctx.id));
				await fetch(ctx, put);
			});
		},
		/** This operation no longer needs its files. */
		remove: (operation: string) => quietly(rm(dirOf(operation), { recursive: true, force: true })),
		/** Removes what dead operations left. A trial may run beside the caller's operation, and needs its files. */
		async sweep(own: string) {
			const running = (await operations.list()).filter(({ state }) => state === 'running');
			const needed = [own, ...running.map(({ id }) => id)];
			const names = await readdir(root).catch((error) => {
				if (errno(error) === 'ENOENT') return [];
				throw error;
			});
			for (const name of names)
				if (!needed.includes(name) && OperationId.safeParse(name).success)
					await quietly(rm(path.join(root, name), { recursive: true, force: true }));
		},
		dropStaged: (put: Put) =>
			Promise.all(put.map(({ staged }) => staged && quietly(rm(staged, { force: true }))))
	};
}
