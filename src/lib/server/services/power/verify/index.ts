import { listed } from '#schemas/plain/words/listed';
import { duration, elapsed } from '#schemas/plain/words/duration';
import { deadline } from '#core/deadline';
import type { Run } from '#runtime';
import {
	crashSeen,
	type FailureCause,
	type Observation,
	type Sign,
	type StepContext
} from '#operations';
import { showBoot } from '../boot/index.ts';
import { AGAIN, isUnseen, noticeRestarts, unseen } from '../ready.ts';
import { causeOf, createWatch, whenFailed, type VerifyDeps, type Watch } from './watch.ts';

export type { VerifyDeps } from './watch.ts';

/**
 * Done when the process lives, has printed its ready line and answers ping and RCON, all for `holdMs` on end, or for as
 * long as the last crash took to come. It has
 * the verify time to come that far. An exit, a crash report or a mod that cannot be loaded ends it at once.
 */
export async function untilHealthy(
	ctx: StepContext,
	deps: VerifyDeps,
	tell: (sign: Sign) => Promise<void>
): Promise<void> {
	const [usualMs, hold] = await Promise.all([deps.bootTimes.usualMs(), holdOf(deps)]);
	ctx.expect({
		usualMs: usualMs && usualMs + hold.ms,
		limitMs: deps.verifyTimeoutMs + hold.ms
	});
	const watch = createWatch(deps);
	const hide = showBoot(ctx, deps);
	try {
		await beats(ctx, deps, { watch, hold, tell: once(tell) });
	} finally {
		watch.close();
		hide();
	}
}

/** For how long everything must hold, and why for longer than usual: a part of a sentence, or nothing. */
type Hold = { ms: number; why: string };

/** The next crash may come a little later than the last one. */
const laterMs = (livedMs: number, holdMs: number) => livedMs / 4 + holdMs / 3;
/** Nobody waits for longer: what has crashed so late can stay up for a while. */
const HOLD_MAX_MS = 10 * 60_000;

/** A server that crashed some time after it was ready is watched until it has passed that time. */
async function holdOf({ holdMs, states }: VerifyDeps): Promise<Hold> {
	const livedMs = await states.crashedLately();
	const ms = livedMs === null ? 0 : livedMs + laterMs(livedMs, holdMs);
	if (livedMs === null || ms <= holdMs || ms > HOLD_MAX_MS) return { ms: holdMs, why: '' };
	return { ms, why: `, as its last crash came ${elapsed(livedMs)} after it was ready` };
}

async function beats(
	ctx: StepContext,
	deps: VerifyDeps,
	{ watch, hold, tell }: { watch: Watch; hold: Hold; tell: (sign: Sign) => Promise<void> }
) {
	const { states, clock } = deps;
	const deadlineMs = clock.monotonicMs() + deps.verifyTimeoutMs;
	const begunAt = clock.now().toISOString();
	const restarted = await noticeRestarts(ctx, deps.runtime);
	const health = createHealth(deps, hold);
	for (;;) {
		const seen = await states.observe();
		await watch.look(seen.run);
		if (await restarted()) throw deps.failure(startedAgain(seen, watch, deps));
		if (seen.readyAt && seen.readyAt < begunAt) watch.wasReady();
		const trouble = seen.run && (await watch.trouble(ctx, seen.run));
		if (watch.opened) await tell('opened');
		if (watch.readyMs !== null) await tell('ready');
		if (trouble?.crashed) await tell('crashed');
		if (trouble) throw deps.failure(trouble.cause);
		if (isUnseen(seen)) {
			health.lost();
			if (clock.monotonicMs() >= deadlineMs) throw deps.failure(unseen(seen));
			await clock.sleep(deps.beatMs, ctx.signal);
			continue;
		}
		if (!seen.run) throw deps.failure(ended(seen, watch, deps));
		if (watch.readyMs !== null && (await health.check(ctx, watch.readyMs))) {
			if (!(await deps.runtime.alive(seen.run))) continue;
			if (watch.tookMs !== null) await deps.bootTimes.note(watch.tookMs);
			return states.ready(seen.run);
		}
		if (health.answered) await tell('answered');
		if (!health.holding && clock.monotonicMs() >= deadlineMs)
			throw deps.failure(tooLate(watch, health.missing, deps));
		if (watch.readyMs === null) watch.progress(ctx);
		await pause(ctx, deps, seen.run, watch);
	}
}

