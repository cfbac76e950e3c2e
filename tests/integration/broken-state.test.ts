import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, processesIn, signedIn } from '../harness.ts';
import { begin, ended, reaches } from './kit/actions.ts';
import { again, dashboardWith, home, program } from './kit/opened.ts';
import { ask, soundEnv } from './kit/program.ts';

describe.concurrent('broken state at the start', () => {
	const DAMAGE: Record<string, (text: string) => string | Buffer> = {
		'cut off': (text) => text.slice(0, text.length / 2),
		empty: () => '',
		'all NULs': (text) => Buffer.alloc(text.length),
		'other JSON': () => '{"hello":[1,2,3]}',
		'not JSON': () => 'autoRestart = yes\n'
	};

	test('it starts, says so, finds the game, and sets the broken files aside', async () => {
		let dashboard = await dashboardWith();
		const { dataDir, gameDir } = dashboard;
		const ada = await signedIn(dashboard);
		const id = await begin(ada, 'start');
		await ended(ada, id);
		const games = await processesIn(gameDir);
		await ada.json('/api/settings', { autoRestartLimit: 4 }, 'PATCH');
		await dashboard.kill();
		const names = [
			'settings.json',
			'sessions.json',
			'process.json',
			'server-state.json',
			`operations/${id}.json`
		];
		const whole = await Promise.all(
			names.map((name) => readFile(path.join(dataDir, name), 'utf8'))
		);

		for (const [kind, damage] of Object.entries(DAMAGE)) {
			await rm(path.join(dataDir, 'settings.json.prev'), { force: true });
			for (const [i, name] of names.entries())
				await writeFile(path.join(dataDir, name), damage(whole[i]!));
			dashboard = await again(dashboard);
			for (const name of ['settings.json', 'sessions.json'])
				expect(dashboard.output(), `${name} ${kind}`).toMatch(
					new RegExp(`craftwarden warn: ${name} .+ kept as ${name}\\.broken-`)
				);
			expect(dashboard.output(), kind).toContain(`journal of operation ${id} is damaged`);
			await eventually(
				async () => dashboard.output(),
				(output) => output.includes('server-state.json cannot be read')
			);
			const old = await ask(dashboard.url, '/api/operations', { headers: { cookie: ada.cookie } });
			expect(old.status, kind).toBe(401);
			const visitor = await signedIn(dashboard);
			await reaches(visitor, 'running');
			expect(await processesIn(gameDir), kind).toEqual(games);
			expect((await visitor.json('/api/settings')).body.settings.autoRestartLimit, kind).toBe(3);
			expect((await visitor.json('/api/operations')).body.operations, kind).toEqual([]);
			expect((await visitor.fetch('/admin')).status, kind).toBe(200);
			await dashboard.kill();
		}
		const kept = (await readdir(dataDir)).filter((name) => name.includes('.broken-'));
		expect(kept.length).toBe(2 * Object.keys(DAMAGE).length);
	}, 60_000);

	test('the previous copy is used where there is one', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		for (const autoRestartLimit of [5, 6])
			await ada.json('/api/settings', { autoRestartLimit }, 'PATCH');
		await dashboard.kill();
		await writeFile(path.join(dashboard.dataDir, 'settings.json'), '{"version":1,"da');
		const next = await again(dashboard);
		expect(next.output()).toContain('settings.json is damaged. The previous copy is used instead');
		const visitor = await signedIn(next);
		expect((await visitor.json('/api/settings')).body.settings.autoRestartLimit).toBe(5);
	});

	test.each(['settings.json', 'sessions.json'])(
		'%s of a newer release is refused and left as it is',
		async (name) => {
			const dir = await home();
			const env = soundEnv(dir);
			const file = path.join(env.DATA_DIR, name);
			const newer = '{"version":99,"data":{"fancy":true}}';
			await mkdir(env.DATA_DIR, { mode: 0o700 });
			await writeFile(file, newer, { mode: 0o600 });
			const started = program(dir, env);
			expect(await Promise.race([started.ended, started.listening])).toEqual({
				code: 1,
				signal: null
			});
			expect(started.errors()).toEqual([
				expect.stringMatching(
					new RegExp(`^craftwarden: .*${name} was written by a newer Craftwarden`)
				)
			]);
			expect(await readFile(file, 'utf8')).toBe(newer);
		}
	);
});
