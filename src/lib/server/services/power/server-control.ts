import { duration } from '#schemas/plain/words/duration';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import type { Run } from '#runtime';
import {
	UNSEEN,
	type Countdown,
	type Operations,
	type ServerControl,
	type StepContext
} from '#operations';
import { callOff, countDown, nobodyLeft, runsOrWill } from './countdown.ts';
import {
	certain,
	launch,
	reportEnd,
	stopByEngine,
	stopByRcon,
	tellEnd,
	tellToStop,
	untilEnded,
	worldRefused,
	type StepDeps
} from './steps.ts';
import { named } from './labels.ts';
import { untilHealthy, type VerifyDeps } from './verify/index.ts';

export type ServerControlDeps = StepDeps &
	VerifyDeps & {
		/** How long a server that never answered may take to end after being told, and again after SIGTERM. */
		graceMs: number;
		/** How long before the stop the players are told. */
		warningS: number;
		operations: Pick<Operations, 'busy'>;
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
		countDown: (ctx, wish) => announce(ctx, deps, wish),
		callOff: (ctx) => callOff(ctx, deps),
		async halt(ctx, by, words) {
			const engine = await certain(runtime);
			const id = engine.run?.id ?? TO_COME;
			if (runsOrWill(engine) && ctx.checkpoint['told'] !== id) {
				if (!wasTold(ctx, engine.run, deps)) await warn(ctx, deps, { run: engine.run, words });
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
			const seen = await untilEnded(ctx, deps);
			// Not of what was down before this had begun: an old crash would read like one of now.
			const isOurs = ctx.checkpoint['told'] !== undefined;
			if (isOurs) await reportEnd(ctx, seen, isOurs);
			await ensureStopped();
			if (isOurs || seen.state !== 'crashed') tellEnd(ctx, seen);
		},
		end: (ctx, by) => end(ctx, deps, by),
		async launch(ctx) {
			// How it ended belongs to the step that has ended it.
			await untilEnded(ctx, deps);
			await launch(ctx, deps);
		},
		verify: (ctx, tell = async () => {}) => untilHealthy(ctx, deps, tell),
		settle: states.settle
	};
}

/** Stands for the run that the engine is about to start. */
const TO_COME = 'to come';

/** What a countdown remembers: when it ends, and of which run it was made when it did. */
type Announced = { countdownEnds?: string; announced?: { run: string; at: string } };
/** For so long, the last words of a countdown stand. */
const FRESH_MS = 30_000;

async function announce(
	ctx: StepContext,
	deps: ServerControlDeps,
	{ seconds, message }: Countdown
) {
	const { runtime, clock, operations } = deps;
	const left = nobodyLeft(deps);
	/** Not while something else restarts it. */
	const over = async () => {
		const busy = operations.busy();
		return busy === null || busy.id === ctx.id ? left() : null;
	};
	if (await over()) return ctx.skip('The server is not running, so there is no need to wait.');
	const nowMs = clock.now().getTime();
	const { countdownEnds } = ctx.checkpoint as Announced;
	const leftS = countdownEnds ? Math.ceil((Date.parse(countdownEnds) - nowMs) / 1000) : seconds;
	if (!countdownEnds)
		await ctx.remember({ countdownEnds: new Date(nowMs + seconds * 1000).toISOString() });
	// A clock that was set back makes nobody wait for longer than they were told.
	const rest = Math.min(leftS, seconds);
	if (rest <= 0) return ctx.detail('Its time passed while Craftwarden was away.');
	const before = (await runtime.state()).run;
	const wish = { run: before, seconds: rest, message, over, resumes: true };
	const why = await countDown(ctx, { action: 'restart', ...wish }, deps);
	if (why) return ctx.skip(why);
	const { run } = await runtime.state();
	if (run) await ctx.remember({ announced: { run: run.id, at: clock.now().toISOString() } });
}

/** A countdown for this very run has ended just now. */
function wasTold(ctx: StepContext, run: Run | null, { clock }: ServerControlDeps): boolean {
	const { announced } = ctx.checkpoint as Announced;
	if (!announced || announced.run !== run?.id) return false;
	return Math.abs(clock.now().getTime() - Date.parse(announced.at)) < FRESH_MS;
}

/** An empty server needs no countdown. */
async function warn(
	ctx: StepContext,
	deps: ServerControlDeps,
	{ run, words }: { run: Run | null; words: string }
) {
	const online = await deps.playersOnline();
	if (!online) return;
	const wish = { run, seconds: deps.warningS, message: words, over: nobodyLeft(deps) };
	await countDown(ctx, { action: 'restart', ...wish }, deps);
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
		ctx.detail(`It did not end within ${duration(deps.graceMs)}: killed (SIGKILL).`);
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