/** The next beat comes at once when the process ends. */
const pause = (ctx: StepContext, deps: VerifyDeps, run: Run, watch: Watch) =>
	deadline(
		{ ms: deps.beatMs, clock: deps.clock, signal: ctx.signal },
		(signal) => {
			const ended = deps.runtime.ended(run, signal);
			return watch.readyMs === null ? Promise.race([ended, watch.ready]) : ended;
		},
		() => {}
	);

/** Whether ping and RCON answer, and since when without a break. */
function createHealth(deps: VerifyDeps, hold: Hold) {
	let sinceMs: number | null = null;
	let answered = false;
	let missing: string[] = [];
	return {
		get answered() {
			return answered;
		},
		get holding() {
			return sinceMs !== null;
		},
		get missing() {
			return missing;
		},
		/** Nobody could tell for a moment: it has to hold anew. */
		lost() {
			sinceMs = null;
		},
		/** True when it has held for long enough. */
		async check(ctx: StepContext, readyMs: number): Promise<boolean> {
			const silent = await deps.unanswered();
			ctx.signal.throwIfAborted();
			const nowMs = deps.clock.monotonicMs();
			missing = silent.map(({ what, why }) => `${what} (${why})`);
			if (silent.length > 0) {
				sinceMs = null;
				const names = listed(silent.map(({ what }) => what));
				ctx.detail(
					`It is ready, but ${names} ${silent.length > 1 ? 'do' : 'does'} not answer yet.`
				);
				return false;
			}
			sinceMs ??= answered ? nowMs : readyMs;
			answered = true;
			const [heldS, holdS] = [nowMs - sinceMs, hold.ms].map((ms) => Math.round(ms / 1000));
			const held = nowMs - sinceMs >= hold.ms;
			const long = duration(holdS! * 1000);
			ctx.detail(
				held
					? `It is ready, and has answered steadily for ${long}.`
					: `It is ready and answers. Watching for ${long} to see that it stays up${hold.why}.`
			);
			ctx.progress(Math.min(heldS!, holdS!), holdS!, 's');
			return held;
		}
	};
}

function ended(seen: Observation, watch: Watch, deps: VerifyDeps): FailureCause {
	const first = whenFailed(watch.readyMs, deps);
	if (seen.diagnosis) return causeOf(seen.diagnosis, first);
	const what = first ?? 'The server ended before it was ready.';
	const message = [what, seen.reason].filter(Boolean).join(' ');
	return { message, log: watch.lines, mods: [] };
}

function startedAgain(seen: Observation, watch: Watch, deps: VerifyDeps): FailureCause {
	const cause = ended({ ...seen, ...crashSeen(seen) }, watch, deps);
	return { ...cause, message: `${cause.message} ${AGAIN}` };
}

function tooLate(watch: Watch, missing: string[], deps: VerifyDeps): FailureCause {
	const limit = duration(deps.verifyTimeoutMs);
	const message =
		watch.readyMs === null
			? `The server was not ready within ${limit}: its ready line never came.`
			: `The server printed its ready line, but within ${limit} it never answered ${listed(missing)} for long enough.`;
	return { message, log: watch.lines, mods: [] };
}

function once(tell: (sign: Sign) => Promise<void>) {
	const told = new Set<Sign>();
	return async (sign: Sign) => {
		if (told.has(sign)) return;
		await tell(sign);
		told.add(sign);
	};
}
