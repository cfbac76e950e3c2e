import { lstat, mkdir, readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { BackupRestore } from '../../../schemas/backup.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { exists, PRIVATE_DIR, writeAtomic } from '../../core/files.ts';
import { steadily, type Retry } from '../../core/steadily.ts';
import type { Installation } from '../../minecraft/installation.ts';
import type { Archiver } from '../../storage/archive/archiver.ts';
import type { BackupFolder, Sidecar } from '../../storage/archive/folder.ts';
import type { StepContext, StepPlan } from '../operations/index.ts';
import type { Hands } from '../power/index.ts';
import { createSwap, removeTree, type Unit } from './swap.ts';
import { selectionOf, unitsOf } from './units.ts';
import { compareGameVersions } from './versions.ts';
import { size } from './words.ts';

/** What a restore operation journals; `what` tells it from the restore of a snapshot. */
export type RestoreInput = BackupRestore & { what: 'backup'; id: string; by: string };

export const isBackupRestore = (input: unknown): input is RestoreInput =>
	typeof input === 'object' && input !== null && (input as { what?: unknown }).what === 'backup';

export type RestoreDeps = {
	serverDir: string;
	server: Hands;
	installation: () => Promise<Installation>;
	archiver: Archiver;
	folder: BackupFolder;
	/** What was written to this disk survives a power cut. */
	flushDisk: (dir: string) => Promise<void>;
	/** The folder of worlds is another than before. */
	changed: () => void;
	log: {
		info(message: string, facts?: object): void;
		error(message: string, facts?: object): void;
	};
	clock: Clock;
	/** How long a way back tries again when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

type Memo = {
	/** Set first of all: the operation is one of ours. */
	backupRestore?: { by: string; wasRunning: boolean | null };
	/** Present while things may have changed places. */
	units?: Unit[] | null;
	/** This operation has started the server on what was restored. */
	launched?: boolean;
	/** What was there before is whole and in its place again. */
	back?: boolean;
};

/** The worlds of before, and how we know ours. */
export const STAGING = '.craftwarden-restore-';
const KEPT = 'kept.json';
const SPARE_BYTES = 64 << 20;
const AS_BEFORE = 'Everything is as it was before';

const memoOf = (ctx: StepContext) => ctx.memo as Memo;

export interface Restores {
	/** Why this cannot be restored, in a sentence; null when it can. */
	refusal(sidecar: Sidecar): Promise<string | null>;
	steps(input: RestoreInput): StepPlan[];
	/** Whether a restore that failed or was cut off is one of ours, and its way back. May be repeated. */
	rollback: { mine(ctx: StepContext): boolean; run(ctx: StepContext): Promise<void> };
	/** The folder with the worlds of before; null when there is none. */
	kept(): Promise<{ dir: string; at: string }[]>;
	/** The server has started well: what was kept from before that goes. */
	started(readyAt: string): Promise<void>;
}

export function createRestores(deps: RestoreDeps): Restores {
	const { serverDir, server, archiver, folder } = deps;
	const stagingOf = (ctx: StepContext) => path.join(serverDir, `${STAGING}${ctx.id}`);
	const swapOf = (ctx: StepContext) => createSwap(serverDir, stagingOf(ctx));

	async function sidecarOf(id: string): Promise<Sidecar> {
		const stored = (await folder.list()).find((one) => one.id === id);
		if (stored?.state === 'sealed') return stored.sidecar;
		throw new AppError('conflict', stored?.problem ?? 'This backup is not there any more.');
	}

	async function refusal(sidecar: Sidecar): Promise<string | null> {
		if (sidecar.problem) return `This backup is damaged: ${sidecar.problem}`;
		const { gameVersion: installed } = await deps.installation();
		const made = sidecar.gameVersion;
		const order = installed && made ? compareGameVersions(installed, made) : null;
		if (order !== null && order < 0)
			return `This backup is of Minecraft ${made}, the server has ${installed}: the game cannot open worlds of a newer version. Update the server first.`;
		return null;
	}

	async function check(ctx: StepContext, input: RestoreInput) {
		await ctx.remember({ backupRestore: { by: input.by, wasRunning: null }, units: null });
		const sidecar = await sidecarOf(input.id);
		const refused = await refusal(sidecar);
		if (refused) throw new AppError('conflict', refused);
		selectionOf(sidecar, input);
		await oneDisk(sidecar);
		const { bavail, bsize } = await statfs(serverDir);
		const needed = (input.scope === 'player' ? 0 : sidecar.totals.bytes) + SPARE_BYTES;
		if (needed > bavail * bsize)
			throw new AppError(
				'conflict',
				`Unpacking needs about ${size(needed)} beside the worlds of now, and ${size(bavail * bsize)} are free. Make room first.`,
				{ code: 'no-space' }
			);
	}

	/** What lies on a disk of its own cannot be exchanged in one step. */
	async function oneDisk({ roots }: Sidecar) {
		const { dev } = await stat(serverDir);
		for (const root of roots) {
			const live = await lstat(path.join(serverDir, root)).catch(() => null);
			if (live && live.dev !== dev)
				throw new AppError(
					'conflict',
					`${root} is a disk of its own, so it cannot be exchanged in one step. Unpack the archive by hand: it is a tar with zstd.`
				);
		}
	}

	async function unpack(ctx: StepContext, input: RestoreInput) {
		const staging = stagingOf(ctx);
		await removeTree(staging);
		try {
			await mkdir(staging, { mode: PRIVATE_DIR });
			const sidecar = await sidecarOf(input.id);
			const { bytes, manifestSha256, totals } = sidecar;
			const into = {
				dir: path.join(staging, 'new'),
				select: selectionOf(sidecar, input),
				owner: await ownerOf(serverDir)
			};
			const file = folder.paths(input.id).archive;
			const { unpacked } = await archiver.run(
				{ kind: 'read', file, expected: { bytes, manifestSha256, totals }, into },
				{
					signal: ctx.signal,
					progress: (done) => ctx.progress(Math.min(done, totals.bytes), totals.bytes, 'bytes')
				}
			);
			if (unpacked === 0)
				throw new AppError(
					'conflict',
					input.scope === 'player'
						? 'This backup holds nothing of that player.'
						: 'This backup holds no files.'
				);
			await deps.flushDisk(staging);
			ctx.detail(`${unpacked} files are unpacked and are what they were.`);
		} catch (error) {
			await removeTree(staging);
			if (error instanceof AppError && error.code === 'archive-damaged')
				await folder.update(input.id, (sidecar) => ({ ...sidecar, problem: error.message }));
			throw error;
		}
	}

	async function stop(ctx: StepContext, input: RestoreInput) {
		const mine = memoOf(ctx).backupRestore!;
		const process = await server.process();
		if (mine.wasRunning === null)
			await ctx.remember({ backupRestore: { ...mine, wasRunning: process !== null } });
		if (!process) {
			await server.ensureStopped();
			return ctx.skip('It is not running.');
		}
		await server.halt(ctx, input.by, 'A backup is restored');
	}

	async function swap(ctx: StepContext, input: RestoreInput) {
		await server.ensureStopped();
		let { units } = memoOf(ctx);
		if (!units) {
			const dirs = { serverDir, staging: stagingOf(ctx) };
			units = await unitsOf(dirs, await sidecarOf(input.id), input);
			await ctx.remember({ units });
		}
		await swapOf(ctx).forward(units);
		deps.changed();
		const names = units.map(({ live }) => live);
		ctx.detail(
			`Exchanged: ${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${names.length - 8} more` : ''}.`
		);
	}

	async function start(ctx: StepContext) {
		if (!memoOf(ctx).backupRestore!.wasRunning) ctx.skip('It was not running before.');
		await ctx.remember({ launched: true });
		await server.launch(ctx);
		await server.verify(ctx);
	}

	async function keep(ctx: StepContext) {
		const staging = stagingOf(ctx);
		await removeTree(path.join(staging, 'new'));
		if (!(await exists(path.join(staging, 'old')))) {
			await removeTree(staging);
			return ctx.skip('Nothing was there before.');
		}
		await writeAtomic(
			path.join(staging, KEPT),
			`${JSON.stringify({ at: deps.clock.now().toISOString() })}\n`
		);
		ctx.detail(
			`What was there before is kept in ${path.basename(staging)}/old until the next good start of the server.`
		);
	}

	async function rollBack(ctx: StepContext) {
		const { units, back } = memoOf(ctx);
		if (!units && !back && !(await wasStopped(ctx))) {
			await removeTree(stagingOf(ctx));
			return ctx.skip('Nothing had been changed yet.');
		}
		if (units) await exchangeBack(ctx, units);
		// It makes room for what follows; the server is worth more than that.
		await removeTree(stagingOf(ctx)).catch((cause) =>
			deps.log.error('What a restore had unpacked could not be removed', { cause })
		);
		// From here on there is nothing to exchange any more, whatever happens to the rest.
		const settle = () => ctx.remember({ units: null, launched: false, back: true });
		if (!memoOf(ctx).backupRestore?.wasRunning) {
			await steadily(ctx, deps, 'The journal cannot be written', settle);
			return ctx.detail('Everything is as it was before.');
		}
		await steadily(ctx, deps, `${AS_BEFORE}, but the server cannot be started`, async () => {
			await settle();
			await server.launch(ctx);
		});
		await server.verify(ctx);
		ctx.detail(`${AS_BEFORE}, and the server runs again.`);
	}

	/** One that could not be told to stop was left alone. */
	async function wasStopped(ctx: StepContext) {
		if (!memoOf(ctx).backupRestore?.wasRunning) return false;
		const { process, state } = await server.observe();
		return process === null || state === 'stopping';
	}

	async function exchangeBack(ctx: StepContext, units: Unit[]) {
		const { backupRestore, launched } = memoOf(ctx);
		await steadily(ctx, deps, 'The server cannot be stopped', async () => {
			if (!(await server.process())) return;
			if (launched) await server.end(ctx, backupRestore!.by);
			else await server.halt(ctx, backupRestore!.by, 'The world of before comes back');
		});
		await steadily(ctx, deps, 'The world of before cannot be put back', async () => {
			await server.ensureStopped();
			await swapOf(ctx).back(units);
		});
		deps.changed();
	}

	async function kept() {
		const found: { dir: string; at: string }[] = [];
		for (const name of await readdir(serverDir)) {
			if (!name.startsWith(STAGING)) continue;
			const dir = path.join(serverDir, name);
			const stats = await lstat(path.join(dir, KEPT)).catch(() => null);
			if (stats?.isFile()) found.push({ dir, at: stats.mtime.toISOString() });
		}
		return found;
	}

	return {
		refusal,
		steps: (input) => [
			{
				id: 'check',
				label: 'Look whether it can be restored',
				cancellable: true,
				afterCrash: 'resume',
				run: (ctx) => check(ctx, input)
			},
			{
				id: 'unpack',
				label: 'Unpack beside the world and verify',
				cancellable: true,
				afterCrash: 'resume',
				run: (ctx) => unpack(ctx, input),
				undo: (ctx) => removeTree(stagingOf(ctx))
			},
			{
				id: 'stop',
				label: 'Stop the server',
				afterCrash: 'resume',
				run: (ctx) => stop(ctx, input)
			},
			{
				id: 'swap',
				label: 'Put the backup in place',
				afterCrash: 'resume',
				run: (ctx) => swap(ctx, input)
			},
			{ id: 'start', label: 'Start and verify', afterCrash: 'resume', run: start },
			{ id: 'keep', label: 'Keep what was there before', afterCrash: 'resume', run: keep }
		],
		rollback: { mine: (ctx) => memoOf(ctx).backupRestore !== undefined, run: rollBack },
		kept,
		async started(readyAt) {
			for (const { dir, at } of await kept()) {
				if (readyAt <= at) continue;
				await removeTree(dir);
				deps.log.info('The worlds from before the last restore were deleted', {
					dir: path.basename(dir)
				});
			}
		}
	};
}

/** As root the files belong to whom the server belongs to; otherwise they are ours anyway. */
async function ownerOf(serverDir: string) {
	if (process.getuid?.() !== 0) return null;
	const { uid, gid } = await stat(serverDir);
	return { uid, gid };
}
