import type { AppError } from '#core/errors';
import type { Diagnosis, LastWords } from '#minecraft/diagnosis';
import type { ProcessExit } from '#runtime/process';
import type { Facts } from './facts.ts';

export type Diagnose = (text: {
	log: string[];
	output: string[];
	crashReport: string | null;
	exit: ProcessExit | null;
}) => Diagnosis;
export type End = NonNullable<Facts['end']>;

/** Anchored behind the server's own prefix: what players write stands behind their name. */
const PREFIX = String.raw`^\[[^\]]*\] \[[^\]]*\/[A-Z]+\](?: \[[^\]]*\])?: `;
const STOPPING = new RegExp(`${PREFIX}Stopping (?:the )?server$`);
const CRASHED = new RegExp(
	`${PREFIX}(?:Encountered an unexpected exception|This crash report has been saved to|Considering it to be crashed)`
);
/** Java's exit codes after SIGINT and SIGTERM, which it answers with an orderly end. */
const ORDERLY_CODES = [0, 130, 143];
const ORDERLY_SIGNALS = ['SIGINT', 'SIGTERM'];

/** What the end of a process means, from what it left behind. */
export async function judge(
	facts: Facts,
	exit: ProcessExit,
	deps: { words: LastWords; diagnose: Diagnose; bootId: string; now: Date }
): Promise<End> {
	const at = deps.now.toISOString();
	const stopped = (reason: string): End => ({ at, state: 'stopped', reason, diagnosis: null });
	if (facts.stop?.how === 'kill') return stopped(`Killed by ${facts.stop.by}.`);

	const run = { since: facts.process?.startedAt ?? at, mark: facts.mark };
	const [log, output, crashReport] = await Promise.all([
		deps.words.log(run),
		deps.words.output(run),
		deps.words.crashReport(run)
	]);
	const diagnosis = deps.diagnose({ log, output, crashReport, exit });
	if (facts.stop) {
		const cutOff = exit.signal === 'SIGKILL' || exit.code === 137;
		if (!cutOff && !crashReport) return stopped(`Stopped by ${facts.stop.by}.`);
		const reason = cutOff
			? 'It was killed from outside while it was stopping. What it had not saved is lost.'
			: `It crashed while it was stopping: ${diagnosis.message}`;
		return { at, state: 'crashed', reason, diagnosis: { ...diagnosis, restartable: false } };
	}
	const healthy = facts.readyAt !== null || diagnosis.code === 'unknown';
	if (healthy && !crashReport && inOrder(log, exit)) return stopped(howItStopped(exit));
	const rebooted = facts.process?.bootId !== deps.bootId && diagnosis.code === 'unknown';
	const reason = rebooted
		? 'The machine was restarted while the server was running.'
		: diagnosis.message;
	return { at, state: 'crashed', reason, diagnosis };
}

/** Vanilla says that it stops after a crash too, and ends with code 0 then. */
const inOrder = (log: string[], { code, signal }: ProcessExit) =>
	log.some((line) => STOPPING.test(line)) &&
	!log.some((line) => CRASHED.test(line)) &&
	(signal === null
		? code === null || ORDERLY_CODES.includes(code)
		: ORDERLY_SIGNALS.includes(signal));

const howItStopped = ({ code, signal }: ProcessExit) =>
	signal !== null || code === 130 || code === 143
		? 'Ended in good order by a signal from outside.'
		: 'Stopped from inside the game.';

/** It never came to a process: Java is missing, or the command cannot be run. */
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
