import type { PowerRequest } from '#schemas/server';
import { CAN_KILL } from '#schemas/plain/words/kill-words';
import { duration, elapsed } from '#schemas/plain/words/duration';
import { sentenceCase } from '#schemas/plain/words/sentence-case';
import type { RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError, type Code } from '#core/errors';
import type { Installation, WorldCheck } from '#minecraft/folder';
import type { CrashEvidence } from '#minecraft/diagnosis';
import type { Run, Runtime, RuntimeState } from '#runtime';
import type { Rcon } from '#minecraft/rcon';
import {
	announcing,
	LAUNCHED,
	type Observation,
	type StepContext,
	type StepPlan
} from '#operations';
import { callOff, countDown, nobodyLeft, runsOrWill } from './countdown.ts';
import { isUnseen, untilReady, type ReadyDeps } from './ready.ts';
import type { States } from './states.ts';
import { named } from './labels.ts';

/** What an operation needs to know of the request: also after a crash, so it is journalled with it. */
export type PowerInput = PowerRequest & {
	by: string;
	/** A superadmin has said so, for this one start. */
	despiteWorld?: boolean;
	/** The same, for this one restart: what hung and does not end is killed. */
	kill?: boolean;
};

export type StepDeps = ReadyDeps & {
	runtime: Runtime;
	states: States;
	evidence: CrashEvidence;
	installation: () => Promise<Installation>;
	rcon: Pick<Rcon, 'command'>;
	clock: Clock;
	/** Whether the game may open its world. */
	checkWorld: () => Promise<WorldCheck>;
	/** The last moment at which the game's files may be changed. */
	beforeLaunch: () => Promise<void>;
	/** The game has accepted these words for its players. */
	announced: (text: string) => void;
	/** Null when unknown. */
	playersOnline: () => Promise<number | null>;
	audit: RecordAction;
	/** How long what hung is waited for when the restart is to kill it then. */
	killAfterMs: number;
};

type StopDeps = Pick<StepDeps, 'installation' | 'rcon' | 'runtime'>;

const STOP_LIMIT_MS = 10_000;
const WAIT_WORD_MS = 5000;
/** Most servers have ended by then. */
const LATE_MS = 30_000;
const ASK_AGAIN_MS = 60_000;
/** Nothing explains a longer wait for a server that had not answered before either. */
const SILENT_PATIENCE_MS = 2 * 60_000;

/**
 * The steps of start, stop and restart. Each looks first at what is there, so that one that runs again after a crash
 * of the dashboard continues where it was.
 */
export function createSteps(deps: StepDeps) {
	return {
		countdown: (action: 'stop' | 'restart', input: PowerInput): StepPlan[] =>
			input.delaySeconds === 0
				? []
				: [
						announcing(
							async (ctx) => {
								const { delaySeconds: seconds, message } = input;
								const { run } = await deps.runtime.state();
								const over = nobodyLeft(deps);
								const why = await countDown(ctx, { action, run, seconds, message, over }, deps);
								if (why) ctx.skip(why);
							},
							(ctx) => callOff(ctx, deps)
						)
					],
		stop: (action: 'stop' | 'restart', input: PowerInput): StepPlan => ({
			id: 'stop',
			label: 'Tell the server to stop',
			afterCrash: 'resume',
			run: (ctx) => stop(ctx, deps, input.by, action)
		}),
		exit: (action: 'stop' | 'restart', { by, kill }: PowerInput): StepPlan => ({
			id: 'exit',
			label: 'Wait until it has saved and ended',
			afterCrash: 'resume',
			async run(ctx) {
				if (kill) await killLate(ctx, deps, by);
				await exit(ctx, deps, action);
			}
		}),
		launch: (input: PowerInput): StepPlan => ({
			id: 'launch',
			label: 'Start the process',
			afterCrash: 'resume',
			run: (ctx) => launch(ctx, deps, input.despiteWorld)
		}),
		ready: (): StepPlan => ({
			id: 'ready',
			label: 'Wait until it is ready',
			afterCrash: 'resume',
			run: (ctx) => untilReady(ctx, deps)
		}),
		/** For a start that is called off. */
		stopAgain: (): StepPlan => ({
			id: 'stop-again',
			label: 'Stop the server again',
			run: (ctx) => stopAgain(ctx, deps)
		})
	};
}

async function stop(
	ctx: StepContext,
	deps: StepDeps,
	by: string,
	how: 'stop' | 'restart' = 'stop'
) {
	if (ctx.checkpoint['stopSent']) return;
	const engine = await certain(deps.runtime);
	if (!runsOrWill(engine)) return ctx.skip('It had ended already.');
	await deps.states.stopRequested(how, by);
	try {
		ctx.detail(await tellToStop(deps, engine.run));
	} catch (error) {
		await deps.states.stopFailed();
		throw error;
	}
	// Asked twice, a server that is saving would refuse RCON and get a signal for it.
	await ctx.remember({ stopSent: true });
}

