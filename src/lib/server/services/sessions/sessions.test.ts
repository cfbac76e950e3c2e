import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { createStateFile } from '#storage/state-file';
import {
	createSessions,
	LIFETIME_MS,
	NO_SESSIONS,
	SESSIONS_PER_ACCOUNT,
	SessionsFile,
	type Sessions
} from './index.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
let dir: string;
let file: string;
let clock: ManualClock;
let marks: Map<string, string>;
let ended: string[];
let warnings: string[];
let writes: number;
/** Thrown by the next writes while it is set. */
let diskTrouble: Error | null;
let started: Sessions[];

beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-sessions-'));
	file = path.join(dir, 'sessions.json');
	clock = createManualClock();
	marks = new Map([
		['ada', 'mark of ada'],
		['bob', 'mark of bob']
	]);
	ended = [];
	warnings = [];
	writes = 0;
	diskTrouble = null;
	started = [];
});
afterEach(async () => {
	for (const sessions of started) await sessions.close();
	await rm(dir, { recursive: true, force: true });
});

async function start(): Promise<Sessions> {
	const warn = (message: string) => void warnings.push(message);
	const state = createStateFile({
		file,
		schema: SessionsFile,
		version: 1,
		defaults: NO_SESSIONS,
		warn
	});
	const sessions = await createSessions({
		file,
		store: {
			read: state.read,
			update: (change) => {
				writes++;
				return diskTrouble ? Promise.reject(diskTrouble) : state.update(change);
			}
		},
		clock,
		markOf: (account) => marks.get(account) ?? null,
		publish: ({ sessionId }) => void ended.push(sessionId),
		warn
	});
	started.push(sessions);
	return sessions;
}
const begin = (sessions: Sessions, account = 'ada', address = '192.0.2.1') =>
	sessions.create({ account, mark: marks.get(account)!, address, userAgent: 'Browser/1.0' });
const onDisk = async () => SessionsFile.parse(JSON.parse(await readFile(file, 'utf8')).data);

