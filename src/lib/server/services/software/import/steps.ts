import { listed } from '#schemas/plain/words/listed';
import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { exists, onDisk, openRegular } from '#core/files';
import type { DownloadOptions } from '#core/net';
import { createSerial } from '#core/serial';
import type { Pack, PackDownload, PackFiles } from '#minecraft/packs';
import type { Definition, StepContext, StepPlan } from '#operations';
import { workplace } from '../exchange.ts';
import { finish } from '../finish.ts';
import { rollback } from '../rollback.ts';
import { checkEmpty, gather, intoEmpty, removeWorkplace, setUp } from '../steps.ts';
import { isForPlayers, isMod } from './jars.ts';
import { markOf, type ImportInput } from './plan.ts';
import { discardPack, withPack } from './staging.ts';
import type { ImportDeps, ImportedPackState } from './types.ts';

/** Parallel downloads: most files are small, and the time goes into latency and waiting for the disk. */
const AT_ONCE = 12;
const NAMED = 10;

/** Like creating a server, with what the pack brings. */
export const defineImport = (deps: ImportDeps): Definition<ImportInput> => {
	const forget = () => deps.imported.update(() => ({ pack: null }));
	const undone = async (input: ImportInput) => {
		await discardPack(input.staged, deps);
		await forget();
	};
	return {
		kind: 'import',
		steps: (input) => [
			{
				id: 'lookup',
				label: 'Check the folder and the pack',
				afterCrash: 'resume',
				async run(ctx) {
					await checkEmpty(ctx, deps, input.by);
					await withPack(input.staged, deps, async (pack) => requireSame(pack, input));
					await ctx.remember({ staged: input.staged });
				},
				undo: () => undone(input)
			},
			...gather(deps, input),
			...bringing(deps, input),
			...finish(deps, intoEmpty(deps, input.by)).map((step) =>
				step.id === 'verify' ? thenDiscard(step, input, deps) : step
			)
		],
		rollback: rollback(deps, async (ctx) => {
			const { settled, staged } = ctx.checkpoint as Partial<ImportInput> & { settled?: boolean };
			if (staged) await discardPack(staged, deps);
			// A record of missing files does no harm; a rollback that stopped because of it would.
			if (!settled)
				await forget()
					.catch(forget)
					.catch(() => {});
		})
	};
};

const thenDiscard = (step: StepPlan, { staged }: ImportInput, deps: ImportDeps): StepPlan => ({
	...step,
	async run(ctx) {
		await step.run(ctx);
		await discardPack(staged, deps);
	}
});

function requireSame(pack: Pack, { mark }: ImportInput) {
	if (markOf(pack) !== mark)
		throw new AppError('conflict', 'The pack has changed since this was planned. Plan it again.', {
			code: 'plan-changed'
		});
}

function bringing(deps: ImportDeps, input: ImportInput): StepPlan[] {
	const { serverDir } = deps;
	const undo = removeWorkplace(deps);
	return [
		{
			id: 'files',
			label: 'Download the files of the pack',
			cancellable: true,
			afterCrash: 'resume',
			undo,
			run: (ctx) =>
				onDisk('The files of the pack could not be kept', () =>
					withPack(input.staged, deps, async (pack) => {
						requireSame(pack, input);
						if (pack.downloads.length === 0) ctx.skip('Everything is in the pack itself.');
						await downloadAll(ctx, deps, pack.downloads);
					})
				)
		},
		{
			id: 'unpack',
			label: 'Put the pack together',
			cancellable: true,
			afterCrash: 'resume',
			undo,
			run: (ctx) =>
				onDisk('The pack could not be unpacked', () =>
					withPack(input.staged, deps, async (pack, files) => {
						requireSame(pack, input);
						const { fresh } = workplace(serverDir, ctx.id);
						const brought = [
							...pack.downloads.map(({ path, sha512 }) => ({ path, sha512 })),
							...(await unpack(ctx, pack, files, fresh))
						];
						const clients = await dropClients(pack, brought, fresh, deps);
						await setUp(ctx, deps, input);
						await secure(fresh, brought, deps);
						const kept = brought.filter((one) => !clients.includes(one.path));
						await deps.imported.update(() => recordOf(ctx, deps, input, pack, kept));
						ctx.detail(told(kept.length, clients));
					})
				)
		}
	];
}

