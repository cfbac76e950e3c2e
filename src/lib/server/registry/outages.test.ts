import net from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppError } from '#core/errors';
import { drive, failureOf, setupRegistry } from '../../../../tests/fakes/mods/registry-setup.ts';
import type { Fault, Misbehaviour } from '../../../../scripts/demo-registry/registry.ts';

const MINUTE_MS = 60_000;
const always = (fault: Fault): Misbehaviour => ({ ...fault, times: Infinity });
const status = (code: number, headers: Record<string, string> = {}): Fault => ({
	answer: { status: code, headers }
});

/** One project that is there; `ask` asks for it anew each time. */
async function setup() {
	const home = await setupRegistry();
	const { id } = home.fake.addProject({ slug: 'mod', title: 'The Mod' });
	home.fake.addVersion('mod', { number: '1' });
	const titles = async () => (await home.registry.projects([id])).map(({ title }) => title);
	const asked = () => home.fake.requests.length;
	return { ...home, id, titles, asked };
}

describe('the rate limit', () => {
	test.each([
		['Retry-After in seconds', { 'retry-after': '4' }, 4_000],
		['the reset header', { 'x-ratelimit-reset': '3', 'x-ratelimit-remaining': '0' }, 3_000],
		['no word of how long', {}, 5_000]
	])('after a 429 with %s it waits as told', async (_, headers, ms) => {
		const { fake, clock, titles, asked } = await setup();
		fake.misbehave([status(429, headers)]);
		const answer = titles();
		await expect.poll(asked).toBe(1);
		await expect.poll(() => clock.sleeping).toBe(2);
		const startMs = clock.monotonicMs();
		expect(await drive(clock, answer)).toEqual(['The Mod']);
		expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(ms);
		expect(asked()).toBe(2);
	});

	test.each([
		['Retry-After in seconds', 429, { 'retry-after': '40' }, 40],
		['a date', 429, { 'retry-after': 'Fri, 02 Jan 2026 03:05:05 GMT' }, 60],
		['the reset header', 429, { 'x-ratelimit-reset': '9', 'x-ratelimit-remaining': '0' }, 9],
		['a day, of which an hour is kept', 429, { 'retry-after': '86400' }, 3600],
		['the same with a 503', 503, { 'retry-after': '300' }, 300]
	])(
		'a caller who would wait long is told until when, at once: %s',
		async (_, code, headers, s) => {
			const { fake, clock, registry, titles, asked } = await setup();
			fake.misbehave([status(code, headers)]);
			const startMs = clock.monotonicMs();
			const words = /Try again at 0[34]:\d\d:\d\d UTC, in \d+ (seconds|minutes)\.$/;
			const message = expect.stringMatching(words);
			const refused = { kind: 'upstream', code: 'rate-limited', message };
			const first = await failureOf(titles());
			expect(first).toMatchObject(refused);
			expect((first as AppError).retryAfterS).toBeGreaterThanOrEqual(s);
			expect((first as AppError).retryAfterS).toBeLessThanOrEqual(s + 1);
			// So is everybody else, and the registry is not even contacted.
			for (const other of [titles(), registry.versionsOf('mod'), registry.versions(['x'])])
				expect(await failureOf(other)).toMatchObject(refused);
			expect([asked(), clock.monotonicMs() - startMs]).toEqual([1, 0]);
			expect(registry.trouble()?.message).toMatch(words);
			await clock.advance((s - 7) * 1000);
			expect(await failureOf(titles())).toMatchObject(refused);
			await clock.advance(2_000);
			expect(await drive(clock, titles())).toEqual(['The Mod']);
			expect(registry.trouble()).toBeNull();
		}
	);

	test('cached answers are still returned', async () => {
		const { fake, clock, titles } = await setup();
		await titles();
		await clock.advance(60 * MINUTE_MS);
		fake.misbehave([always(status(429, { 'retry-after': '300' }))]);
		const startMs = clock.monotonicMs();
		expect(await titles()).toEqual(['The Mod']);
		expect(clock.monotonicMs()).toBe(startMs);
	});

	test('a limit reported to one caller holds for all, and nobody sends requests in the meantime', async () => {
		const { fake, clock, registry, titles, asked } = await setup();
		fake.misbehave([status(429, { 'retry-after': '5' })]);
		const first = titles();
		await expect.poll(asked).toBe(1);
		await expect.poll(() => clock.sleeping).toBe(2);
		const others = Promise.all([registry.versionsOf('mod'), registry.versions(['x'])]);
		await clock.advance(4_000);
		expect(asked()).toBe(1);
		await drive(clock, Promise.all([first, others]));
		expect(asked()).toBe(4);
	});

	test('when the limit is used up no further request follows', async () => {
		const { fake, clock, registry, titles, asked } = await setup();
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '20' };
		fake.misbehave([{ answer: { headers, body: '[]' } }]);
		await titles();
		const startMs = clock.monotonicMs();
		await drive(clock, registry.versionsOf('mod'));
		expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(5_000);
		expect(asked()).toBe(2);
	});

	test('a registry that only ever answers 429 is given up on, with a clear message', async () => {
		const { fake, clock, registry, titles } = await setup();
		fake.misbehave([always(status(429, { 'retry-after': '1' }))]);
		const error = await failureOf(drive(clock, titles()));
		expect(error).toMatchObject({ kind: 'upstream', code: 'rate-limited', retryAfterS: 60 });
		expect(registry.trouble()?.message).toBe(error.message);
	});

	test('unanswered requests keep nobody else waiting', async () => {
		const { fake, clock, registry, titles, asked } = await setup();
		fake.misbehave([always({ stall: 'at-once', on: /versions\?/ } as Fault)]);
		let over = 0;
		for (let n = 0; n < 12; n++)
			void registry
				.versions([`v${n}`])
				.catch(() => {})
				.finally(() => over++);
		await expect.poll(asked).toBe(4);
		const startMs = clock.monotonicMs();
		expect(await drive(clock, titles())).toEqual(['The Mod']);
		expect(clock.monotonicMs() - startMs).toBeLessThan(10_000);
		expect([asked(), over]).toEqual([13, 0]);
	});

	test('when too many hang, later callers are told so', async () => {
		const { fake, clock, registry, asked } = await setup();
		fake.misbehave([always({ stall: 'at-once' })]);
		const codes: (string | undefined)[] = [];
		for (let n = 0; n < 30; n++)
			failureOf(registry.versions([`v${n}`])).then(
				({ code }) => codes.push(code),
				() => {}
			);
		for (let s = 0; s < 7; s++) {
			await expect.poll(asked).toBe(Math.min(24, 4 * (s + 1)));
			await clock.advance(2_000);
		}
		await expect.poll(() => codes).toEqual(Array(6).fill('crowded'));
		expect(asked()).toBe(24);
	});

	test('at most four requests start at once, and identical ones are sent once', async () => {
		const { fake, clock, registry, asked } = await setup();
		fake.misbehave([always({ stall: 'at-once' })]);
		for (let n = 0; n < 10; n++) void registry.versions([`v${n}`]).catch(() => {});
		await expect.poll(asked).toBe(4);
		await clock.advance(1);
		expect(asked()).toBe(4);
		fake.misbehave([]);
		const same = Promise.all([1, 2, 3].map(() => registry.projects(['mod'])));
		await drive(clock, same);
		expect(fake.requests.filter(({ path }) => path === '/v2/projects')).toHaveLength(1);
	});
});

