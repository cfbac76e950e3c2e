import { offAgain, type StepContext } from '#operations';
import { checkpointOf } from './checkpoint.ts';
import { versionOf } from './exchange.ts';
import { keepOriginal, PREFIX } from './original.ts';
import type { Deps } from './types.ts';

/** The new game has proven itself. Says what became of the original; can be repeated. */
export async function finish(ctx: StepContext, deps: Deps): Promise<string> {
	const { server, mods, software, clock } = deps;
	const { launching, wasRunning, crash, parked = [], by = 'dashboard' } = checkpointOf(ctx);
	await mods.rememberParked(parked);
	await mods.discard(ctx.id);
	const facts = await original(ctx, deps);
	const kept = await keepOriginal(software.place(ctx.id, PREFIX), clock, facts);
	if (launching && !wasRunning && !crash && (await server.run()))
		await offAgain(ctx, deps, {
			by,
			words: 'It was only started to try its new game.',
			reason: 'It was only started to try its new game, and is off again as it was before.'
		});
	return kept;
}

async function original(ctx: StepContext, { installation }: Deps) {
	const { from, exchangedAt, exchange, snapshot, known } = checkpointOf(ctx);
	// An earlier dashboard has begun this one, and did not record all of it.
	if (!from || !exchangedAt || !exchange || !snapshot || !known) return null;
	const live = versionOf(await installation());
	return { at: exchangedAt, aside: from, live, holds: 'old' as const, exchange, snapshot, known };
}
