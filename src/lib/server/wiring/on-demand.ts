import path from 'node:path';
import type { wireBackups } from './backups.ts';
import { exists } from '#core/files';
import { lazy, lazyMethods } from '#core/lazy';
import type { ServerConfig } from '#env';
import type { wireMods } from './mods.ts';
import type { isBackupRestore } from '#services/backups';
import type { StepContext } from '#operations';

type BackupsPart = ReturnType<typeof wireBackups>;
type ModsPart = ReturnType<typeof wireMods>;
type Needs = Parameters<typeof wireBackups>[1] & Omit<Parameters<typeof wireMods>[1], 'backup'>;

/** A fresh start serves its first page first; what a dead dashboard left behind is recovered within 5 s. */
const TEND_AFTER_MS = 500;

/** Mods, snapshots and backups: a third of the program, loaded when they are first needed. */
export function wireOnDemand(config: ServerConfig, needs: Needs) {
	const { clock, log } = needs;
	const closing = new AbortController();
	const backupsPart = lazy(async (): Promise<BackupsPart> => {
		const { wireBackups } = await import('./backups.ts');
		return wireBackups(config, needs);
	});
	/** It brings all kinds of operations with it. */
	const modsPart = lazy(async (): Promise<ModsPart> => {
		const { backups } = await backupsPart();
		const restores = await import('#services/backups');
		const { wireMods } = await import('./mods.ts');
		const part = wireMods(config, {
			...needs,
			backup: (ctx) => backups.runForOperation(ctx, 'Before a change of mods')
		});
		defineRestores(needs.operations, backups, part.restoring, restores.isBackupRestore);
		return part;
	});
	const modpack = lazyMethods(async () => (await modsPart()).modpack);
	const hasPack = () => exists(path.join(config.dataDir, 'modpack.json'));

	async function tend() {
		await clock.sleep(TEND_AFTER_MS, closing.signal).catch(() => {}); // closing
		if (closing.signal.aborted) return;
		const { backups } = await backupsPart();
		if (!closing.signal.aborted) backups.startWatching();
		const hasCopies = await exists(path.join(config.dataDir, 'trials'));
		if (hasCopies && !closing.signal.aborted) await (await modsPart()).sweepTrials();
	}

	return {
		mods: lazyMethods(async () => (await modsPart()).mods),
		/** What the mods bring along to another game version. */
		forUpgrades: async () => (await modsPart()).forUpgrades,
		snapshots: lazyMethods(async () => (await modsPart()).snapshots),
		backups: lazyMethods(async () => (await backupsPart()).backups),
		registry: async () => (await modsPart()).registry,
		modpack: {
			download: modpack.download,
			rebuild: modpack.rebuild,
			/** Every page asks for it, and usually there is none. */
			info: async () => (modsPart.built() || (await hasPack()) ? modpack.info() : null)
		},
		/** For every kind that changes mods or worlds. */
		defineOperations: modsPart,
		start: () =>
			void tend().catch((cause) => log.error('Backups cannot be looked after', { cause })),
		/** Before operations end. */
		async halt() {
			closing.abort();
			(await backupsPart.built())?.close();
		},
		async close() {
			await (await modsPart.built())?.close();
		}
	};
}

/** Snapshots and backups are restored by operations of one kind; the input or the checkpoint tells which it is. */
function defineRestores(
	operations: Needs['operations'],
	backups: BackupsPart['backups'],
	snapshots: ModsPart['restoring'],
	ofBackups: typeof isBackupRestore
) {
	const ofBackup = backups.restoreRollback;
	operations.define<unknown>({
		kind: 'restore',
		steps: (input) =>
			ofBackups(input)
				? backups.restoreSteps(input)
				: snapshots.steps(input as Parameters<typeof snapshots.steps>[0]),
		rollback: {
			...snapshots.rollback!,
			run: (ctx: StepContext) =>
				ofBackup.mine(ctx) ? ofBackup.run(ctx) : snapshots.rollback!.run(ctx)
		}
	});
}
