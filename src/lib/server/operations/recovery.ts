import type { Cause } from '#schemas/operation';
import type { Entry } from '#storage/journal';
import type { Definition, StepPlan } from './definition.ts';

const RESUME_WITHIN_MS = 10 * 60_000;
/** After this many processes have died in the same step, the next one would too. */
const TAKEOVERS_MAX = 3;
/** The delay between attempts at a rollback from then on; it doubles each time. */
const PAUSE_MS = 5000;
const PAUSE_MAX_MS = 30_000;

export type Course = 'resume' | 'rollback' | 'undo' | 'give-up';

/** Decides how to continue an operation whose process died. */
export function decide(
	entry: Entry,
	definition: Definition<unknown>,
	plans: StepPlan[],
	now: Date
): Course {
	const worn = entry.takeovers >= TAKEOVERS_MAX;
	const back = definition.rollback ? 'rollback' : 'undo';
	if (entry.phase === 'forward')
		return !worn && mayResume(entry, definition, plans, now) ? 'resume' : back;
	// Half a set of files is useless: the definition's own rollback is repeated until it succeeds.
	if (entry.phase === 'rollback' && definition.rollback) return 'rollback';
	return worn ? 'give-up' : 'undo';
}

/** How long to wait before a rollback that several processes did not survive. Nothing is written meanwhile, so a kill costs no time. */
export function restMs({ phase, takeovers, writtenAt }: Entry, course: Course, now: Date): number {
	if (phase !== 'rollback' || course !== 'rollback' || takeovers < TAKEOVERS_MAX) return 0;
	const wholeMs = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (takeovers - TAKEOVERS_MAX));
	const sinceMs = now.getTime() - Date.parse(writtenAt);
	// When the clock was set back, the age is unknown.
	return sinceMs >= 0 ? Math.max(0, wholeMs - sinceMs) : wholeMs;
}

function mayResume(entry: Entry, definition: Definition<unknown>, plans: StepPlan[], now: Date) {
	const { steps } = entry.operation;
	const at = steps.findIndex(({ status }) => status !== 'done' && status !== 'skipped');
	if (at === -1) return true; // only its end is missing
	const samePlan = steps.length === plans.length && steps.every(({ id }, i) => id === plans[i]?.id);
	if (!samePlan) return false;
	const { afterCrash } = plans[at]!;
	// In both directions: a clock that jumped says nothing about the age.
	const ageMs = Math.abs(now.getTime() - Date.parse(entry.writtenAt));
	const isYoung = ageMs <= (definition.resumeWithinMs ?? RESUME_WITHIN_MS);
	return afterCrash === 'always' || (afterCrash === 'resume' && isYoung);
}

/** Writes the decision into the entry, which is then executed as if it had always been ours. */
export function prepare(entry: Entry, course: Course, now: Date) {
	const step = entry.operation.steps.find(({ status }) => status === 'running');
	entry.takeovers += 1;
	if (course === 'resume' || course === 'give-up') return;
	if (entry.phase === 'forward') {
		// The rollback has attempts of its own.
		entry.takeovers = 1;
		entry.ending = 'interrupted';
		entry.operation.cause = cutOff(step?.label);
	}
	if (step && entry.phase !== 'rollback') {
		entry.crashed = step.id;
		const detail = 'Cut off when Craftwarden ended';
		// Nobody knows what it did after the last that was heard of it.
		const ended = { endedAt: entry.writtenAt, at: now.toISOString() };
		Object.assign(step, { status: 'failed', detail, ...ended });
	}
	entry.phase = course;
}

export const cutOff = (label?: string): Cause => ({
	message: `Craftwarden was cut off ${label ? `during “${label}”` : 'between two steps'}.`,
	log: [],
	mods: []
});

export const gaveUp = (so: Cause | null): Cause => ({
	...(so ?? cutOff()),
	message:
		`${so?.message ?? cutOff().message} Rolling it back was cut off ${TAKEOVERS_MAX} times as well: ` +
		'look at the server’s files before you go on.'
});
