import { readdir } from 'node:fs/promises';
import { onDisk, type Exchange } from '#core/files';
import { asItWas, sayIfDown, type StepContext, type StepPlan } from '#operations';
import { checkpointOf, remember, type Checkpoint } from './checkpoint.ts';
import { discard, workplace } from './exchange.ts';
import type { Deps } from './types.ts';

/** For the players. */
export const CHANGING = 'Its software is being changed.';

type Exchanging = {
	by: string;
	label: string;
	/** Before the first rename: checks that everything is as planned, and returns what will be removed. Can be repeated. */
	prepare: (ctx: StepContext) => Promise<string[]>;
	/** After the last rename: checks that the start command would start the new files. */
	ensureFound?: () => Promise<void>;
};

/** Puts the prepared files in place, starts the server and watches it. */
export function finish(deps: Deps, exchanging: Exchanging): StepPlan[] {
	const { server, serverDir } = deps;
	return [
		{
			id: 'swap',
			label: exchanging.label,
			afterCrash: 'resume',
			run: (ctx) => swap(ctx, exchanging, deps)
		},
		{
			id: 'restart',
			label: 'Start the server',
			afterCrash: 'resume',
			async run(ctx) {
				await server.ensureStartable();
				await remember(ctx, { launching: true, ...(await seen(ctx, serverDir)) });
				await server.launch(ctx);
			}
		},
		{
			id: 'verify',
			label: 'Watch whether it comes up healthy',
			afterCrash: 'always',
			async run(ctx) {
				if (!checkpointOf(ctx).settled) {
					await server.verify(ctx, (sign) => remember(ctx, { [sign]: true }));
					await remember(ctx, { settled: true });
				}
				await discard(workplace(serverDir, ctx.id));
				ctx.detail('It came up healthy and stayed so.');
			}
		}
	];
}

async function swap(ctx: StepContext, exchanging: Exchanging, deps: Deps) {
	const { server, serverDir, flush } = deps;
	const place = workplace(serverDir, ctx.id);
	// If there was no server before, something else may answer at the address of the new one.
	const ensureStopped = checkpointOf(ctx).before ? async () => {} : server.ensureStopped;
	if (!checkpointOf(ctx).exchange) {
		const prepare = () =>
			onDisk('The new files could not be laid out', async (): Promise<Exchange> => {
				const take = await exchanging.prepare(ctx);
				await flush(place.root);
				return place.plan(take);
			});
		// First while the server is still running: a failure here disconnects nobody.
		await prepare();
		await stopFor(ctx, exchanging, deps);
		const exchange = await prepare();
		await remember(ctx, { exchange, known: await readdir(serverDir) });
	}
	await ensureStopped();
	await place.touch(checkpointOf(ctx).exchange!);
	deps.changed();
	await exchanging.ensureFound?.();
	// Something else may have started it partway through, and it would have loaded half of each.
	await ensureStopped();
}

async function stopFor(ctx: StepContext, { by }: Exchanging, { server }: Deps) {
	if (checkpointOf(ctx).wasRunning === undefined) {
		const seen = await server.observe();
		await remember(ctx, asItWas(seen));
		sayIfDown(ctx, seen, 'Exchange the files');
	}
	if (!checkpointOf(ctx).before) await server.halt(ctx, by, CHANGING);
}

/** Before the first start only: nothing that is there by now was made by the new server. */
async function seen(ctx: StepContext, serverDir: string): Promise<Checkpoint> {
	const { launching, known = [] } = checkpointOf(ctx);
	return launching ? {} : { known: [...new Set([...known, ...(await readdir(serverDir))])] };
}
