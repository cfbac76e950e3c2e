import type { Clock } from '#core/clock';
import { retryOnDiskError, type Retry } from '#core/retry-on-disk-error';
import { wasStopped, type ServerControl, type StepContext } from '#operations';
import type { BackupFolder } from '#storage/archive';
import type { RollbackCopies } from './rollback-copy.ts';
import { checkpointOf } from './checkpoint.ts';
import { createSwap, removeTree, type Unit } from './swap.ts';

export type RollbackDeps = {
	serverDir: string;
	server: ServerControl;
	folder: Pick<BackupFolder, 'discard'>;
	/** The folder of worlds has changed. */
	changed: () => void;
	log: { error(message: string, facts?: object): void };
	clock: Clock;
	/** How long to keep trying when the disk refuses. Default: every 5 s, for 30 minutes. */
	retry?: Retry;
};

const AS_BEFORE = 'Everything is as it was before';

/** The rollback of a restore that failed or was cut off. May be repeated at any point. */
export function createRollback(deps: RollbackDeps & Pick<RollbackCopies, 'stagingOf' | 'keep'>) {
	const { server, stagingOf, keep } = deps;

	async function rollBack(ctx: StepContext) {
		const { units, back, settled, backupRestore, backup } = checkpointOf(ctx);
		const wasRunning = backupRestore?.wasRunning === true;
		if (settled) {
			const before = await keep(ctx);
			ctx.skip(`The backup stays in place: it had proven itself before this. ${before}`);
		}
		if (!units && !back && !(await wasStopped(server, { wasRunning }))) {
			await server.callOff(ctx);
			await removeTree(stagingOf(ctx));
			// A finished one stays, as any other backup.
			if (backup)
				await deps.folder
					.discard(backup.id)
					.catch((cause) => deps.log.error('A backup that was cut off stays behind', { cause }));
			return ctx.skip('Nothing had been changed yet.');
		}
		if (units) await exchangeBack(ctx, units);
		// Frees space for what follows; the server matters more than this backup.
		await removeTree(stagingOf(ctx)).catch((cause) =>
			deps.log.error('What a restore had unpacked could not be removed', { cause })
		);
		// From here on there is nothing left to swap, whatever happens to the rest.
		const free = () => ctx.remember({ units: null, launched: false, back: true });
		if (!wasRunning) {
			await retryOnDiskError(ctx, deps, 'The journal cannot be written', free);
			return ctx.detail('Everything is as it was before.');
		}
		await retryOnDiskError(
			ctx,
			deps,
			`${AS_BEFORE}, but the server cannot be started`,
			async () => {
				await free();
				await server.launch(ctx);
			}
		);
		await server.verify(ctx);
		ctx.detail(`${AS_BEFORE}, and the server runs again.`);
	}

	async function exchangeBack(ctx: StepContext, units: Unit[]) {
		const { backupRestore, launched } = checkpointOf(ctx);
		await retryOnDiskError(ctx, deps, 'The server cannot be stopped', async () => {
			if (!(await server.run())) return;
			if (launched) await server.end(ctx, backupRestore!.by);
			else await server.halt(ctx, backupRestore!.by, 'Restore the previous world');
		});
		await retryOnDiskError(ctx, deps, 'The previous world cannot be restored', async () => {
			await server.ensureStopped();
			await createSwap(deps.serverDir, stagingOf(ctx)).back(units);
		});
		deps.changed();
	}

	return rollBack;
}