describe('a session', () => {
	test('is on disk, private, before it can be used, and survives a restart', async () => {
		const sessions = await start();
		const { id } = await begin(sessions);
		expect(id).toMatch(/^[\w-]{43}$/);
		expect((await onDisk()).sessions).toEqual([
			{
				id,
				account: 'ada',
				mark: 'mark of ada',
				createdAt: clock.now().getTime(),
				usedAt: clock.now().getTime(),
				expiresAt: clock.now().getTime() + LIFETIME_MS,
				addressPrefix: '192.0.2.1',
				userAgent: 'Browser/1.0'
			}
		]);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect((await start()).check(id)).toMatchObject({ account: 'ada' });
	});

	test('begun while the disk is full is valid, and reaches the disk later', async () => {
		const sessions = await start();
		diskTrouble = new Error('ENOSPC');
		const { id } = await begin(sessions);
		expect(sessions.check(id)).toMatchObject({ account: 'ada' });
		expect(warnings).toHaveLength(1);
		diskTrouble = null;
		await sessions.close();
		expect((await onDisk()).sessions).toMatchObject([{ id }]);
	});

	test('begun at the same moment as others is lost by none of them', async () => {
		const sessions = await start();
		const all = await Promise.all([1, 2, 3, 4, 5].map(() => begin(sessions)));
		const kept = (await onDisk()).sessions.map(({ id }) => id);
		expect(kept.sort()).toEqual(all.map(({ id }) => id).sort());
		for (const { id } of all) expect(sessions.check(id)).not.toBeNull();
	});

	test('ends after seven days without use', async () => {
		const sessions = await start();
		const { id } = await begin(sessions);
		await clock.advance(LIFETIME_MS);
		expect(sessions.check(id)).toBeNull();
		expect(ended).toEqual([id]);
	});

	test('is renewed by use, with at most one write an hour', async () => {
		const sessions = await start();
		const { id } = await begin(sessions);
		writes = 0;
		for (let i = 0; i < 600; i++) {
			sessions.check(id);
			await clock.advance(60_000);
		}
		expect(writes).toBeLessThanOrEqual(10);
		for (let day = 0; day < 20; day++) {
			await clock.advance(6 * DAY_MS);
			expect(sessions.check(id)).not.toBeNull();
		}
		const { expiresAt } = sessions.check(id)!;
		expect(expiresAt).toBe(clock.now().getTime() + LIFETIME_MS);
	});

	test('is unknown when it never existed', async () => {
		const sessions = await start();
		for (const id of ['', 'x', '__proto__', 'constructor', 'x'.repeat(43)])
			expect(sessions.check(id)).toBeNull();
	});

	test('keeps only a short, printable line about the browser', async () => {
		const sessions = await start();
		const { userAgent } = await sessions.create({
			account: 'ada',
			mark: 'mark of ada',
			address: null,
			userAgent: `a\n\u001b[31m§${'x'.repeat(500)}`
		});
		expect(userAgent).toMatch(/^a\?\?\[31m\?x+$/);
		expect(userAgent).toHaveLength(120);
	});
});

describe('ending', () => {
	test('is reported to watchers, and holds after a restart', async () => {
		const sessions = await start();
		const [one, two] = [await begin(sessions), await begin(sessions)];
		expect(await sessions.end(one.id)).toBe(true);
		expect(await sessions.end(one.id)).toBe(false);
		expect(ended).toEqual([one.id]);
		expect(sessions.check(one.id)).toBeNull();
		const again = await start();
		expect(again.check(one.id)).toBeNull();
		expect(again.check(two.id)).not.toBeNull();
	});

	test('every session of one account leaves the other account signed in', async () => {
		const sessions = await start();
		const adas = [await begin(sessions), await begin(sessions)];
		const bobs = await begin(sessions, 'bob');
		expect(await sessions.endAll('ada')).toBe(2);
		expect(ended.sort()).toEqual(adas.map(({ id }) => id).sort());
		expect(sessions.check(bobs.id)).not.toBeNull();
		expect(await sessions.endAll('nobody')).toBe(0);
	});

	test('takes effect at once on a full disk, and reaches the disk later', async () => {
		const sessions = await start();
		const { id } = await begin(sessions);
		diskTrouble = new Error('ENOSPC');
		expect(await sessions.end(id)).toBe(true);
		expect(sessions.check(id)).toBeNull();
		expect(warnings).toHaveLength(1);
		diskTrouble = null;
		await sessions.close();
		expect((await onDisk()).sessions).toEqual([]);
	});

	test('follows a changed password or a removed account, and the others stay', async () => {
		const sessions = await start();
		const adas = await begin(sessions);
		const bobs = await begin(sessions, 'bob');
		marks.set('ada', 'another mark');
		const again = await start();
		expect(again.check(adas.id)).toBeNull();
		expect(again.check(bobs.id)).not.toBeNull();
		marks.delete('bob');
		expect(again.check(bobs.id)).toBeNull();
	});

	test('is not undone by changing a password back', async () => {
		const { id } = await begin(await start());
		marks.set('ada', 'another mark');
		const between = await start();
		expect(between.check(id)).toBeNull();
		await between.close();
		marks.set('ada', 'mark of ada');
		expect((await start()).check(id)).toBeNull();
	});

	test('the least recently used one makes room beyond the limit, within the same account only', async () => {
		const sessions = await start();
		const bobs = await begin(sessions, 'bob');
		const first = await begin(sessions);
		const second = await begin(sessions);
		await clock.advance(2 * HOUR_MS);
		sessions.check(first.id);
		for (let i = 2; i < SESSIONS_PER_ACCOUNT; i++) await begin(sessions);
		expect(ended).toEqual([]);
		await begin(sessions);
		expect(ended).toEqual([second.id]);
		for (const { id } of [first, bobs]) expect(sessions.check(id)).not.toBeNull();
		expect((await onDisk()).sessions).toHaveLength(SESSIONS_PER_ACCOUNT + 1);
	});
});

describe('a place where somebody has signed in before', () => {
	test('is known for ninety days, even after signing out', async () => {
		const sessions = await start();
		const { id } = await begin(sessions);
		await sessions.end(id);
		const again = await start();
		expect(again.knows('ada', '192.0.2.1')).toBe(true);
		expect(again.knows('bob', '192.0.2.1')).toBe(false);
		expect(again.knows('ada', '192.0.2.2')).toBe(false);
		await clock.advance(91 * DAY_MS);
		expect(again.knows('ada', '192.0.2.1')).toBe(false);
	});

	test('is kept for the latest fifty', async () => {
		const sessions = await start();
		for (let i = 0; i < 60; i++) await begin(sessions, 'ada', `10.0.0.${i}`);
		expect((await onDisk()).places).toHaveLength(50);
		expect(sessions.knows('ada', '10.0.0.59')).toBe(true);
		expect(sessions.knows('ada', '10.0.0.0')).toBe(false);
	});
});

describe('the file', () => {
	test.each(['', '{', '\0'.repeat(100), '[]', '{"version":1,"data":{"sessions":[{"id":1}]}}'])(
		'%j drops all sessions, says so and starts',
		async (damage) => {
			const before = await start();
			const { id } = await begin(before);
			await begin(before);
			await writeFile(file, damage);
			const sessions = await start();
			expect(sessions.check(id)).toBeNull();
			expect(warnings.length).toBeGreaterThan(0);
			const fresh = await begin(sessions);
			expect((await start()).check(fresh.id)).not.toBeNull();
		}
	);

	test('being lost never restores ended sessions: the previous copy is not used', async () => {
		const before = await start();
		const { id } = await begin(before);
		await before.end(id);
		await writeFile(file, '{');
		expect((await start()).check(id)).toBeNull();
	});

	test('of a newer release stops the start and stays as it is', async () => {
		const newer = '{"version":99,"data":{}}';
		await writeFile(file, newer);
		await expect(start()).rejects.toThrow('newer Craftwarden');
		expect(await readFile(file, 'utf8')).toBe(newer);
	});
});

describe('a clock that jumps', () => {
	/** The same file, at another time. */
	const at = (iso: string) => {
		clock = createManualClock(iso);
		return start();
	};

	test('forward ends sessions, and back again revives none that was seen ended', async () => {
		const { id } = await begin(await start());
		const later = await at('2027-01-02T03:04:05.000Z');
		expect(later.check(id)).toBeNull();
		await begin(later);
		expect((await at('2026-01-02T03:05:00.000Z')).check(id)).toBeNull();
	});

	test('backward makes no session immortal', async () => {
		const { id } = await begin(await start());
		expect((await at('2025-01-02T03:04:05.000Z')).check(id)).toBeNull();
	});

	test('by a few minutes matters to nobody', async () => {
		const { id } = await begin(await start());
		expect((await at('2026-01-02T02:50:00.000Z')).check(id)).not.toBeNull();
	});
});
