import type { StepPlan } from '#operations';
import type { Deps, Target } from './types.ts';

/** Why the new game will not be tried on a copy first, in a sentence; null when it will. */
export async function whyNoTrial(
	{ loader }: Target,
	{ trialBoots, server }: Pick<Deps, 'trialBoots' | 'server'>
): Promise<string | null> {
	if ((await trialBoots()) === 'never') return 'Trial boots are switched off in the settings.';
	if (loader === 'vanilla' || loader === 'paper') return 'There are no mods to try.';
	if (!(await server.run()))
		return 'The server is stopped, so starting it is the trial: nobody is disconnected by it.';
	if (loader === 'fabric')
		return 'Fabric fetches the new game at its first start, and a copy for a trial has no network. The start itself is watched, and taken back with the world.';
	return 'A copy for a trial holds the game that is installed, not another one. The start itself is watched, and taken back with the world.';
}

export const trialStep = (target: Target, deps: Deps): StepPlan => ({
	id: 'trial',
	label: 'Try it on a copy of the server',
	cancellable: true,
	afterCrash: 'resume',
	async run(ctx) {
		ctx.skip((await whyNoTrial(target, deps))!);
	}
});
