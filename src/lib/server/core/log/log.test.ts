import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { createLogger } from './log.ts';

async function setup(options: { secrets?: string[]; fileMaxBytes?: number; dir?: string } = {}) {
	const dir = options.dir ?? path.join(await tempDir(), 'logs');
	const terminal: string[] = [];
	const log = createLogger({
		dir,
		secrets: options.secrets ?? [],
		terminal: (line) => terminal.push(line),
		fileMaxBytes: options.fileMaxBytes
	});
	const text = () => readFile(path.join(dir, 'craftwarden.log'), 'utf8');
	const lines = async () =>
		(await text())
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
	return { dir, log, terminal, text, lines };
}

test('each message is a line of JSON; only warnings and errors reach the terminal', async () => {
	const { log, lines, terminal } = await setup();
	log.info('Started', { port: 3000 });
	log.warn('Careful');
	log.error('Broken', { cause: new Error('the reason'), id: 'abc' });
	expect(await lines()).toMatchObject([
		{ level: 'info', message: 'Started', port: 3000, at: expect.any(String) },
		{ level: 'warn', message: 'Careful' },
		{ level: 'error', message: 'Broken', id: 'abc', cause: { message: 'the reason' } }
	]);
	expect(terminal).toEqual(['craftwarden warn: Careful', 'craftwarden error: Broken (the reason)']);
});

test('folder and file are readable by us alone', async () => {
	const { dir, log } = await setup();
	log.info('x');
	expect((await stat(dir)).mode & 0o777).toBe(0o700);
	expect((await stat(path.join(dir, 'craftwarden.log'))).mode & 0o777).toBe(0o600);
});

test('secrets are masked in messages, facts, keys, nested causes, stacks, URLs and JSON', async () => {
	const secret = 'p"ä ss\\wörd';
	const { log, text, terminal } = await setup({ secrets: [secret, 'rcon-secret', '', 'ab'] });
	const deep = new Error(`sent ${secret}`);
	deep.stack = `Error: sent ${secret}\n    at here`;
	log.error(`failed with ${secret}`, {
		cause: new Error('outer', { cause: new AggregateError([deep, 'rcon-secret']) }),
		[`key rcon-secret`]: { list: [new Map([['a', `x${secret}x`]])] },
		url: new URL(`http://x/?q=${encodeURIComponent(secret)}`),
		json: JSON.stringify({ secret }),
		password: 'not in the list',
		headers: { Authorization: 'Bearer x', cookie: 'y' }
	});
	for (const output of [await text(), terminal.join('\n')]) {
		expect(output).not.toContain('wörd');
		expect(output).not.toContain('w%C3%B6rd');
		expect(output).not.toContain('rcon-secret');
		expect(output).not.toContain('not in the list');
		expect(output).not.toContain('Bearer');
		expect(output).toContain('***');
	}
});

test('no message can forge a line or move the cursor', async () => {
	const { log, text, lines, terminal } = await setup();
	const evil = 'x\r\n{"level":"error"}\u001b[2J\u009b1m\u2028\u202e\u0000\u007f';
	log.warn(evil, { [evil]: evil, cause: new Error(evil) });
	expect(await lines()).toHaveLength(1);
	const raw = (await text()) + terminal.join('');
	expect(raw.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
	expect((await lines())[0].message).toBe(evil);
});

test('facts cannot pose as the level, the time or the message', async () => {
	const { log, lines } = await setup();
	log.info('real', { level: 'error', message: 'false', at: 'never' });
	expect(await lines()).toMatchObject([{ level: 'info', message: 'real' }]);
});

test('nothing that is logged can make it throw', async () => {
	const { log, lines } = await setup();
	const ring: Record<string, unknown> = {};
	ring.ring = ring;
	const trap = {
		get boom(): never {
			throw new Error('boom');
		}
	};
	const proxy = new Proxy({}, { ownKeys: () => [1] as never });
	log.info('odd', {
		ring,
		trap,
		proxy,
		big: 10n,
		none: undefined,
		nan: NaN,
		date: new Date(NaN),
		fn: () => 1,
		symbol: Symbol('s'),
		bytes: new Uint8Array(9),
		long: 'x'.repeat(100_000),
		many: Array.from({ length: 10_000 }, (_, i) => i),
		set: new Set([1])
	});
	const [line] = await lines();
	expect(line).toMatchObject({ big: '10', trap: 'unreadable', bytes: '9 bytes', date: null });
	expect(JSON.stringify(line).length).toBeLessThan(20_000);
});

test('a full file is rotated; three are kept', async () => {
	const { dir, log } = await setup({ fileMaxBytes: 400 });
	for (let i = 0; i < 20; i++) log.info(`message ${i} ${'x'.repeat(60)}`);
	expect((await readdir(dir)).sort()).toEqual([
		'craftwarden.log',
		'craftwarden.log.1',
		'craftwarden.log.2'
	]);
	expect(await readFile(path.join(dir, 'craftwarden.log'), 'utf8')).toContain('message 19');
	for (const name of await readdir(dir))
		expect((await stat(path.join(dir, name))).size).toBeLessThanOrEqual(400);
});

/** The file that the terminal named, removed after the test. */
function spareOf(line: string) {
	const spare = / logging to (\S+)/.exec(line)![1]!;
	onTestFinished(() => rm(path.dirname(spare), { recursive: true, force: true }));
	return spare;
}

test('when the folder is not writable a private file takes over, says so once, and hands back', async () => {
	const base = await tempDir();
	const dir = path.join(base, 'logs');
	await writeFile(dir, 'a file is in the way');
	const { log, terminal, lines } = await setup({ dir });
	log.info('one');
	log.info('two');
	expect(terminal).toHaveLength(1);
	const spare = spareOf(terminal[0]!);
	expect(terminal[0]).toContain(path.join(dir, 'craftwarden.log'));
	expect((await readFile(spare, 'utf8')).trim().split('\n')).toHaveLength(2);
	expect((await stat(spare)).mode & 0o777).toBe(0o600);

	await rm(path.dirname(spare), { recursive: true });
	log.info('three');
	expect(await readFile(spareOf(terminal[1]!), 'utf8')).toContain('three');
	await rm(dir);
	log.info('four');
	expect(await lines()).toMatchObject([{ message: 'four' }]);
	expect(await readFile(path.join(dir, 'craftwarden.log'), 'utf8')).not.toContain('three');
});

test('a link or a pipe in place of the file is not written through', async () => {
	const { dir, log, terminal } = await setup();
	await mkdir(dir);
	const target = path.join(dir, 'target');
	await writeFile(target, '');
	await symlink(target, path.join(dir, 'craftwarden.log'));
	log.info('x');
	expect(await readFile(target, 'utf8')).toBe('');
	expect(await readFile(spareOf(terminal[0]!), 'utf8')).toContain('"x"');
});
