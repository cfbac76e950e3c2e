import path from 'node:path';
import type { wireBackups } from './backups.ts';
import { exists } from '#core/files';
import { lazy, lazyMethods } from '#core/lazy';
import type { Env } from '#env';
import type { wireMods } from './mods.ts';
import type { isBackupRestore } from '#services/backups';
import type { StepContext } from '#operations';

type BackupsHouse = ReturnType<typeof wireBackups>;
type ModsHouse = ReturnType<typeof wireMods>;
type Needs = Parameters<typeof wireBackups>[1] & Omit<Parameters<typeof wireMods>[1], 'backup'>;

/** Who has just started the dashboard wants its first page; what a dead one left off is put right within 5 s. */
const TEND_AFTER_MS = 500;

/** Mods, snapshots and backups: a third of the program, built when somebody asks for them. */
export function wireArchives(env: Env, needs: Needs) {
	const { clock, log } = needs;
	const closing = new AbortController();
	const backupsHouse = lazy(async (): Promise<BackupsHouse> => {
		const { wireBackups } = await import('./backups.ts');
		return wireBackups(env, needs);
	});
	/** With it come all kinds of operations. */
	const modsHouse = lazy(async (): Promise<ModsHouse> => {
		const { backups } = await backupsHouse();
		const restores = await import('#services/backups');
		const { wireMods } = await import('./mods.ts');
		const house = wireMods(env, {
			...needs,
			backup: async (ctx) => void (await backups.runForOperation(ctx, 'Before a change of mods'))
		});
		defineRestores(needs.operations, backups, house.restoring, restores.isBackupRestore);
		return house;
	});
	const modpack = lazyMethods(async () => (await modsHouse()).modpack);
	const hasPack = () => exists(path.join(env.dataDir, 'modpack.json'));

	async function tend() {
		await clock.sleep(TEND_AFTER_MS, closing.signal).catch(() => {}); // closing
		if (closing.signal.aborted) return;
		const { backups } = await backupsHouse();
		if (!closing.signal.aborted) backups.startWatching();
	}

	return {
		mods: lazyMethods(async () => (await modsHouse()).mods),
		snapshots: lazyMethods(async () => (await modsHouse()).snapshots),
		backups: lazyMethods(async () => (await backupsHouse()).backups),
		modpack: {
			download: modpack.download,
			rebuild: modpack.rebuild,
			/** Asked for by everybody's page, and mostly there is none. */
			info: async () => (modsHouse.built() || (await hasPack()) ? modpack.info() : null)
		},
		/** Defines every kind of operation. */
		prepare: modsHouse,
		start: () =>
			void tend().catch((cause) => log.error('Backups cannot be looked after', { cause })),
		/** Before operations end. */
		async halt() {
			closing.abort();
			(await backupsHouse.built())?.close();
		},
		async close() {
			await (await modsHouse.built())?.close();
		}
	};
}

/** Snapshots and backups are put back by operations of one kind; which it is, its input or its memory tells. */
function defineRestores(
	operations: Needs['operations'],
	backups: BackupsHouse['backups'],
	snapshots: ModsHouse['restoring'],
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
