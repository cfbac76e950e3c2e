import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { drive, emptyDir, failureOf } from '../../../../tests/fakes/mods/registry-setup.ts';
import { setupSources } from '../../../../tests/fakes/sources-setup.ts';
import type { Fault } from '../../../../scripts/demo-sources/sources.ts';
import { javaOf } from '#minecraft/java';

const HOUR_MS = 60 * 60_000;
const always = (fault: Fault) => [{ ...fault, times: Infinity }];
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

describe('the available versions', () => {
	test('game versions come by date, releases and what is newer than the newest', async () => {
		const { sources } = await setupSources();
		const games = await sources.games('vanilla');
		expect(games[0]).toEqual({
			...{ id: '26.3-snapshot-3', type: 'snapshot', java: 25 },
			releasedAt: '2026-10-20T10:00:00+00:00'
		});
		expect(ids(games)).not.toContain('25w41a');
		expect(ids(games).at(-1)).toBe('1.2.5');
		expect(ids(games).indexOf('26.1')).toBeLessThan(ids(games).indexOf('1.21.11'));
	});

	test('each loader lists its own games and builds, the newest first', async () => {
		const { sources } = await setupSources();
		const builds = async (loader: Parameters<typeof sources.of>[0], game: string) =>
			(await sources.of(loader).builds(game)).map(({ id, stable }) => (stable ? `${id}!` : id));
		expect(await builds('fabric', '1.21.1')).toEqual([
			...['0.18.1', '0.18.0!', '0.17.3', '0.16.14', '0.16.9']
		]);
		expect(await builds('fabric', '26.3-snapshot-3')).toEqual([]);
		expect(await builds('neoforge', '26.1.2')).toEqual([
			...['26.1.2.31!', '26.1.2.30-beta', '26.1.2.7-beta']
		]);
		expect(await builds('neoforge', '1.21.11')).toEqual(['21.11.12-beta', '21.11.3-beta']);
		expect(await builds('neoforge', '1.20.1')).toEqual(['47.1.106!', '47.1.84!', '47.1.7!']);
		expect(await builds('neoforge', '26.1')).toEqual(['26.1.0.4-beta']);
		expect(await builds('forge', '1.20.1')).toEqual(['47.4.10', '47.4.9', '47.2.0!', '47.1.3']);
		expect(await builds('forge', '1.16.5')).toEqual([]);
		expect(await builds('paper', '1.21.11')).toEqual(['92', '91!']);
		expect(await builds('paper', '1.0')).toEqual([]);
		expect(await builds('vanilla', '1.21.1')).toEqual(['1.21.1!']);
		expect(ids(await sources.games('forge'))).toEqual(['1.21.8', '1.21.1', '1.20.1', '1.17.1']);
	});

	test('the Java a game needs comes from Mojang, or what a loader requires beyond it', async () => {
		const { sources } = await setupSources();
		const java = async (game: string) => sources.java('fabric', game);
		expect(await Promise.all(['26.2', '1.21.1', '1.20.1', '1.16.5'].map(java))).toEqual([
			...[25, 21, 17, 8]
		]);
	});

	test.each([
		['26.3-snapshot-3', 25],
		['26.1', 25],
		['25w41a', 21],
		['24w14a', 21],
		['24w13a', 17],
		['1.21.11', 21],
		['1.20.5-rc1', 21],
		['1.20.4', 17],
		['1.17', 16],
		['1.16.5', 8],
		['b1.7.3', null],
		['', null]
	])('by its name %s needs Java %s', (game, java) => expect(javaOf(game)).toBe(java));
});

