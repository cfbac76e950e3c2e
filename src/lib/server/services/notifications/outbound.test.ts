import { afterAll, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '#core/clock';
import { answers, BEHAVIOURS, startPeer } from '../../../../../tests/fakes/notify-peer.ts';
import { createPoster, createTransports } from './outbound.ts';

const opened: ReturnType<typeof createTransports>[] = [];
afterAll(() => opened.forEach((all) => Object.values(all).forEach((one) => one.close())));

/** Waits a thirtieth of the time. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 30, signal) };

function poster(found?: string[]) {
	const transports = createTransports(
		found && ((_, __, callback) => callback(null, [{ address: found.shift()!, family: 4 }]))
	);
	opened.push(transports);
	const post = createPoster({ transports, userAgent: 'craftwarden/test', clock: hasty });
	const never = new AbortController().signal;
	return (url: string, allowPrivate = true) => post({ url, body: '{"a":1}' }, allowPrivate, never);
}

test('requests are JSON with our name', async () => {
	const peer = await startPeer(answers(200, '{"ok":true}'));
	expect(await poster()(`${peer.url}/x`)).toMatchObject({
		...{ outcome: 'delivered', status: 200, answer: '{"ok":true}' }
	});
	expect(peer.received[0]).toMatchObject({
		path: '/x',
		json: { a: 1 },
		headers: { 'content-type': 'application/json', 'user-agent': 'craftwarden/test' }
	});
});

test.each([
	...[401, 403, 404, 410].map((status) => [status, 'gone'] as const),
	...[400, 405, 413, 422].map((status) => [status, 'refused'] as const),
	...[301, 302, 307, 408, 425, 429, 500, 502, 503, 599].map((status) => [status, 'later'] as const)
])('an answer of %i: %s', async (status, outcome) => {
	const peer = await startPeer(answers(status, 'words', { location: 'http://127.0.0.1:1/' }));
	expect(await poster()(peer.url)).toMatchObject({ outcome, status, answer: 'words' });
	expect(peer.received).toHaveLength(1);
});

test.each([
	['in seconds', { 'retry-after': '7' }, '', 7000],
	['a whole day', { 'retry-after': '999999' }, '', 86_400_000],
	['as Discord says it', {}, '{"retry_after": 0.65, "global": false}', 650],
	['in both ways', { 'retry-after': '1' }, '{"retry_after": 1.5}', 1500],
	['with nonsense', { 'retry-after': 'soon' }, '', null],
	['not at all', {}, '', null]
])('the pause is given %s', async (_, headers, body, ms) => {
	const peer = await startPeer(answers(429, body, headers as Record<string, string>));
	expect(await poster()(peer.url)).toMatchObject({ outcome: 'later', retryAfterMs: ms });
});

test('the pause is given as a date', async () => {
	const date = new Date(Date.now() + 60_000).toUTCString();
	const peer = await startPeer(answers(429, '', { 'retry-after': date }));
	const { retryAfterMs } = await poster()(peer.url);
	expect(retryAfterMs).toBeGreaterThan(50_000);
	expect(retryAfterMs).toBeLessThanOrEqual(60_000);
});

test.each(['silent', 'slow'] as const)(
	'one that is %s is abandoned at its time limit',
	async (how) => {
		const peer = await startPeer(BEHAVIOURS[how]);
		expect(await poster()(peer.url)).toMatchObject({
			outcome: 'later',
			words: 'It did not answer within 10 seconds.'
		});
	}
);

test.each([
	['cuts', /closed the connection/],
	['garbage', /not HTTP/],
	['floods', /problem of its own/]
] as const)('one that %s', async (how, words) => {
	const peer = await startPeer(BEHAVIOURS[how]);
	const { outcome, words: said, answer } = await poster()(peer.url);
	expect(outcome).toBe('later');
	expect(said).toMatch(words);
	expect((answer ?? '').length).toBeLessThanOrEqual(300);
});

describe('addresses', () => {
	const PRIVATE = [
		'127.0.0.1',
		'10.0.0.1',
		'192.168.1.5',
		'169.254.169.254',
		'[::1]',
		'0x7f000001'
	];
	test.each(PRIVATE)('https://%s is not contacted unless the channel allows it', async (host) => {
		expect(await poster()(`https://${host}/`, false)).toMatchObject({
			outcome: 'later',
			words: expect.stringContaining('inside this machine or its network')
		});
	});
	test('a name that resolves to an internal address is not contacted, checked each time', async () => {
		const post = poster(['10.0.0.1', '127.0.0.1']);
		for (let i = 0; i < 2; i++)
			expect((await post('https://rebind.example/', false)).words).toContain('inside this machine');
	});
	test('plain http never leaves the network', async () => {
		const peer = await startPeer();
		const guarded = await poster()(peer.url, false);
		expect(guarded.words).toContain('without encryption');
		const named = await poster(['93.184.216.34'])('http://public.example/');
		expect(named.words).toContain('without encryption');
		expect((await poster()('http://93.184.216.34/')).words).toContain('without encryption');
		expect(peer.received).toEqual([]);
	});
	test('the target of a redirect is never requested', async () => {
		const inside = await startPeer();
		const peer = await startPeer(answers(307, '', { location: inside.url }));
		const { outcome, words } = await poster()(peer.url);
		expect(outcome).toBe('later');
		expect(words).toContain('not followed');
		expect(inside.received).toEqual([]);
	});
	test('no failure contains the address: it may be a secret', async () => {
		const { words } = await poster()('http://127.0.0.1:1/api/webhooks/1/geheim');
		expect(words).toBe('It refuses the connection.');
	});
});
