import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { systemClock } from '#core/clock';
import { createHandover } from './index.ts';

const never = new AbortController().signal;

async function setup() {
	const dir = path.join(await tempDir(), 'handover');
	const side = () => {
		const one = createHandover({
			...{ dir, clock: systemClock, warn: () => {} },
			order: z.string(),
			answer: z.string()
		});
		onTestFinished(one.close);
		return one;
	};
	return { dir, task: side(), dashboard: side() };
}

test('without a dashboard nothing waits', async () => {
	const { task, dir } = await setup();
	expect(await task.offer('x', never)).toBeNull();
	await expect(readdir(dir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the dashboard does it once, and its answer comes back', async () => {
	const { task, dashboard, dir } = await setup();
	const done: string[] = [];
	await dashboard.serve(async (order) => (done.push(order), `${order} done`));
	expect(await Promise.all([task.offer('a', never), task.offer('b', never)])).toEqual([
		'a done',
		'b done'
	]);
	expect(done.sort()).toEqual(['a', 'b']);
	await expect.poll(() => readdir(dir)).toEqual(['server']);
});

test('a caller that exits stops it', async () => {
	const { task, dashboard } = await setup();
	let stopped = false;
	await dashboard.serve(
		(_, signal) =>
			new Promise((resolve) =>
				signal.addEventListener('abort', () => {
					stopped = true;
					resolve('stopped');
				})
			)
	);
	const leave = new AbortController();
	const offered = task.offer('x', leave.signal);
	setTimeout(() => leave.abort(new Error('SIGTERM')), 1500);
	await expect(offered).rejects.toThrow();
	await expect.poll(() => stopped, { timeout: 5000 }).toBe(true);
});

test('an order of a process that is gone is not carried out', async () => {
	const { dashboard, dir } = await setup();
	const done: string[] = [];
	const serve = () => dashboard.serve(async (order) => (done.push(order), ''));
	await serve();
	const order = path.join(dir, '0123456789abcdef.order');
	await writeFile(order, JSON.stringify({ by: 'another-boot 1 1', order: 'x' }));
	await expect.poll(() => readdir(dir), { timeout: 5000 }).toEqual(['server']);
	expect(done).toEqual([]);
});

test('an order that a dashboard does not accept is withdrawn', { timeout: 20_000 }, async () => {
	const { task, dashboard, dir } = await setup();
	await dashboard.serve(async () => '');
	const mark = await import('node:fs/promises').then(({ readFile }) =>
		readFile(path.join(dir, 'server'), 'utf8')
	);
	await dashboard.close();
	await writeFile(path.join(dir, 'server'), mark); // it is alive, but does not look
	expect(await task.offer('x', never)).toBeNull();
	expect(await readdir(dir)).toEqual(['server']);
});
