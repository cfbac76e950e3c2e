import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatByRole, ChatMessage } from '#schemas/chat';
import type { Operation, OperationSummary } from '#schemas/operation';
import type { Actor } from '#core/actor';
import { createBus } from '#core/bus';
import type { AppEvent } from '#events';
import { createStateFile } from '#storage/state-file';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { answers, startPeer } from '../../../../../tests/fakes/notify-peer.ts';
import { startPushService } from '../../../../../tests/fakes/push-service.ts';
import { startSmtpPeer } from '../../../../../tests/fakes/smtp-peer.ts';
import {
	ChannelsFile,
	DevicesFile,
	createInbox,
	createMailer,
	createNotifications,
	createPoster,
	createTransports,
	firstChannels,
	InboxFile,
	NO_DEVICES,
	NO_VAPID,
	NOTHING_TOLD,
	DispatcherState,
	VapidFile
} from './index.ts';
import { findingReports, type Measured, type Seen } from './sources.ts';

const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };
const HOOK = '/api/webhooks/123/geheim-token_1';
const HOSTILE =
	'@everyone <@1> [x](https://evil.example) **b** `c` # h\u202egnp\u200b\u0007</script> ${a} {{b}} https://evil.example';
const MAIL = {
	...{ kind: 'email', name: 'x', host: 'smtp.example.org' },
	...{ from: 'mc@example.org', to: 'me@example.org' }
};
const RUNNING: Seen = {
	...{ state: 'running', run: { id: 'r1' }, reason: null, restart: null, diagnosis: null },
	...{ readyAt: '2026-01-02T03:00:00.000Z', endedAt: null }
};

async function setup({
	demo = false,
	pushOrigins = [] as string[],
	publicUrl = 'https://mc.craft.net' as string | null,
	name = 'Survival'
} = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'notifications-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	const clock = createManualClock();
	const bus = createBus<AppEvent>();
	const transports = createTransports();
	onTestFinished(() => Object.values(transports).forEach((one) => one.close()));
	const audited: unknown[][] = [];
	const logged: unknown[] = [];
	let seen: Seen = RUNNING;
	let busy = false;
	let measured: Measured | null = null;
	let operation: Operation | null = null;
	const listeners = new Set<(messages: ChatByRole) => void>();
	const log = (...words: unknown[]) => void logged.push(words);
	const start = () => {
		const service = createNotifications({
			demo,
			files: {
				channels: createStateFile({
					...{ file: path.join(dir, 'notifications.json'), schema: ChannelsFile, version: 1 },
					...{ defaults: firstChannels(demo), warn: log }
				}),
				noise: createStateFile({
					...{ file: path.join(dir, 'noise.json'), schema: DispatcherState, version: 1 },
					...{ defaults: NOTHING_TOLD, warn: log }
				})
			},
			push: {
				files: {
					devices: createStateFile({
						...{ file: path.join(dir, 'devices.json'), schema: DevicesFile, version: 1 },
						...{ defaults: NO_DEVICES, warn: log }
					}),
					vapid: createStateFile({
						...{ file: path.join(dir, 'vapid.json'), schema: VapidFile, version: 1 },
						...{ defaults: NO_VAPID, warn: log }
					})
				},
				...{ origins: pushOrigins, contact: null, publicUrl: null, markOf: () => 'mark' }
			},
			inbox: createInbox(
				createStateFile({
					...{ file: path.join(dir, 'inbox.json'), schema: InboxFile, version: 1 },
					...{ defaults: { entries: [] }, warn: log }
				})
			),
			queueDir: path.join(dir, 'queue'),
			post: createPoster({ transports, userAgent: 'craftwarden/test', clock }),
			mail: createMailer({ clock }),
			place: async () => ({
				name,
				publicUrl: publicUrl === null ? null : new URL(publicUrl)
			}),
			subscribe: bus.subscribe,
			observe: async () => seen,
			modTitles: async () => ({ lithium: 'Lithium' }),
			busy: () => busy,
			operation: async () => operation!,
			operations: async () => (operation ? [operation] : []),
			measured: () => measured,
			limits: async () => ({ tpsBelow: 15, ramAboveBytes: 8e9, minutes: 5 }),
			chat: (listener) => {
				listeners.add(listener);
				return () => void listeners.delete(listener);
			},
			audit: async (...facts) => void audited.push(facts),
			clock,
			log: { info: log, warn: log, error: log }
		});
		service.start();
		onTestFinished(() => service.close());
		return service;
	};
	return {
		...{ dir, clock, audited, logged, listeners, start, publish: bus.publish },
		async see(next: Partial<Seen>, whileBusy = false) {
			seen = { ...RUNNING, ...next };
			busy = whileBusy;
			bus.publish({ type: 'server-changed' });
			await settle();
		},
		/** Every 15 seconds, for so long. */
		async measure(sample: { tps: number | null; ramBytes: number | null }, ms: number) {
			for (let over = 0; over < ms; over += 15_000) {
				measured = { sample: { t: clock.now().getTime(), ...sample } };
				await clock.advance(15_000);
			}
		},
		end(ended: Partial<Operation>) {
			operation = {
				...{ id: '20260102T030405123Z-1a2b', kind: 'update', subject: 'Lithium', by: 'schedule' },
				...{ state: 'rolled-back', startedAt: clock.now().toISOString() },
				...{ finishedAt: clock.now().toISOString(), steps: [], cause: null },
				...ended
			} as Operation;
			bus.publish({ type: 'operation', summary: operation as unknown as OperationSummary });
		},
		say: (messages: ChatMessage[]) =>
			listeners.forEach((hear) => hear({ admin: messages, superadmin: messages }))
	};
}
const crash = (at: string): Partial<Seen> => ({
	...{ state: 'crashed', run: null, readyAt: null, endedAt: at },
	...{ reason: 'It ran out of memory.', restart: 'It is started again after 10 s.' },
	diagnosis: { message: 'It ran out of memory.', advice: 'Give it more.', mods: [] }
});
/** Of a mail as it was sent. */
function decodedBody(data: string): string {
	const [head = '', ...rest] = data.split('\r\n\r\n');
	const body = rest.join('\r\n\r\n');
	if (/^Content-Transfer-Encoding: base64/im.test(head))
		return Buffer.from(body, 'base64').toString();
	const bytes = body
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString();
}
const received = (peer: Awaited<ReturnType<typeof startPeer>>, count: number) =>
	expect.poll(async () => (await settle(), peer.received.length)).toBe(count);

