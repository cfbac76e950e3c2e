import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { ClientErrorReport } from '#schemas/client-error';
import { createMask } from '#core/log';
import { createClientErrors, type ClientErrors } from './index.ts';

let home: string;
let clock: ReturnType<typeof createManualClock>;
let warnings: string[];
beforeEach(async () => {
	home = await mkdtemp(path.join(tmpdir(), 'client-errors-'));
	clock = createManualClock();
	warnings = [];
});
afterEach(() => rm(home, { recursive: true, force: true }));

const make = (options: { fileMaxBytes?: number } = {}): ClientErrors =>
	createClientErrors({
		dir: path.join(home, 'logs'),
		spareDir: path.join(home, 'game/logs'),
		clock,
		log: { info: () => {}, warn: (words) => void warnings.push(words), error: () => {} },
		mask: createMask(['hunter22']),
		...options
	});
const FROM = { userAgent: 'Firefox', address: '192.0.2.7', account: null };
const send = (errors: ClientErrors, report: Record<string, unknown>, from = FROM) =>
	errors.report(ClientErrorReport.parse({ message: 'It broke', ...report }), from);
const lines = async (file = 'logs/client-errors.jsonl') =>
	(await readFile(path.join(home, file), 'utf8').catch(() => ''))
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
const all = (errors: ClientErrors) => errors.list({ limit: 200 });

test('a report is one line with what the server knows about its sender, in a private file', async () => {
	const errors = make();
	send(errors, {
		stack: 'TypeError: x\n    at a (http://192.0.2.1:3000/_app/a.js:1:2)',
		url: 'https://mine.example/admin/mods?q=secret#there',
		kind: 'error',
		fingerprint: 'abc',
		release: '17'
	});
	const [line, ...rest] = await lines();
	expect(rest).toEqual([]);
	expect(line).toMatchObject({
		message: 'It broke',
		url: '/admin/mods',
		kind: 'error',
		fingerprint: 'abc',
		release: '17',
		userAgent: 'Firefox',
		address: '192.0.2.7',
		account: null,
		count: 1
	});
	expect((await stat(path.join(home, 'logs/client-errors.jsonl'))).mode & 0o777).toBe(0o600);
});

test('hostile text stays one bounded line: control characters are escaped, secrets are masked', async () => {
	const errors = make();
	send(errors, {
		message: `a\r\nFORGED\u001b[31m \u202egnp.exe hunter22 ${'x'.repeat(5000)}`,
		stack: `top\u0000\n${'deep\n'.repeat(500)}`,
		url: `/${'y'.repeat(9000)}`,
		kind: 'k'.repeat(900),
		at: 'never',
		fingerprint: 'f'.repeat(900),
		release: 'r'.repeat(900)
	});
	const bytes = await readFile(path.join(home, 'logs/client-errors.jsonl'), 'utf8');
	expect(bytes.split('\n').filter(Boolean)).toHaveLength(1);
	expect(bytes.length).toBeLessThan(10_000);
	expect(bytes).not.toContain('\u001b');
	expect(bytes).not.toContain('hunter22');
	const [line] = await lines();
	expect(line.message).toContain('a FORGED\\u001b[31m \\u202egnp.exe ***');
	expect(line.stack.split('\n').length).toBeLessThanOrEqual(40);
	expect((await all(errors)).errors[0]?.message).toBe(line.message);
});

test('one address may send one report per 200 ms and thirty a minute, whatever they say', async () => {
	const errors = make();
	send(errors, { message: 'first' });
	await clock.advance(199);
	send(errors, { message: 'second' });
	send(errors, { message: 'elsewhere' }, { ...FROM, address: '198.51.100.4' });
	await clock.advance(1);
	send(errors, { message: 'third' });
	expect((await lines()).map(({ message }) => message)).toEqual(['first', 'elsewhere', 'third']);
	for (let i = 0; i < 100; i++) {
		await clock.advance(200);
		send(errors, { message: `flood ${'abcdefghijklmnopqrstuvwxyz'[i % 26]} ${'-'.repeat(i)}` });
	}
	const mine = (await lines()).filter(({ address }) => address === FROM.address);
	expect(mine).toHaveLength(30);
});

test('everybody together may send three hundred a minute', async () => {
	const errors = make();
	for (let i = 0; i < 400; i++)
		send(errors, { message: '-'.repeat(i + 1) }, { ...FROM, address: `10.0.${i >> 8}.${i & 255}` });
	expect(await lines()).toHaveLength(300);
});

