import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import type { Run } from '#runtime';
import { UNSEEN, type ServerControl, type StepContext } from '#operations';
import { countDown } from './countdown.ts';
import {
	certain,
	exit,
	launch,
	runsOrWill,
	stopByEngine,
	stopByRcon,
	tellToStop,
	worldRefused,
	type StepDeps
} from './steps.ts';
import { named } from './labels.ts';
import { untilHealthy, type VerifyDeps } from './verify/index.ts';

export type ServerControlDeps = StepDeps &
	VerifyDeps & {
		/** Null when unknown. */
		playersOnline: () => Promise<number | null>;
		/** How long a server that never answered may take to end after being told, and again after SIGTERM. */
		graceMs: number;
		/** How long before the stop the players are told. */
		warningS: number;
	};

export function createServerControl(deps: ServerControlDeps): ServerControl {
	const { runtime, states } = deps;
	const current = async () => (await certain(runtime)).run;

	async function ensureStopped() {
		const left = await certain(runtime);
		if (runsOrWill(left))
			throw new AppError(
				'conflict',
				`The server runs again${left.run ? ` as ${named(left.run)}` : ''}: something outside the dashboard started it. End what starts it (a script in a loop, a service), then try again.`
			);
		if (await deps.probe())
			throw new AppError('conflict', `${UNSEEN} Stop it where it was started, then try again.`);
	}

	return {
		run: current,
		observe: states.observe,
		ensureStopped,
		async ensureStartable() {
			const can = await runtime.startable();
			if ('why' in can) throw new AppError('conflict', can.why);
			const { refusal } = await deps.checkWorld();
			if (refusal) throw worldRefused(refusal);
		},
		async halt(ctx, by, words) {
			const engine = await certain(runtime);
			const id = engine.run?.id ?? TO_COME;
			if (runsOrWill(engine) && ctx.checkpoint['told'] !== id) {
				await warn(ctx, deps, words);
				await states.stopRequested('stop', by);
				try {
					ctx.detail(await tellToStop(deps, engine.run));
				} catch (error) {
					await states.stopFailed();
					throw error;
				}
				// Asked twice, a server that is saving would refuse RCON and get a signal for it.
				await ctx.remember({ told: id });
			}
			await exit(ctx, deps, 'restart');
			await ensureStopped();
		},
		end: (ctx, by) => end(ctx, deps, by),
		async launch(ctx) {
			await exit(ctx, deps, 'restart');
			await launch(ctx, deps);
		},
		verify: (ctx, tell = async () => {}) => untilHealthy(ctx, deps, tell),
		settle: states.settle
	};
}

/** Stands for the run that the engine is about to start. */
const TO_COME = 'to come';

/** An empty server needs no countdown. */
async function warn(ctx: StepContext, deps: ServerControlDeps, words: string) {
	const online = await deps.playersOnline();
	if (!online) return;
	await countDown(ctx, { action: 'restart', seconds: deps.warningS, message: words }, deps);
}

async function end(ctx: StepContext, deps: ServerControlDeps, by: string) {
	const { runtime, states } = deps;
	const ours = async () => {
		const { run } = await certain(runtime);
		return run?.ours ? run : null;
	};
	// What is left of a start script is found when the script has ended; a stranger's is not ours to end.
	for (let run = await ours(); run; run = await ours()) {
		await states.stopRequested('stop', by);
		ctx.detail('It never answered: it is told to stop.');
		const told = (await stopByEngine(deps, run)) || (await stopByRcon(deps)) === null;
		if (told && (await endsInTime(ctx, deps, run))) continue;
		ctx.detail('It never answered: it is told to end by a signal (SIGTERM).');
		await runtime.terminate(run);
		if (await endsInTime(ctx, deps, run)) continue;
		await states.stopRequested('kill', by);
		ctx.detail(`It did not end within ${Math.round(deps.graceMs / 1000)} s: killed (SIGKILL).`);
		await runtime.kill(run);
		await runtime.ended(run, ctx.signal);
	}
	await states.observe();
}

const endsInTime = (ctx: StepContext, deps: ServerControlDeps, run: Run) =>
	deadline(
		{ ms: deps.graceMs, clock: deps.clock, signal: ctx.signal },
		(signal) => deps.runtime.ended(run, signal).then(() => true),
		() => false
	);
