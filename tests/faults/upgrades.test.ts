import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { after, BAD, BEFORE, fill, GOOD, openUpgrades, treeOf } from '../fakes/upgrade-desk.ts';
import {
	EXPLORE_LIMIT_MS,
	explore,
	obstacle,
	STEADY,
	type Fault,
	type Outcome
} from './explore.ts';
import { restarted } from './restarted.ts';

const PROGRAM = path.resolve('tests/faults/programs/upgrade.ts');
const why = obstacle();
const FAULTS: Fault[] = ['SIGKILL', 'ENOSPC', 'EIO', 'ENOSPC from then on'];

const serverOf = (dir: string) => path.join(dir, 'data', 'server');

async function prepare(dir: string) {
	await fill(serverOf(dir));
	await writeFile(path.join(dir, 'running'), '');
}

/** What a process leaves that dies with the new game in place. */
async function dieWithNew(dir: string) {
	await prepare(dir);
	await writeFile(path.join(dir, 'deadly'), '');
	const { signal } = spawnSync(process.execPath, ['--import', STEADY, PROGRAM, dir, BAD]);
	expect(signal).toBe('SIGKILL');
	expect(existsSync(path.join(serverOf(dir), `fabric-${BAD}.jar`))).toBe(true);
}

async function restart(dir: string): Promise<Operation | null> {
	const { operation, opened } = await restarted(dir, ({ operations, clock }) =>
		openUpgrades({ dir, operations, clock })
	);
	opened.close();
	return operation;
}

/** Old or new, whole: world, mods, configuration, loader, script and settings. */
async function check(game: string, dir: string, outcome: Outcome) {
	const operation = await restart(dir);
	const { 'ops.json': ops, ...tree } = await treeOf(serverOf(dir));
	const { 'ops.json': before, ...old } = BEFORE;
	const { 'ops.json': meanwhile, ...fresh } = after(game);
	const said = operation?.steps.map((step) => `${step.id} ${step.status}`).join(', ');
	const about = `${operation?.state}: ${said}; ${operation?.cause?.message}`;
	const isNew = tree[`fabric-${game}.jar`] !== undefined;
	expect(tree, about).toEqual(isNew ? fresh : old);
	// A game that may not finish its own list leaves half of it, whoever runs it.
	if (!outcome.name?.endsWith('/ops.json')) expect([before, meanwhile], about).toContain(ops);
	expect(existsSync(path.join(dir, 'running')), about).toBe(true);
	if (!operation) return expect(isNew, about).toBe(false);
	expect(operation.state, about).not.toBe('interrupted');
	if (operation.state === 'succeeded') expect(isNew, about).toBe(true);
	if (game === BAD || operation.state === 'rolled-back') expect(isNew, about).toBe(false);
	if (outcome.fault.endsWith('from then on')) return;
	const ours = (await readdir(serverOf(dir))).filter((name) => /^\.craftwarden-up/.test(name));
	// What a disk refuses to remove is left to the housekeeping, which removes what has such a note.
	const nobodys = ours.filter((name) => !existsSync(path.join(serverOf(dir), name, 'kept.json')));
	expect(nobodys, about).toEqual([]);
	if (isNew) expect(ours, about).toHaveLength(1);
}

describe.skipIf(why)(
	`an upgrade of the game${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test.each([
			['comes up', GOOD],
			['does not come up', BAD]
		])(
			'that %s, killed or refused at any call, ends with the old or the new server',
			async (_, game) => {
				const hits = await explore({
					program: PROGRAM,
					args: (dir) => [dir, game],
					prepare,
					faults: FAULTS,
					sample: 2,
					check: (dir, outcome) => check(game, dir, outcome)
				});
				expect(hits).toBeGreaterThan(0);
			}
		);

		test('a rollback that is killed or refused at any call ends with the old server', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [dir, 'recover'],
				prepare: dieWithNew,
				faults: FAULTS,
				sample: 1,
				check: (dir, outcome) => check(BAD, dir, outcome)
			});
			expect(hits).toBeGreaterThan(0);
		});
	}
);
