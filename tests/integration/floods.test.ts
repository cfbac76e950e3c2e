import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADMIN, signedIn, SUPERADMIN, Visitor, type Dashboard } from '../harness.ts';
import { dashboardWith } from './kit/opened.ts';

const FLOOD = 1000;
const AT_ONCE = 8;

/** Sends this many requests, some at a time; returns the distinct statuses. */
async function flood(count: number, ask: () => Promise<Response>, atOnce = AT_ONCE) {
	const statuses = new Set<number>();
	let left = count;
	const one = async () => {
		while (left-- > 0) {
			const { status, body } = await ask();
			await body?.cancel();
			statuses.add(status);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, one));
	return [...statuses];
}

const linesOf = async (file: string): Promise<Record<string, unknown>[]> =>
	(await readFile(file, 'utf8').catch(() => ''))
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
const audited = ({ dataDir }: Dashboard) => linesOf(path.join(dataDir, 'audit.jsonl'));
const logged = async ({ dataDir }: Dashboard) =>
	(await linesOf(path.join(dataDir, '../logs/craftwarden.log'))).filter(
		({ level }) => level === 'error'
	);

describe.concurrent('a flood', () => {
	test('of refused requests leaves two entries, even when the dashboard ends, and others get in', async () => {
		const dashboard = await dashboardWith();
		const bob = await signedIn(dashboard, ADMIN);
		const flooding = flood(FLOOD, () => bob.fetch('/api/settings'));
		const ada = new Visitor(dashboard);
		expect((await ada.signIn(SUPERADMIN)).status).toBe(303);
		expect(await flooding).toEqual([403]);

		const refusals = async () =>
			(await audited(dashboard)).filter(({ result }) => result === 'refused');
		expect(await refusals()).toMatchObject([
			{ by: 'bob', action: 'access', subject: 'GET /api/settings' }
		]);
		await dashboard.kill();
		const [first, second, ...more] = await refusals();
		expect(second).toMatchObject({ by: 'bob', action: 'access', subject: 'GET /api/settings' });
		expect(second!['detail']).toBe(
			`${String(first!['detail'])} (${FLOOD - 1} more times within a minute)`
		);
		expect(more).toEqual([]);
	}, 60_000);

	test('of wrong passwords leaves an entry for each kind of refusal', async () => {
		const dashboard = await dashboardWith();
		const tries = () => new Visitor(dashboard).signIn({ ...ADMIN, password: 'wrong' });
		// So many at once that some are turned away, however fast the others are decided.
		expect((await flood(100, tries, 50)).sort()).toEqual([303, 429, 503]);
		await dashboard.kill();
		const kinds = new Set((await audited(dashboard)).map(({ detail }) => String(detail)));
		expect((await audited(dashboard)).length).toBeLessThanOrEqual(4);
		expect([...kinds].join()).toMatch(/wrong name or password.*more times within a minute/);
	}, 60_000);

	test('of one and the same error on our side is one cause in the log, under the id that is shown', async () => {
		const dashboard = await dashboardWith();
		const ada = await signedIn(dashboard);
		const file = path.join(dashboard.dataDir, 'settings.json');
		await rm(file, { force: true });
		await mkdir(path.join(file, 'in the way'), { recursive: true });
		const ids = new Set<string>();
		for (let i = 0; i < 50; i++) {
			const { status, body } = await ada.json('/api/settings', { autoRestartLimit: 7 }, 'PATCH');
			expect(status).toBe(500);
			ids.add(/under ([0-9a-f]{8})/.exec(body.detail)![1]!);
		}
		expect(ids.size).toBe(1);
		expect(await logged(dashboard)).toMatchObject([{ id: [...ids][0], cause: {} }]);
		await dashboard.kill();
		expect((await logged(dashboard)).slice(1)).toMatchObject([{ id: [...ids][0], count: 49 }]);
	}, 60_000);
});
