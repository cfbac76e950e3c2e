import { chmod, lstat, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { standInFolder } from '../fakes/game/server-folders.ts';
import { ADMIN, eventually, SUPERADMIN, signedIn, Visitor } from '../harness.ts';
import { begin, ended, power } from './kit/actions.ts';
import { again, dashboardWith, home, opened } from './kit/opened.ts';
import { ask } from './kit/program.ts';

describe.concurrent('secrets', () => {
	test('everything kept is for its owner alone, even what was open before', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		for (const autoRestartLimit of [5, 6])
			await ada.json('/api/settings', { autoRestartLimit }, 'PATCH');
		for (const action of ['start', 'stop'] as const) await power(ada, action);
		const home = path.dirname(dashboard.dataDir);
		expect(await openPlaces(dashboard.dataDir, path.join(home, 'logs'))).toEqual([]);

		await dashboard.kill();
		const loose = ['auth-secret', 'settings.json', 'sessions.json'];
		for (const name of loose) await chmod(path.join(dashboard.dataDir, name), 0o644);
		const next = await again(dashboard);
		await signedIn(next);
		expect(await openPlaces(dashboard.dataDir)).toEqual([]);
		for (const name of loose) expect(next.output()).toContain(name);
	}, 40_000);

	test('are never in a log, in the audit, on the terminal or in an answer', async () => {
		const password = { rcon: 'rcon-0xDECAFBAD', secret: 'kX9v-QpL2sT7wYb4Zr8nMd5Gh1Jc3Fe6' };
		const folder = await standInFolder('vanilla', {
			properties: {
				'enable-rcon': 'true',
				'server-port': 1,
				'rcon.port': 1,
				'rcon.password': password.rcon
			},
			behaviour: {
				log: [
					`[12:00:00] [main/ERROR]: Failed to start with {rcon.password=${password.rcon}}`,
					`[12:00:00] [main/ERROR]: secret ${password.secret} and ${SUPERADMIN.password}`
				],
				exitCode: 1
			}
		});
		opened.push(() => folder.remove());
		await folder.write('eula.txt', 'eula=true\n');
		const dashboard = await dashboardWith({
			SERVER_DIR: folder.dir,
			JAVA_HOME: folder.javaHome,
			PATH: folder.env['PATH']!,
			AUTH_SECRET: password.secret
		});
		const secrets = [password.rcon, password.secret, SUPERADMIN.password, ADMIN.password];
		const heard: string[] = [];
		const visitors = [
			new Visitor(dashboard),
			await signedIn(dashboard, ADMIN),
			await signedIn(dashboard)
		];

		const [stranger, bob, ada] = visitors as [Visitor, Visitor, Visitor];
		// As people do: the password in the wrong field, in the address, in words for others.
		await stranger.signIn({ username: SUPERADMIN.password, password: SUPERADMIN.username });
		await stranger.signIn({ username: SUPERADMIN.username, password: `${SUPERADMIN.password}!` });
		await stranger.fetch(`/login?password=${encodeURIComponent(SUPERADMIN.password)}`);
		await bob.json('/api/server/start', { message: '', password: ADMIN.password });
		const id = await begin(bob, 'start');
		expect((await ended(bob, id)).state).toBe('failed');

		const targets = [
			...['/', '/login', '/admin', '/admin/activity', '/admin/settings', '/api/status'],
			...['/api/operations', `/api/operations/${id}`, '/api/settings', '/api/audit'],
			...[`/admin/operations/${id}`, '/api/openapi.json', '/admin/__data.json'],
			...['/healthz', '/nothing', `/api/operations/${id}/events`]
		];
		for (const visitor of visitors)
			for (const target of targets) {
				const response = await visitor.fetch(target);
				heard.push(`${target} ${JSON.stringify([...response.headers])} ${await response.text()}`);
			}
		const log = path.join(path.dirname(dashboard.dataDir), 'logs/craftwarden.log');
		const files = ['audit.jsonl', 'sessions.json', 'server-state.json', `operations/${id}.json`];
		for (const file of [log, ...files.map((name) => path.join(dashboard.dataDir, name))])
			heard.push(`${file} ${await readFile(file, 'utf8')}`);
		heard.push(`terminal ${dashboard.output()}`);
		const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
		const found = heard.flatMap((text) =>
			forms.filter((form) => text.includes(form)).map((form) => `${form} in ${text.slice(0, 60)}`)
		);
		expect(found).toEqual([]);
		await ada.form('/logout');
	}, 40_000);

	test('are not revealed by codes inside a secret or an address, nor by the chat', async () => {
		const secret = 'rcon-0xDECAFBAD';
		const address = '203.0.113.77';
		const split = `rcon-\u001b[31m0xDEC§cAFBAD from 203.0.§r113.77`;
		const folder = await standInFolder('vanilla', {
			properties: { 'enable-rcon': 'false', 'enable-status': 'false', 'rcon.password': secret },
			behaviour: {
				log: [
					`[12:00:00] [Server thread/INFO]: <Ana> it is ${secret} at ${address}`,
					`[12:00:01] [Server thread/INFO]: <Ana> or ${split}`,
					`[12:00:02] [Server thread/ERROR]: Encountered an unexpected exception ${split}`,
					`java.lang.IllegalStateException: ${split}`
				],
				crashReport: `---- Minecraft Crash Report ----\nDescription: Ticking\n\njava.lang.Error: ${split}\n`,
				exitCode: 1
			}
		});
		opened.push(() => folder.remove());
		await folder.write('eula.txt', 'eula=true\n');
		const dashboard = await dashboardWith({
			SERVER_DIR: folder.dir,
			JAVA_HOME: folder.javaHome,
			PATH: folder.env['PATH']!
		});
		const bob = await signedIn(dashboard, ADMIN);
		const ada = await signedIn(dashboard);
		const id = await begin(bob, 'start');
		expect((await ended(bob, id)).state).toBe('failed');
		const [crash] = await readdir(path.join(folder.dir, 'crash-reports'));
		const targets = [
			...['/api/chat', '/admin/chat', '/api/logs', '/api/logs/files/latest.log'],
			...[`/api/logs/files/${crash}`, `/api/operations/${id}`, '/admin', '/api/logs/excerpt']
		];
		// eslint-disable-next-line no-control-regex
		const shown = (text: string) => text.replace(/§.|\u001b\[\d*m|\\u001b\[\d*m/g, '');
		for (const visitor of [bob, ada])
			for (const target of targets) {
				const text = shown(await (await visitor.fetch(target)).text());
				expect(text, target).not.toContain(secret);
				if (visitor === bob) expect(text, target).not.toContain(address);
			}
		for (const [visitor, words] of [
			[bob, 'it is *** at ***'],
			[ada, `it is *** at ${address}`]
		] as const) {
			expect((await visitor.json('/api/chat')).body.messages[0].text).toBe(words);
			const stream = await visitor.fetch('/api/events');
			let heard = '';
			for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
				heard += piece;
				if (heard.includes('event: chat')) break;
			}
			expect(heard).toContain(words);
			expect(shown(heard)).not.toContain(secret);
		}
	});

	test('are not inherited by the game: it gets none of the dashboard’s own variables, and all others', async () => {
		const folder = await standInFolder('vanilla', {
			properties: { 'enable-rcon': 'false', 'enable-status': 'false' }
		});
		opened.push(() => folder.remove());
		await folder.write('eula.txt', 'eula=true\n');
		const example = await readFile('.env.example', 'utf8');
		const shown = [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(
			([, name, value]) => [name!, value!.replace(/^'(.*)'$/, '$1')] as const
		);
		const dir = await home();
		const dashboard = await dashboardWith({
			...Object.fromEntries(shown),
			...{ HOST: '127.0.0.1', PORT: '0', SCHEDULER: 'embedded' },
			...{ AUTH_SECRET: 'kX9v-QpL2sT7wYb4Zr8nMd5Gh1Jc3Fe6', RCON_PASSWORD: 'rcon-0xDECAFBAD' },
			...{ DATA_DIR: path.join(dir, 'data'), LOG_DIR: path.join(dir, 'logs') },
			...{ BACKUP_DIR: path.join(dir, 'backups'), SNAPSHOT_DIR: path.join(dir, 'snapshots') },
			SUPERADMIN_USERNAME: SUPERADMIN.username,
			SUPERADMIN_PASSWORD: SUPERADMIN.password,
			SERVER_DIR: folder.dir,
			SERVER_COMMAND: JSON.stringify([folder.java, '-jar', 'server.jar', 'nogui']),
			JAVA_HOME: folder.javaHome,
			LANG: 'C.UTF-8',
			TZ: 'Europe/Berlin',
			DISCORD_TOKEN: 'of a mod'
		});
		await begin(await signedIn(dashboard), 'start');
		const [start] = await eventually(
			() => folder.starts(),
			(starts) => starts.length > 0
		);
		const inherited = Object.keys(start!.env);
		expect(inherited).toEqual(
			expect.arrayContaining(['PATH', 'HOME', 'LANG', 'TZ', 'JAVA_HOME', 'DISCORD_TOKEN'])
		);
		// JAVA_HOME may be named to us, but it is everybody's.
		const named = shown.map(([name]) => name).filter((name) => name !== 'JAVA_HOME');
		const ours = ['ENV_FILE', ...named];
		expect(ours.length).toBeGreaterThan(20);
		expect(ours.filter((name) => inherited.includes(name))).toEqual([]);
	});

	test('whose file is missing log nobody in who was not before', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		const { cookie } = ada;
		const file = path.join(dashboard.dataDir, 'auth-secret');
		const [name] = /craftwarden_session_\w+/.exec(cookie)!;
		const forged = cookie.replace(/(craftwarden_session_\w+=)([^;]+)/, (_, name, token: string) => {
			const [head, , ...rest] = token.split('.');
			return `${name}${[head, '', ...rest].join('.')}x`;
		});
		for (const content of [null, '', 'x'.repeat(64)]) {
			if (content === null) await rm(file);
			else await writeFile(file, content);
			for (const strange of ['', forged, `${name}=null`, `${name}={}`]) {
				const headers: Record<string, string> = strange ? { cookie: strange } : {};
				expect((await ask(dashboard.url, '/api/operations', { headers })).status).toBe(401);
				const page = await ask(dashboard.url, '/admin', { headers });
				expect([page.status, page.headers.location]).toEqual([
					303,
					expect.stringMatching(/^\/login\?/)
				]);
			}
		}
		await dashboard.kill();
		await rm(file);
		const next = await again(dashboard);
		expect((await ask(next.url, '/api/operations', { headers: { cookie } })).status).toBe(401);
		await signedIn(next);
	});
});

/** What others could look into: with the demo server's own folder goes only whoever may enter ours. */
async function openPlaces(...roots: string[]): Promise<string[]> {
	const found: string[] = [];
	for (const root of roots) {
		const below = (await readdir(root, { recursive: true })).filter(
			(name) => !/^demo\//.test(name)
		);
		for (const name of [root, ...below.map((one) => path.join(root, one))]) {
			// A file that is being written has another name at first.
			const there = await lstat(name).catch(() => null);
			if (!there && name.endsWith('.tmp')) continue;
			const { mode } = there ?? (await lstat(name));
			if (mode & 0o077 && path.basename(name) !== 'demo') found.push(`${name} ${mode.toString(8)}`);
		}
	}
	return found;
}