async function stopAgain(ctx: StepContext, deps: StepDeps) {
	await stop(ctx, deps, String(ctx.checkpoint['cancelledBy']));
	await exit(ctx, deps, 'restart');
	const { run } = await deps.runtime.state();
	if (run) throw deps.failure(startedOutside(run));
}

/** What is, or `AppError('conflict')` with the reason when nobody can tell: then nothing may be done. */
export async function certain(runtime: Pick<Runtime, 'state'>): Promise<RuntimeState> {
	const state = await runtime.state();
	if (state.phase !== 'unknown') return state;
	throw new AppError('conflict', state.detail ?? 'Whether the server runs cannot be seen.');
}

/** How it was told, in a sentence; without a run, the one to come is called off. */
export async function tellToStop(deps: StopDeps, run: Run | null): Promise<string> {
	if (await stopByEngine(deps, run)) return 'Told to stop through whatever runs it.';
	const refused = await stopByRcon(deps);
	if (refused === null) return 'Told to stop over RCON.';
	await deps.runtime.terminate(run!);
	return `${refused}, so the process was asked to stop (SIGTERM), which saves too.`;
}

/** True when whatever would start it again was told to end it; false where nothing would. */
export async function stopByEngine(
	{ runtime }: Pick<StopDeps, 'runtime'>,
	run: Run | null
): Promise<boolean> {
	const throughEngine = !run || (await runtime.state()).restartsItself;
	if (throughEngine) await runtime.stop(run);
	return throughEngine;
}

/** Of what an error says to whoever types a command, why this one was not sent. */
const UNSENT: Partial<Record<Code, string>> = {
	'rcon-silent': 'The console does not answer',
	'rcon-unreachable': 'The console cannot be reached',
	'rcon-protocol': 'What answers at the port of the console does not speak RCON',
	'rcon-auth': 'The console refused the password',
	'rcon-auth-unsure': 'The console closed the connection during the login'
};
const unsent = ({ code, message }: AppError) =>
	UNSENT[code] ?? message.replace(/\.(?:\s[^]*)?$/, '');

/** Null when the command was sent, else why it was not, without a full stop. */
export async function stopByRcon({ installation, rcon }: StopDeps): Promise<string | null> {
	if (!(await installation()).rcon.enabled) return 'The console (RCON) is off';
	try {
		await rcon.command('stop', { timeoutMs: STOP_LIMIT_MS });
		return null;
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		return error.code === 'outcome-unknown' ? null : unsent(error);
	}
}

/** Waits for the end, and tells of it. */
async function exit(ctx: StepContext, deps: StepDeps, action: 'stop' | 'restart') {
	const { failure } = deps;
	const seen = await untilEnded(ctx, deps);
	tellEnd(ctx, seen);
	const { killedBy } = seen;
	if (!seen.run && seen.state === 'crashed' && action === 'stop')
		throw failure({
			message: seen.reason ?? NOT_CLEAN,
			log: seen.diagnosis?.log ?? [],
			mods: seen.diagnosis?.mods ?? []
		});
	await reportEnd(ctx, seen, ctx.checkpoint['stopSent'] === true);
	if (killedBy !== undefined && action === 'stop') {
		const message = `It was killed by ${killedBy} before it had ended by itself. ${LOST}`;
		throw failure({ message, log: [], mods: [] });
	}
	if (!seen.run || action === 'restart') return;
	throw failure(startedOutside(seen.run));
}

/** `isOurs`: it was told to end by this operation; what had crashed before would read like a crash of now. */
export async function reportEnd(ctx: StepContext, seen: Observation, isOurs: boolean) {
	const { run, state, reason, killedBy } = seen;
	if (run) return;
	if (killedBy !== undefined) await ctx.report({ killedBy });
	else if (state === 'crashed' && isOurs) await ctx.report({ unclean: reason ?? NOT_CLEAN });
}

/** Waits for the end for so long, then kills what had hung before it was told to end. */
async function killLate(ctx: StepContext, deps: StepDeps, by: string) {
	const { runtime, states, clock, killAfterMs: ms } = deps;
	const killsMs = clock.monotonicMs() + ms;
	const late = {
		say: () => `It is killed in ${elapsed(killsMs - clock.monotonicMs())} if it has not ended.`,
		leads: true
	};
	const wait = (signal: AbortSignal) => untilEnded({ ...ctx, signal }, deps, late);
	const ended = await deadline({ ms, clock, signal: ctx.signal }, wait, () => null);
	if (ended) return;
	const { run, silentSince } = await states.observe();
	// One that answered until it was told is saving, however long that takes.
	if (!run || !silentSince) return;
	await states.stopRequested('kill', by);
	ctx.detail(`It did not end within ${duration(ms)}: killed (SIGKILL), as ${by} asked.`);
	await runtime.kill(run);
	await deps.audit({ name: by, role: 'superadmin', address: null }, 'server.kill', {
		detail: `${sentenceCase(named(run))}, as requested with the restart.`
	});
}

