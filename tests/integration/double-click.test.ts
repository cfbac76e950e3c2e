import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { eventually, signedIn, startDashboard, type Dashboard, type Visitor } from '../harness.ts';

const LIMIT_MS = 60_000;
const JAR = 'lantern-keeper-1.4.2.jar';

let dashboard: Dashboard;
let ada: Visitor;
beforeAll(async () => {
	const env = { DEMO_BOTS: '0', DEMO_SPEED: '60', DEMO_BOOT_MS: '200' };
	dashboard = await startDashboard({ env });
	ada = await signedIn(dashboard);
	await ada.json('/api/server/start', {});
	await quiet();
});
afterAll(() => dashboard?.dispose());

const all = async (): Promise<Operation[]> => (await ada.json('/api/operations')).body.operations;
const quiet = () =>
	eventually(all, (operations) => operations.every(({ state }) => state !== 'running'), LIMIT_MS);

type Ask = () => Promise<Response>;
const post =
	(target: string, body: object): Ask =>
	() =>
		ada.fetch(target, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { 'content-type': 'application/json' }
		});

/** The same from a page and from a program, at the same moment: one begins, the other hears what is under way. */
async function twice(kind: Operation['kind'], words: RegExp, form: Ask, json: Ask) {
	const before = (await all()).length;
	const answers = await Promise.all([form(), json()]);
	const refused = answers.filter(({ status }) => status === 409);
	const begun = answers.filter(({ status }) => [200, 202, 303].includes(status));
	expect([begun.length, refused.length]).toEqual([1, 1]);
	await begun[0]!.body?.cancel();
	expect(await refused[0]!.text()).toMatch(words);
	const operations = await quiet();
	expect(operations).toHaveLength(before + 1);
	expect(operations[0]).toMatchObject({ kind, state: 'succeeded' });
}

test(
	'restart, backup, restore and update requested twice at once are done once, and the other caller is told',
	async () => {
		await twice(
			'restart',
			/is being restarted since/,
			() => ada.form('/admin?/restart'),
			post('/api/server/restart', {})
		);
		await twice(
			'backup',
			/A backup is being made since/,
			() => ada.form('/admin/backups?/create'),
			post('/api/backups', {})
		);
		const { id } = (await ada.json('/api/backups')).body.backups[0];
		const address = `/admin/backups/restore?/restore&backup=${id}`;
		await twice(
			'restore',
			/is being restored since/,
			() => ada.form(address, { backup: id, scope: 'all', world: '', uuid: '' }),
			post(`/api/backups/${id}/restore`, { scope: 'all' })
		);
		const { plan } = (await ada.json('/api/mods/plan', { update: [JAR] })).body;
		await twice(
			'update',
			/is being updated since/,
			() => ada.form(`/admin/mods/plan?do=update&file=${JAR}&/run`, { planId: plan.id }),
			post('/api/mods/update', { fileNames: [JAR], planId: plan.id })
		);
	},
	4 * LIMIT_MS
);
