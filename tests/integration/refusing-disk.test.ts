import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ADMIN, eventually, processesIn, signedIn, Visitor } from '../harness.ts';
import { begin, reaches } from './kit/actions.ts';
import { again, dashboardWith, home, opened, program } from './kit/opened.ts';
import { ask, soundEnv } from './kit/program.ts';
import { pageText } from './kit/servers-kit.ts';

const run = promisify(execFile);

/** A small disk of its own; null where that is not possible. */
async function tinyDisk(dir: string): Promise<string | null> {
	const disk = path.join(dir, 'disk');
	await mkdir(disk);
	const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk]).then(
		() => true,
		() => false
	);
	if (mounted) opened.push(() => run('umount', ['-l', disk]));
	return mounted ? disk : null;
}

describe.concurrent('a disk that refuses writes', () => {
	test('full: every change says so, nothing is lost, and all is well when there is space again', async ({
		skip
	}) => {
		const disk = await tinyDisk(await home());
		if (!disk) return skip('only root can mount a disk');
		const dashboard = await dashboardWith({ DATA_DIR: disk, DEMO_BOTS: '0' });
		const ada = await signedIn(dashboard);
		const leaving = await signedIn(dashboard);
		await begin(ada, 'start');
		await reaches(ada, 'running');
		await ada.json('/api/settings', { autoRestartLimit: 7 }, 'PATCH');
		await fill(path.join(disk, 'filler'));

		const refused = await ada.json('/api/settings', { autoRestartLimit: 9 }, 'PATCH');
		expect(refused.status).toBe(500);
		expect(refused.headers.get('content-type')).toBe('application/problem+json');
		expect(refused.body.detail).toMatch(
			/could not be saved: the disk is full\. Nothing was changed/
		);
		expect((await ada.json('/api/settings')).body.settings.autoRestartLimit).toBe(7);
		const page = await ada.form('/admin/settings?/save', {
			autoRestartLimit: '9',
			autoRestartWindowMinutes: '10'
		});
		expect(page.status).toBe(500);
		expect(await page.text()).toContain('the disk is full');

		const stop = await ada.json('/api/server/stop', {});
		expect([stop.status, stop.body.detail]).toEqual([
			500,
			expect.stringContaining('the disk is full')
		]);
		expect((await ada.json('/api/server/kill', {})).status).toBe(200);
		expect((await ada.json('/api/status')).body).toMatchObject({ state: 'stopped' });
		const start = await ada.json('/api/server/start', {});
		expect([start.status, start.body.detail]).toEqual([
			500,
			expect.stringContaining('the disk is full')
		]);
		expect(await processesIn(dashboard.gameDir)).toEqual([]);
		expect((await ada.json('/api/operations')).body.operations).toHaveLength(1);
		// Logging out works all the same, and so does logging in: whoever makes room has to.
		const { cookie } = leaving;
		expect((await leaving.form('/logout')).status).toBe(303);
		expect((await ask(dashboard.url, '/api/operations', { headers: { cookie } })).status).toBe(401);
		const newcomer = new Visitor(dashboard);
		expect((await newcomer.signIn(ADMIN)).status).toBe(303);
		expect((await newcomer.json('/api/operations')).status).toBe(200);
		for (const target of ['/', '/healthz', '/api/status', '/admin', '/api/audit'])
			expect((await ada.fetch(target)).status, target).toBe(200);

		// One that starts on the full disk serves as well, and knows who is signed in.
		await dashboard.kill();
		const meanwhile = await again(dashboard);
		const own = { headers: { cookie: ada.cookie } };
		const settings = await ask(meanwhile.url, '/api/settings', own);
		expect(JSON.parse(settings.body).settings.autoRestartLimit).toBe(7);
		expect((await ask(meanwhile.url, '/api/status')).status).toBe(200);

		await rm(path.join(disk, 'filler'));
		const visitor = await signedIn(meanwhile);
		const saved = await visitor.json('/api/settings', { autoRestartLimit: 9 }, 'PATCH');
		expect([saved.status, saved.body.settings.autoRestartLimit]).toEqual([200, 9]);
		await begin(visitor, 'start');
		await reaches(visitor, 'running');
		await meanwhile.kill('SIGKILL');
		const last = await signedIn(await again(dashboard));
		expect((await last.json('/api/settings')).body.settings.autoRestartLimit).toBe(9);
		await dashboard.dispose();
	}, 60_000);

	test('full for what is only recorded: no answer is delayed, and it is reported once', async () => {
		const dashboard = await dashboardWith({ DEMO_BOTS: '0' });
		const ada = await signedIn(dashboard);
		const bob = await signedIn(dashboard, ADMIN);
		await begin(ada, 'start');
		await reaches(ada, 'running');
		const records = ['audit.jsonl', 'chat-sent.jsonl', 'metrics.jsonl'].map((name) =>
			path.join(dashboard.dataDir, name)
		);
		for (const file of records) {
			await rm(file, { force: true });
			await symlink('/dev/full', file);
		}

		for (let i = 0; i < 5; i++) {
			const op = { action: i % 2 ? 'deop' : 'op', player: 'Zoe' };
			for (const [target, body] of [
				['/api/console', { command: 'list' }],
				['/api/chat', { message: 'hello' }],
				['/api/players', op]
			] as const)
				expect((await ada.json(target, body)).status, target).toBe(200);
			expect((await bob.fetch('/api/settings')).status).toBe(403);
		}
		const told = (words: string) => dashboard.output().split(words).length - 1;
		const measured = () => told('Measurements cannot be written');
		await eventually(
			async () => measured(),
			(times) => times > 0,
			20_000
		);
		expect(told('could not be written to the audit log')).toBe(1);
		expect(told('A sent message could not be kept')).toBe(1);
		for (const target of ['/api/analytics?window=1h', '/api/audit', '/api/chat', '/api/players'])
			expect((await ada.fetch(target)).status, target).toBe(200);
		expect(await pageText(bob, '/admin')).toMatch(
			/New entries of the audit log and the measurements cannot be written: the disk is full\. So far \d+ are lost\./
		);

		for (const file of records) await rm(file);
		await ada.json('/api/console', { command: 'list' });
		expect(told('The audit log is written again')).toBe(1);
		expect(await pageText(bob, '/admin')).not.toContain('New entries of the audit log');
	}, 60_000);

	test('read-only from the start: one line that names the variable', async ({ skip }) => {
		const dir = await home();
		const disk = await tinyDisk(dir);
		if (!disk) return skip('only root can mount a disk');
		const env = { ...soundEnv(dir), DATA_DIR: disk };
		const before = program(dir, env);
		await before.listening;
		before.kill('SIGTERM');
		await before.ended;
		for (const emptied of [false, true]) {
			if (emptied) await run('find', [disk, '-mindepth', '1', '-delete']);
			await run('mount', ['-o', 'remount,ro', disk]);
			const started = program(dir, env);
			expect(await started.ended).toEqual({ code: 1, signal: null });
			expect(started.errors()).toEqual([
				expect.stringMatching(/^craftwarden: DATA_DIR: .*EROFS.*\.$/)
			]);
			await run('mount', ['-o', 'remount,rw', disk]);
		}
	}, 40_000);
});

async function fill(file: string) {
	const block = Buffer.alloc(64 * 1024);
	for (const size of [block.length, 4096, 1])
		for (;;) {
			const failed = await writeFile(file, block.subarray(0, size), { flag: 'a' }).catch(
				() => true
			);
			if (failed) break;
		}
}