describe('channels', () => {
	test('a secret is never returned, by any route', async () => {
		const { start, audited, logged, dir } = await setup();
		const peer = await startPeer(answers(500, 'oops'));
		const service = start();
		const secret = `${peer.url}${HOOK}`;
		const made = await service.create(
			{ kind: 'discord', name: 'Home', url: secret, allowPrivate: true },
			ADA
		);
		const changed = await service.change(made.id, { name: 'Den', url: '' }, ADA);
		const tested = await service.test(made.id, ADA);
		const wrong = await service
			.create({ kind: 'discord', name: 'x', url: `${secret}/x y` }, ADA)
			.catch((error: unknown) => error);
		const shown = JSON.stringify([made, changed, tested, await service.list(), audited, logged]);
		for (const text of [shown, JSON.stringify(wrong), String(wrong)])
			expect(text).not.toContain('geheim');
		expect(changed).toMatchObject({ name: 'Den', secrets: ['url'], fields: {} });
		expect(peer.received[0]!.path).toBe(`${HOOK}?wait=true`);
		expect(await readFile(path.join(dir, 'notifications.json'), 'utf8')).toContain('geheim');
		expect(audited.map(([by, action]) => [(by as Actor).name, action])).toEqual([
			['ada', 'notifications.add'],
			['ada', 'notifications.change'],
			['ada', 'notifications.test']
		]);
	});

	test('the audit log says what was changed, and turning off is not a change like any other', async () => {
		const { start, audited } = await setup();
		const service = start();
		const made = { kind: 'ntfy', name: 'Home', url: 'https://ntfy.sh', topic: 'mine' };
		const { id } = await service.create(made, ADA);
		await service.change(id, { enabled: false }, ADA);
		await service.change(id, { enabled: true }, ADA);
		await service.change(id, { name: 'Home', topic: 'ours', token: 'tk_geheim' }, ADA);
		await service.change(id, { name: 'Home', topic: 'ours', token: '' }, ADA);
		expect(audited.slice(1).map(([, ...facts]) => facts)).toEqual([
			['notifications.disable', { subject: 'Home', detail: null }],
			['notifications.enable', { subject: 'Home', detail: null }],
			['notifications.change', { subject: 'Home', detail: 'Topic, Access token' }],
			['notifications.change', { subject: 'Home', detail: null }]
		]);
	});

	test.each([
		['discord', { url: `URL${HOOK}` }, ['geheim']],
		['webhook', { url: 'URL/in/geheim?key=geheim2', secret: 'geheim3' }, ['geheim']],
		['ntfy', { url: 'URL', topic: 'mine', token: 'tk_geheim' }, ['geheim']]
	] as const)(
		'%s: a service that echoes what it was sent reveals no secret',
		async (kind, given, hidden) => {
			const { start, audited, logged } = await setup();
			const peer = await startPeer((response, { url, headers }) => {
				const said = `${'x'.repeat(250)} No ${url}, ${encodeURIComponent(url!)} for ${headers.authorization}`;
				response.writeHead(418).end(said);
			});
			const service = start();
			const url = given.url.replace('URL', peer.url);
			const { id } = await service.create(
				{ kind, name: 'x', ...given, url, allowPrivate: true },
				ADA
			);
			const test = await service.test(id, ADA);
			expect(test).toMatchObject({ ok: false, status: 418, answer: expect.stringMatching(/ No /) });
			const shown = JSON.stringify([test, await service.list(), audited, logged]);
			for (const secret of hidden) expect(shown).not.toContain(secret);
		}
	);

	test.each([
		[{ kind: 'discord', name: 'x' }, 'url'],
		[{ kind: 'discord', name: 'x', url: 'ftp://a/api/webhooks/1/x' }, 'url'],
		[{ kind: 'discord', name: 'x', url: 'https://discord.com/channels/1' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'https://me:pw@example.org/' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'unix:/run/docker.sock' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'http://example.org' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'http://127.0.0.1:1' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'https://[::1]/' }, 'url'],
		[{ kind: 'webhook', name: 'x', url: 'http://1.1.1.1', allowPrivate: true }, 'url'],
		[{ ...MAIL, host: '192.168.0.2' }, 'host'],
		[{ kind: 'ntfy', name: 'x', topic: 'a/b' }, 'topic'],
		[{ kind: 'ntfy', name: 'x', topic: 'a', token: 'a\r\nb' }, 'token'],
		[{ kind: 'webhook', name: 'x', url: 'https://example.org', other: '1' }, 'other'],
		[{ ...MAIL, to: 'me@example.org\r\nBcc: all@example.org' }, 'to'],
		[{ ...MAIL, from: '"x\r\nBcc: y" <a@example.org>' }, 'from'],
		[{ ...MAIL, to: Array(11).fill('me@example.org').join(',') }, 'to'],
		[{ ...MAIL, host: 'smtp.example.org/x' }, 'host'],
		[{ ...MAIL, port: '99999' }, 'port'],
		[{ ...MAIL, username: 'me' }, 'password'],
		[{ ...MAIL, username: 'me', password: 'a\nb' }, 'password'],
		[{ kind: 'carrier-pigeon', name: 'x' }, 'kind'],
		[{ kind: 'inbox', name: 'x' }, 'kind']
	])('%j is refused: %s', async (input, field) => {
		const { start } = await setup();
		await expect(start().create(input, ADA)).rejects.toMatchObject({
			kind: 'invalid',
			issues: [expect.objectContaining({ path: field })]
		});
	});

	test('a test shows the reply of the service', async () => {
		const { start } = await setup();
		const peer = await startPeer(answers(200, '{"id":"x"}'));
		const service = start();
		const { id } = await service.create(
			{
				kind: 'ntfy',
				name: 'Phone',
				url: peer.url,
				topic: 'mine',
				token: 'tk_1',
				allowPrivate: true
			},
			ADA
		);
		expect(await service.test(id, ADA)).toEqual({
			...{ ok: true, status: 200, message: 'Delivered.', answer: '{"id":"x"}' }
		});
		expect((await service.list())[0]).toMatchObject({
			...{ fields: { url: peer.url, topic: 'mine' }, secrets: ['token'] }
		});
		expect(peer.received[0]).toMatchObject({
			path: '/',
			headers: { authorization: 'Bearer tk_1' },
			json: { topic: 'mine', click: 'https://mc.craft.net/admin/notifications' }
		});
		peer.behave(answers(403, 'forbidden topic'));
		expect(await service.test(id, ADA)).toMatchObject({ ok: false, answer: 'forbidden topic' });
	});

	test.each([
		['https://mc.craft.net', 'https://mc.craft.net/icons/icon-192.png', 'as a link'],
		['http://192.168.1.5:3000', undefined, 'as a link'],
		['http://localhost:3000', undefined, 'in the text'],
		['http://mc:3000', undefined, 'in the text'],
		[null, undefined, 'nowhere']
	])(
		'with PUBLIC_URL %s Discord gets the picture %s, and the address %s',
		async (url, icon, how) => {
			const { start } = await setup({ publicUrl: url });
			const peer = await startPeer(answers(200));
			const service = start();
			const hook = { url: `${peer.url}${HOOK}`, allowPrivate: true };
			const { id } = await service.create({ kind: 'discord', name: 'Home', ...hook }, ADA);
			await service.test(id, ADA);
			const { avatar_url, embeds } = peer.received[0]!.json;
			expect([avatar_url, embeds[0].thumbnail?.url]).toEqual([icon, icon]);
			const page = url === null ? undefined : `${url}/admin/notifications`;
			expect(embeds[0].url).toBe(how === 'as a link' ? page : undefined);
			expect(embeds[0].description.endsWith(`\n<${page}>`)).toBe(how === 'in the text');
		}
	);

	test('ntfy shows our icon, and a repeated message only once', async () => {
		const { start, end } = await setup();
		const peer = await startPeer(answers(500));
		const service = start();
		const phone = { kind: 'ntfy', name: 'Phone', url: peer.url, topic: 'mine', allowPrivate: true };
		const { id } = await service.create(phone, ADA);
		end({});
		await received(peer, 1);
		await service.change(id, { enabled: true }, ADA);
		await received(peer, 2);
		const [first, second] = peer.received.map(({ json }) => json);
		expect(first.icon).toBe('https://mc.craft.net/icons/icon-192.png');
		expect(first.sequence_id).toMatch(/^[\w-]{1,64}$/);
		expect(second).toEqual(first);
	});

	test('a missing one is turned off and says why, until it is turned on again', async () => {
		const { start, end } = await setup();
		const peer = await startPeer(answers(404, '{"message":"Unknown Webhook"}'));
		const service = start();
		const { id } = await service.create(
			{ kind: 'discord', name: 'Home', url: `${peer.url}${HOOK}`, allowPrivate: true },
			ADA
		);
		end({});
		await received(peer, 1);
		await expect
			.poll(async () => (await service.list())[0]!.health)
			.toMatchObject({ state: 'gone', problem: expect.stringContaining('(404)') });
		expect(await service.broken()).toMatchObject([{ name: 'Home', since: null }]);
		expect(await service.wanted()).toBe(false);
		peer.behave(answers(200));
		await service.change(id, { enabled: true }, ADA);
		await received(peer, 2);
	});

	test('one that has been unreachable for a quarter of an hour needs attention, until it is reached again', async () => {
		const { start, end, clock } = await setup();
		const peer = await startPeer(answers(503));
		const service = start();
		const hook = { kind: 'webhook', name: 'Mine', url: peer.url, allowPrivate: true };
		const { id } = await service.create(hook, ADA);
		end({});
		await received(peer, 1);
		await expect.poll(async () => (await service.list())[0]!.health.state).toBe('trouble');
		expect(await service.broken()).toEqual([]);
		await clock.advance(16 * 60_000);
		const problem = expect.stringContaining('(503)');
		expect(await service.broken()).toEqual([
			{ name: 'Mine', problem, since: '2026-01-02T03:04:05.000Z' }
		]);
		peer.behave(answers(200));
		await service.change(id, { enabled: true }, ADA);
		await expect.poll(() => service.broken()).toEqual([]);
	});

	test('a signed webhook can be verified, with the event’s id', async () => {
		const { start, end } = await setup();
		const peer = await startPeer();
		const service = start();
		await service.create(
			{ kind: 'webhook', name: 'x', url: `${peer.url}/in`, secret: 's3cret', allowPrivate: true },
			ADA
		);
		end({});
		await received(peer, 1);
		const { headers, body, json } = peer.received[0]!;
		const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
			String(headers['x-craftwarden-signature'])
		)!;
		expect(v1).toBe(createHmac('sha256', 's3cret').update(`${t}.${body}`).digest('hex'));
		expect(headers['x-craftwarden-event']).toBe(json.id);
		expect(Object.keys(json)).toEqual(['id', 'event', 'at', 'title', 'text', 'url', 'data']);
		expect(json).toMatchObject({ event: 'mods.rolled-back' });
	});
});

