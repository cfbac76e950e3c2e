import { appendFile, mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import type { Actor } from '#core/actor';
import { createMask } from '#core/log';
import { createAudit, type Audit } from './index.ts';

const ann = { name: 'ann', role: 'superadmin', address: '192.0.2.1' } as const;

async function setup(fileMaxBytes?: number) {
	const dir = path.join(await tempDir(), 'data');
	const errors: { message: string; facts?: Record<string, unknown> }[] = [];
	const log = {
		info() {},
		warn() {},
		error: (message: string, facts?: Record<string, unknown>) =>
			void errors.push({ message, facts })
	};
	const clock = createManualClock();
	const open = () =>
		createAudit({
			dir,
			clock,
			log,
			mask: createMask(['hunter22']),
			fileMaxBytes
		});
	return { dir, errors, clock, open, audit: open() };
}
const page = { limit: 50 };

test('recorded entries are listed newest first, even for another process', async () => {
	const { audit, open, dir, errors } = await setup();
	await audit.record(ann, 'server.stop');
	await open().record(ann, 'backups.remove', {
		subject: 'b1',
		result: 'refused',
		detail: 'pinned'
	});
	const base = {
		by: 'ann',
		role: 'superadmin',
		address: '192.0.2.1',
		at: '2026-01-02T03:04:05.000Z'
	};
	expect(await audit.list(page, 'superadmin')).toMatchObject([
		{ ...base, action: 'backups.remove', subject: 'b1', result: 'refused', detail: 'pinned' },
		{ ...base, action: 'server.stop', subject: null, result: 'done', detail: null }
	]);
	expect((await stat(path.join(dir, 'audit.jsonl'))).mode & 0o777).toBe(0o600);
	expect(errors).toEqual([]);
});

test('admins see neither addresses nor what was typed into the console', async () => {
	const { audit } = await setup();
	await audit.record(ann, 'console.command', { detail: 'op bob' });
	await audit.record(ann, 'session.start', { detail: 'logged in' });
	expect(await audit.list(page, 'admin')).toMatchObject([
		{ address: null, detail: 'logged in' },
		{ address: null, detail: null, action: 'console.command' }
	]);
	expect(await audit.list(page, 'superadmin')).toMatchObject([{}, { detail: 'op bob' }]);
});

test('pages follow each other without gap or repetition, even across full files', async () => {
	const { audit, dir } = await setup(1000);
	for (let i = 0; i < 40; i++) await audit.record(ann, 'mods.lock', { subject: String(i) });
	expect(
		(await readdir(dir)).filter((name) => /^audit\.\d+\.jsonl$/.test(name)).length
	).toBeGreaterThan(3);
	const subjects: (string | null)[] = [];
	let before: string | undefined;
	for (;;) {
		const entries = await audit.list({ limit: 7, before }, 'admin');
		if (entries.length === 0) break;
		subjects.push(...entries.map(({ subject }) => subject));
		before = entries.at(-1)?.id;
		// New entries, and full files, do not move the position.
		await audit.record(ann, 'mods.share');
	}
	expect(subjects).toEqual(Array.from({ length: 40 }, (_, i) => String(39 - i)));
});

test('a full file is never touched again', async () => {
	const { audit, dir } = await setup(300);
	await audit.record(ann, 'server.start', { detail: 'x'.repeat(300) });
	await audit.record(ann, 'server.restart');
	const first = await readFile(path.join(dir, 'audit.1.jsonl'));
	for (let i = 0; i < 10; i++) await audit.record(ann, 'server.stop', { detail: 'x'.repeat(300) });
	expect(await readFile(path.join(dir, 'audit.1.jsonl'))).toEqual(first);
});

test('two writers that find the file full at once lose nothing', async () => {
	const { open } = await setup(500);
	const writers = [open(), open(), open()];
	await Promise.all(
		Array.from({ length: 60 }, (_, i) =>
			writers[i % 3]!.record(ann, 'server.kill', { subject: String(i) })
		)
	);
	const entries = await writers[0]!.list({ limit: 200 }, 'admin');
	const found = entries.map(({ subject }) => Number(subject)).sort((a, b) => a - b);
	expect(found).toEqual(Array.from({ length: 60 }, (_, i) => i));
	expect(new Set(entries.map(({ id }) => id)).size).toBe(60);
});

test('torn and foreign lines cost only themselves', async () => {
	const { audit, dir } = await setup();
	await audit.record(ann, 'player.op');
	await appendFile(path.join(dir, 'audit.jsonl'), 'garbage\n{"at":1}\n\0\0\0\n{"at":"2026-01-');
	await audit.record(ann, 'player.deop');
	expect((await audit.list(page, 'admin')).map(({ action }) => action)).toEqual([
		'player.deop',
		'player.op'
	]);
});

test('an unknown id is rejected, one from the middle of a line does no harm', async () => {
	const { audit } = await setup();
	await audit.record(ann, 'player.op');
	await audit.record(ann, 'player.deop');
	for (const before of ['x', '1', '1-', '-1-2', '1-2-3', '1e9-1', ''])
		await expect(audit.list({ limit: 5, before }, 'admin')).rejects.toMatchObject({
			kind: 'invalid'
		});
	const [, first] = await audit.list(page, 'admin');
	expect(first?.id).toBe('1-0');
	expect(await audit.list({ limit: 5, before: '1-3' }, 'admin')).toEqual([]);
	expect(await audit.list({ limit: 5, before: '0-99' }, 'admin')).toEqual([]);
	expect(await audit.list({ limit: 5, before: '7-0' }, 'admin')).toHaveLength(2);
});

test('hostile and secret texts are bounded, masked, and stay on their line', async () => {
	const { audit, dir } = await setup();
	const evil = { name: 'a\n{"by":"forged"}\u001b', role: null, address: null };
	await audit.record(evil, 'session.start', { detail: `tried hunter22 ${'x'.repeat(9999)}` });
	const text = await readFile(path.join(dir, 'audit.jsonl'), 'utf8');
	expect(text.trim().split('\n')).toHaveLength(1);
	expect(text).not.toContain('hunter22');
	expect(text.length).toBeLessThan(1000);
	expect(await audit.list(page, 'admin')).toMatchObject([{ by: evil.name }]);
});

test('a failure to write entries is logged once, and the actions continue', async () => {
	const { audit, dir, errors } = await setup();
	await mkdir(path.join(dir, 'audit.jsonl'), { recursive: true });
	await audit.record(ann, 'server.stop', { detail: 'hunter22' });
	for (let i = 0; i < 20; i++) await audit.record(ann, 'server.stop');
	expect(audit.outage).toMatchObject({ lost: 21 });
	expect(errors).toMatchObject([
		{
			message: 'An action could not be written to the audit log',
			facts: { action: 'server.stop', by: 'ann' }
		}
	]);
	await rm(path.join(dir, 'audit.jsonl'), { recursive: true });
	await audit.record(ann, 'server.start');
	expect(await audit.list(page, 'admin')).toMatchObject([{ action: 'server.start' }]);
	expect(audit.outage).toBeNull();
});

describe('refusals', () => {
	const refuse = (audit: Audit, subject = 'POST /admin', by: Actor = ann) =>
		audit.record(by, 'access', { subject, result: 'refused', detail: 'Not for you.' });
	const seen = async (audit: Audit) =>
		(await audit.list({ limit: 200 }, 'admin')).map(({ by, subject, detail }) =>
			[by, subject, detail].join(' | ')
		);

	test('identical ones by one person are one entry, and one with their count when the minute ends', async () => {
		const { audit, clock, dir } = await setup();
		const bob = { name: 'bob', role: 'admin', address: null } as const;
		await Promise.all(Array.from({ length: 10_000 }, () => refuse(audit)));
		await refuse(audit, 'POST /admin', bob);
		expect(await seen(audit)).toEqual([
			'bob | POST /admin | Not for you.',
			'ann | POST /admin | Not for you.'
		]);
		await clock.advance(60_000);
		await audit.close();
		expect((await seen(audit))[0]).toBe(
			'ann | POST /admin | Not for you. (9999 more times within a minute)'
		);
		expect(await seen(audit)).toHaveLength(3);
		expect((await stat(path.join(dir, 'audit.jsonl'))).size).toBeLessThan(1000);
	});

	test('of ever new kinds do not fill the log either, and hide nothing of other people', async () => {
		const { audit, clock } = await setup();
		for (let i = 0; i < 1000; i++) await refuse(audit, `POST /${i}`);
		await refuse(audit, 'POST /admin', { name: 'bob', role: 'admin', address: null });
		await clock.advance(60_000);
		await audit.close();
		const [last, bob, ...others] = await seen(audit);
		expect(last).toBe('ann |  | Refused 969 more times within a minute, for several things.');
		expect(bob).toBe('bob | POST /admin | Not for you.');
		expect(others).toHaveLength(31);
	});

	test('that are only counted are written at the end', async () => {
		const { audit, open } = await setup();
		for (let i = 0; i < 3; i++) await refuse(audit);
		await audit.close();
		expect(await seen(open())).toEqual([
			'ann | POST /admin | Not for you. (2 more times within a minute)',
			'ann | POST /admin | Not for you.'
		]);
	});

	test('are never counted together with what was done', async () => {
		const { audit } = await setup();
		for (let i = 0; i < 3; i++) await audit.record(ann, 'server.stop');
		expect(await audit.list(page, 'admin')).toHaveLength(3);
	});
});

test('entries that arrive while the disk is busy are written together', async () => {
	const { audit, dir } = await setup(1);
	// A file is full with its first byte here: each write finds a new one.
	await Promise.all(
		Array.from({ length: 500 }, (_, i) => audit.record(ann, 'chat.say', { subject: String(i) }))
	);
	const entries = await audit.list({ limit: 1000 }, 'admin');
	expect(entries.map(({ subject }) => Number(subject)).reverse()).toEqual([
		...Array.from({ length: 500 }, (_, i) => i)
	]);
	expect((await readdir(dir)).filter((name) => /^audit\./.test(name)).length).toBeLessThan(5);
});

test('entries that a hanging disk cannot take are dropped and counted, and reported once', async () => {
	const { audit, errors } = await setup();
	await Promise.all(Array.from({ length: 3000 }, () => audit.record(ann, 'chat.say')));
	await audit.close();
	const written = (await audit.list({ limit: 5000 }, 'admin')).length;
	expect(errors.map(({ message, facts }) => [message, facts])).toEqual([
		[expect.stringContaining('waits for the disk'), undefined],
		['Actions are missing in the audit log', { count: 3000 - written }]
	]);
	expect(written).toBeGreaterThan(0);
	expect(written).toBeLessThan(3000);
	await audit.record(ann, 'mods.unlock');
	expect((await audit.list(page, 'admin'))[0]).toMatchObject({ action: 'mods.unlock' });
});

test('the entries of a span of time are found in whatever file they are, between torn lines', async () => {
	const { audit, clock, dir } = await setup(20_000);
	const began = clock.now().getTime();
	const MINUTE = 60_000;
	for (let i = 0; i < 400; i++) {
		await audit.record(ann, 'player.ban', { subject: `p${i}`, detail: 'x'.repeat(i % 90) });
		if (i % 50 === 0) await appendFile(path.join(dir, 'audit.jsonl'), '{"torn\n');
		await clock.advance(MINUTE);
	}
	expect((await readdir(dir)).length).toBeGreaterThan(3);
	const at = (i: number, ms = 0) => new Date(began + i * MINUTE + ms).toISOString();
	const found = async (from: string, to: string) =>
		(await audit.between(from, to)).map(({ subject }) => subject);
	for (const i of [0, 1, 49, 50, 51, 137, 250, 333, 398, 399])
		expect(await found(at(i, -1000), at(i, 30_000)), `${i}`).toEqual([`p${i}`]);
	expect(await found(at(200), at(202))).toEqual(['p202', 'p201', 'p200']);
	expect(await found(at(500), at(501))).toEqual([]);
	expect(await found(at(-5), at(-4))).toEqual([]);
	expect((await audit.between(at(3), at(3)))[0]!.address).toBeNull();
});
