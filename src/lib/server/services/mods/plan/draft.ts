import type { PlanWarning } from '#schemas/mod';
import type { Change, Jar } from './types.ts';

/** A plan while it is made: the installed jars, and what would happen to them. */
export interface Draft {
	readonly installed: Jar[];
	readonly changes: Change[];
	readonly kept: { jar: Jar; reason: string }[];
	readonly warnings: PlanWarning[];
	/** The last decision about a file wins. */
	change(change: Change): void;
	/** What happens to an installed jar. */
	changeOf(old: Jar): Change | null;
	keep(jar: Jar, reason: string): void;
	/** Each thing is said only once. */
	warn(code: string, message: string, blocking?: boolean): void;
	/** Of an operation in which several were tried together. */
	warnOfTrial(code: string, message: string, operationId: string): void;
	/** What is only said. */
	note(code: string, message: string): void;
	/** Everything in `mods/` after it. */
	after(): Jar[];
}

const oldOf = (change: Change) => (change.is === 'add' ? null : change.old);

export function createDraft(installed: Jar[]): Draft {
	const changes: Change[] = [];
	const kept: Draft['kept'] = [];
	const warnings: PlanWarning[] = [];
	const changeOf = (old: Jar) => changes.find((change) => oldOf(change) === old) ?? null;
	return {
		installed,
		changes,
		kept,
		warnings,
		changeOf,
		change(change) {
			const old = oldOf(change);
			const at = old ? changes.findIndex((one) => oldOf(one) === old) : -1;
			if (at >= 0) changes[at] = change;
			else changes.push(change);
		},
		keep: (jar, reason) => void kept.push({ jar, reason }),
		warn(code, message, blocking = false) {
			if (!warnings.some((one) => one.code === code && one.message === message))
				warnings.push({ code, message, blocking });
		},
		warnOfTrial: (code, message, operationId) =>
			void warnings.push({ code, message, blocking: false, operationId }),
		note: (code, message) => void warnings.push({ code, message, blocking: false, harmless: true }),
		after: () => [
			...installed.filter((jar) => !changeOf(jar)),
			...changes.flatMap((change) => (change.is === 'remove' ? [] : [change.jar]))
		]
	};
}

export const active = (jars: Jar[]) => jars.filter(({ enabled }) => enabled);
