import type { OperationKind } from '../../operation.ts';

/** What comes because others need it: "5 mods and 1 dependency"; in older operations "5 mods and 1 they need". */
export const NEEDED = / and (?=(\d+) (?:dependency|dependencies|they need|it needs)$)/;

/** Such a mod is added: "Update 5 mods and add 1 dependency". Of other kinds the subject stays as it is. */
export const withVerb = (kind: OperationKind, subject: string, verb: 'add' | 'added') =>
	kind === 'update' ? subject.replace(NEEDED, ` and ${verb} `) : subject;

/** A failure is about what was asked for: what else it needs is on its page. */
export const withoutNeeded = (subject: string) => subject.split(NEEDED)[0]!;
