import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBootTimes } from './times.ts';

async function setup() {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'boot-times-'));
	onTestFinished(() => rm(dataDir, { recursive: true }));
	const errors: string[] = [];
	const log = { error: (message: string) => void errors.push(message) };
	return { dataDir, errors, times: createBootTimes({ dataDir, log }) };
}

test('the usual time is the median of the last nine, whoever asks', async () => {
	const { dataDir, times, errors } = await setup();
	expect(await times.usualMs()).toBeNull();
	for (const ms of [900_000, 900_000, 1, 9, 2, 8, 5, 7, 3, 4, 6]) await times.note(ms);
	expect(await times.usualMs()).toBe(5);
	await times.note(-20);
	const again = createBootTimes({ dataDir, log: { error: () => {} } });
	expect(await again.usualMs()).toBe(5);
	expect(errors).toEqual([]);
});

test('a damaged file fills again; one that cannot be written is reported in the log', async () => {
	const { dataDir, times, errors } = await setup();
	await writeFile(path.join(dataDir, 'boot-times.json'), '{"no": 1}');
	expect(await times.usualMs()).toBeNull();
	await times.note(4000);
	expect(await times.usualMs()).toBe(4000);
	const gone = createBootTimes({
		dataDir: path.join(dataDir, 'gone'),
		log: { error: (message) => void errors.push(message) }
	});
	await gone.note(1);
	expect(errors).toHaveLength(1);
});
