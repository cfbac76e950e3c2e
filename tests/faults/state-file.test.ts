import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXPLORE_LIMIT_MS, explore, FAULTS, obstacle } from './explore.ts';
import { openCounter } from './programs/counter.ts';

const why = obstacle();

/** Each saved value is one more than what was known before, each refusal leaves it. */
function expectCounted(lines: string[]) {
	let known = 10;
	for (const line of lines) {
		const [word, count] = line.split(' ');
		if (count === 'unreadable') continue;
		expect(Number(count)).toBe(word === 'saved' ? known + 1 : known);
		known = Number(count);
	}
}

describe.skipIf(why)(
	`saving a state file${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test('killed or refused at any call: complete, as reported, and never ahead of the disk', async () => {
			const hits = await explore({
				program: path.resolve('tests/faults/programs/save-state.ts'),
				args: (dir) => [path.join(dir, 'data', 'state.json'), '3'],
				faults: [...FAULTS, 'EACCES', 'EROFS', 'EMFILE'],
				sample: 20,
				async prepare(dir) {
					const state = openCounter(path.join(dir, 'data', 'state.json'), () => {});
					for (let i = 0; i < 10; i++) await state.update((old) => ({ count: old.count + 1 }));
				},
				async check(dir, { fault, lines }) {
					const warnings: string[] = [];
					const file = path.join(dir, 'data', 'state.json');
					const { count } = await openCounter(file, (message) => warnings.push(message)).read();
					const told = lines.findLast((line) => /^(saved|refused \d)/.test(line));
					const last = told ? Number(told.split(' ')[1]) : 10;
					if (fault === 'SIGKILL') expect([last, last + 1]).toContain(count);
					else expect(count).toBe(last);
					expectCounted(lines);
					// Nothing was lost, so there is nothing to warn of.
					expect(warnings).toEqual([]);
				}
			});
			expect(hits).toBeGreaterThan(8);
		});
	}
);
