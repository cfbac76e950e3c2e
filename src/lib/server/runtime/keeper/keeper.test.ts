import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { soon } from '../../../../../tests/soon.ts';
import { createKeeperRuntime } from './keeper.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

async function folder() {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-keeper-'));
	closers.push(() => rm(dir, { recursive: true, force: true, maxRetries: 9, retryDelay: 50 }));
	return dir;
}
const runtimeOf = (dir: string) => createKeeperRuntime({ dir, clock: systemClock });
const wanted = (dir: string) => readFile(path.join(dir, 'want'), 'utf8').catch(() => null);

describe('with the real keeper', () => {
	async function kept(script: string, env: Record<string, string> = {}) {
		const dir = await folder();
		const child = spawn('scripts/keeper', ['sh', '-c', script], {
			env: { PATH: process.env['PATH'], KEEPER_DIR: dir, ...env },
			stdio: 'ignore'
		});
		const ended = new Promise((resolve) => child.once('exit', resolve));
		closers.push(async () => {
			await writeFile(path.join(dir, 'want'), 'kill');
			child.kill('SIGTERM');
			await ended;
		});
		return { dir, runtime: runtimeOf(dir) };
	}

	test('start, terminate, kill, and the end of exactly that run', async () => {
		const { runtime } = await kept('trap "exit 0" TERM; while :; do sleep 0.1; done');
		const first = await soon(async () => {
			const { phase, run } = await runtime.state();
			expect([phase, run?.ours]).toEqual(['running', true]);
			return run!;
		});
		await expect(runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		await runtime.terminate(first);
		expect(await runtime.ended(first)).toMatchObject({ code: 0, cause: 'clean' });
		expect(await runtime.state()).toMatchObject({ phase: 'stopped', run: null });
		const second = await runtime.start('mark');
		expect(second.id).not.toBe(first.id);
		await runtime.kill(first);
		await runtime.terminate(first);
		expect([await runtime.alive(first), await runtime.alive(second)]).toEqual([false, true]);
		expect(await runtime.ended(first)).toMatchObject({ cause: 'unknown' });
		await runtime.kill(second);
		expect(await runtime.ended(second)).toMatchObject({ code: 137, cause: 'killed' });
		expect((await runtime.state()).lastExit).toMatchObject({ cause: 'killed' });
	});

	test('what it uses is told while it runs', async () => {
		const quick = await folder();
		const sleep = path.join(quick, 'sleep');
		await writeFile(sleep, '#!/bin/sh\nexec /bin/sleep 0.1\n', { mode: 0o755 });
		const { runtime } = await kept('while :; do :; done', {
			PATH: `${quick}:${process.env['PATH']}`
		});
		const usage = await soon(async () => {
			const now = await runtime.usage();
			expect(now?.cpu ?? 0).toBeGreaterThan(0);
			return now!;
		});
		expect(usage).toMatchObject({ limit: null });
		expect(usage.memory).toBeGreaterThan(0);
		expect(usage.cpuSeconds).toBeGreaterThan(0);
		// Asked again before the keeper has said more, it is still that.
		expect((await runtime.usage())?.cpu ?? 0).toBeGreaterThan(0);
	});

	test('a crash is reported as one, and mod changes that would be undone are named', async () => {
		const { runtime } = await kept('exit 3', { MODRINTH_PROJECTS: 'sodium' });
		const state = await soon(async () => {
			const now = await runtime.state();
			expect(now.phase).toBe('stopped');
			return now;
		});
		expect(state.lastExit).toMatchObject({ code: 3, cause: 'crash' });
		expect(state.undoneBy).toEqual(['MODRINTH_PROJECTS']);
		expect(await runtime.usage()).toBe(null);
	});

	test('a game that ignores SIGTERM is stopping until somebody kills it', async () => {
		const { runtime } = await kept('trap "" TERM; while :; do sleep 0.1; done');
		const run = await soon(async () => {
			const now = await runtime.state();
			expect(now.run).not.toBe(null);
			return now.run!;
		});
		await runtime.stop(run);
		await soon(async () => expect((await runtime.state()).phase).toBe('stopping'));
		await runtime.kill(run);
		expect(await runtime.ended(run)).toMatchObject({ code: 137 });
	});
});

describe('an unbelievable state is unknown, with the reason, and nothing is requested', () => {
	const now = Math.floor(Date.now() / 1000);
	const said = {
		...{ phase: 'exited', pid: null, run: 3, startedAt: now - 100, at: now },
		...{ code: 0, rssBytes: null, cpuTicks: null, warnings: [] }
	};
	const cases: [string, (file: string) => Promise<unknown>][] = [
		['nothing', async () => {}],
		['a torn file', (file) => writeFile(file, JSON.stringify(said).slice(0, 40))],
		['garbage', (file) => writeFile(file, 'x'.repeat(3_000_000))],
		['another program’s file', (file) => writeFile(file, '{"phase":"dancing"}')],
		['old news', (file) => writeFile(file, JSON.stringify({ ...said, at: now - 60 }))],
		['news from the future', (file) => writeFile(file, JSON.stringify({ ...said, at: now + 600 }))],
		['a negative pid', (file) => writeFile(file, JSON.stringify({ ...said, pid: -1 }))],
		['a folder', (file) => mkdir(file)],
		[
			'a link',
			async (file) => {
				await writeFile(`${file}.real`, JSON.stringify(said));
				await symlink(`${file}.real`, file);
			}
		]
	];
	test.each(cases)('%s', async (_, prepare) => {
		const dir = await folder();
		await prepare(path.join(dir, 'state.json'));
		const runtime = runtimeOf(dir);
		const state = await runtime.state();
		expect([state.phase, state.run]).toEqual(['unknown', null]);
		expect(state.detail).toMatch(/^\S.+\.$/);
		await expect(runtime.start('mark')).rejects.toMatchObject({ kind: 'conflict' });
		const run = { id: 'keeper 3 1', startedAt: '', pid: null, ours: true };
		for (const ask of [runtime.kill, runtime.terminate])
			await expect(ask(run)).rejects.toMatchObject({ kind: 'conflict' });
		expect(await runtime.alive(run)).toBe(true);
		expect(await wanted(dir)).toBe(null);
	});

	test('a folder that is not writable is reported in words', async () => {
		const dir = await folder();
		const at = Math.floor(Date.now() / 1000);
		await writeFile(path.join(dir, 'state.json'), JSON.stringify({ ...said, at }));
		await mkdir(path.join(dir, 'want'));
		await writeFile(path.join(dir, 'want', 'x'), '');
		await expect(runtimeOf(dir).start('mark')).rejects.toMatchObject({
			kind: 'upstream',
			message: expect.stringContaining(dir)
		});
	});
});