describe('an outage', () => {
	test.each([
		['500', status(500)],
		['502', status(502)],
		['503', status(503)],
		['a hang-up', { cut: 'at-once' } as Fault],
		['a torn answer', { cut: 20 } as Fault]
	])('that is short (%s) goes unnoticed', async (_, fault) => {
		const { fake, clock, titles, asked } = await setup();
		fake.misbehave([fault, fault]);
		expect(await drive(clock, titles())).toEqual(['The Mod']);
		expect(asked()).toBe(3);
	});

	test.each([
		['502', status(502), 'upstream', 'answered with error 502'],
		['a hang-up', { cut: 'at-once' } as Fault, 'upstream', 'it closed the connection'],
		['silence', { stall: 'at-once' } as Fault, 'timeout', 'stopped answering'],
		['half an answer and silence', { stall: 20 } as Fault, 'timeout', 'stopped answering']
	])('that lasts (%s) is reported after four attempts', async (_, fault, kind, message) => {
		const { fake, clock, titles, asked, registry, warnings } = await setup();
		fake.misbehave([always(fault)]);
		const error = await failureOf(drive(clock, titles()));
		expect(error).toMatchObject({ kind, message: expect.stringContaining(message) });
		expect(asked()).toBe(4);
		expect(registry.trouble()?.since).toMatch(/^2026-01-02T03:0/);
		// Whoever asks next is told at once.
		await failureOf(drive(clock, titles()));
		expect(asked()).toBe(5);
		expect(warnings).toEqual(['The mod registry does not answer']);
		fake.misbehave([]);
		await titles();
		expect(registry.trouble()).toBeNull();
		expect(warnings.at(-1)).toBe('The mod registry answers again');
	});

	test('a registry that sends one byte a second is given up on in the end', async () => {
		const { fake, clock, titles } = await setup();
		fake.misbehave([always({ drip: 1, everyMs: 20 })]);
		const error = await failureOf(drive(clock, titles(), 500));
		expect(error).toMatchObject({ kind: 'timeout' });
	});

	test('what was known before is still returned, complete, but nothing new', async () => {
		const { fake, clock, registry, id, titles } = await setup();
		const hash = fake.store.versions[0]!.files[0]!.sha512;
		await Promise.all([titles(), registry.byHash([hash]), registry.versionsOf(id)]);
		await clock.advance(60 * MINUTE_MS);
		await fake.close();
		const other = 'a'.repeat(128);
		expect(await drive(clock, titles())).toEqual(['The Mod']);
		expect((await drive(clock, registry.versionsOf(id))).length).toBe(1);
		expect((await drive(clock, registry.byHash([hash]))).size).toBe(1);
		expect(await failureOf(drive(clock, registry.byHash([hash, other])))).toMatchObject({
			kind: 'upstream',
			message: expect.stringContaining('it refuses the connection')
		});
		expect((await registry.byHash([hash, other], { partial: true })).size).toBe(1);
		const latest = registry.latest([hash], { loaders: ['fabric'], gameVersion: '1.21.1' });
		await expect(drive(clock, latest)).rejects.toMatchObject({ kind: 'upstream' });
		expect(registry.trouble()).toMatchObject({ since: expect.stringMatching(/^2026-01-02T04:/) });
	}, 10_000);

	test('a slow registry does not keep a page waiting that has older data', async () => {
		const { fake, clock, titles } = await setup();
		await titles();
		await clock.advance(60 * MINUTE_MS);
		fake.misbehave([{ stall: 'at-once' }]);
		const startMs = clock.monotonicMs();
		expect(await drive(clock, titles())).toEqual(['The Mod']);
		expect(clock.monotonicMs() - startMs).toBeLessThan(15_000);
	});

	test('a name that does not resolve, and an unencrypted connection, are reported as such', async () => {
		const { client, clock } = await setupRegistry();
		const nowhere = client({ baseUrl: new URL('https://registry.invalid/v2') });
		const error = await failureOf(drive(clock, nowhere.projects(['mod'])));
		expect(error.message).toMatch(/^registry\.invalid cannot be reached: /);
		const server = net.createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')).listen(0);
		onTestFinished(() => void server.close());
		await once(server, 'listening');
		const { port } = server.address() as net.AddressInfo;
		const plain = client({ baseUrl: new URL(`https://127.0.0.1:${port}/v2`) });
		expect(await failureOf(plain.projects(['mod']))).toMatchObject({ code: 'tls' });
	});

	test('closing aborts what is under way', async () => {
		const { fake, registry, titles, asked } = await setup();
		fake.misbehave([always({ stall: 'at-once' })]);
		const answer = titles();
		await expect.poll(asked).toBe(1);
		registry.close();
		expect((await failureOf(answer)).message).toBe('Craftwarden is being stopped.');
	});
});

