import { listed } from '#schemas/plain/words/listed';
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
 * Done when the process lives, has printed its ready line and answers ping and RCON, all for `holdMs` on end. It has
 * the verify time to come that far. An exit, a crash report or a mod that cannot be loaded ends it at once.
 */
export async function untilHealthy(
	ctx: StepContext,
	deps: VerifyDeps,
	tell: (sign: Sign) => Promise<void>
): Promise<void> {
	const usualMs = await deps.bootTimes.usualMs();
	ctx.expect({
		usualMs: usualMs && usualMs + deps.holdMs,
		limitMs: deps.verifyTimeoutMs + deps.holdMs
	});
	const watch = createWatch(deps);
	const hide = showBoot(ctx, deps);
	try {
		await beats(ctx, deps, watch, once(tell));
	} finally {
		watch.close();
		hide();
	}
}

async function beats(
	ctx: StepContext,
	deps: VerifyDeps,
	watch: Watch,
	tell: (sign: Sign) => Promise<void>
) {
	const { states, clock } = deps;
	const deadlineMs = clock.monotonicMs() + deps.verifyTimeoutMs;
	const begunAt = clock.now().toISOString();
	const restarted = await noticeRestarts(ctx, deps.runtime);
	const health = createHealth(deps);
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
function createHealth(deps: VerifyDeps) {
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
			const [heldS, holdS] = [nowMs - sinceMs, deps.holdMs].map((ms) => Math.round(ms / 1000));
			const held = nowMs - sinceMs >= deps.holdMs;
			ctx.detail(
				held
					? `It is ready, and answered for ${holdS} s on end.`
					: `It is ready and answers. Watching for ${holdS} s whether it stays so.`
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
	const seconds = Math.round(deps.verifyTimeoutMs / 1000);
	const limit = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
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
