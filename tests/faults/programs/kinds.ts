import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Definition, Operations, StepPlan } from '#operations';

const POLL_MS = 5;

/**
 * Three kinds of the same three steps, each going another way after a crash: `restart` resumes, `update` has a
 * rollback, `backup` is interrupted. What a step does is a line in `actions`; step `b` waits while there is a file `hold`.
 */
export function defineKinds(operations: Operations, dir: string) {
	const note = (line: string) => appendFileSync(path.join(dir, 'actions'), `${line}\n`);
	const step = (id: string, afterCrash: StepPlan['afterCrash']): StepPlan => ({
		id,
		label: `Doing ${id}`,
		afterCrash,
		async run({ signal, remember }) {
			note(id);
			while (id === 'b' && existsSync(path.join(dir, 'hold')))
				await delay(POLL_MS, null, { signal });
			await remember({ [id]: 'done' });
		},
		undo: async () => note(`-${id}`)
	});
	const rollback: StepPlan = {
		id: 'rollback',
		label: 'Going back',
		run: async () => note('rollback')
	};
	const steps = (afterCrash: StepPlan['afterCrash']) => () =>
		['a', 'b', 'c'].map((id) => step(id, afterCrash));
	const kinds: Definition<unknown>[] = [
		{ kind: 'restart', steps: steps('resume') },
		{ kind: 'update', steps: steps('interrupt'), rollback },
		{ kind: 'backup', steps: steps('interrupt') }
	];
	for (const kind of kinds) operations.define(kind);
}
