import { createECDH } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Actor } from '#core/actor';
import { createStateFile } from '#storage/state-file';
import { createManualClock, settle } from '../../../../../../tests/fakes/manual-clock.ts';
import { decrypt, startPushService } from '../../../../../../tests/fakes/push-service.ts';
import type { Message } from '../message.ts';
import { createPoster, createTransports } from '../outbound.ts';
import { createQueue, type Queue } from '../queue/index.ts';
import { deviceName } from './device-name.ts';
import { createPush, DevicesFile, NO_DEVICES, NO_VAPID, VapidFile } from './index.ts';
import { pushServiceOf } from './services.ts';
import { createVapid } from './vapid.ts';

const ADA: Actor = { name: 'ada', role: 'superadmin', address: null };
const BOB: Actor = { name: 'bob', role: 'admin', address: null };
const ANY = { userAgent: null, origin: null };
const FIREFOX = {
	userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
	origin: null
};
const message = (more: Partial<Message> = {}): Message => ({
	...{ id: 'server.crashed 1', event: 'server.crashed', at: '2026-01-02T03:04:05.000Z' },
	...{ level: 'bad', title: 'Survival: the server crashed', text: 'At 03:04.', data: {} },
	...{ url: 'https://mc.example.org/admin', picture: null, path: '/admin' },
	...more
});

async function setup({ contact = 'mailto:somebody@example.org' as string | null, page = '' } = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'push-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	const service = await startPushService();
	onTestFinished(() => service.close());
	const transports = createTransports();
	onTestFinished(() => Object.values(transports).forEach((one) => one.close()));
	const clock = createManualClock();
	const marks: Record<string, string> = { ada: 'a1', bob: 'b1' };
	const audited: unknown[][] = [];
	const logged: unknown[] = [];
	const log = (...words: unknown[]) => void logged.push(words);
	const file = (name: string) => path.join(dir, name);
	const state = { version: 1, warn: log };
	const push = createPush({
		files: {
			devices: createStateFile({
				...{ ...state, file: file('devices.json'), schema: DevicesFile, defaults: NO_DEVICES }
			}),
			vapid: createStateFile({
				...{ ...state, file: file('vapid.json'), schema: VapidFile, defaults: NO_VAPID }
			})
		},
		origins: [service.origin],
		contact,
		publicUrl: URL.parse(page),
		markOf: (person) => marks[person] ?? null,
		queue: {
			reset: (...of) => queue.reset(...of),
			drop: (id) => queue.drop(id),
			stateOf: (id) => queue.stateOf(id)
		},
		post: createPoster({ transports, userAgent: 'craftwarden/test', clock }),
		audit: async (...facts) => void audited.push(facts),
		clock,
		log: { error: log }
	});
	const queue: Queue = createQueue({
		dir: file('queue'),
		send: async (id, sent, signal) => (await push.send(id, sent, signal))!,
		gone: async (id) => void (await push.forget(id)),
		clock,
		log: { info: log, warn: log, error: log }
	});
	await queue.open([]);
	onTestFinished(() => queue.close());
	const tell = async (more?: Partial<Message>) => {
		for (const { id } of await push.recipients()) await queue.add(id, message(more));
	};
	return { push, queue, service, clock, marks, audited, logged, file, tell };
}
const received = (service: Awaited<ReturnType<typeof startPushService>>, count: number) =>
	expect.poll(async () => (await settle(), service.received.length)).toBe(count);

test('a message arrives encrypted for the device, signed with our key, short-lived and urgent', async () => {
	const { push, service, clock, tell, file } = await setup();
	const subscription = service.subscription();
	await push.add(subscription, FIREFOX, ADA);
	await tell();
	await received(service, 1);
	expect(service.problems).toEqual([]);
	const { payload, headers, claims, key, path: at } = service.received[0]!;
	expect(service.origin + at).toBe(subscription.endpoint);
	expect(payload).toEqual({
		...{ title: 'Survival: the server crashed', text: 'At 03:04.', path: '/admin' },
		...{ at: '2026-01-02T03:04:05.000Z', tag: headers['topic'] }
	});
	expect(headers).toMatchObject({ ttl: '3600', urgency: 'high', 'content-encoding': 'aes128gcm' });
	expect(headers['topic']).toMatch(/^[\w-]{1,32}$/);
	const nowS = clock.now().getTime() / 1000;
	expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:somebody@example.org' });
	expect(claims.exp).toBeGreaterThan(nowS);
	expect(claims.exp).toBeLessThanOrEqual(nowS + 24 * 3600);
	expect(key).toBe(await push.publicKey());
	expect((await stat(file('vapid.json'))).mode & 0o777).toBe(0o600);
	await tell({ id: 'server.back 1', level: 'good' });
	await received(service, 2);
	expect(service.received[1]!.headers['urgency']).toBe('normal');
});

