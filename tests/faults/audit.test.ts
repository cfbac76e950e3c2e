import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { createAudit } from '#services/audit';
import { EXPLORE_LIMIT_MS, explore, FAULTS, obstacle } from './explore.ts';

const why = obstacle();
const numbersOf = (lines: string[], word: string) =>
	lines.filter((line) => line.startsWith(word)).map((line) => Number(line.split(' ')[1]));

describe.skipIf(why)(
	`the audit log${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test('killed or refused at any call: what was recorded is there once, the rest was reported', async () => {
			const hits = await explore({
				program: path.resolve('tests/faults/programs/append-audit.ts'),
				args: (dir) => [path.join(dir, 'data'), '6'],
				faults: [...FAULTS, 'EACCES', 'EROFS', 'EMFILE'],
				sample: 12,
				async check(dir, { fault, lines }) {
					const errors: string[] = [];
					const log = {
						info() {},
						warn() {},
						error: (message: string) => void errors.push(message)
					};
					const data = path.join(dir, 'data');
					const audit = createAudit({ dir: data, clock: systemClock, log, mask: (text) => text });
					await audit.record({ name: 'ann', role: 'admin', address: null }, 'chat.say', {
						subject: '99'
					});
					const entries = await audit.list({ limit: 100 }, 'admin');
					const found = entries.map(({ subject }) => Number(subject)).reverse();
					expect(errors).toEqual([]);
					expect(found.at(-1)).toBe(99);
					expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
					const recorded = numbersOf(lines, 'recorded');
					expect(found).toEqual(expect.arrayContaining(recorded));
					// At the moment of a kill one more may have got through without being reported.
					const untold = found.filter(
						(n) => n !== 99 && ![...recorded, ...numbersOf(lines, 'cried')].includes(n)
					);
					expect(untold.length).toBeLessThanOrEqual(fault === 'SIGKILL' ? 1 : 0);
				}
			});
			expect(hits).toBeGreaterThan(6);
		});
	}
);
