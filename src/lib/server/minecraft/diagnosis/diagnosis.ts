import { crash, killed, stoppedInside, unknown, watchdog } from './crash.ts';
import { collectEvidence, type Diagnosis, type Rule } from './evidence.ts';
import { javaRules, javaTooNew } from './java.ts';
import { modCrashRules } from './mod-crash.ts';
import { modRules } from './mods.ts';
import { bindFailed, startRules } from './start.ts';
import { LOG_PREFIX } from '#minecraft/log-format';
import type { ExitStatus } from '#runtime';

export type { Diagnosis } from './evidence.ts';

/**
 * The line with which the game says that players can join, as the whole line of the log or only its message. Not
 * Geyser's `Done (2.1s)! Run /geyser help`, not Paper's `Done preparing level`, and not a player who writes the same.
 */
export const READY_LINE = new RegExp(
	`^(?:\\u001b\\[[\\d;]{0,12}m)*(?:${LOG_PREFIX})?Done \\([\\d.,]{1,15}s\\)! For help`
);

/** The most specific come first. The last one always has an answer. */
const RULES: Rule[] = [
	...startRules.slice(0, 1),
	...javaRules,
	...startRules.slice(1),
	...modRules,
	...modCrashRules,
	watchdog,
	bindFailed,
	crash,
	killed,
	javaTooNew,
	stoppedInside,
	unknown
];

/**
 * Explains why a server stopped or did not start, from what it left behind: the lines of this run (of the log and of
 * the process's output), its crash report, its exit status. Every part may be missing or hostile.
 */
export function diagnose(text: {
	log: string[];
	output: string[];
	crashReport: string | null;
	exit: ExitStatus | null;
}): Diagnosis {
	const evidence = collectEvidence(text, READY_LINE);
	for (const rule of RULES) {
		const found = rule(evidence);
		if (found) return found;
	}
	throw new Error('the last rule has an answer to everything');
}
