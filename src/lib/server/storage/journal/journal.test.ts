import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import type { Operation } from '#schemas/operation';
import { createJournal, type Entry } from './journal.ts';

const AT = '2026-01-02T03:04:05.123Z';
const idOf = (n: number) => `20260102T0304${String(n).padStart(5, '0')}Z-00ab`;

function entry(n: number, facts: Partial<Operation> = {}): Entry {
	const step = {
		id: 'work',
		label: 'Working',
		status: 'running',
		detail: null,
		progress: null,
		at: AT
	};
	const operation = {
		...{ id: idOf(n), kind: 'start', subject: null, by: 'ann', state: 'running' },
		...{ startedAt: AT, finishedAt: null, steps: [step], cause: null },
		...facts
	} as Operation;
	const rest = {
		phase: 'forward',
		ending: null,
		crashed: null,
		takeovers: 0,
		writtenAt: AT
	} as const;
	return { version: 1, operation, input: { a: 1 }, memo: { b: [2] }, ...rest };
}
const ended = (n: number) => entry(n, { state: 'succeeded', finishedAt: AT });

async function setup() {
	const dir = path.join(await tempDir(), 'operations');
	const warnings: string[] = [];
	const open = () => createJournal({ dir, warn: (message) => warnings.push(message) });
	return { dir, warnings, open, journal: open() };
}

test('before the first operation there is nothing, not even a folder', async () => {
	const { journal, warnings } = await setup();
	expect(await journal.newest(10)).toEqual([]);
	expect(journal.open()).toEqual([]);
	expect(await journal.read(idOf(1))).toBeNull();
	await journal.tidy(10, new Date());
	expect(warnings).toEqual([]);
});

test('an entry is read back as it was written, from a private file', async () => {
	const { journal, open, dir } = await setup();
	await journal.write(entry(1));
	expect(await open().read(idOf(1))).toEqual(entry(1));
	expect((await stat(path.join(dir, `${idOf(1)}.json`))).mode & 0o777).toBe(0o600);
	expect((await stat(dir)).mode & 0o777).toBe(0o700);
});

test('an unknown id matches nothing, whatever it looks like', async () => {
	const { journal } = await setup();
	for (const id of ['', '../../etc/passwd', `${idOf(1)}/..`, `${idOf(1)}\0`, '__proto__'])
		expect(await journal.read(id)).toBeNull();
});

test('operations are listed newest first, unfinished ones also separately', async () => {
	const { journal, open } = await setup();
	for (const one of [ended(2), entry(3), ended(1), entry(4)]) await journal.write(one);
	for (const reader of [journal, open()]) {
		expect((await reader.newest(3)).map(({ id }) => id)).toEqual([4, 3, 2].map(idOf));
		expect(reader.open().map(({ operation }) => operation.id)).toEqual([3, 4].map(idOf));
	}
});

test('what another process adds and ends is seen', async () => {
	const { journal, open } = await setup();
	const other = open();
	await other.write(entry(1));
	expect(journal.open()).toHaveLength(1);
	await other.write(ended(1));
	expect(journal.open()).toEqual([]);
	expect((await journal.newest(1))[0]?.state).toBe('succeeded');
});

test('changing a returned entry does not change the journal', async () => {
	const { journal } = await setup();
	await journal.write(ended(1));
	(await journal.newest(1))[0]!.steps.pop();
	expect((await journal.newest(1))[0]!.steps).toHaveLength(1);
});

test('a damaged file is left out and reported once; the others are listed', async () => {
	const { journal, dir, warnings } = await setup();
	await journal.write(ended(1));
	await writeFile(path.join(dir, `${idOf(2)}.json`), '{"version":1,"oper');
	await writeFile(path.join(dir, `${idOf(3)}.json`), Buffer.alloc(300));
	await mkdir(path.join(dir, `${idOf(4)}.json`));
	await writeFile(path.join(dir, 'notes.txt'), 'foreign');
	for (let i = 0; i < 2; i++) {
		expect((await journal.newest(10)).map(({ id }) => id)).toEqual([idOf(1)]);
		expect(journal.open()).toEqual([]);
	}
	expect(warnings).toHaveLength(3);
});

test('only finished entries of a newer release are accepted: it alone can end the others', async () => {
	const { journal, dir, warnings } = await setup();
	await journal.write(ended(1));
	const write = (n: number, content: object) =>
		writeFile(path.join(dir, `${idOf(n)}.json`), JSON.stringify(content));
	await write(2, { ...ended(2), version: 2 });
	journal.refuseNewer();
	expect((await journal.newest(10)).map(({ id }) => id)).toEqual([idOf(1)]);
	expect(warnings).toEqual([
		expect.stringContaining('newer Craftwarden (format 2); it is left out')
	]);
	for (const content of [
		{ ...entry(3), version: 3 },
		{ version: 3, operations: [] }
	]) {
		await write(3, content);
		expect(() => journal.refuseNewer()).toThrow(
			/3Z-00ab\.json was written by a newer Craftwarden \(format 3, this one knows 1\).*Update/
		);
		expect(journal.open()).toEqual([]);
	}
	await rm(path.join(dir, `${idOf(3)}.json`));
	journal.refuseNewer();
});

test('a sealed operation counts as failed, until its real end is written', async () => {
	const { journal, open, dir } = await setup();
	await journal.write(entry(1));
	await journal.seal(idOf(1));
	for (const reader of [journal, open()]) {
		expect(reader.open()).toEqual([]);
		expect(await reader.newest(1)).toMatchObject([
			{ state: 'failed', steps: [{ status: 'failed' }] }
		]);
		expect((await reader.read(idOf(1)))?.operation.cause?.message).toContain(
			'could not be written'
		);
	}
	await journal.write(ended(1));
	expect(await journal.newest(2)).toMatchObject([{ state: 'succeeded' }]);
	expect(await readdir(dir)).toEqual([`${idOf(1)}.json`]);
});

test('pruning deletes the oldest finished ones, never an unfinished one or a foreign file', async () => {
	const { journal, dir } = await setup();
	await journal.write(entry(0));
	for (const n of [1, 2, 3, 4]) await journal.write(ended(n));
	await writeFile(path.join(dir, 'notes.txt'), 'foreign');
	await journal.tidy(2, new Date());
	expect((await readdir(dir)).sort()).toEqual(
		[0, 3, 4].map((n) => `${idOf(n)}.json`).concat('notes.txt')
	);
	expect((await journal.newest(10)).map(({ id }) => id)).toEqual([4, 3, 0].map(idOf));
});

test('a disk that refuses writes is reported in a sentence', async () => {
	const { journal, dir } = await setup();
	await writeFile(dir, 'a file is in the way');
	await expect(journal.write(entry(1))).rejects.toMatchObject({
		kind: 'internal',
		code: 'journal',
		message: expect.stringMatching(/^The journal could not be written: /)
	});
});
