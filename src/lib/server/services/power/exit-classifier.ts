import type { AppError } from '#core/errors';
import type { Diagnosis, CrashEvidence } from '#minecraft/diagnosis';
import type { Exit } from '#runtime';
import type { Facts } from './facts.ts';

export type Diagnose = (text: {
	log: string[];
	output: string[];
	crashReport: string | null;
	exit: Exit | null;
}) => Diagnosis;
export type End = NonNullable<Facts['end']>;

/** Anchored behind the server's own prefix: what players write comes after their name. */
const PREFIX = String.raw`^\[[^\]]*\] \[[^\]]*\/[A-Z]+\](?: \[[^\]]*\])?: `;
const STOPPING = new RegExp(`${PREFIX}Stopping (?:the )?server$`);
/** The echo of the command. */
const ASKED = new RegExp(
	`${PREFIX}(?:Stopping the server|\\[[^\\]:]{1,64}: Stopping the server\\])$`
);
const CRASHED = new RegExp(
	`${PREFIX}(?:Encountered an unexpected exception|This crash report has been saved to|Considering it to be crashed)`
);
/** Something ended it without letting it save. */
const CUT_OFF: Exit['cause'][] = ['killed', 'oom', 'evicted'];

/** What the end of a run means, from what it left behind. */
export async function judge(
	facts: Facts,
	exit: Exit,
	deps: { evidence: CrashEvidence; diagnose: Diagnose; now: Date }
): Promise<End> {
	const at = deps.now.toISOString();
	const stopped = (reason: string): End => ({ at, state: 'stopped', reason, diagnosis: null });
	if (facts.stop?.how === 'kill') return stopped(`Killed by ${facts.stop.by}.`);

	const run = { since: facts.run?.startedAt ?? at, mark: facts.mark };
	const [log, output, crashReport] = await Promise.all([
		deps.evidence.log(run),
		deps.evidence.output(run),
		deps.evidence.crashReport(run)
	]);
	const diagnosis = deps.diagnose({ log, output, crashReport, exit });
	if (facts.stop) {
		const cutOff = CUT_OFF.includes(exit.cause);
		if (!cutOff && !crashReport) return stopped(`Stopped by ${facts.stop.by}.`);
		const reason = cutOff
			? 'It was killed from outside while it was stopping. What it had not saved is lost.'
			: `It crashed while it was stopping: ${diagnosis.message}`;
		return { at, state: 'crashed', reason, diagnosis: { ...diagnosis, restartable: false } };
	}
	const healthy = facts.readyAt !== null || diagnosis.code === 'unknown';
	if (healthy && !crashReport && inOrder(log, exit)) return stopped(howItStopped(exit, log));
	const rebooted = exit.cause === 'host-restart' && diagnosis.code === 'unknown';
	const reason = rebooted
		? 'The machine was restarted while the server was running.'
		: diagnosis.message;
	return { at, state: 'crashed', reason, diagnosis };
}

/** Vanilla also says that it is stopping after a crash, and then ends with code 0. */
const inOrder = (log: string[], { cause }: Exit) =>
	log.some((line) => STOPPING.test(line)) &&
	!log.some((line) => CRASHED.test(line)) &&
	cause !== 'crash' &&
	!CUT_OFF.includes(cause);

function howItStopped({ code, signal }: Exit, log: string[]): string {
	if (signal !== null || code === 130 || code === 143)
		return 'Stopped cleanly by a signal from outside.';
	// Without its exit code: nobody was there to see it, and a signal makes it write the same.
	return code !== null || log.some((line) => ASKED.test(line))
		? 'Stopped from inside the game.'
		: 'It stopped cleanly; by whom is not known.';
}

/** It was never started: Java is missing, or the command cannot be run. */
export function cannotLaunch(error: AppError, now: Date): End {
	const code = error.code === 'java-missing' ? 'java-missing' : 'unknown';
	const { message } = error;
	return {
		at: now.toISOString(),
		state: 'crashed',
		reason: message,
		diagnosis: { code, message, log: [], mods: [], advice: '', restartable: false }
	};
}
