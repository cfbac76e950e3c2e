import { AppError } from '#core/errors';
import type { ServerProcess } from '#runtime/process';
import type { StepContext } from '#operations';
import { countDown } from './countdown.ts';
import type { Observation } from './states.ts';
import { exit, launch, stopByRcon, tellToStop, type StepDeps } from './steps.ts';
import { untilHealthy, type Sign, type VerifyDeps } from './verify.ts';

/**
 * What an operation of another service does with the server, while it holds the lock. Everything looks first at what
 * is there, so that it can be done again after a crash of the dashboard. Failures carry the cause.
 */
export interface ServerControl {
	/** The game's process; null when there is none. */
	process(): Promise<ServerProcess | null>;
	observe(): Promise<Observation>;
	/** `AppError('conflict')` unless nothing runs here, nor answers at the server's address unseen. */
	ensureStopped(): Promise<void>;
	/** `AppError('conflict')` when it could not be started again: better known before it is stopped. */
	ensureStartable(): Promise<void>;
	/** Tells the players, then the server to stop, and waits for its process to end, however long it saves. */
	halt(ctx: StepContext, by: string, words: string): Promise<void>;
	/** Only for a process that this very operation started and that never answered: stop, SIGTERM, SIGKILL. */
	end(ctx: StepContext, by: string): Promise<void>;
	/** One that is on its way out is waited for first. */
	launch(ctx: StepContext): Promise<void>;
	/** Waits until it is healthy and stays so; `tell` hears what is seen on the way. */
	verify(ctx: StepContext, tell?: (sign: Sign) => Promise<void>): Promise<void>;
	/** A crash that belonged to the operation is over: nothing is restarted for it. */
	settle(reason: string): Promise<void>;
}

export type ServerControlDeps = StepDeps &
	VerifyDeps & {
		/** Null when nobody knows. */
		playersOnline: () => Promise<number | null>;
		/** How long a server that never answered may take to end after being told, and again after SIGTERM. */
		graceMs: number;
		/** How long the players are told before. */
		warningS: number;
	};

export function createServerControl(deps: ServerControlDeps): ServerControl {
	const { process: control, states } = deps;

	async function ensureStopped() {
		const left = await control.find();
		if (left)
			throw new AppError(
				'conflict',
				`The server runs again as process ${left.pid}: something outside the dashboard started it. End what starts it (a script in a loop, a service), then try again.`
			);
		if (await deps.probe())
			throw new AppError(
				'conflict',
				'A server answers, but its process cannot be seen from here: it belongs to another user or runs in a container. Stop it where it was started.'
			);
	}

	return {
		process: control.find,
		observe: states.observe,
		ensureStopped,
		async ensureStartable() {
			const { command, problem } = await deps.installation();
			if (!command) throw new AppError('conflict', problem ?? 'No start command is known.');
		},
		async halt(ctx, by, words) {
			const process = await control.find();
			if (process && ctx.memo['told'] !== nameOf(process)) {
				await warn(ctx, deps, words);
				await states.stopRequested('stop', by);
				try {
					ctx.detail(await tellToStop(deps, process));
				} catch (error) {
					await states.stopFailed();
					throw error;
				}
				// Asked twice, a server that is saving would refuse RCON and get a signal for it.
				await ctx.remember({ told: nameOf(process) });
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

const nameOf = ({ bootId, pid, startTicks }: ServerProcess) => `${bootId} ${pid} ${startTicks}`;

/** Nobody waits for a countdown on an empty server. */
async function warn(ctx: StepContext, deps: ServerControlDeps, words: string) {
	const online = await deps.playersOnline();
	if (!online) return;
	await countDown(ctx, { deed: 'restart', seconds: deps.warningS, message: words }, deps);
}

async function end(ctx: StepContext, deps: ServerControlDeps, by: string) {
	const { process: control, states } = deps;
	// What is left of a start script is found when the script has ended; a stranger's is not ours to end.
	for (let process = await control.find(); process?.ours; process = await control.find()) {
		await states.stopRequested('stop', by);
		ctx.detail('It never answered: it is told to stop.');
		if ((await stopByRcon(deps)) === null && (await endsInTime(ctx, deps, process))) continue;
		ctx.detail('It never answered: it is told to end by a signal (SIGTERM).');
		control.signal(process, 'SIGTERM');
		if (await endsInTime(ctx, deps, process)) continue;
		await states.stopRequested('kill', by);
		ctx.detail(`It did not end within ${Math.round(deps.graceMs / 1000)} s: killed (SIGKILL).`);
		control.signal(process, 'SIGKILL');
		await control.ended(process, ctx.signal);
	}
	await states.observe();
}

async function endsInTime(ctx: StepContext, deps: ServerControlDeps, process: ServerProcess) {
	const over = new AbortController();
	const signal = AbortSignal.any([ctx.signal, over.signal]);
	const ended = deps.process.ended(process, signal).then(() => true);
	const late = deps.clock.sleep(deps.graceMs, signal).then(() => false);
	try {
		return await Promise.race([ended, late]);
	} finally {
		over.abort();
		await Promise.allSettled([ended, late]);
	}
}
