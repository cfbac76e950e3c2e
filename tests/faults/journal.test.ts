import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXPLORE_LIMIT_MS, explore, FAULTS, obstacle, type Outcome } from './explore.ts';
import { defineKinds } from './programs/kinds.ts';
import { restarted } from './restarted.ts';

const why = obstacle();
const KINDS = ['restart', 'update', 'backup'] as const;
type Kind = (typeof KINDS)[number];

/** What may become of it after a crash, besides success. */
const AFTER_CRASH = { restart: 'succeeded', update: 'rolled-back', backup: 'interrupted' };
/** What becomes of it when the disk fails. */
const AFTER_FAILURE = { restart: 'failed', update: 'rolled-back', backup: 'failed' };

const actionsIn = (dir: string) => {
	const file = path.join(dir, 'actions');
	return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

/** The operation as it finally ended, if it ever began, and the actions of the recovery. */
async function restart(dir: string) {
	const before = actionsIn(dir);
	const { operation } = await restarted(dir, ({ operations }) => defineKinds(operations, dir));
	return { operation, before, after: actionsIn(dir).slice(before.length) };
}

async function check(kind: Kind, dir: string, { fault, lines }: Outcome) {
	const { operation, before, after } = await restart(dir);
	const actions = [...before, ...after];
	const ended = lines.find((line) => line.startsWith('ended'))?.split(' ')[1];
	if (lines.some((line) => line.startsWith('refused'))) {
		expect(actions).toEqual([]);
		return;
	}
	if (!operation) {
		// Not journalled, so never begun; or its record could only be deleted, once it had been taken back.
		expect(ended ?? 'never').toBe(actions.length === 0 ? 'never' : AFTER_FAILURE[kind]);
		return;
	}
	if (ended) {
		expect(operation.state).toBe(operation.cause && ended !== operation.state ? 'failed' : ended);
		expect(after).toEqual([]);
	} else {
		expect(fault).toBe('SIGKILL');
		expect(['succeeded', AFTER_CRASH[kind]]).toContain(operation.state);
	}
	expectSense(kind, operation.state, actions);
}

/** Steps in order, none twice unless it was resumed, and everything taken back that had to be. */
function expectSense(kind: Kind, state: string, actions: string[]) {
	const [forward, back] = [
		actions.filter((action) => /^[abc]$/.test(action)),
		actions.filter((action) => !/^[abc]$/.test(action))
	];
	const distinct = [...new Set(forward)];
	expect(distinct).toEqual(['a', 'b', 'c'].slice(0, distinct.length));
	expect(forward).toEqual([...forward].sort());
	expect(forward.length - distinct.length).toBeLessThanOrEqual(kind === 'restart' ? 1 : 0);
	if (state === 'succeeded') {
		expect(distinct).toEqual(['a', 'b', 'c']);
		expect(back).toEqual([]);
	} else if (kind === 'update') expect(back).toEqual(['rollback']);
	else {
		// A step that fails cleans up after itself; one that a crash cut off is undone. One may be undone that never began.
		const undone = distinct.map((id) => `-${id}`).reverse();
		const expected = state === 'failed' && !back.includes(undone[0]!) ? undone.slice(1) : undone;
		expect(back.filter((action) => undone.includes(action))).toEqual(expected);
	}
}

describe.skipIf(why)(`an operation${why ? ` (${why})` : ''}`, { timeout: EXPLORE_LIMIT_MS }, () => {
	test.each(KINDS)(
		'%s killed or refused at any call: continued, undone or ended, nothing else',
		async (kind) => {
			const hits = await explore({
				program: path.resolve('tests/faults/programs/run-operation.ts'),
				args: (dir) => [dir, kind],
				faults: [...FAULTS, 'EACCES', 'EROFS', 'EMFILE'],
				sample: 8,
				check: (dir, outcome) => check(kind, dir, outcome)
			});
			expect(hits).toBeGreaterThan(4);
		}
	);
});
