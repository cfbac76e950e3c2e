import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answers, startPeer } from '../../fakes/notify-peer.ts';
import { ADMIN, eventually, processesIn, signedIn } from '../../harness.ts';
import { power } from '../kit/actions.ts';
import { again, dashboardWith } from '../kit/opened.ts';

const CHANNELS = '/api/notifications/channels';

test('a real crash waits through a kill -9 of the dashboard and arrives once, with one id', async () => {
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

test('the demo’s inbox hears of a crash; an admin sees nothing of it', async () => {
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