test.each([
	['mailto:you@here.example', 'https://mc.craft.net', null, 'mailto:you@here.example'],
	[null, 'https://mc.craft.net', 'https://other.craft.net', 'https://mc.craft.net'],
	[null, '', 'https://mc.craft.net:8443', 'https://mc.craft.net:8443'],
	[null, 'http://mc.craft.net', 'https://192.168.1.5', 'mailto:craftwarden@localhost'],
	[null, 'https://mc.local', 'https://localhost', 'mailto:craftwarden@localhost'],
	[null, '', 'null', 'mailto:craftwarden@localhost'],
	[null, '', null, 'mailto:craftwarden@localhost']
])(
	'the contact for services: PUSH_CONTACT %s, PUBLIC_URL %s, turned on at %s: %s',
	async (contact, page, origin, sub) => {
		const { push, service, tell } = await setup({ contact, page });
		await push.add(service.subscription(), { userAgent: null, origin }, ADA);
		await tell();
		await received(service, 1);
		expect(service.received[0]!.claims.sub).toBe(sub);
	}
);

test('the longest and oddest message fits the limits of push services', async () => {
	const { push, service, tell } = await setup();
	await push.add(service.subscription(), ANY, ADA);
	await tell({ title: '"\\'.repeat(500), text: '🦊"\n'.repeat(2000) });
	await received(service, 1);
	expect(service.problems).toEqual([]);
	expect(service.received[0]!.bytes).toBeLessThanOrEqual(4096);
	expect(JSON.stringify(service.received[0]!.payload)).not.toMatch(/\\ud83e(?!\\ud98a)/);
});

test.each([404, 410])(
	'a device that answers %i is removed, and what waits for it too',
	async (status) => {
		const { push, queue, service, tell, logged } = await setup();
		await push.add(service.subscription(), FIREFOX, ADA);
		service.answer(status);
		await tell();
		await expect.poll(async () => (await settle(), push.list(ADA))).toEqual([]);
		await tell();
		await expect.poll(async () => (await settle(), queue.stateOf('x').waiting)).toBe(0);
		expect(service.received).toHaveLength(1);
		expect(logged).toEqual([]);
	}
);

test.each([
	[401, 1],
	[403, 1],
	[413, 1],
	[429, 2],
	[500, 2]
])('one that answers %i is kept and says so', async (status, tries) => {
	const { push, service, clock, tell } = await setup();
	await push.add(service.subscription(), FIREFOX, ADA);
	service.answer(status);
	await tell();
	await received(service, 1);
	await settle();
	service.answer(201);
	await clock.advance(20_000);
	await received(service, tries);
	const [device] = await push.list(ADA);
	expect(device?.problem === null).toBe(tries > 1);
});

test('people see and end only their own; the same browser is one device, whoever uses it', async () => {
	const { push, service, audited } = await setup();
	const subscription = service.subscription();
	const mine = await push.add(subscription, FIREFOX, ADA);
	expect(mine).toMatchObject({ name: 'Firefox on Android', problem: null, waiting: 0 });
	await push.add(subscription, FIREFOX, ADA);
	expect(structuredClone(await push.list(ADA))).toHaveLength(1);
	expect(JSON.stringify(await push.list(ADA))).not.toContain('send/');
	expect(await push.list(BOB)).toEqual([]);
	const { endpoint } = subscription;
	for (const which of [{ id: mine.id }, { endpoint }])
		await expect(push.remove(which, BOB)).rejects.toMatchObject({ kind: 'not-found' });
	await push.add(subscription, FIREFOX, BOB);
	expect(await push.list(ADA)).toEqual([]);
	await push.remove({ endpoint }, BOB);
	expect(await push.recipients()).toEqual([]);
	expect(JSON.stringify(audited)).not.toContain('send/');
});

