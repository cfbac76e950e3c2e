import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStateFile } from '../../../storage/state-file/index.ts';
import { BootHistory, createBootTimes } from './times.ts';

async function setup() {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'boot-times-'));
	onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
	const errors: string[] = [];
	const open = () =>
		createBootTimes({
			history: createStateFile({
				...{ file: path.join(dataDir, 'start-times.json'), schema: BootHistory, version: 1 },
				...{ defaults: { readyMs: [] }, warn: (message) => void errors.push(message) }
			}),
			log: { error: (message) => void errors.push(message) }
		});
	return { dataDir, errors, open };
}

test('the usual time is the median of the last nine, also after a restart', async () => {
	const { open, errors } = await setup();
	const times = open();
	expect(await times.usualMs()).toBeNull();
	for (const ms of [900_000, 900_000, 1, 9, 2, 8, 5, 7, 3, 4, 6]) await times.note(ms);
	expect(await times.usualMs()).toBe(5);
	await times.note(-20);
	expect(await open().usualMs()).toBe(5);
	expect(errors).toEqual([]);
});

test('a time that cannot be written is reported in the log and nothing else', async () => {
	const { dataDir, errors, open } = await setup();
	const times = open();
	expect(await times.usualMs()).toBeNull();
	await rm(dataDir, { recursive: true });
	await writeFile(dataDir, ''); // no folder any more
	await times.note(1);
	expect(errors).toHaveLength(1);
	expect(await times.usualMs()).toBeNull();
	await rm(dataDir);
});

test('a file that must not be used costs the usual time, not the start', async () => {
	const { dataDir, errors, open } = await setup();
	await writeFile(path.join(dataDir, 'start-times.json'), '{"version":2,"data":{}}', {
		mode: 0o600
	});
	const times = open();
	expect(await times.usualMs()).toBeNull();
	await times.note(1);
	expect(errors).toEqual([expect.stringContaining('could not be written')]);
});
