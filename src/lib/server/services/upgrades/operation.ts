import { readdir } from 'node:fs/promises';
import { countdownStep, type Definition, type StepContext, type StepPlan } from '#operations';
import { checkpointOf, remember } from './checkpoint.ts';
import { ensureAsPlanned, exchangeAll, UPGRADING } from './exchange.ts';
import { finish } from './finish.ts';
import { PREFIX } from './original.ts';
import { rollback } from './rollback.ts';
import { snapshotStep } from './snapshot-step.ts';
import { completeGame, trialStep } from './trial.ts';
import type { Deps, UpgradeInput } from './types.ts';

/**
 * Game, loader, mods and world change together, or none of them: everything is laid out beside the folder, and one list
 * of renames, which is journalled before the first, puts it in place or back.
 */
export const defineUpgrade = (deps: Deps): Definition<UpgradeInput> => ({
	kind: 'upgrade',
	steps: (input) => steps(input, deps),
	rollback: rollback(deps)
});

function steps(input: UpgradeInput, deps: Deps): StepPlan[] {
	const { software } = deps;
	const what = { ...input.target, by: input.by };
	const [java, download, install] = software.steps(what, PREFIX);
	return [
		{
			id: 'lookup',
			label: 'Check the plan',
			cancellable: true,
			afterCrash: 'resume',
			run: (ctx) => lookUp(ctx, input, deps)
		},
		java,
		{
			id: 'download',
			label: `Download ${software.title(input.target)} and the mods`,
			cancellable: true,
			afterCrash: 'resume',
			async run(ctx) {
				await download.run(ctx);
				await install.run(ctx);
				if (input.change.put.length) await deps.mods.bring(ctx, input.change, factsOf(input));
				await completeGame(ctx, input, deps);
			},
			async undo(ctx) {
				await deps.mods.discard(ctx.id);
				await software.place(ctx.id, PREFIX).remove();
			}
		},
		snapshotStep(deps, input.by, () => software.title(input.target)),
		trialStep(input, deps),
		{
			id: 'backup',
			label: 'Back up the world',
			exclusive: true,
			cancellable: true,
			afterCrash: 'resume',
			run: (ctx) => deps.backup(ctx, 'Before an upgrade of the game')
		},
		...countdownStep(deps.server, input.countdown, UPGRADING),
		{
			id: 'swap',
			label: 'Stop the server and exchange game, mods and world',
			exclusive: true,
			afterCrash: 'resume',
			run: (ctx) => exchangeAll(ctx, input, deps)
		},
		{
			id: 'restart',
			label: 'Start the new game',
			afterCrash: 'resume',
			run: (ctx) => launch(ctx, deps)
		},
		{
			id: 'verify',
			label: 'Watch whether it comes up healthy',
			afterCrash: 'always',
			run: (ctx) => verify(ctx, deps)
		},
		deps.modpack()
	];
}

/** What the server will be. */
export const factsOf = ({ target: { loader, build, gameVersion } }: UpgradeInput) => ({
	...{ loader, gameVersion },
	loaderVersion: build
});

async function lookUp(ctx: StepContext, input: UpgradeInput, deps: Deps) {
	await remember(ctx, { by: input.by, parked: input.parked });
	const { changes } = input.change;
	if (changes?.length) await ctx.report({ changes });
	await ensureAsPlanned(input, deps);
	await deps.server.ensureStartable();
	const { fromGame, target } = input;
	ctx.detail(
		`${fromGame ?? 'The old game'} is still in place, as planned. ${target.gameVersion} will replace it.`
	);
}

/** What is there by then was not made by what is started. */
export async function launch(ctx: StepContext, { server, serverDir }: Deps) {
	await server.ensureStartable();
	const { launching, known = [] } = checkpointOf(ctx);
	if (!launching)
		await remember(ctx, {
			launching: true,
			known: [...new Set([...known, ...(await readdir(serverDir))])]
		});
	await server.launch(ctx);
}

/** Watches it; from the end of that on it is no longer rolled back. */
export async function prove(ctx: StepContext, { server }: Deps) {
	if (checkpointOf(ctx).settled) return;
	await server.verify(ctx, (sign) => remember(ctx, { [sign]: true }));
	await remember(ctx, { settled: true });
}

async function verify(ctx: StepContext, deps: Deps) {
	await prove(ctx, deps);
	const kept = await finish(ctx, deps);
	const { wasRunning, crash } = checkpointOf(ctx);
	const stays = crash
		? 'and is running: before, it had crashed.'
		: 'and is off again, as it was before.';
	const now = wasRunning ? 'and stayed so.' : stays;
	ctx.detail(`It came up healthy ${now} ${kept}`);
}