test('a repeated error is counted, and takes one line a minute', async () => {
	const errors = make();
	for (let i = 0; i < 10; i++) {
		send(errors, { message: `It broke ${i} times` });
		await clock.advance(1000);
	}
	expect(await lines()).toHaveLength(1);
	// Even before they are written.
	expect((await all(errors)).errors).toMatchObject([{ count: 10, addresses: 1 }]);
	await clock.advance(60_000);
	send(errors, { message: 'It broke 11 times' });
	expect((await lines()).map(({ count }) => count)).toEqual([1, 10]);
	expect((await all(errors)).errors).toMatchObject([{ count: 11 }]);
});

test('remaining counts are written at the end, and read by the next dashboard', async () => {
	const errors = make();
	for (let i = 0; i < 3; i++) {
		send(errors, {});
		await clock.advance(200);
	}
	errors.close();
	expect((await all(make())).errors).toMatchObject([{ message: 'It broke', count: 3 }]);
});

test('reports are grouped by error, the latest first, and the list is no longer than requested', async () => {
	const errors = make();
	const at: string[] = [];
	for (const message of ['one', 'two', 'three']) {
		at.push(clock.now().toISOString());
		send(errors, { message, url: `/${message}` });
		await clock.advance(1000);
	}
	await clock.advance(60_000);
	const last = clock.now().toISOString();
	send(errors, { message: 'one', url: '/other' }, { ...FROM, address: '198.51.100.4' });
	const { errors: found, truncated } = await all(errors);
	expect(truncated).toBe(false);
	expect(found.map(({ message }) => message)).toEqual(['one', 'three', 'two']);
	expect(found[0]).toMatchObject({
		count: 2,
		firstAt: at[0],
		lastAt: last,
		urls: ['/other', '/one'],
		addresses: 2
	});
	expect(await errors.list({ limit: 2 })).toMatchObject({ truncated: true });
});

test('full files are rotated and the oldest is deleted: the disk never fills up', async () => {
	const errors = make({ fileMaxBytes: 4000 });
	for (let i = 0; i < 60; i++) {
		send(errors, { message: '-'.repeat(i + 1), stack: 's'.repeat(1000) });
		await clock.advance(3000);
	}
	const names = await readdir(path.join(home, 'logs'));
	expect(names.sort()).toEqual([
		'client-errors.jsonl',
		'client-errors.jsonl.1',
		'client-errors.jsonl.2'
	]);
	const sizes = await Promise.all(names.map((name) => stat(path.join(home, 'logs', name))));
	for (const { size } of sizes) expect(size).toBeLessThanOrEqual(4000);
	const { errors: found } = await all(errors);
	expect(found[0]?.message).toBe('-'.repeat(60));
	expect(found.length).toBeGreaterThan(3);
});

test('where the file is not writable one in the game’s log folder takes over, and both are read', async () => {
	await mkdir(path.join(home, 'logs/client-errors.jsonl'), { recursive: true });
	const errors = make();
	send(errors, { message: 'spare' });
	await clock.advance(200);
	send(errors, { message: 'again' });
	const spare = 'game/logs/craftwarden-client-errors.jsonl';
	expect((await lines(spare)).map(({ message }) => message)).toEqual(['spare', 'again']);
	expect(warnings).toHaveLength(1);
	await rm(path.join(home, 'logs/client-errors.jsonl'), { recursive: true });
	await clock.advance(200);
	send(errors, { message: 'back' });
	expect(await lines()).toMatchObject([{ message: 'back' }]);
	expect(await lines(spare)).toHaveLength(2);
	expect((await all(errors)).errors).toHaveLength(3);
});

test('when nothing can be written only the log is told, once', async () => {
	await writeFile(path.join(home, 'logs'), 'in the way');
	await writeFile(path.join(home, 'game'), 'in the way');
	const errors = make();
	for (const message of ['a', 'b', 'c']) {
		expect(() => send(errors, { message })).not.toThrow();
		await clock.advance(200);
	}
	expect(() => errors.close()).not.toThrow();
	expect(warnings).toHaveLength(1);
	expect(await all(errors)).toEqual({ errors: [], truncated: false });
});

test('a link in place of the file is not followed', async () => {
	await mkdir(path.join(home, 'logs'));
	await writeFile(path.join(home, 'precious'), 'as it was');
	await symlink(path.join(home, 'precious'), path.join(home, 'logs/client-errors.jsonl'));
	send(make(), {});
	expect(await readFile(path.join(home, 'precious'), 'utf8')).toBe('as it was');
});

test('torn and foreign lines are skipped, and the next line is complete', async () => {
	const errors = make();
	send(errors, { message: 'before' });
	const file = path.join(home, 'logs/client-errors.jsonl');
	const torn = `${await readFile(file, 'utf8')}null\n{"at":"x"}\n{"at":"2026-01-0`;
	await writeFile(file, torn);
	const next = make();
	await clock.advance(200);
	send(next, { message: 'after' });
	expect((await all(next)).errors.map(({ message }) => message).sort()).toEqual([
		'after',
		'before'
	]);
});
