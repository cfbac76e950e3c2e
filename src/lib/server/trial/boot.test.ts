import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { systemClock } from '#core/clock';
import { bootOnce, type BootOptions } from './boot.ts';
import { starvedMs } from './starved.ts';

const boot = async (more: Partial<BootOptions>) =>
	bootOnce({
		...{ argv: ['sleep', '60'], cwd: '/', environment: { PATH: process.env['PATH']! } },
		...{ dir: await tempDir(), isReady: (line) => line === 'ready', tell() {}, holdMs: 20 },
		...{ trouble: async () => null, limitMs: 1500, clock: systemClock },
		signal: new AbortController().signal,
		...more
	});

test('time in which other programs keep it from running does not count against its limit', async () => {
	const argv = ['sh', '-c', 'sleep 2; echo ready; read line'];
	const kept = (ms: number) => ({ argv, starved: () => ms });
	expect(await boot(kept(0))).toMatchObject({ end: 'timeout', readyMs: null });
	expect(await boot(kept(1400))).toMatchObject({ end: 'stayed' });
});

test('after twice its limit it is abandoned, which does not count against the set', async () => {
	expect(await boot({ limitMs: 1100, starved: () => Infinity })).toMatchObject({ end: 'starved' });
});

test('a boot that cannot be started says why, and blames nobody', async () => {
	expect(await boot({ argv: ['/nowhere/java'] })).toMatchObject({
		...{ end: 'not-started', why: expect.stringContaining('ENOENT') }
	});
	const dir = path.join(await tempDir(), 'gone');
	await expect(boot({ dir, argv: ['sleep', '33.25'] })).rejects.toThrow(/the folder is gone/);
	expect(spawnSync('pgrep', ['-f', 'sleep 33.25']).stdout.toString()).toBe('');
});

test('without a file handle left, it says so and the dashboard keeps running', async () => {
	const program = path.resolve('tests/faults/programs/boot-without-handles.ts');
	const { stdout, stderr } = spawnSync(
		'sh',
		['-c', 'ulimit -n 80; exec "$0" "$1"', process.execPath, program],
		{ encoding: 'utf8' }
	);
	expect(stderr).toBe('');
	expect(JSON.parse(stdout)).toMatchObject({
		...{ end: 'not-started', why: 'the dashboard has too many files open' }
	});
});

test('a program that waits for a processor is told from one that sleeps, or takes them all itself', async () => {
	const start = async (code: string) => {
		const stdio = ['ignore', 'pipe', 'ignore'] as const;
		const child = spawn('sh', ['-c', code], { detached: true, stdio: [...stdio] });
		onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
		await once(child.stdout!, 'data');
		return child.pid!;
	};
	const asleep = await start('echo 1; sleep 60; :');
	expect(starvedMs(asleep, 60_000)).toBeLessThan(10_000);
	const burners = 2 * os.availableParallelism();
	const busy = await start(`echo 1; ${'(while :; do :; done) & '.repeat(burners)} wait`);
	await expect.poll(() => starvedMs(busy, 60_000), { timeout: 20_000 }).toBeGreaterThan(20);
	expect(starvedMs(busy, 1)).toBe(0);
	expect(starvedMs(2 ** 30, 1000)).toBe(0);
});