/** Several at once. After the first failure the others are ended, and waited for. */
async function downloadAll(ctx: StepContext, deps: ImportDeps, files: PackDownload[]) {
	const place = workplace(deps.serverDir, ctx.id);
	const parts = path.join(place.root, 'files');
	await rm(parts, { recursive: true, force: true });
	await mkdir(parts);
	const total = files.reduce((sum, { size }) => sum + size, 0);
	const done = files.map(() => 0);
	let sum = 0;
	const tell = (i: number, bytes: number) => {
		sum += bytes - done[i]!;
		done[i] = bytes;
		ctx.progress(sum, total, 'bytes');
	};
	const failed = new AbortController();
	const signal = AbortSignal.any([ctx.signal, failed.signal]);
	const queue = createSerial({ atOnce: AT_ONCE });
	const ends = await Promise.allSettled(
		files.map((file, i) =>
			queue
				.run(async () => {
					const to = path.join(place.fresh, file.path);
					// A leftover of an earlier attempt: after a power cut it may be an empty file.
					if (!(await isWhole(to, file))) {
						const part = path.join(parts, String(i));
						const progress = (bytes: number) => tell(i, bytes);
						await fromMirrors(file, part, deps, { signal, progress, unflushed: true });
						await mkdir(path.dirname(to), { recursive: true });
						await rename(part, to);
					}
					tell(i, file.size);
				}, signal)
				.catch((error) => {
					failed.abort(error);
					throw error;
				})
		)
	);
	if (failed.signal.aborted) throw failed.signal.reason;
	const lost = ends.find((end) => end.status === 'rejected');
	if (lost) throw lost.reason;
	await rm(parts, { recursive: true, force: true });
	await deps.flush(place.fresh);
	ctx.detail(`${files.length} files, each checked.`);
}

async function isWhole(file: string, { sha512 }: PackDownload): Promise<boolean> {
	const handle = await openRegular(file);
	if (!handle) return false;
	const hash = createHash('sha512');
	for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer);
	return hash.digest('hex') === sha512;
}

/** One address after the other; the first one's failure is told. */
async function fromMirrors(
	{ path: name, urls, size, sha512 }: PackDownload,
	to: string,
	{ registry }: ImportDeps,
	options: DownloadOptions & { signal: AbortSignal }
) {
	const { download, fetchesFrom } = await registry();
	let first: unknown = null;
	for (const url of urls) {
		if (!(await fetchesFrom(url))) continue;
		try {
			return await download({ fileName: path.basename(name), url, size, sha512 }, to, options);
		} catch (error) {
			const isTheirs = error instanceof AppError && error.kind !== 'internal';
			if (!isTheirs || options.signal.aborted) throw error;
			first ??= error;
		}
	}
	throw first;
}

async function unpack(ctx: StepContext, { puts }: Pack, files: PackFiles, fresh: string) {
	const brought: { path: string; sha512: string }[] = [];
	for (const [i, put] of puts.entries()) {
		ctx.signal.throwIfAborted();
		const to = path.join(fresh, put.path);
		await mkdir(path.dirname(to), { recursive: true });
		await rm(to, { force: true }); // a half one that a killed process left
		brought.push({ path: put.path, sha512: await files.copy(put.from, to, ctx.signal) });
		ctx.progress(i + 1, puts.length, 'files');
	}
	return brought;
}

async function dropClients(
	{ loader }: Pack,
	brought: { path: string }[],
	fresh: string,
	deps: ImportDeps
) {
	const clients: string[] = [];
	for (const { path: name } of brought.filter((one) => isMod(one.path))) {
		const file = path.join(fresh, name);
		// Gone already when this goes on after a crash.
		if ((await exists(file)) && !(await isForPlayers(file, loader, deps))) continue;
		await rm(file, { force: true });
		clients.push(name);
	}
	return clients;
}

/** A pack's settings are its own business, but for who gets in and where the server listens. */
async function secure(fresh: string, brought: { path: string }[], deps: ImportDeps) {
	if (!brought.some(({ path: name }) => name === 'server.properties')) return;
	const { write, readProperties } = deps;
	const level = (await readProperties(fresh))?.get('level-name') ?? null;
	await write.properties(fresh, {
		...{ 'online-mode': 'true', 'server-ip': '', 'enable-query': 'false' },
		...{ 'management-server-enabled': 'false' },
		...(level !== null && !/^[A-Za-z0-9_][\w. -]{0,59}$/.test(level) && { 'level-name': 'world' })
	});
}

const recordOf = (
	ctx: StepContext,
	{ clock }: ImportDeps,
	{ staged }: ImportInput,
	{ name, version }: Pack,
	files: { path: string; sha512: string }[]
): ImportedPackState => ({
	pack: {
		...{ origin: staged.origin, title: name ?? staged.title, version },
		...{ operationId: ctx.id, importedAt: clock.now().toISOString(), files }
	}
});

function told(count: number, clients: string[]) {
	const names = listed(
		clients.map((name) => path.basename(name)),
		NAMED
	);
	return clients.length
		? `${count} files. Left out, because their own metadata says that they are for players only: ${names}.`
		: `${count} files.`;
}
