import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
	drive,
	emptyDir,
	failureOf,
	setupRegistry
} from '../../../../tests/fakes/mods/registry-setup.ts';
import type { Fault, FileInput } from '../../../../scripts/demo-registry/registry.ts';
import type { RegistryFile } from './modrinth.ts';
import { createTransport } from '#core/net';

const BYTES = Buffer.from('PK\u0003\u0004 a jar, more or less. '.repeat(8000));

async function setup(file: Partial<FileInput> = {}) {
	const home = await setupRegistry();
	const target = await emptyDir();
	home.fake.addProject({ slug: 'mod' });
	const name = 'mod-1.0+mc1.21.1.jar';
	home.fake.addVersion('mod', { number: '1', files: [{ name, bytes: BYTES, ...file }] });
	const [version] = await home.registry.versionsOf('mod');
	home.fake.requests.length = 0;
	const wanted = version!.file!;
	const get = (more: Partial<RegistryFile> = {}) =>
		home.registry.download({ ...wanted, ...more }, target.file, {});
	const asked = () => home.fake.requests.length;
	return { ...home, ...target, wanted, get, asked };
}
const always = (fault: Fault) => ({ ...fault, times: Infinity });

test('a file arrives whole under its name, with progress', async () => {
	const { registry, fake, wanted, file, names } = await setup();
	const told: number[] = [];
	await registry.download(wanted, file, { progress: (bytes) => void told.push(bytes) });
	expect((await readFile(file)).equals(BYTES)).toBe(true);
	expect(await names()).toEqual(['mod.jar']);
	expect(told.at(-1)).toBe(BYTES.length);
	expect(told).toEqual([...told].sort((a, b) => a - b));
	expect(fake.requests[0]?.url).toContain('mod-1.0%2Bmc1.21.1.jar');
});

test('nothing appears under the name before it is complete', async () => {
	const { fake, registry, wanted, file, names } = await setup();
	const seen: string[][] = [];
	await registry.download(wanted, file, { progress: () => void names().then((n) => seen.push(n)) });
	expect(seen.flat().filter((name) => !/^\.mod\.jar\.[0-9a-f]{12}\.tmp$/.test(name))).toEqual(
		seen
			.flat()
			.filter((name) => name === 'mod.jar')
			.slice(0, 1)
	);
	expect(fake.requests).toHaveLength(1);
});

describe('integrity', () => {
	const changed = (bytes: Buffer) => Buffer.concat([Buffer.from('X'), bytes.subarray(1)]);
	const extra = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('more')]);
	const short = (bytes: Buffer) => bytes.subarray(0, -10);

	test.each([
		['other bytes', { bytes: changed }, 'wrong-hash'],
		['too few bytes', { bytes: short }, 'wrong-size'],
		['too few bytes without a length', { bytes: short, chunked: true }, 'wrong-size'],
		['too many bytes', { bytes: extra }, 'wrong-size'],
		['too many bytes without a length', { bytes: extra, chunked: true }, 'wrong-size'],
		['an empty body', { bytes: () => Buffer.alloc(0) }, 'wrong-size'],
		['a web page', { answer: { body: '<html>Sign in</html>' } }, 'wrong-size'],
		['another encoding', { answer: { headers: { 'content-encoding': 'gzip' } } }, 'refused-file'],
		['a file that is gone', { answer: { status: 404 } }, 'gone'],
		['a file that nobody may have', { answer: { status: 403 } }, 'refused'],
		['something half', { answer: { status: 206, body: 'x' } }, 'refused']
	] as [string, Fault, string][])('%s: refused, and nothing is left', async (_, fault, code) => {
		const { fake, get, names, asked, dir } = await setup();
		await writeFile(path.join(dir, 'old.jar'), 'stays');
		fake.misbehave([always(fault)]);
		expect(await failureOf(get())).toMatchObject({ kind: 'upstream', code });
		expect(await names()).toEqual(['old.jar']);
		expect(asked()).toBe(1);
	});

	test('an existing file stays when the new one is refused, and is replaced when it is accepted', async () => {
		const { fake, get, file } = await setup();
		await writeFile(file, 'the old one');
		fake.misbehave([{ bytes: changed }]);
		await failureOf(get());
		expect(await readFile(file, 'utf8')).toBe('the old one');
		await get();
		expect((await readFile(file)).equals(BYTES)).toBe(true);
	});

	test('a wrong claim of the registry is a wrong file, and an oversized file is not started', async () => {
		const { get, names, asked } = await setup();
		const other = createHash('sha512').update('other').digest('hex');
		expect(await failureOf(get({ sha512: other }))).toMatchObject({ code: 'wrong-hash' });
		expect(await failureOf(get({ size: 7 }))).toMatchObject({ code: 'wrong-size' });
		expect(await failureOf(get({ size: 300 << 20 }))).toMatchObject({ code: 'too-large' });
		expect(asked()).toBe(2);
		expect(await names()).toEqual([]);
	});
});