describe('what is reported', () => {
	const discord = async (world: Awaited<ReturnType<typeof setup>>, more = {}) => {
		const peer = await startPeer(answers(200));
		const service = world.start();
		await service.create(
			{ kind: 'discord', name: 'Home', url: `${peer.url}${HOOK}`, allowPrivate: true, ...more },
			ADA
		);
		return { peer, service };
	};

	test('a rollback at night: one message, with the mod and a link, even though the server went down during it', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({});
		await world.see(crash(world.clock.now().toISOString()), true);
		await world.clock.advance(60_000);
		await world.see({ run: { id: 'r2' }, readyAt: world.clock.now().toISOString() }, true);
		await world.see({ run: { id: 'r2' }, readyAt: world.clock.now().toISOString() });
		const cause = {
			message: 'Lithium 0.13.1 did not start.',
			...{ log: [], mods: ['lithium'], titles: { lithium: 'Lithium' } }
		};
		const detail = 'Rolled back: Lithium 0.13.1 did not start. The server runs on 0.13.0 again.';
		const steps = [{ id: 'rollback', detail } as Operation['steps'][number]];
		for (let i = 0; i < 3; i++) world.end({ cause, steps });
		await received(peer, 1);
		await world.clock.advance(24 * 3_600_000);
		await received(peer, 1);
		const [embed] = peer.received[0]!.json.embeds;
		expect(embed.title).toBe('Survival\\: rolled back\\: updating Lithium');
		expect(embed.description).toContain('To blame\\: Lithium.');
		expect(embed.description.replaceAll('\\', '')).toContain(
			`${detail}\nNeeds attention: its page says what helps.`
		);
		expect(embed.url).toBe('https://mc.craft.net/admin/operations/20260102T030405123Z-1a2b');
	});

	test('a rollback that leaves the server off says so, and names what it was about by its time', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({ state: 'stopped', run: null, readyAt: null });
		const subject = 'the snapshot 20260102T030405Z-1a2b';
		world.end({ kind: 'restore', subject });
		await received(peer, 1);
		const { title, description } = peer.received[0]!.json.embeds[0];
		expect(title.replaceAll('\\', '')).toMatch(
			/rolled back: restoring the snapshot of \d Jan 2026, \d\d:\d\d UTC\S*$/
		);
		expect(description).not.toContain('urgent');
		expect(description).toContain('nobody can play until somebody starts it');
	});

	test.each(['start', 'restart'] as const)(
		'a %s that leaves the server off is reported once, also when the process it ended was seen',
		async (kind) => {
			const world = await setup();
			const { peer } = await discord(world);
			await world.see({});
			await world.see({ state: 'stopped', run: null, readyAt: null }, true);
			await world.see({ state: 'stopped', run: null, readyAt: null });
			const cause = { message: 'Java is missing on this machine.', log: [], mods: [] };
			for (let i = 0; i < 2; i++) world.end({ kind, subject: null, state: 'failed', cause });
			await settle();
			await receivedInTime(world, peer, 1);
			await world.clock.advance(3_600_000);
			await received(peer, 1);
			const [embed] = peer.received[0]!.json.embeds;
			expect(embed.title).toContain('the server did not start');
			expect(embed.description).toContain('Java is missing on this machine');
			expect(embed.url).toMatch(/operations\/20260102T030405123Z-1a2b$/);
		}
	);

	test('a start that ends in a crash is one message, with the diagnosis', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		const endedAt = world.clock.now().toISOString();
		await world.see(crash(endedAt), true);
		const cause = { message: 'It ran out of memory.', log: [], mods: [] };
		await world.see(crash(endedAt));
		world.end({ kind: 'start', subject: null, state: 'failed', cause });
		await settle();
		await receivedInTime(world, peer, 1);
		await world.clock.advance(3_600_000);
		await received(peer, 1);
		expect(peer.received[0]!.json.embeds[0]).toMatchObject({
			title: 'Survival\\: the server crashed',
			description: expect.stringContaining('It ran out of memory.')
		});
	});

	test('what ended just before a kill, or before anybody subscribed, is reported by the next start, once', async () => {
		const world = await setup();
		const { peer, service } = await discord(world);
		world.end({ id: '20260102T030405001Z-0000', subject: 'Sodium' });
		await received(peer, 1);
		await service.close();
		world.end({ subject: 'Lithium' });
		for (let i = 0; i < 2; i++) {
			const next = world.start();
			await received(peer, 2);
			await next.close();
		}
		const titles = peer.received.map(({ json }) => json.embeds[0].title);
		expect(titles).toEqual([
			'Survival\\: rolled back\\: updating Sodium',
			'Survival\\: rolled back\\: updating Lithium'
		]);
	});

	test('a crash and the recovery are one message, even when the dashboard is killed in between', async () => {
		const world = await setup();
		const { peer, service } = await discord(world);
		await world.see({});
		await world.see(crash(world.clock.now().toISOString()));
		await world.clock.advance(20_000);
		await service.close();
		world.start();
		await settle();
		await world.see(crash('2026-01-02T03:04:05.000Z'));
		await world.clock.advance(30_000);
		await world.see({ run: { id: 'r2' }, readyAt: world.clock.now().toISOString() });
		await received(peer, 1);
		await world.clock.advance(3_600_000);
		await received(peer, 1);
		expect(peer.received[0]!.json.embeds[0]).toMatchObject({
			title: 'Survival\\: the server crashed and is back',
			description: expect.stringContaining('It ran out of memory.')
		});
	});

	test('a crash names the mod as people call it', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({});
		const [message, advice] = ['Probably lithium is to blame.', 'Update lithium.'];
		const diagnosis = { message, advice, mods: ['lithium'] };
		await world.see({ ...crash(world.clock.now().toISOString()), diagnosis });
		await receivedInTime(world, peer, 1);
		const { description } = peer.received[0]!.json.embeds[0];
		expect(description).toContain('Probably Lithium is to blame.');
		expect(description).toContain('Update Lithium.');
	});

	test('a server that hung and then went down is reported as crashed, not as answering again', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({});
		await world.see({ state: 'unknown', reason: 'It does not answer.' });
		const after = async (count: number) =>
			expect
				.poll(async () => {
					await world.clock.advance(30_000);
					await settle();
					return peer.received.length;
				})
				.toBe(count);
		await after(1);
		await world.see(crash(world.clock.now().toISOString()));
		await after(2);
		const titles = peer.received.map(({ json }) => json.embeds[0].title);
		expect(titles).toEqual([
			expect.stringContaining('the server does not answer'),
			expect.stringContaining('the server crashed')
		]);
		// A superadmin may read it too.
		expect(JSON.stringify(peer.received[0]!.json)).not.toContain('superadmin');
	});

	/** Waits, since real files are written and a real service answers. */
	const receivedInTime = (
		{ clock }: Awaited<ReturnType<typeof setup>>,
		peer: Awaited<ReturnType<typeof startPeer>>,
		count: number
	) =>
		expect
			.poll(async () => (await clock.advance(30_000), await settle(), peer.received.length))
			.toBe(count);

	test('a server that hung when the dashboard ended is not reported as hanging once it answers', async () => {
		const world = await setup();
		const { peer, service } = await discord(world);
		await world.see({});
		await world.see({ state: 'unknown', reason: 'It does not answer.' });
		await receivedInTime(world, peer, 1);
		await service.close();
		await world.see({});
		world.start();
		await receivedInTime(world, peer, 2);
		await world.clock.advance(9 * 3_600_000);
		await receivedInTime(world, peer, 2);
		const titles = peer.received.map(({ json }) => json.embeds[0].title);
		expect(titles).toEqual([
			expect.stringContaining('the server does not answer'),
			expect.stringContaining('the server answers again')
		]);
	});

	test('a server that cannot be seen for a while and then answers is reported as answering again', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({});
		await world.see({ state: 'unknown', reason: 'It does not answer.' });
		await receivedInTime(world, peer, 1);
		await world.see({ state: 'unknown', run: null });
		await world.see({});
		await receivedInTime(world, peer, 2);
		expect(peer.received[1]!.json.embeds[0].title).toContain('the server answers again');
	});

	test('a stop by an operation is reported when that is over', async () => {
		const world = await setup();
		const { peer } = await discord(world, { events: ['server.stopped'] });
		const stopped: Partial<Seen> = { state: 'stopped', run: null, readyAt: null };
		await world.see({});
		await world.see(stopped, true);
		await received(peer, 0);
		await world.see(stopped);
		await received(peer, 1);
		expect(peer.received[0]!.json.embeds[0].title).toContain('the server stopped');
	});

	test('a disk that fills up again is reported again', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		const sight = async (freeBytes: number) => {
			world.publish({
				type: 'findings',
				findings: {
					disks: [{ dir: '/srv', freeBytes, totalBytes: 1e12 }],
					...{ backups: null, mods: null, updates: null, operators: null }
				}
			});
			await settle();
		};
		await sight(1e9);
		await receivedInTime(world, peer, 1);
		await sight(9e11);
		await world.clock.advance(24 * 3_600_000);
		await sight(1e9);
		await receivedInTime(world, peer, 2);
	});

	test('a server that stays down: one message, with the reason and what was tried', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		await world.see({});
		const endedAt = world.clock.now().toISOString();
		const words = 'It was started again 3 times within 10 minutes and is left alone now.';
		await world.see({ ...crash(endedAt), restart: words });
		for (let i = 0; i < 2; i++) world.publish({ type: 'gave-up', words, endedAt });
		await received(peer, 1);
		await world.clock.advance(3_600_000);
		await received(peer, 1);
		const [embed] = peer.received[0]!.json.embeds;
		expect(embed.title).toContain('the server is off');
		expect(embed.description).toContain('It ran out of memory.');
		expect(embed.description).toContain('started again 3 times');
	});

	test.each([
		[{ tps: 9.94, ramBytes: 1e9 }, 'ticks 9.9 times a second instead of 20.'],
		[{ tps: null, ramBytes: 9e9 }, 'takes 9.0 GB of memory.'],
		[{ tps: 3, ramBytes: 9e9 }, 'instead of 20, and takes 9.0 GB']
	])('a server that is slow for minutes is reported once: %j', async (sample, words) => {
		const world = await setup();
		const { peer } = await discord(world);
		await settle();
		await world.measure(sample, 4 * 60_000);
		await world.measure({ tps: 19, ramBytes: 1e9 }, 60_000);
		await world.measure(sample, 4 * 60_000);
		await received(peer, 0);
		await world.measure(sample, 6 * 60_000);
		// Real files are written in between, and a real service answers.
		const told = async () => (await world.clock.advance(1000), peer.received.length);
		await expect.poll(told, { timeout: 10_000 }).toBe(1);
		expect(peer.received[0]!.json.embeds[0].description.replaceAll('\\', '')).toContain(words);
	});

	test('a failed trial changed nothing; the search names the culprit; both lead to the operation', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		const message = 'Lithium does not start. The server itself was never stopped.';
		const cause = { message, log: [], mods: ['Lithium'] };
		const trial = {
			id: 'trial',
			label: '',
			status: 'failed',
			detail: null,
			progress: null,
			at: ''
		};
		world.end({ state: 'failed', cause, steps: [trial as Operation['steps'][number]] });
		await received(peer, 1);
		const lithium = { fileName: 'lithium.jar', title: 'Lithium', version: '0.13.1' };
		world.end({
			...{ id: '20260102T030405124Z-1a2b', kind: 'culprit', state: 'succeeded' },
			result: { culprits: [lithium], together: false, rest: ['sodium.jar'] }
		});
		await received(peer, 2);
		const [failed, found] = peer.received.map(({ json }) => json.embeds[0]);
		expect(failed).toMatchObject({ title: expect.stringMatching(/trial/i) });
		expect(failed.description.match(/never stopped/g)).toHaveLength(1);
		expect(failed.url).toMatch(/operations\/20260102T030405123Z-1a2b$/);
		expect(found.title.replaceAll('\\', '')).toContain('Lithium 0.13.1 did not start on a copy');
		expect(found.description.replaceAll('\\', '')).toContain(
			'To update the other one: Craftwarden → Mods → Update.'
		);
		expect(found.url).toMatch(/operations\/20260102T030405124Z-1a2b$/);
	});

	test('an operator added outside the dashboard is reported, one added in it only once', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		const look = async (...names: string[]) => {
			const operators = names.map((name) => ({ uuid: `uuid of ${name}`, name }));
			const findings = { disks: [], backups: null, mods: null, updates: null, operators };
			world.publish({ type: 'findings', findings });
			await settle();
		};
		await look('Moss');
		const entry = { at: '2026-01-02T03:04:05.000Z', by: 'ada', role: null, address: null };
		const op = { action: 'player.op', subject: 'Fern', detail: null, result: 'done' } as const;
		world.publish({ type: 'audited', entry: { ...entry, ...op } });
		await look('Moss', 'Fern');
		await look('Moss', 'Fern', 'Mallory');
		const command = { action: 'console.command', detail: null, result: 'done' } as const;
		world.publish({ type: 'audited', entry: { ...entry, ...command, subject: 'op Wren' } });
		await look('Moss', 'Fern', 'Mallory');
		world.publish({ type: 'audited', entry: { ...entry, ...command, subject: '/op Wren' } });
		await look('Moss', 'Fern', 'Mallory', 'Wren');
		await look('Moss', 'Fern', 'Mallory', 'Wren');
		await received(peer, 3);
		const told = peer.received.map(({ json }) => json.embeds[0]);
		expect(told.map(({ title }) => title)).toEqual([
			expect.stringContaining('Fern is an operator now'),
			expect.stringContaining('Mallory is an operator now'),
			expect.stringContaining('Wren is an operator now')
		]);
		expect(told[1].description).toContain('not through the dashboard');
		expect(told[2].description).toContain('Done by ada, with a command in the console.');
	});

	test('text from the game is plain text in every format, and as long as the service accepts', async () => {
		const phone = await startPushService();
		onTestFinished(() => phone.close());
		const world = await setup({ pushOrigins: [phone.origin], name: `${HOSTILE}\r\nBcc: x@evil` });
		const { peer, service } = await discord(world);
		const [plain, ntfy, mail] = [await startPeer(), await startPeer(), await startSmtpPeer()];
		const own = { name: 'x', allowPrivate: true };
		const smtp = { ...MAIL, ...own, host: '127.0.0.1', port: String(mail.port) };
		const made = [
			await service.create({ kind: 'webhook', ...own, url: plain.url }, ADA),
			await service.create({ kind: 'ntfy', ...own, url: ntfy.url, topic: 'mine' }, ADA),
			await service.create(smtp, ADA)
		];
		await service.push.add(phone.subscription(), { userAgent: null, origin: null }, ADA);
		for (const { id } of made) expect(await service.test(id, ADA)).toMatchObject({ ok: true });
		world.end({
			subject: HOSTILE,
			cause: { message: HOSTILE.repeat(100), log: [], mods: [HOSTILE] }
		});
		await received(plain, 2);
		await received(ntfy, 2);
		await expect.poll(async () => (await settle(), mail.received.length)).toBe(2);
		await expect.poll(async () => (await settle(), phone.received.length)).toBe(1);

		const { embeds, allowed_mentions } = peer.received[0]!.json;
		const pushed = phone.received[0]!.payload;
		const heads = mail.received.map(({ data }) => data.split('\r\n\r\n')[0]!);
		const bodies = mail.received.map(({ data }) => decodedBody(data));
		const texts = [embeds, plain.received, ntfy.received, pushed, bodies];
		for (const text of texts.map((one) => JSON.stringify(one)))
			expect(text).not.toMatch(/\p{Bidi_Control}|\u200b(?!\/\/)|\\u0007|\\r\\nBcc/u);
		expect(allowed_mentions).toEqual({ parse: [] });
		expect(embeds[0].title.length).toBeLessThanOrEqual(256);
		expect(embeds[0].description.length).toBeLessThanOrEqual(4096);
		for (const bait of ['<@1>', '**b**', '](https', ' @everyone', 'https://evil'])
			expect(JSON.stringify(embeds)).not.toContain(bait);
		for (const { json } of ntfy.received) {
			expect(json).not.toHaveProperty('markdown');
			expect(Buffer.byteLength(json.message)).toBeLessThanOrEqual(4096);
		}
		for (const head of heads) {
			expect(head).not.toMatch(/^bcc:/im);
			expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
			expect(head).toMatch(/^To: me@example\.org$/m);
		}
	});

	test('each channel gets only what it chose', async () => {
		const world = await setup();
		const { peer } = await discord(world, { events: ['backup.failed'] });
		world.end({});
		world.end({ kind: 'backup', state: 'failed', cause: { message: 'x', log: [], mods: [] } });
		await received(peer, 1);
		expect(peer.received[0]!.json.embeds[0].title).toContain('backup failed');
	});

	test('a backup is overdue and a disk almost full by the rules of the overview', () => {
		const now = new Date('2026-01-12T04:00:00.000Z');
		const lasts = (madeAt: string, freeBytes: number) =>
			findingReports(
				{
					disks: [{ dir: '/srv', freeBytes, totalBytes: 4e12 }],
					backups: { newest: { id: '20260102T030405Z-1a2b', at: madeAt, bytes: 1 } },
					...{ mods: null, updates: null, operators: null }
				},
				now
			).map((report) => [report.event, report.lasts]);
		expect(lasts('2026-01-05T03:00:00.000Z', 25e9)).toEqual([
			['disk.low', 'over'],
			['backup.overdue', 'over']
		]);
		expect(lasts('2026-01-04T04:00:00.000Z', 20e9)).toEqual([
			['disk.low', 'begins'],
			['backup.overdue', 'begins']
		]);
	});

	test('observations and the audit log are reported: a full disk, an operator, a new place', async () => {
		const world = await setup();
		const { peer } = await discord(world);
		const findings = (freeBytes: number): AppEvent => ({
			type: 'findings',
			findings: {
				disks: [{ dir: '/srv', freeBytes, totalBytes: 1e12 }],
				...{ backups: null, mods: null, updates: null, operators: null }
			}
		});
		world.publish(findings(1e9));
		await settle();
		await world.clock.advance(60_000);
		const entry = { at: '2026-01-02T03:04:05.000Z', by: 'ada', role: null, address: '203.0.113.9' };
		const heard = (action: string, subject: string | null, detail: string | null): AppEvent => ({
			type: 'audited',
			entry: { ...entry, action, subject, detail, result: 'done' }
		});
		world.publish(heard('player.op', 'Mossfeather', null));
		world.publish(heard('session.start', null, 'from a new place'));
		world.publish(heard('session.start', null, null));
		await received(peer, 3);
		const told = JSON.stringify(peer.received.map(({ json }) => json.embeds[0]));
		expect(told).toContain('disk is nearly full');
		expect(told).toContain('Mossfeather is an operator now');
		expect(told).toContain('ada logged in from a new place');
		expect(told).not.toContain('203.0.113.9');
	});
});

