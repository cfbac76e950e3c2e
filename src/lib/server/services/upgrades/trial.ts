import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { newestLines } from '#core/newest-lines';
import type { StepContext, StepPlan } from '#operations';
import { checkpointOf, remember } from './checkpoint.ts';
import { PREFIX } from './original.ts';
import type { Deps, UpgradeInput } from './types.ts';

type Tried = Pick<UpgradeInput, 'target' | 'change' | 'skipTrial'>;

/** Why the new game will not be tried on a copy first, in a sentence; null when it will. */
export async function whyNoTrial(
	{ target: { loader }, change, skipTrial }: Tried,
	{ trialBoots, server, mods, trials }: Pick<Deps, 'trialBoots' | 'server' | 'mods' | 'trials'>
): Promise<string | null> {
	if (skipTrial) return 'Skipped, as requested.';
	if ((await trialBoots()) === 'never') return 'Trials on a copy are switched off in the settings.';
	if (loader === 'vanilla' || loader === 'paper' || !mods.loads(change))
		return 'There are no mods to try.';
	if (!(await server.run()))
		return 'The server is not running, so starting it is the trial. Whoever joins meanwhile is disconnected if it fails.';
	return trials.problem();
}

/**
 * Fabric's launcher downloads the game at its first start, and a trial has no network: so it is started once before, by
 * itself. What it downloads is put in place with the rest. Can be repeated once everything has been laid out again.
 */
export async function completeGame(ctx: StepContext, input: UpgradeInput, deps: Deps) {
	if (input.target.loader !== 'fabric') return;
	const why = await whyNoTrial(input, deps);
	if (why) return remember(ctx, { incomplete: why });
	const { fresh } = deps.software.place(ctx.id, PREFIX);
	const launcher = (await readdir(fresh)).find((name) => name.endsWith('.jar'));
	const [java] = (await commandOf(ctx, input, deps)) ?? [];
	if (!launcher || !java) return;
	ctx.detail('Fabric is downloading the game into a folder of its own.');
	const incomplete = await deps.trials
		.complete(
			{ jar: path.join(fresh, launcher), java, into: fresh },
			{ signal: ctx.signal, tell: newestLines(ctx.log) }
		)
		.catch((error) => {
			// Memory or disk space has run out since the check.
			if (ctx.signal.aborted || !(error instanceof AppError)) throw error;
			return error.message;
		});
	await remember(ctx, { incomplete });
	ctx.detail(incomplete ?? 'The game and the mods are downloaded and checked.');
}

const commandOf = (ctx: StepContext, { target }: UpgradeInput, { software }: Deps) =>
	software.command(software.place(ctx.id, PREFIX), target);

/** Starts the new game with its mods on a copy, while the server keeps running. */
export const trialStep = (input: UpgradeInput, deps: Deps): StepPlan => ({
	id: 'trial',
	label: 'Try it on a copy of the server',
	cancellable: true,
	afterCrash: 'resume',
	async run(ctx) {
		const why = await whyNoTrial(input, deps);
		if (why) ctx.skip(why);
		const { incomplete } = checkpointOf(ctx);
		if (incomplete)
			return ctx.detail(
				`The trial is inconclusive: ${incomplete} The upgrade continues, and is rolled back if the server does not start.`
			);
		const command = await commandOf(ctx, input, deps);
		if (!command) return ctx.skip('It is not known how to start the new game.');
		const { software, mods } = deps;
		await mods.tryOut(ctx, input.change, {
			...{ dir: software.place(ctx.id, PREFIX).fresh, command },
			instead: software.old(input.target)
		});
	}
});
