import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answers, startPeer } from '../../fakes/notify-peer.ts';
import { ADMIN, eventually, processesIn, signedIn } from '../../harness.ts';
import { power } from '../kit/actions.ts';
import { again, dashboardWith } from '../kit/opened.ts';

const CHANNELS = '/api/notifications/channels';

test('a real crash survives a kill -9 of the dashboard and arrives once, with one id', async () => {
	const peer = await startPeer(answers(503));
	const dashboard = await dashboardWith();
	const ada = await signedIn(dashboard);
	const hook = {
		kind: 'webhook',
		name: 'Mine',
		url: `${peer.url}/secret-path`,
		allowPrivate: true
	};
	const made = await ada.json(CHANNELS, { ...hook, events: ['server.gave-up', 'backup.done'] });
	expect(made.status).toBe(201);
	await power(ada, 'start');
	await ada.json('/api/backups', { note: '' });
	await eventually(
		async () => peer.received.length,
		(count) => count > 0
	);
	const queue = path.join(dashboard.dataDir, 'notifications/queue', made.body.channel.id);
	const waiting = async () => (await readdir(queue)).filter((name) => name.endsWith('.json'));
	expect(await waiting()).toHaveLength(1);
	await dashboard.kill('SIGKILL');

	peer.behave(answers(200));
	const next = await again(dashboard);
	await eventually(
		async () => (await waiting()).length,
		(count) => count === 0
	);
	const ids = peer.received.map(({ headers }) => headers['x-craftwarden-event']);
	expect(new Set(ids).size).toBe(1);
	expect(peer.received[0]!.json).toMatchObject({ event: 'backup.done', url: null });
	const said = await (await signedIn(next)).json(CHANNELS);
	expect(JSON.stringify(said.body)).not.toContain('secret-path');
	expect(said.body.channels.at(-1).health).toMatchObject({ state: 'fine', waiting: 0 });
}, 90_000);

test('the demo’s inbox shows a crash; an admin sees nothing of it', async () => {
	const dashboard = await dashboardWith();
	const ada = await signedIn(dashboard);
	await ada.json('/api/settings', { autoRestart: true, autoRestartLimit: 1 }, 'PATCH');
	await power(ada, 'start');
	for (const pid of await processesIn(dashboard.gameDir)) process.kill(pid, 'SIGKILL');
	await eventually(
		async () => (await ada.json(CHANNELS)).body.inbox as { title: string; text: string }[],
		(inbox) => inbox.some(({ title }) => title.endsWith('the server crashed and is back')),
		60_000
	);
	const bob = await signedIn(dashboard, ADMIN);
	expect((await bob.json(CHANNELS)).status).toBe(403);
	expect((await bob.fetch('/admin/notifications')).status).toBe(403);
}, 90_000);

test('secrets given to a channel are never returned: no page, answer, log, audit or error shows them', async () => {
	const peer = await startPeer((response, { url }) => {
		response.writeHead(404).end(`Cannot POST ${url}`);
	});
	const dashboard = await dashboardWith();
	const ada = await signedIn(dashboard);
	const own = { allowPrivate: true, name: 'Mine' };
	const mail = { host: 'smtp.example.org', from: 'a@example.org', to: 'b@example.org' };
	const inputs = [
		{ kind: 'webhook', ...own, url: `${peer.url}/geheim-1?key=geheim-2`, secret: 'geheim-3' },
		{ kind: 'discord', ...own, url: `${peer.url}/api/webhooks/1/geheim-4` },
		{ kind: 'ntfy', ...own, url: peer.url, topic: 'mine', token: 'geheim-5' },
		{ kind: 'email', ...own, ...mail, username: 'a', password: 'geheim-6' }
	];
	const heard: string[] = [];
	const hear = async (response: Response) =>
		void heard.push(`${response.url} ${await response.text()}`);
	for (const input of inputs) {
		const { status, body } = await ada.json(CHANNELS, input);
		expect(status).toBe(201);
		const { id } = body.channel;
		if (input.kind !== 'email') await hear(await ada.form('/admin/notifications?/test', { id }));
		const wrong = { ...input, allowPrivate: 'on', name: '' };
		await hear(await ada.form('/admin/notifications?/add', wrong as Record<string, string>));
		heard.push(
			JSON.stringify(await ada.json(CHANNELS, { ...input, url: `${input.kind} geheim-7` }))
		);
		for (const query of [`?edit=${id}`, `?remove=${id}`])
			await hear(await ada.fetch(`/admin/notifications${query}`));
	}
	for (const target of [
		CHANNELS,
		'/api/audit',
		'/admin/activity?view=audit',
		'/admin/notifications'
	])
		await hear(await ada.fetch(target));
	await hear(await ada.fetch('/admin/notifications/__data.json'));
	const log = path.join(path.dirname(dashboard.dataDir), 'logs/craftwarden.log');
	for (const file of [log, path.join(dashboard.dataDir, 'audit.jsonl')])
		heard.push(`${file} ${await readFile(file, 'utf8')}`);
	heard.push(`terminal ${dashboard.output()}`);
	expect(heard.join('')).toContain('Cannot POST');
	for (const text of heard) expect(text).not.toContain('geheim');
}, 60_000);
