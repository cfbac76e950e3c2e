import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { modSet } from '../fakes/mods/change-setup.ts';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Outcome } from './explore.ts';
import { bootsIn, culpritsAt, fill, GUILTY, modsIn, MODS } from './programs/culprit-desk.ts';
import { restarted } from './restarted.ts';

const PROGRAM = path.resolve('tests/faults/programs/search-culprit.ts');
const why = obstacle();
/** Control, all, three halvings and two that decide. */
const MOST = 7;

async function check(dir: string, { fault, lines }: Outcome) {
	const { operation } = await restarted(dir, (kit) => culpritsAt(dir, kit));
	const boots = (await readFile(bootsIn(dir), 'utf8').catch(() => '')).split('\n').slice(0, -1);
	const about = `${operation?.state}: ${operation?.cause?.message}; ${lines.join(', ')}`;
	expect(Object.keys(await modSet(modsIn(dir))), about).toEqual(MODS);
	if (!operation) return;
	expect(['succeeded', 'failed'], about).toContain(operation.state);
	if (fault === 'SIGKILL') expect(operation.state, about).toBe('succeeded');
	if (operation.state === 'succeeded')
		expect(operation.result?.culprits, about).toMatchObject([{ fileName: GUILTY }]);
	// Boots that were made are not repeated, except for one that was not on disk yet.
	expect(boots.length, about).toBeLessThanOrEqual(MOST + 1);
}

describe.skipIf(why)(
	`a search for the mod to blame${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test('killed or refused at any call continues with the boots that were made, and changes no mod', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [dir],
				prepare: fill,
				faults: ['SIGKILL', 'ENOSPC', 'ENOSPC from then on'],
				sample: 4,
				check
			});
			expect(hits).toBeGreaterThan(0);
		});
	}
);
