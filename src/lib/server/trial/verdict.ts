import { duration } from '#schemas/plain/words/duration';
import type { Cause } from '#schemas/operation';
import type { Diagnosis } from '#minecraft/diagnosis';
import type { BootResult } from './boot.ts';

/** What one boot says about one set of jars. */
export type TrialVerdict = {
	/** `indeterminate`: the boot was ended for a reason that says nothing about the set. */
	verdict: 'good' | 'bad' | 'indeterminate';
	/** The same failure has the same fingerprint; null unless bad. */
	fingerprint: string | null;
	/** Why it is not good. */
	cause: Cause | null;
	/** From its start to its ready line; null when there was none. */
	readyMs: number | null;
	durationMs: number;
};

export type Evidence = {
	result: BootResult;
	/** What the game left behind in its folder, already masked. */
	log: string[];
	crashReport: string | null;
	limitMs: number;
	durationMs: number;
};

type Diagnose = (left: {
	log: string[];
	output: string[];
	crashReport: string | null;
	exit: { code: number | null; signal: string | null } | null;
}) => Diagnosis;

const INDETERMINATE: Partial<Record<BootResult['end'], string>> = {
	'no-room': 'The trial boot was ended: the disk is nearly full.',
	'no-memory': 'The trial boot was ended: the machine is short of memory.',
	starved:
		'The trial boot was ended: the machine is too busy with other things for it to get ready.'
};

/** Turns what was observed into a verdict. */
export function judge(evidence: Evidence, diagnose: Diagnose): TrialVerdict {
	const { result, durationMs } = evidence;
	const { end, readyMs } = result;
	const rest = { readyMs, durationMs };
	if (end === 'stayed') return { verdict: 'good', fingerprint: null, cause: null, ...rest };
	const trouble = end === 'not-started' ? unstarted(result) : INDETERMINATE[end];
	if (trouble) {
		const cause = { message: trouble, log: result.output.slice(-SHOWN), mods: [] };
		return { verdict: 'indeterminate', fingerprint: null, cause, ...rest };
	}
	const { found, ...failure } = explain(evidence, diagnose);
	if (found && isOutside(found, evidence))
		return { verdict: 'indeterminate', fingerprint: null, cause: failure.cause, ...rest };
	return { verdict: 'bad', ...failure, ...rest };
}

const unstarted = ({ why }: BootResult) =>
	`The trial boot could not be started${why ? `: ${why.replace(/\.$/, '')}` : ''}.`;

/** What any set would have met. */
const OUTSIDE: Diagnosis['code'][] = ['eula', 'port', 'java-missing', 'world-locked'];
/** Of SIGHUP, SIGINT, SIGKILL and SIGTERM, as a sandbox passes them on: we send none before there is a verdict. */
const SIGNALLED = [129, 130, 137, 143];
const ENDING = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGTERM'];

/** Whether the machine, or somebody on it, ended the boot: a kernel that is short of memory takes a trial first. */
function isOutside({ code }: Diagnosis, { result, log, crashReport }: Evidence): boolean {
	if (OUTSIDE.includes(code)) return true;
	if (crashReport || result.end !== 'exited') return false;
	// Its own heap was too small: that is of the set.
	const isHeap = [...log, ...result.output].some((line) => line.includes('OutOfMemoryError'));
	if (code === 'memory') return !isHeap;
	const { code: exitCode, signal } = result.exit ?? { code: null, signal: null };
	return code === 'unknown' && (ENDING.includes(signal ?? '') || SIGNALLED.includes(exitCode ?? 0));
}

const SHOWN = 12;
const SHOWN_CHARS = 300;

function explain({ result, log, crashReport, limitMs }: Evidence, diagnose: Diagnose) {
	const { end, output, exit } = result;
	const shown = output.slice(-SHOWN).map((line) => line.slice(0, SHOWN_CHARS));
	if (end === 'filled')
		return {
			found: null,
			fingerprint: 'filled',
			cause: {
				message: 'It wrote more to the disk than a start ever needs, and was ended.',
				log: shown,
				mods: []
			}
		};
	const found = diagnose({ log, output, crashReport, exit });
	const isKnown = found.code !== 'unknown';
	if (end === 'timeout' && !isKnown)
		return {
			found: null,
			fingerprint: 'timeout',
			cause: {
				message: `It was not ready within ${duration(limitMs)}.`,
				log: shown,
				mods: found.mods
			}
		};
	const { message, log: quoted, mods } = found;
	const where = failureIn([...(crashReport?.split('\n') ?? []), ...log, ...output]);
	return {
		found,
		fingerprint: [found.code, ...[...mods].sort(), where].filter(Boolean).join(' '),
		cause: { message, log: quoted.length ? quoted : shown, mods }
	};
}

const EXCEPTION = /(?:^|\s)(?:Caused by: )?((?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error))\b/;
const FRAME = /^\s*at (?:[\w.-]+\/{1,2})*([\w.$]+)\(/;
/** Frames that every failure passes through. */
const PLATFORM =
	/^(?:java|javax|jdk|sun|com\.sun|net\.minecraft|com\.mojang|net\.fabricmc|org\.quiltmc|net\.minecraftforge|net\.neoforged|cpw\.mods|org\.spongepowered|knot|LAUNCHER|TRANSFORMER|MC-BOOTSTRAP)\b/;

/** The innermost exception and where it was thrown, in the first code that is neither the game's nor the loader's. */
function failureIn(lines: string[]): string | null {
	const first = lines.findIndex((line) => EXCEPTION.test(line));
	if (first < 0) return null;
	let at = first;
	for (let i = first + 1; i < lines.length && i < first + 200; i++)
		if (/^\s*Caused by: /.test(lines[i]!)) at = i;
	const name = EXCEPTION.exec(lines[at]!)![1]!;
	const frames = lines.slice(at + 1, at + 60).map((line) => FRAME.exec(line)?.[1]);
	const own = frames.find((frame) => frame && !PLATFORM.test(frame));
	return own ? `${name} ${own}` : name;
}
