import type { Cause } from '#schemas/operation';
import { duration } from '#schemas/plain/words/duration';
import { LEFT_RUNNING } from '#schemas/plain/words/left-running';
import { deadline } from '#core/deadline';
import type { Follower } from '#minecraft/follow';
import type { Run, Runtime } from '#runtime';
import {
	crashSeen,
	LAUNCHED,
	type FailureCause,
	type Observation,
	type StepContext
} from '#operations';
import { showBoot, type BootDeps, type BootTimes } from './boot/index.ts';

export type ReadyDeps = BootDeps & {
	runtime: Runtime;
	bootTimes: BootTimes;
	/** `latest.log` as it grows. */
	logs: Pick<Follower, 'subscribe'>;
	isReady: (line: string) => boolean;
	/** True when ping or RCON answered just now. */
	probe: () => Promise<boolean>;
	verifyTimeoutMs: number;
	failure: (cause: FailureCause) => Error;
};

const PROBE_EVERY_MS = 2000;
export const LOG_SHOWN = 40;
const SPAWN_AREA = /Preparing spawn area: (\d{1,3})%/;
/** How far the world is prepared, in percent: never all of it, as the ready line is still to come. */
export function preparedIn(line: string): number | null {
	const percent = SPAWN_AREA.exec(line)?.[1];
	return percent ? Math.min(99, Number(percent)) : null;
}

/** Done when the ready line is in the log or a probe answers; fails with the reason when the process ends before. */
export async function untilReady(ctx: StepContext, deps: ReadyDeps): Promise<void> {
	const { states, clock, bootTimes } = deps;
	const deadlineMs = clock.monotonicMs() + deps.verifyTimeoutMs;
	ctx.expect({ usualMs: await bootTimes.usualMs(), limitMs: deps.verifyTimeoutMs });
	const hide = showBoot(ctx, deps);
	const { promise: line, resolve } = Promise.withResolvers<Sign>();
	// Before the first look, which reads what is in the log already.
	const unsubscribe = deps.logs.subscribe((lines) => {
		for (const text of lines) {
			const percent = preparedIn(text);
			if (percent !== null) ctx.progress(percent, 100, '%');
			if (deps.isReady(text)) resolve('ready');
		}
	});
	try {
		let startedAt = '';
		const restarted = await noticeRestarts(ctx, deps.runtime);
		for (let seen = await states.observe(); !seen.readyAt; seen = await states.observe()) {
			if (await restarted()) throw deps.failure(await whyAgain(seen, startedAt, deps));
			if (isUnseen(seen)) {
				if (clock.monotonicMs() >= deadlineMs) throw deps.failure(unseen(seen));
				await clock.sleep(PROBE_EVERY_MS, ctx.signal);
				continue;
			}
			if (!seen.run) throw deps.failure(await whyEnded(seen, startedAt, deps));
			startedAt = seen.run.startedAt;
			const sign = await firstSign(ctx, deps, seen.run, line, deadlineMs);
			if (sign === 'late') throw deps.failure(await stillLoading(startedAt, deps));
			// What has ended may have been a start script that left its java behind: the next look will show.
			if (sign === 'ready' && (await deps.runtime.alive(seen.run))) {
				await bootTimes.note(clock.now().getTime() - Date.parse(startedAt));
				return await states.ready(seen.run);
			}
		}
	} finally {
		unsubscribe();
		hide();
	}
}

/** Whether what runs the server has started it again by itself since the operation did: also while nobody looked. */
export async function noticeRestarts({ checkpoint }: StepContext, runtime: Pick<Runtime, 'state'>) {
	const first = await runtime.state();
	const begun = checkpoint[LAUNCHED] ?? first.run?.id;
	return async (): Promise<boolean> => {
		const { restarts, run } = await runtime.state();
		if (restarts === null) return false;
		const counted = first.restarts !== null && restarts > first.restarts;
		return counted || (run !== null && begun !== undefined && run.id !== begun);
	};
}

/** Nobody can tell: it is not taken for ended. */
export const isUnseen = ({ state, run }: Observation) => run === null && state === 'unknown';

export const unseen = ({ reason }: Observation): Cause => ({
	message: `Whether the server came up could not be seen. ${reason ?? ''}`.trim(),
	log: [],
	mods: []
});

/** The crash is the cause; that it runs again does not make up for it. */
async function whyAgain(seen: Observation, startedAt: string, deps: ReadyDeps): Promise<Cause> {
	const crash = crashSeen(seen);
	const why = await whyEnded({ ...seen, ...crash }, startedAt, deps);
	return { ...why, message: `${why.message} ${AGAIN}` };
}
export const AGAIN = 'Whatever runs it started it again.';

type Sign = 'ready' | 'ended' | 'late';

function firstSign(
	ctx: StepContext,
	deps: ReadyDeps,
	run: Run,
	line: Promise<Sign>,
	deadlineMs: number
): Promise<Sign> {
	const { clock } = deps;
	const leftMs = Math.max(0, deadlineMs - clock.monotonicMs());
	return deadline(
		{ ms: leftMs, clock, signal: ctx.signal },
		(signal) =>
			Promise.race([
				line,
				answers(deps, signal),
				deps.runtime.ended(run, signal).then((): Sign => 'ended')
			]),
		() => 'late'
	);
}

async function answers({ probe, clock }: ReadyDeps, signal: AbortSignal): Promise<Sign> {
	for (;;) {
		await clock.sleep(PROBE_EVERY_MS, signal);
		if (await probe()) return 'ready';
	}
}

async function whyEnded(seen: Observation, startedAt: string, deps: ReadyDeps): Promise<Cause> {
	if (seen.diagnosis) {
		const { message, advice, log, mods, code } = seen.diagnosis;
		const certain = code === 'mods' && mods.length > 0;
		const words = [message, advice].filter(Boolean).join(' ');
		return { message: words, log, mods, ...(certain && { certain }) };
	}
	const message = ['The server ended before it was ready.', seen.reason].filter(Boolean).join(' ');
	return { message, log: await endOfLog(startedAt, deps), mods: [] };
}

async function stillLoading(startedAt: string, deps: ReadyDeps): Promise<Cause> {
	const usualMs = await deps.bootTimes.usualMs();
	const usually = usualMs === null ? '' : `; usually it takes ${duration(usualMs)}`;
	const message = `The server was still loading after ${duration(deps.verifyTimeoutMs)}${usually}. ${LEFT_RUNNING}`;
	return { message, log: await endOfLog(startedAt, deps), mods: [], loading: true };
}

const endOfLog = async (startedAt: string, { evidence, shown }: ReadyDeps) =>
	shown((await evidence.log({ since: startedAt, mark: null })).slice(-LOG_SHOWN));
