import type { Clock } from '#core/clock';
import type { Mask } from '#core/log';
import type { TrialJar } from './copy.ts';
import type { TrialVerdict } from './verdict.ts';

export { createTrials, type TrialsDeps } from './trials.ts';
export type { TrialJar } from './copy.ts';
export type { TrialVerdict } from './verdict.ts';

/**
 * Boots a set of jars on a copy of the server, beside the running one and out of its reach, and says how that went.
 * Nothing of the server is ever changed or stopped, and nothing is left behind: not by a kill at any moment either,
 * once `sweep` has run.
 */
export interface Trials {
	/** Why nothing can be booted here now, in a sentence; null when it can. With jars, their room counts too. */
	problem(jars?: TrialJar[]): Promise<string | null>;
	/** What people should know although it can; null when there is nothing. */
	note(): Promise<string | null>;
	/** One started process is one boot. One at a time. `AppError` when it cannot even be tried. */
	boot(jars: TrialJar[], how: BootHow): Promise<TrialVerdict>;
	/** How long a boot may take to get ready, and how long one usually takes; null while no boot was good. */
	times(): Promise<{ limitMs: number; usualMs: number | null }>;
	/** Ends and removes what dead processes left. Only while nothing boots here. */
	sweep(): Promise<void>;
}

export type BootHow = {
	signal: AbortSignal;
	/** Lines of its output as they come, masked; not all of a flood. */
	tell?: (line: string) => void;
};

export type Outside = { clock: Clock; mask: () => Promise<Mask> };