describe('a bad connection', () => {
	test.each([
		['503', { answer: { status: 503 } }],
		['a hang-up', { cut: 'at-once' }],
		['a hang-up at 99 %', { cut: BYTES.length - 100 }]
	] as [string, Fault][])('%s is retried, from the beginning', async (_, fault) => {
		const { fake, clock, get, file, asked } = await setup();
		fake.misbehave([fault, fault]);
		await drive(clock, get());
		expect((await readFile(file)).equals(BYTES)).toBe(true);
		expect(asked()).toBe(3);
	});

	test.each([
		['silence', { stall: 'at-once' }],
		['silence at 99 %', { stall: BYTES.length - 100 }],
		['a byte now and then', { drip: 1, everyMs: 5 }]
	] as [string, Fault][])('%s is given up on, and nothing is left', async (_, fault) => {
		const { fake, clock, get, names } = await setup();
		fake.misbehave([always(fault)]);
		expect(await failureOf(drive(clock, get(), 1000))).toMatchObject({ kind: 'timeout' });
		expect(await names()).toEqual([]);
	});

	test('a caller that aborts gets its own reason, and nothing is left', async () => {
		const { fake, registry, wanted, file, names, asked } = await setup();
		fake.misbehave([{ stall: 1000 }]);
		const abort = new AbortController();
		const work = registry.download(wanted, file, { signal: abort.signal });
		await expect.poll(names).toHaveLength(1);
		const reason = new Error('enough');
		abort.abort(reason);
		expect(await failureOf(work)).toBe(reason);
		expect(await names()).toEqual([]);
		expect(await failureOf(registry.download(wanted, file, { signal: abort.signal }))).toBe(reason);
		expect(asked()).toBe(1);
	});

	test('closing the client aborts it too', async () => {
		const { fake, registry, get, names } = await setup();
		fake.misbehave([{ stall: 1000 }]);
		const work = get();
		await expect.poll(names).toHaveLength(1);
		registry.close();
		expect((await failureOf(work)).message).toBe('Craftwarden is being stopped.');
		expect(await names()).toEqual([]);
	});
});

describe('where files come from', () => {
	test.each([
		'http://cdn.modrinth.com/x.jar',
		'https://cdn.modrinth.com:8443/x.jar',
		'https://example.org/x.jar',
		'file:///etc/passwd',
		'http://169.254.169.254/',
		'http://[::1]/',
		'http://0x7f000001/',
		'http://localhost./',
		'not an address'
	])('never from %s, not even by a redirect', async (url) => {
		const { fake, get, names, asked } = await setup();
		const direct = await failureOf(get({ url }));
		expect(direct).toMatchObject({ kind: 'upstream' });
		expect(asked()).toBe(0);
		fake.misbehave([{ redirect: url }]);
		if (URL.canParse(url))
			expect(await failureOf(get())).toMatchObject({ code: 'address-refused' });
		expect(await names()).toEqual([]);
	});

	test('not from another port of this machine, even if the registry is on it', async () => {
		const { fake, get } = await setup();
		const other = await setupRegistry();
		const url = `${new URL(other.fake.url).origin}/data/x`;
		expect(await failureOf(get({ url }))).toMatchObject({ code: 'address-refused' });
		fake.misbehave([{ redirect: url }]);
		expect(await failureOf(get())).toMatchObject({ code: 'address-refused' });
		expect(other.fake.requests).toEqual([]);
	});

	test('five redirects are followed, a sixth is not', async () => {
		const { fake, get, asked, wanted, file } = await setup();
		const on = { redirect: wanted.url };
		fake.misbehave([on, on, on, on, on]);
		await get();
		expect((await readFile(file)).equals(BYTES)).toBe(true);
		expect(asked()).toBe(6);
		fake.misbehave([always(on)]);
		expect(await failureOf(get())).toMatchObject({ code: 'redirects' });
		expect(asked()).toBe(12);
		fake.misbehave([{ answer: { status: 302 } }]);
		expect(await failureOf(get())).toMatchObject({ kind: 'upstream' });
	});

	test('a known name that resolves to this machine is not connected to', async () => {
		const { client, file, names, wanted } = await setup();
		const lookedUp: string[] = [];
		for (const address of ['127.0.0.1', '10.0.0.7', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
			const family = address.includes(':') ? 6 : 4;
			const transport = createTransport((hostname, _, callback) => {
				lookedUp.push(hostname);
				callback(null, [{ address, family }]);
			});
			const registry = client({ transport });
			const url = 'https://cdn.modrinth.com/data/x/versions/y/z.jar';
			const error = await failureOf(registry.download({ ...wanted, url }, file, {}));
			expect(error).toMatchObject({ kind: 'upstream', code: 'address-refused' });
			expect(error.message).toContain('cdn.modrinth.com leads to an address inside this machine');
		}
		expect(lookedUp).toEqual(Array(5).fill('cdn.modrinth.com'));
		expect(await names()).toEqual([]);
	});
});

describe('our own disk', () => {
	test('a folder that is missing or not writable is reported as such, and the registry is not blamed', async () => {
		const { registry, wanted, dir } = await setup();
		const nowhere = path.join(dir, 'gone', 'mod.jar');
		expect(await failureOf(registry.download(wanted, nowhere, {}))).toMatchObject({
			kind: 'internal',
			code: 'disk-enoent',
			message: 'The download could not be saved: the folder is gone.'
		});
		if (process.getuid?.() === 0) return;
		await mkdir(path.join(dir, 'locked'));
		await chmod(path.join(dir, 'locked'), 0o500);
		const locked = path.join(dir, 'locked', 'mod.jar');
		expect(await failureOf(registry.download(wanted, locked, {}))).toMatchObject({
			code: 'disk-eacces'
		});
	});

	test('a link in place of the file is replaced, not followed', async () => {
		const { get, dir, file } = await setup();
		await writeFile(path.join(dir, 'victim'), 'untouched');
		await symlink('victim', file);
		await get();
		expect(await readFile(path.join(dir, 'victim'), 'utf8')).toBe('untouched');
		expect((await readFile(file)).equals(BYTES)).toBe(true);
	});
});
