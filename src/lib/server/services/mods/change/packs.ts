import { AppError } from '#core/errors';
import type { StepContext, StepPlan } from '#operations';
import type { Deps } from './types.ts';

/** The pack for players follows the mods; when it cannot be built, nothing is rolled back. */
export function createPacks({
	rebuildModpack,
	changed,
	log
}: Pick<Deps, 'rebuildModpack' | 'changed' | 'log'>) {
	async function rebuild(ctx: StepContext) {
		changed();
		try {
			await rebuildModpack();
		} catch (cause) {
			ctx.signal.throwIfAborted();
			const why = cause instanceof AppError ? cause.message : 'something went wrong.';
			log.error('The pack for players could not be rebuilt', { cause });
			ctx.detail(`The mods are in place, but the pack for players could not be rebuilt: ${why}`);
		}
	}
	return {
		rebuild,
		modpack: (): StepPlan => ({
			id: 'modpack',
			exclusive: true,
			label: 'Rebuild the pack for players',
			afterCrash: 'always',
			run: rebuild
		})
	};
}
