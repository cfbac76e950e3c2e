import type { Clock } from '#core/clock';
import type { CrashEvidence } from '#minecraft/diagnosis';
import type { StepContext } from '#operations';
import type { States } from '../states.ts';

export type BootDeps = {
	states: States;
	evidence: CrashEvidence;
	/** Lines of the log as everyone may see them: without addresses. */
	shown: (lines: string[]) => string[];
	clock: Clock;
};

const LOOK_EVERY_MS = 500;
/** The operation decides how many of them are kept. */
const LINES = 40;

/** Shows the server's output beside the step while it boots, until the returned function is called. */
export function showBoot(ctx: StepContext, deps: BootDeps): () => void {
	const over = new AbortController();
	const signal = AbortSignal.any([ctx.signal, over.signal]);
	// It only displays: the code that decides reads the same files, and reports what is wrong with them.
	keepShowing(ctx, deps, signal).catch(() => {});
	return () => over.abort();
}

async function keepShowing(ctx: StepContext, deps: BootDeps, signal: AbortSignal) {
	for (;;) {
		const lines = await newest(deps);
		if (signal.aborted) return;
		if (lines.length > 0) ctx.log(deps.shown(lines));
		await deps.clock.sleep(LOOK_EVERY_MS, signal);
	}
}

/** From the log; from the process's own output while there is none yet. */
async function newest({ states, evidence }: BootDeps): Promise<string[]> {
	const run = await states.traceOf(null);
	if (!run) return [];
	const log = await evidence.log(run);
	return (log.length > 0 ? log : await evidence.output(run)).slice(-LINES);
}