describe('an outdated or missing answer', () => {
	test('is requested once in six hours, and used however old when nobody answers', async () => {
		const { fake, clock, sources } = await setupSources();
		const listed = clock.now().toISOString();
		const first = ids(await sources.games('neoforge'));
		const asked = fake.requests.length;
		await clock.advance(5 * HOUR_MS);
		expect(ids(await sources.games('neoforge'))).toEqual(first);
		expect(fake.requests).toHaveLength(asked);
		await clock.advance(2 * HOUR_MS);
		fake.misbehave(always({ answer: { status: 503 } }));
		expect(ids(await drive(clock, sources.games('neoforge')))).toEqual(first);
		expect(sources.trouble('neoforge')).toMatchObject({
			message: expect.stringMatching(/error 503/),
			listsFrom: listed
		});
		const before = fake.requests.length;
		expect(ids(await sources.games('neoforge'))).toEqual(first);
		expect(fake.requests).toHaveLength(before);
		fake.misbehave([]);
		await clock.advance(HOUR_MS);
		await sources.games('neoforge');
		expect(sources.trouble('neoforge')).toBeNull();
	});

	test('is told with its age when nonsense is answered too', async () => {
		const { fake, clock, sources } = await setupSources();
		const listed = clock.now().toISOString();
		const first = ids(await sources.games('neoforge'));
		await clock.advance(7 * HOUR_MS);
		fake.misbehave(always({ answer: { body: '<!doctype html>' } }));
		expect(ids(await sources.games('neoforge'))).toEqual(first);
		expect(sources.trouble('neoforge')).toMatchObject({ listsFrom: listed });
		fake.misbehave([]);
		await clock.advance(HOUR_MS);
		await sources.games('neoforge');
		expect(sources.trouble('neoforge')).toBeNull();
	});

	test.each<[string, Fault, object]>([
		['403', { answer: { status: 403 } }, { code: 'refused' }],
		['HTML', { answer: { body: '<!doctype html><title>x</title>' } }, { code: 'nonsense' }],
		['nothing', { answer: { body: '' } }, { code: 'nonsense' }],
		['an empty list', { answer: { body: '{"versions":[]}' } }, { code: 'nonsense' }],
		['wrong types', { answer: { body: '{"versions":{"a":1}}' } }, { code: 'nonsense' }],
		['too much', { gzipBomb: 40 << 20 }, { code: 'nonsense' }],
		['a redirect to loopback', { redirect: 'http://127.0.0.1:9/x' }, { code: 'address-refused' }],
		['a redirect elsewhere', { redirect: 'https://evil.example/' }, { code: 'address-refused' }],
		[
			'a pause',
			{ answer: { status: 429, headers: { 'retry-after': '300' } } },
			{ code: 'rate-limited' }
		]
	])('%s ends in a sentence', async (_, fault, expected) => {
		const { fake, sources } = await setupSources();
		fake.misbehave(always(fault));
		// None of these is retried, so no time has to pass.
		const error = await failureOf(sources.games('vanilla'));
		expect(error).toMatchObject({ name: 'AppError', ...expected });
		expect(error.message).toMatch(/\.$/);
	});

	test('a truncated answer is requested again, then ends in a sentence', async () => {
		const { fake, clock, sources } = await setupSources();
		fake.misbehave(always({ cut: 20 }));
		const error = await failureOf(drive(clock, sources.games('vanilla')));
		expect(error).toMatchObject({ name: 'AppError', kind: 'upstream' });
		expect(error.message).toMatch(/\.$/);
		expect(fake.requests.length).toBeGreaterThan(1);
	});

	test('a client without a name is refused, and we identify ourselves', async () => {
		const { fake, sources, client } = await setupSources();
		await sources.games('paper');
		expect(fake.requests.every(({ userAgent }) => userAgent.startsWith('craftwarden/'))).toBe(true);
		const nobody = client({ userAgent: 'node' });
		expect(await failureOf(nobody.games('paper'))).toMatchObject({ code: 'refused' });
	});
});

