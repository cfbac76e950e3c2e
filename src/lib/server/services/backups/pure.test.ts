import { describe, expect, test } from 'vitest';
import type { BackupRestore } from '#schemas/backup';
import { restorePlan } from './describe.ts';
import { parseRange } from './range.ts';
import { superfluous, type Candidate } from './retention.ts';
import { compareGameVersions } from './versions.ts';
import { size } from './size.ts';

const NOW = new Date('2026-03-20T12:00:00.000Z');
const HOUR = 3_600_000;
let count = 0;
const made = (hoursAgo: number, facts: Partial<Candidate> = {}): Candidate => ({
	id: `b${++count}`,
	createdAt: new Date(NOW.getTime() - hoursAgo * HOUR).toISOString(),
	...{ kind: 'manual', state: 'complete', pinned: false, verifiedAt: null },
	...facts
});
const rules = (last: number, hourly = 0, daily = 0, weekly = 0) => ({
	...{ backupKeepLast: last, backupKeepHourly: hourly },
	...{ backupKeepDaily: daily, backupKeepWeekly: weekly }
});

describe('what may be deleted', () => {
	test('is what is beyond the count', () => {
		const backups = [1, 2, 3, 4].map((hours) => made(hours));
		expect(superfluous(backups, rules(2), NOW)).toEqual([backups[2]!.id, backups[3]!.id]);
	});
	test('is not pushed out by backups from before changes, which are counted by themselves', () => {
		const byHand = [made(20), made(30), made(40)];
		const ofChanges = [1, 2, 3, 4].map((hours) => made(hours, { kind: 'before-change' }));
		expect(superfluous([...byHand, ...ofChanges], rules(2), NOW)).toEqual([
			ofChanges[2]!.id,
			ofChanges[3]!.id,
			byHand[2]!.id
		]);
	});
	test('is not the newest of an hour, a day or a week that the rules cover', () => {
		const backups = Array.from({ length: 24 * 60 }, (_, i) => made(i / 2));
		const gone = new Set(superfluous(backups, rules(3, 6, 7, 4), NOW));
		const kept = backups.filter(({ id }) => !gone.has(id)).map(({ createdAt }) => createdAt);
		expect(kept.length).toBeGreaterThanOrEqual(3 + 3 + 6 + 3);
		expect(kept.length).toBeLessThanOrEqual(3 + 6 + 7 + 4);
		expect(kept.filter((at) => at < '2026-03-02')).toHaveLength(1);
	});
	test('is never the last, the one verified last, a pinned one or one from the future', () => {
		const newest = made(1);
		const future = made(-48);
		const pinned = made(900, { pinned: true });
		const verified = made(500, { verifiedAt: '2026-03-01T00:00:00.000Z' });
		const longAgo = made(800, { verifiedAt: '2026-02-01T00:00:00.000Z' });
		const all = [newest, future, pinned, verified, longAgo, made(2)];
		expect(superfluous(all, rules(0), NOW)).toEqual([all[5]!.id, longAgo.id]);
	});
	test('is never a good one when all newer ones failed', () => {
		const good = made(2000);
		const failed = [1, 2, 3, 4, 5, 6].map((hours) => made(hours, { state: 'damaged' }));
		const cut = [7, 30].map((hours) => made(hours, { state: 'incomplete' }));
		expect(superfluous([...failed, ...cut, good], rules(1), NOW)).toEqual([cut[1]!.id]);
	});
});

test('game versions are compared in the game’s order', () => {
	const sorted = [
		'1.7.10',
		'1.20-pre1',
		'1.20-rc1',
		'1.20',
		'1.20.1',
		'1.21.1',
		'26.1-snapshot-2',
		'26.1',
		'26.1.2'
	];
	for (const [i, a] of sorted.entries())
		for (const [j, b] of sorted.entries())
			expect(Math.sign(compareGameVersions(a, b)!)).toBe(Math.sign(i - j));
	expect(compareGameVersions('25w41a', '1.21')).toBeNull();
	expect(compareGameVersions('25w41a', '25w41a')).toBe(0);
});

test('a range is parsed as HTTP defines it', () => {
	expect(parseRange('bytes=0-0', 10)).toEqual({ start: 0, end: 0 });
	expect(parseRange('bytes=5-99', 10)).toEqual({ start: 5, end: 9 });
	expect(parseRange('bytes=-99', 10)).toEqual({ start: 0, end: 9 });
	expect(parseRange('bytes=10-', 10)).toBe('outside');
	expect(parseRange('bytes=-0', 10)).toBe('outside');
	expect(parseRange('bytes=0-', 0)).toBe('outside');
	expect(parseRange(null, 10)).toBeNull();
});

test('sizes are readable', () => {
	expect([0, 999, 1000, 1_500_000, 2_345_000_000].map(size)).toEqual([
		'0 bytes',
		'999 bytes',
		'1.0 kB',
		'1.5 MB',
		'2.3 GB'
	]);
});

test('a restore names each file once, with what that means', () => {
	const roots = ['worlds/one', 'config', 'mods', 'server.properties', 'ops.json', 'usercache.json'];
	const sidecar = {
		gameVersion: '1.21.1',
		roots,
		warnings: [],
		worlds: [{ name: 'one', path: 'worlds/one' }]
	};
	const plan = (wish: BackupRestore) =>
		restorePlan({
			...{ backup: {}, sidecar, wish, refusal: null, gameVersion: '1.21.1', running: true },
			players: []
		} as unknown as Parameters<typeof restorePlan>[0]);
	const all = plan({ scope: 'all' });
	expect(all.parts.flatMap(({ files }) => files).sort()).toEqual(roots.toSorted());
	for (const root of roots) expect(all.notes.join(' ')).not.toContain(root + '.');
	expect(new Set(all.parts.map(({ means }) => means)).size).toBe(all.parts.length);
	expect(plan({ scope: 'world', world: 'one' }).parts.map(({ files }) => files)).toEqual([
		['worlds/one']
	]);
});

describe('the game that will open a restored world', () => {
	const lost = (made: string, installed: string, roots: string[] = ['world', 'mods']) =>
		restorePlan({
			backup: { worlds: ['world'] },
			sidecar: {
				gameVersion: made,
				roots,
				warnings: [],
				worlds: [{ name: 'world', path: 'world' }]
			},
			...{ wish: { scope: 'all' }, refusal: null, gameVersion: installed, running: false },
			players: []
		} as unknown as Parameters<typeof restorePlan>[0]).notes.join(' ');
	test('is told when it is a newer one, with the mods that come back', () => {
		expect(lost('1.21.1', '1.21.4')).toMatch(
			/of Minecraft 1\.21\.1, and the server runs 1\.21\.4 now: it will open this world and convert it/
		);
		expect(lost('1.21.1', '1.21.4')).toContain('they may not run with 1.21.4');
		expect(lost('1.21.1', '1.21.4', ['world'])).not.toContain('may not run');
	});
	test('is not told when it is the same, or when the backup is newer, which is refused', () => {
		expect(lost('1.21.4', '1.21.4')).not.toContain('convert');
		expect(lost('1.21.5', '1.21.4')).not.toContain('convert');
	});
});