test('an account that is gone or has another password receives nothing', async () => {
	const { push, service, marks, tell } = await setup();
	await push.add(service.subscription(), FIREFOX, ADA);
	await push.add(service.subscription(), FIREFOX, BOB);
	const [first] = await push.recipients();
	marks['ada'] = 'a2';
	delete marks['bob'];
	expect(await push.recipients()).toEqual([]);
	expect(await push.list(ADA)).toEqual([]);
	const never = new AbortController().signal;
	expect(await push.send(first!.id, message(), never)).toMatchObject({ outcome: 'gone' });
	await tell();
	expect(service.received).toEqual([]);
});

test('a person has a limited number of devices, and others are not affected', async () => {
	const { push, service } = await setup();
	for (let i = 0; i < 10; i++) await push.add(service.subscription(), ANY, ADA);
	await expect(push.add(service.subscription(), ANY, ADA)).rejects.toMatchObject({
		kind: 'conflict'
	});
	await push.add(service.subscription(), ANY, BOB);
	expect(await push.list(ADA)).toHaveLength(10);
});

test('the key pair is kept across restarts of the dashboard', async () => {
	const { push, file } = await setup();
	const key = await push.publicKey();
	expect(Buffer.from(key, 'base64url')).toHaveLength(65);
	const again = createStateFile({
		...{ file: file('vapid.json'), schema: VapidFile, version: 1, defaults: NO_VAPID },
		warn: () => {}
	});
	expect(await createVapid(again).publicKey()).toBe(key);
});

test('the service of these tests decrypts the example of RFC 8291', () => {
	const bytes = (text: string) => Buffer.from(text, 'base64url');
	const receiver = createECDH('prime256v1');
	receiver.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
	const body = bytes(
		'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
	);
	const text = decrypt(body, receiver, bytes('BTBZMqHH6r4Tts7J_aSIgg')).toString();
	expect(text).toBe('When I grow up, I want to be a watermelon');
});

test.each([
	['https://fcm.googleapis.com/fcm/send/x', 'known'],
	['https://updates.push.services.mozilla.com/wpush/v2/x', 'known'],
	['https://web.push.apple.com/x', 'known'],
	['https://wns2-by3p.notify.windows.com/w/?token=x', 'known'],
	['http://127.0.0.1:7/x', 'added'],
	['http://127.0.0.1:8/x', null],
	['http://fcm.googleapis.com/x', null],
	['https://fcm.googleapis.com:8443/x', null],
	['https://fcm.googleapis.com.evil.example/x', null],
	['https://evilnotify.windows.com/x', null],
	['https://fcm.googleapis.com@evil.example/x', null],
	['https://me:pw@fcm.googleapis.com/x', null],
	['https://push.apple.com/x', null],
	['https://169.254.169.254/latest', null],
	['file:///etc/passwd', null],
	['nothing', null]
])('%s: %s', (endpoint, expected) => {
	expect(pushServiceOf(endpoint, ['http://127.0.0.1:7'])).toBe(expected);
});

test('an unknown address and unusable keys are rejected', async () => {
	const { push, service } = await setup();
	const good = service.subscription();
	const broken = [
		{ ...good, endpoint: 'https://evil.example/x' },
		{ ...good, keys: { ...good.keys, auth: 'AAAA' } },
		{ ...good, keys: { ...good.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
		{ ...good, keys: { ...good.keys, p256dh: Buffer.alloc(65).toString('base64url') } }
	];
	for (const one of broken)
		await expect(push.add(one, ANY, ADA)).rejects.toMatchObject({ kind: 'invalid' });
	expect(await push.recipients()).toEqual([]);
});

test('devices are named so that people can tell them apart', () => {
	expect(deviceName(null)).toBe('A browser');
	const safari =
		'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';
	expect(deviceName(safari)).toBe('Safari on iPhone');
	const edge = 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0';
	expect(deviceName(edge)).toBe('Edge on Windows');
});