describe('downloads', () => {
	const loaders = [
		['vanilla', '1.21.1', '1.21.1'],
		['fabric', '1.21.1', '0.18.0'],
		['neoforge', '1.21.1', '21.1.209'],
		['neoforge', '1.20.1', '47.1.106'],
		['forge', '1.20.1', '47.2.0'],
		['paper', '1.21.11', '91']
	] as const;

	test.each(loaders)('%s for %s arrives whole', async (loader, game, build) => {
		const { sources } = await setupSources();
		const { file, names } = await emptyDir();
		const source = sources.of(loader);
		await source.download(await source.artifact(game, build), file, {});
		expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
		expect(await names()).toEqual(['mod.jar']);
	});

	test.each(loaders)('%s for %s offers no unknown build', async (loader) => {
		const { sources } = await setupSources();
		const unknown = sources.of(loader).artifact('9.9.9', '0.0.1');
		expect(await failureOf(unknown)).toMatchObject({ kind: 'not-found' });
	});

	const JAR = /server\.jar$|server\/jar$|installer\.jar$|\/paper-[^/]*\.jar$/;
	const wrong: [string, Fault][] = [
		['HTML', { answer: { body: '<!doctype html>' } }],
		['another zip', { answer: { body: Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1') } }],
		['half of it', { bytes: (body) => body.subarray(0, body.length >> 1) }],
		['half of it, cut off', { cut: 40 }],
		['changed bytes', { bytes: (body) => Buffer.concat([body.subarray(0, -1), Buffer.from('x')]) }],
		['a file elsewhere', { redirect: 'https://evil.example/x.jar' }],
		['a file in this network', { redirect: 'http://192.168.0.1/x.jar' }]
	];
	test.each(wrong.flatMap(([name, fault]) => loaders.map((one) => [name, ...one, fault] as const)))(
		'%s instead of %s %s leaves nothing behind',
		async (name, loader, game, build, fault) => {
			const { fake, clock, sources } = await setupSources();
			const { file, names } = await emptyDir();
			const source = sources.of(loader);
			const artifact = await source.artifact(game, build);
			fake.misbehave([{ ...fault, on: JAR, times: Infinity }]);
			// Without a checksum a changed byte in the middle of nowhere is not seen.
			if (name === 'changed bytes' && !artifact.hash) return;
			const error = await failureOf(drive(clock, source.download(artifact, file, {})));
			expect(error).toMatchObject({ name: 'AppError', kind: 'upstream' });
			expect(await names()).toEqual([]);
		}
	);

	test('a launcher for another version is not accepted for this one', async () => {
		const { fake, sources } = await setupSources();
		const { file, names } = await emptyDir();
		const source = sources.of('fabric');
		const artifact = await source.artifact('1.21.1', '0.18.0');
		const other = await fetch(
			`${fake.addresses.FABRIC_META_URL}/v2/versions/loader/1.20.1/0.18.0/1.1.0/server/jar`,
			{ headers: { 'user-agent': 'craftwarden-test' } }
		);
		const body = Buffer.from(await other.arrayBuffer());
		fake.misbehave([{ answer: { body }, on: JAR }]);
		expect(await failureOf(source.download(artifact, file, {}))).toMatchObject({ code: 'bad-jar' });
		expect(await names()).toEqual([]);
	});

	test('without a published checksum, an installer is identified by its contents', async () => {
		const { sources } = await setupSources({ sums: false });
		const { file } = await emptyDir();
		const artifact = await sources.of('forge').artifact('1.20.1', '47.2.0');
		expect(artifact.hash).toBeNull();
		await sources.of('forge').download(artifact, file, {});
	});
});

describe('Java', () => {
	test('comes with a checksum, without the compiler where such a build exists', async () => {
		const { sources } = await setupSources();
		const { file } = await emptyDir();
		const archive = await sources.javas.find(21);
		expect(archive).toMatchObject({ release: 'jdk-21.0.9+10', hash: { algorithm: 'sha256' } });
		expect(archive.fileName).toMatch(/^OpenJDK21U-jre_x64_linux/);
		await sources.javas.download(archive, file, {});
		expect((await sources.javas.find(16)).fileName).toMatch(/^OpenJDK16U-jdk_/);
		expect(await failureOf(sources.javas.find(99))).toMatchObject({ kind: 'not-found' });
	});

	test('an unsupported machine is told so', async () => {
		const { client } = await setupSources();
		const odd = client({ machine: { arch: 'mips', musl: false } });
		expect(await failureOf(odd.javas.find(21))).toMatchObject({ kind: 'not-found' });
	});
});