test('chat goes out batched by the second, without mentions, and only while somebody wants it', async () => {
	const world = await setup();
	const peer = await startPeer(answers(200));
	const service = world.start();
	await settle();
	expect(world.listeners.size).toBe(0);
	const { id } = await service.create(
		{ kind: 'discord-chat', name: 'Talk', url: `${peer.url}${HOOK}`, allowPrivate: true },
		ADA
	);
	expect(world.listeners.size).toBe(1);
	const line = (text: string, at = '2026-01-02T03:04:05.000Z'): ChatMessage => ({
		...{ id: text, at, kind: 'chat', player: 'Moss', text }
	});
	world.say([line('before', '2026-01-01T00:00:00.000Z'), line('hi @everyone'), line('**all**')]);
	world.say(Array.from({ length: 500 }, (_, i) => line(`${i} ${'x'.repeat(100)}`)));
	await settle();
	await world.clock.advance(1000);
	await received(peer, 1);
	const { content, allowed_mentions } = peer.received[0]!.json;
	expect(content.split('\n')[0]).toBe('\\<Moss\\> hi \\@everyone');
	expect(content).toMatch(/\\\(\d+ more lines left out\\\)$/);
	expect(content.length).toBeLessThanOrEqual(2000);
	expect(content).not.toContain('before');
	expect(allowed_mentions).toEqual({ parse: [] });
	await service.remove(id, ADA);
	expect(world.listeners.size).toBe(0);
});

test('a demo has an inbox that shows what would have arrived', async () => {
	const world = await setup({ demo: true });
	const service = world.start();
	const [channel] = await service.list();
	expect(channel).toMatchObject({ name: 'Demo inbox', health: { state: 'fine' } });
	expect(await service.test(channel!.id, ADA)).toMatchObject({ ok: true });
	expect(await service.inbox()).toMatchObject([{ title: 'Survival: this is a test' }]);
	expect(await (await setup()).start().inbox()).toBeNull();
});
