import { randomBytes } from 'node:crypto';
import type { Operation, OperationKind } from '#schemas/operation';
import type { Actor } from '#core/actor';
import type { Entry } from '#storage/journal';
import type { StepPlan } from './definition.ts';

const SUBJECT_MAX = 200;

export type Wish = { kind: OperationKind; input: unknown; by: Actor; subject: string | null };

/** A new operation whose first step is about to begin. */
export function newEntry(wish: Wish, plans: StepPlan[], now: Date): Entry {
	const at = now.toISOString();
	const operation: Operation = {
		id: newId(now),
		kind: wish.kind,
		subject: wish.subject?.slice(0, SUBJECT_MAX) ?? null,
		by: wish.by.name,
		state: 'running',
		startedAt: at,
		finishedAt: null,
		steps: plans.map(({ id, label }, i) => {
			const blank = { id, label, detail: null, progress: null, at };
			return i === 0
				? { ...blank, status: 'running', startedAt: at }
				: { ...blank, status: 'pending' };
		}),
		cause: null
	};
	const rest = {
		phase: 'forward',
		ending: null,
		crashed: null,
		takeovers: 0,
		writtenAt: at
	} as const;
	return { version: 1, operation, input: wish.input, memo: {}, ...rest };
}

const newId = (now: Date) =>
	`${now.toISOString().replace(/[-:.]/g, '')}-${randomBytes(2).toString('hex')}`;