/** Waits for the process, not for its port, however long it takes: nothing here ever escalates by itself. */
export async function untilEnded(
	ctx: StepContext,
	deps: StepDeps,
	late: Late = HANGS
): Promise<Observation> {
	const { runtime, states, clock } = deps;
	const sinceMs = clock.monotonicMs();
	let seen = await states.observe();
	for (; isStopping(seen) || isUnseen(seen); seen = await states.observe()) {
		if (!seen.run) {
			ctx.detail(`Whether it has ended cannot be seen. ${seen.reason ?? ''}`.trim());
			await clock.sleep(WAIT_WORD_MS, ctx.signal);
			continue;
		}
		const end = new AbortController();
		const signal = AbortSignal.any([ctx.signal, end.signal]);
		const words = keepTelling({ ...ctx, signal }, deps, sinceMs, late);
		try {
			await runtime.ended(seen.run, ctx.signal);
		} finally {
			end.abort();
			await words;
		}
	}
	return seen;
}

/** Once it is certain: while anything is still looked at, a step does not say that it has ended. */
export function tellEnd(ctx: StepContext, { run, reason, killedBy }: Observation) {
	if (!run && reason) ctx.detail(killedBy === undefined ? reason : `${reason} ${LOST}`);
}

const LOST = 'What it had not saved is lost.';
const NOT_CLEAN = 'It did not stop cleanly.';

const startedOutside = (run: Run) => ({
	message: `The server ended, but something outside the dashboard started it again at once as ${named(run)}. End what starts it (a script in a loop, a service), then stop it here.`,
	log: [],
	mods: []
});

const isStopping = ({ state, run, told }: Observation) =>
	run !== null && (state === 'stopping' || told === true);

async function keepTelling(ctx: StepContext, deps: StepDeps, sinceMs: number, late: Late) {
	const { signal } = ctx;
	let askedMs = sinceMs;
	let again = false;
	for (;;) {
		await deps.clock.sleep(WAIT_WORD_MS, signal).catch(() => {}); // it has ended, or the dashboard ends
		if (signal.aborted) return;
		const nowMs = deps.clock.monotonicMs();
		// One that still answers may never have got the command: asking again is not an escalation.
		if (nowMs - askedMs >= ASK_AGAIN_MS) {
			const answers = await deps.probe();
			if (answers) askedMs = nowMs;
			again = answers && (await stopByRcon(deps)) === null;
		}
		const ms = nowMs - sinceMs;
		const isSilent = deps.states.last?.silentSince !== undefined;
		const first = isSilent
			? silently(ms)
			: answering(ms, again, deps.states.last?.readyAt === null);
		const hint = isSilent || ms >= LATE_MS ? late.say() : '';
		const told = [first, again && LOOP];
		ctx.detail((late.leads ? [hint, ...told] : [...told, hint]).filter(Boolean).join(' '));
	}
}

function answering(ms: number, isTold: boolean, isLoading: boolean): string {
	if (isTold) return 'It still answered, so it was told to stop again.';
	if (isLoading) return 'It was still loading when it was told, and has not ended yet.';
	if (ms < LATE_MS) return 'It was told to stop, and should save its worlds and end.';
	return 'It has not ended yet: a large world takes minutes to save, and what is stuck has to be killed.';
}

const silently = (ms: number) =>
	ms < SILENT_PATIENCE_MS
		? `It did not answer before either, and may not end by itself (told to stop ${elapsed(ms)} ago).`
		: `It has not ended in ${elapsed(ms)}. It did not answer before either.`;
const LOOP = 'Only a kill ends a start script that restarts the game in a loop.';
/** What is said of one that may not end; `leads`: before all else. */
type Late = { say: () => string; leads?: boolean };
const HANGS: Late = {
	say: () => `If it does not end, ${CAN_KILL}: what the game has not saved is lost.`
};

const DESPITE = 'Although the world does not fit the game, as a superadmin wished.';

/** Before anything is stopped for it. */
export const worldRefused = (refusal: string) =>
	new AppError('conflict', refusal, { code: 'world-refused' });

export async function launch(
	ctx: StepContext,
	{ runtime, states, failure, beforeLaunch, checkWorld }: StepDeps,
	despiteWorld = false
) {
	const there = (await certain(runtime)).run;
	if (there) {
		await states.observe();
		if (!ctx.checkpoint[LAUNCHED]) await ctx.remember({ [LAUNCHED]: there.id });
		return ctx.detail(`It runs already, as ${named(there)}.`);
	}
	const can = await runtime.startable();
	if ('why' in can) throw failure({ message: can.why, log: [], mods: [] });
	await beforeLaunch();
	// Last: whatever has changed the jar or the world is done by now.
	const { refusal, note } = await checkWorld();
	if (refusal && !despiteWorld) throw failure({ message: refusal, log: [], mods: [] });
	await states.launch(async () => {
		const run = await runtime.start(ctx.id);
		const told = [`Started as ${named(run)}.`, can.how, refusal && DESPITE, note];
		ctx.detail(told.filter(Boolean).join(' '));
		await ctx.remember({ [LAUNCHED]: run.id });
		return run;
	});
}
