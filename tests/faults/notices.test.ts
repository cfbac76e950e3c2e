import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXPLORE_LIMIT_MS, explore, obstacle, type Outcome } from './explore.ts';
import { openNotices } from './programs/notices.ts';
import { tempDir } from './temp.ts';

const why = obstacle();
const PROGRAM = path.resolve('tests/faults/programs/tell.ts');
const COUNT = 4;

type Sent = { a: string[]; b: string[] };
const numbers = (lines: string[], word: string) =>
	lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ').at(-1)!);
const sentBy = (lines: string[]): Sent => ({
	a: numbers(lines, 'sent a'),
	b: numbers(lines, 'sent b')
});

/** The next start: what waits is sent, and then all that happened is told again, as those who see it would. */
async function nextStart(dir: string, count: number) {
	const sent: Sent = { a: [], b: [] };
	const notices = await openNotices(dir, (channel, id) => sent[channel as 'a' | 'b'].push(id));
	await notices.idle();
	const waited = structuredClone(sent);
	for (let n = 1; n <= count; n++) await notices.tell(n);
	await notices.idle();
	await notices.close();
	return { waited, sent };
}

async function expectDelivered(dir: string, { lines, fault }: Pick<Outcome, 'lines' | 'fault'>) {
	const first = sentBy(lines);
	const { waited, sent } = await nextStart(dir, COUNT);
	for (const channel of ['a', 'b'] as const) {
		const before = first[channel];
		expect([...before, ...waited[channel]]).toEqual(expect.arrayContaining(numbers(lines, 'told')));
		const all = [...before, ...sent[channel]];
		expect([...new Set(all)]).toEqual(Array.from({ length: COUNT }, (_, i) => `${i + 1}`));
		expect(before).toEqual([...new Set(before)]);
		expect(sent[channel]).toEqual([...new Set(sent[channel])]);
		// Between the service and the disk a kill can come; a disk that refuses for ever cannot note anything.
		const twice = before.filter((id) => sent[channel].includes(id));
		if (fault === 'SIGKILL') expect([[], before.slice(-1)]).toContainEqual(twice);
		else if (!fault.endsWith('on')) expect(twice).toEqual([]);
	}
}

describe.skipIf(why)(
	`the delivery of notifications${why ? ` (${why})` : ''}`,
	{ timeout: EXPLORE_LIMIT_MS },
	() => {
		test('killed or refused at any call: each arrives, in order, and twice only when killed in between', async () => {
			const hits = await explore({
				program: PROGRAM,
				args: (dir) => [path.join(dir, 'data'), `${COUNT}`],
				sample: 14,
				check: (dir, outcome) => expectDelivered(path.join(dir, 'data'), outcome)
			});
			expect(hits).toBeGreaterThan(7);
		});
	}
);

test('deliveries that are killed again and again arrive all, in order', async () => {
	const rounds = process.env.FAULTS === 'all' ? 200 : 3;
	for (let round = 0; round < rounds; round++) {
		const dir = await tempDir();
		const child = spawn(process.execPath, [PROGRAM, dir, `${COUNT}`], {
			stdio: ['ignore', 'pipe', 'inherit']
		});
		let text = '';
		// At some line of its own, which is no moment that a clock could choose.
		const enough = 1 + (round % (3 * COUNT));
		for await (const chunk of child.stdout) {
			text += String(chunk);
			if (text.split('\n').length > enough) child.kill('SIGKILL');
		}
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		const lines = text.slice(0, text.lastIndexOf('\n')).split('\n');
		await expectDelivered(dir, { lines, fault: 'SIGKILL' });
	}
});
