import { listed } from '#schemas/plain/words/listed';
import { lstat, mkdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { BackupRestore } from '#schemas/backup';
import type { Operation } from '#schemas/operation';
import { AppError } from '#core/errors';
import { PRIVATE_DIR } from '#core/files';
import { retryOnDiskError } from '#core/retry-on-disk-error';
import type { Installation } from '#minecraft/folder';
import type { Archiver, BackupFolder, Sidecar } from '#storage/archive';
import { countdownOf, countdownStep, type StepContext, type StepPlan } from '#operations';
import { createRollbackCopies, type RollbackCopies } from './rollback-copy.ts';
import { createRollback, type RollbackDeps } from './rollback.ts';
import { checkpointOf } from './checkpoint.ts';
import { createSwap, removeTree } from './swap.ts';
import { selectionOf, unitsOf, worldOf } from './units.ts';
import { compareGameVersions } from '../versions.ts';
import { size } from '../size.ts';

/** What a restore operation journals; `what` distinguishes it from the restore of a snapshot. */
export type RestoreInput = BackupRestore & {
	what: 'backup';
	id: string;
	by: string;
	/** The restore that this one takes back. */
	undoes?: NonNullable<Operation['undoes']>;
};

export const isBackupRestore = (input: unknown): input is RestoreInput =>
	typeof input === 'object' && input !== null && (input as { what?: unknown }).what === 'backup';

export type RestoreDeps = RollbackDeps & {
	installation: () => Promise<Installation>;
	/** Why the game's files must not be changed, in a sentence; null when they may be. */
	untouchable: () => Promise<string | null>;
	archiver: Archiver;
	folder: BackupFolder;
	/** Makes a backup of what is there now; returns its id. */
	backUp: (ctx: StepContext, input: RestoreInput, restored: Sidecar) => Promise<string>;
	/** Makes what was written to this disk survive a power cut. */
	flushDisk: (dir: string) => Promise<void>;
	log: {
		info(message: string, facts?: object): void;
		error(message: string, facts?: object): void;
	};
};

const SPARE_BYTES = 64 << 20;
const ANOTHER = 'restore another backup.';
/** For the players. */
const RESTORING = 'A backup is being restored.';

export interface Restores {
	/** Why this cannot be restored, in a sentence; null when it can. */
	refusal(sidecar: Sidecar): Promise<string | null>;
	steps(input: RestoreInput): StepPlan[];
	/** Whether a restore that failed or was cut off is one of ours, and its rollback. May be repeated. */
	rollback: { mine(ctx: StepContext): boolean; run(ctx: StepContext): Promise<void> };
	/** The server has started well: removes what was kept from before. */
	started: RollbackCopies['started'];
	/** Where what a restore has replaced still lies. */
	replaced: RollbackCopies['replaced'];
}

export function createRestores(deps: RestoreDeps): Restores {
	const { serverDir, server, archiver, folder } = deps;
	const kept = createRollbackCopies(deps);
	const { stagingOf } = kept;

	async function sidecarOf(id: string): Promise<Sidecar> {
		const stored = (await folder.list()).find((one) => one.id === id);
		if (stored?.state === 'sealed') return stored.sidecar;
		throw new AppError('conflict', stored?.problem ?? 'This backup no longer exists.');
	}

	async function refusal(sidecar: Sidecar): Promise<string | null> {
		const untouchable = await deps.untouchable();
		if (untouchable) return untouchable;
		if (sidecar.problem) return `This backup is damaged. ${sidecar.problem} So ${ANOTHER}`;
		const { gameVersion: installed } = await deps.installation();
		const made = sidecar.gameVersion;
		const order = installed && made ? compareGameVersions(installed, made) : null;
		if (order !== null && order < 0)
			return `This backup is of Minecraft ${made}, the server has ${installed}: the game cannot open worlds of a newer version. Update the server first.`;
		return null;
	}

	async function restorable({ id }: RestoreInput): Promise<Sidecar> {
		const sidecar = await sidecarOf(id);
		const refused = await refusal(sidecar);
		if (refused) throw new AppError('conflict', refused);
		return sidecar;
	}

	async function check(ctx: StepContext, input: RestoreInput) {
		await ctx.remember({ backupRestore: { by: input.by, wasRunning: null }, units: null });
		if (input.undoes) await ctx.report({ undoes: input.undoes });
		const sidecar = await restorable(input);
		selectionOf(sidecar, input);
		await oneDisk(sidecar);
		const { bavail, bsize } = await statfs(serverDir);
		const needed = (input.scope === 'player' ? 0 : sidecar.totals.bytes) + SPARE_BYTES;
		if (needed > bavail * bsize)
			throw new AppError(
				'conflict',
				`Unpacking needs about ${size(needed)} next to the current worlds, and ${size(bavail * bsize)} are free. Make room first.`,
				{ code: 'no-space' }
			);
	}

	/** Something on a disk of its own cannot be swapped in one step. */
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
						? 'This backup holds nothing of that player’s.'
						: 'This backup holds no files.'
				);
			await deps.flushDisk(staging);
			ctx.detail(`${unpacked} files are unpacked, each exactly as it was backed up.`);
		} catch (error) {
			await removeTree(staging);
			if (!(error instanceof AppError) || error.code !== 'archive-damaged') throw error;
			await folder.update(input.id, (sidecar) => ({ ...sidecar, problem: error.message }));
			throw new AppError('conflict', `${error.message} Nothing was changed: ${ANOTHER}`, {
				cause: error,
				code: error.code
			});
		}
	}

	/** As late as the server can still run: what is done in the meantime is not in it. */
	async function backUp(ctx: StepContext, input: RestoreInput) {
		const restored = await sidecarOf(input.id);
		const id = await deps.backUp(ctx, input, restored).catch((cause) => {
			if (!(cause instanceof AppError) || ctx.signal.aborted) throw cause;
			if (cause.code === 'no-world') ctx.skip('There is no world yet that could be lost.');
			const { kind, code, message } = cause;
			throw new AppError(kind, `${message} Without that backup nothing was restored.`, {
				...{ cause, code }
			});
		});
		const { scope, world, uuid } = input;
		if (scope === 'all') return ctx.report({ undo: { backup: id, scope } });
		const { name } = worldOf(restored, world);
		const { worlds } = await sidecarOf(id);
		if (worlds.some((one) => one.name === name))
			await ctx.report({ undo: { backup: id, scope, world: name, ...(uuid && { uuid }) } });
	}

	async function stop(ctx: StepContext, input: RestoreInput) {
		const mine = checkpointOf(ctx).backupRestore!;
		const run = await server.run();
		if (mine.wasRunning === null) {
			// The backup and the countdown may have taken long.
			await restorable(input);
			await ctx.remember({ backupRestore: { ...mine, wasRunning: run !== null } });
		}
		if (!run) {
			await server.ensureStopped();
			return ctx.skip('It is not running.');
		}
		await server.halt(ctx, input.by, RESTORING);
	}

	async function swap(ctx: StepContext, input: RestoreInput) {
		await server.ensureStopped();
		let { units } = checkpointOf(ctx);
		if (!units) {
			const dirs = { serverDir, staging: stagingOf(ctx) };
			units = await unitsOf(dirs, await sidecarOf(input.id), input);
			await ctx.remember({ units });
		}
		await createSwap(serverDir, stagingOf(ctx)).forward(units);
		deps.changed();
		// Something outside may have started it in the middle: then it has opened half of each world.
		await server.ensureStopped();
		const names = units.map(({ live }) => live);
		ctx.detail(`Exchanged: ${listed(names, 8)}.`);
	}

	async function start(ctx: StepContext) {
		if (!checkpointOf(ctx).backupRestore!.wasRunning) {
			await settle(ctx);
			ctx.skip('It was not running before.');
		}
		await ctx.remember({ launched: true });
		await server.launch(ctx);
		await server.verify(ctx);
		await settle(ctx);
	}

	/** From here on the restored files are good, and a full disk is no reason to roll them back. */
	const settle = (ctx: StepContext) =>
		retryOnDiskError(ctx, deps, 'The journal cannot be written', () =>
			ctx.remember({ settled: true })
		);

	const backupStep = (input: RestoreInput): StepPlan => ({
		id: 'backup',
		label: 'Back up what is there now',
		cancellable: true,
		afterCrash: 'resume',
		run: (ctx) => backUp(ctx, input)
	});

	return {
		refusal,
		steps: (input) => [
			{
				id: 'check',
				label: 'Check that it can be restored',
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
			...(input.backupFirst ? [backupStep(input)] : []),
			...countdownStep(server, countdownOf(input), RESTORING),
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
			{ id: 'start', label: 'Start and verify', afterCrash: 'always', run: start },
			{
				id: 'keep',
				label: 'Keep what was there before',
				afterCrash: 'always',
				run: async (ctx) => ctx.detail(await kept.keep(ctx))
			}
		],
		rollback: {
			mine: (ctx) => checkpointOf(ctx).backupRestore !== undefined,
			run: createRollback({ ...deps, ...kept })
		},
		started: kept.started,
		replaced: kept.replaced
	};
}

/** As root, the files are given to the owner of the server; otherwise they are ours anyway. */
async function ownerOf(serverDir: string) {
	if (process.getuid?.() !== 0) return null;
	const { uid, gid } = await stat(serverDir);
	return { uid, gid };
}
