import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverDirOf } from '../fakes/software-desk.ts';
import { fill, treeOf } from '../fakes/upgrade-desk.ts';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Fault, type Outcome } from './explore.ts';
import { createKit } from './operations-kit.ts';
import { AFTER, BEFORE, CHANGES, deskAt, NEW_JAR } from './programs/import-desk.ts';
import { createSteadyClock } from './programs/steady-clock.ts';

const PROGRAM = path.resolve('tests/faults/programs/import-pack.ts');
const why = obstacle();
const FAULTS: Fault[] = ['SIGKILL', 'ENOSPC', 'ENOSPC from then on', 'EIO'];

async function prepare(dir: string, kind: (typeof CHANGES)[number]) {
	await fill(serverDirOf(dir), BEFORE);
	await writeFile(path.join(dir, 'running'), '');
	if (kind === 'change-bad') await writeFile(path.join(dir, 'bad'), NEW_JAR);
}

/** A fresh start on the folder, which resumes or rolls back what is left. */
async function restart(dir: string) {
	const clock = createSteadyClock();
	const kit = await createKit({ dir: path.join(dir, 'data'), clock });
	const { software } = deskAt(dir, kit.operations, clock);
	await kit.operations.recover();
	await expect.poll(() => kit.operations.running(), { interval: 2, timeout: 60_000 }).toBeNull();
	await software.tidy();
	const [operation, ...others] = await kit.operations.list();
	await kit.operations.close();
	kit.lock.close();
	expect(others).toEqual([]);
	return operation;
}

/** Expects the old build or the new one, whole and running. */
async function check(kind: (typeof CHANGES)[number], dir: string, outcome: Outcome) {
	const operation = await restart(dir);
	const tree = await treeOf(serverDirOf(dir));
	const said = operation?.steps.map(({ id, status }) => `${id} ${status}`).join(', ');
	const about = `${operation?.state}, it had said ${outcome.lines.at(-1)}: ${said}; ${operation?.cause?.message}`;
	const isNew = tree[NEW_JAR] !== undefined;
	expect(tree, about).toEqual(isNew ? AFTER : BEFORE);
	expect(existsSync(path.join(dir, 'running')), about).toBe(true);
	if (kind === 'change-bad' || operation?.state === 'rolled-back') expect(isNew, about).toBe(false);
	if (operation?.state === 'succeeded') expect(isNew, about).toBe(true);
	if (outcome.fault.endsWith('from then on')) return;
	const ours = (await readdir(serverDirOf(dir))).filter((name) => name.startsWith('.craftwarden'));
	expect(ours, about).toEqual([]);
}

describe.skipIf(why)(
	`another build of the loader${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test.each(CHANGES)(
			'%s, killed or refused by the disk at any call, ends with the old or the new server',
			async (kind) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, kind],
					prepare: (dir) => prepare(dir, kind),
					faults: FAULTS,
					sample: 2,
					check: (dir, outcome) => check(kind, dir, outcome)
				});
				expect(hits).toBeGreaterThan(0);
			}
		);
	}
);