describe('an invalid answer', () => {
	const answer = (body: string, headers = {}): Fault => ({ answer: { body, headers } });

	test.each([
		['garbage', answer('\u0000\u0001{]')],
		['nothing', answer('')],
		['a login page', answer('<!doctype html><title>Sign in</title>')],
		['an object instead of a list', answer('{"message":"hi"}')],
		['a text', answer('"[]"')],
		['null', answer('null')],
		['half a list', answer('[{"id":"x"},')],
		['an unknown encoding', answer('[]', { 'content-encoding': 'zstd' })],
		['a broken encoding', answer('[]', { 'content-encoding': 'gzip' })],
		['another broken encoding', answer('[]', { 'content-encoding': 'br' })],
		['more than we take', answer('[]', { 'content-length': String(600 << 20) })],
		['a gzip bomb', { gzipBomb: 40 << 20 } as Fault]
	])('%s is rejected, requested once, and reported', async (_, fault) => {
		const { fake, titles, asked, registry } = await setup();
		fake.misbehave([always(fault)]);
		const error = await failureOf(titles());
		expect(error).toMatchObject({ kind: 'upstream', code: 'nonsense' });
		expect([asked(), registry.trouble()?.message]).toEqual([1, error.message]);
	});

	test('broken list items are left out, odd values in an item are corrected', async () => {
		const { fake, registry, id } = await setup();
		const change = ([one]: [Record<string, unknown>]) => [
			null,
			7,
			{ ...one, id: '../x' },
			{ ...one, title: 5 },
			{ ...one, downloads: 'many', icon_url: {}, license: 7, source_url: 'javascript:alert(1)' },
			{ ...one, id: 'other', slug: '../..', title: 'A\u202e\nB', surprise: true, body: 'x\u0000y' }
		];
		fake.misbehave([{ change }]);
		const found = await registry.projects([id, 'other']);
		expect(found.map((one) => [one.id, one.title, one.downloads, one.hasIcon])).toEqual([
			[id, 'The Mod', 0, false],
			['other', 'A B', 1000, true]
		]);
		expect(found[0]).toMatchObject({ license: null, sourceUrl: null });
		expect(found[1]).toMatchObject({ slug: 'other', body: 'xy' });
	});

	test('names such as __proto__ are ordinary names', async () => {
		const { fake, registry } = await setup();
		const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
		fake.misbehave([always(answer(body))]);
		expect((await registry.byHash(['a'.repeat(128)])).size).toBe(0);
		fake.misbehave([answer('[{"__proto__":{"id":"mod","title":"x"}}]')]);
		expect(await registry.projects(['mod'])).toEqual([]);
		expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
	});

	test('a version under a hash that is not its own is not believed', async () => {
		const { fake, registry } = await setup();
		const [version] = await registry.versionsOf('mod');
		const hash = 'b'.repeat(128);
		fake.misbehave([
			{ change: (all: object) => ({ ...all, [hash]: Object.values(all)[0] }), on: /version_files$/ }
		]);
		const found = await registry.byHash([version!.file!.sha512, hash]);
		expect([...found.keys()]).toEqual([version!.file!.sha512]);
	});

	test('a redirect of the API to another host is not followed', async () => {
		const { fake, titles, asked } = await setup();
		const other = await setupRegistry();
		for (const to of [
			`${other.fake.url}/projects`,
			'http://169.254.169.254/x',
			'file:///etc/passwd'
		]) {
			fake.misbehave([{ redirect: to }]);
			expect(await failureOf(titles())).toMatchObject({ code: 'address-refused' });
		}
		expect(asked()).toBe(3);
		expect(other.fake.requests).toEqual([]);
		fake.misbehave([always({ redirect: '/v2/projects' })]);
		expect(await failureOf(titles())).toMatchObject({ code: 'redirects' });
		expect(asked()).toBe(9);
	});
});
