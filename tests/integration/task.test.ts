import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { run } from '#core/exec';
import { readRuns } from '#services/schedule';
import { tempDir } from '../faults/temp.ts';

test('a run is listed even when a full disk has cut off the line of the previous one', async () => {
	const home = await tempDir();
	const log = path.join(home, 'logs/craftwarden/tasks.log');
	await mkdir(path.dirname(log), { recursive: true });
	await writeFile(log, '{"at":"2026-01-01T00:00:0');
	const { exitCode } = await run(
		path.resolve('scripts/task'),
		['say', '--data', path.join(home, 'nowhere'), '--message', 'hello'],
		{ timeoutMs: 30_000, okCodes: 'any', env: { HOME: home, PATH: process.env['PATH'] } }
	);
	expect(exitCode).toBe(1);
	const lines = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
	expect(readRuns(lines)).toMatchObject([{ type: 'say', result: 'failed' }]);
});

test('a message that begins with a dash is a message', async () => {
	const home = await tempDir();
	const { exitCode, stdout, stderr } = await run(
		path.resolve('scripts/task'),
		['say', '--data', path.join(home, 'nowhere'), '--message', '-50% today'],
		{ timeoutMs: 30_000, okCodes: 'any', env: { HOME: home, PATH: process.env['PATH'] } }
	);
	expect({ exitCode, stderr }).not.toMatchObject({ exitCode: 2 });
	expect(stdout, 'a failure is printed, for cron to mail').toMatch(/\w+ \w+/);
	const log = await readFile(path.join(home, 'logs/craftwarden/tasks.log'), 'utf8');
	expect(readRuns(log.split('\n'))).toMatchObject([{ type: 'say', result: 'failed' }]);
});
