import { afterEach, describe, expect, test } from 'vitest';
import type { Status } from '#schemas/status';
import {
	ADMIN,
	eventually,
	processesIn,
	signedIn,
	startDashboard,
	type Dashboard,
	type Visitor
} from '../harness.ts';
import { ended, reaches, status } from './kit/actions.ts';

const open: Dashboard[] = [];
afterEach(async () => {
	for (const dashboard of open.splice(0)) await dashboard.dispose();
});
async function start(env: Record<string, string> = {}) {
	const dashboard = await startDashboard({ env });
	open.push(dashboard);
	return dashboard;
}
async function again(dashboard: Dashboard) {
	const next = await dashboard.again();
	open.unshift(next);
	return next;
}

const operations = async (visitor: Visitor): Promise<{ state: string }[]> =>
	(await visitor.json('/api/operations')).body.operations;
/** The operation that brings it there ends a moment after the state is told. */
async function settles(visitor: Visitor, wanted: Status['state'], limitMs?: number) {
	await reaches(visitor, wanted, limitMs);
	await eventually(
		() => operations(visitor),
		(all) => all.every((one) => one.state !== 'running')
	);
}

test('start, restart and stop: each is an operation that reports the truth', async () => {
	const dashboard = await start();
	const admin = await signedIn(dashboard, ADMIN);
	expect((await status(admin)).state).toBe('stopped');

	const started = await admin.json('/api/server/start', {});
	expect(started.status).toBe(202);
	expect(started.headers.get('location')).toBe(`/api/operations/${started.body.operation.id}`);
	expect(await ended(admin, started.body.operation.id)).toMatchObject({ state: 'succeeded' });
	expect((await admin.json('/api/status')).body).toMatchObject({
		state: 'running',
		online: true,
		version: '1.21.1'
	});
	const [pid] = await processesIn(dashboard.gameDir);
	expect(pid).toBeGreaterThan(0);

	const refused = await admin.json('/api/server/start', {});
	expect(refused.status).toBe(409);
	expect(refused.body.detail).toMatch(/running/i);

	// To have it killed in the end is for superadmins, as the kill is.
	expect((await admin.json('/api/server/restart', { kill: true })).status).toBe(403);
	expect((await admin.form('/admin?/restart', { kill: 'on' })).status).toBe(403);
	expect(await processesIn(dashboard.gameDir)).toEqual([pid]);

	const restarted = await admin.json('/api/server/restart', {});
	expect(await ended(admin, restarted.body.operation.id)).toMatchObject({ state: 'succeeded' });
	const after = await processesIn(dashboard.gameDir);
	expect(after).toHaveLength(1);
	expect(after[0]).not.toBe(pid);

	const stopped = await admin.json('/api/server/stop', {});
	expect(await ended(admin, stopped.body.operation.id)).toMatchObject({ state: 'succeeded' });
	expect((await status(admin)).state).toBe('stopped');
	expect(await processesIn(dashboard.gameDir)).toEqual([]);
	expect((await admin.json('/api/server/stop', {})).status).toBe(409);
});

test('three people press Start at once: one server starts, the others are told', async () => {
	const dashboard = await start();
	const admin = await signedIn(dashboard, ADMIN);
	const answers = await Promise.all([1, 2, 3].map(() => admin.json('/api/server/start', {})));
	expect(answers.map((a) => a.status).sort()).toEqual([202, 409, 409]);
	await settles(admin, 'running');
	expect(await processesIn(dashboard.gameDir)).toHaveLength(1);
});

test('the game outlives the dashboard and is found again', async () => {
	const dashboard = await start();
	const admin = await signedIn(dashboard, ADMIN);
	await admin.json('/api/server/start', {});
	await settles(admin, 'running');
	const before = await processesIn(dashboard.gameDir);
	await dashboard.kill('SIGKILL');
	expect(await processesIn(dashboard.gameDir)).toEqual(before);

	const next = await again(dashboard);
	const visitor = await signedIn(next, ADMIN);
	await settles(visitor, 'running', 5_000);
	expect(await processesIn(dashboard.gameDir)).toEqual(before);
	const { body } = await visitor.json('/api/server/stop', {});
	expect(await ended(visitor, body.operation.id)).toMatchObject({ state: 'succeeded' });
	expect(await processesIn(dashboard.gameDir)).toEqual([]);
});

/** Milliseconds after the request at which the dashboard is killed; the demo boots in well under a second here. */
const MOMENTS =
	process.env['FAULTS'] === 'all' ? [0, 20, 50, 90, 150, 250, 400, 700, 1100] : [5, 120, 500];
describe.each(['start', 'stop', 'restart'] as const)('kill -9 during %s', (action) => {
	test.each(MOMENTS)('after %i ms leaves a true state and never two servers', async (moment) => {
		const dashboard = await start();
		const admin = await signedIn(dashboard, ADMIN);
		if (action !== 'start') {
			await admin.json('/api/server/start', {});
			await settles(admin, 'running');
		}
		const asked = admin.json(`/api/server/${action}`, {}).catch(() => null);
		await new Promise((resolve) => setTimeout(resolve, moment));
		await dashboard.kill('SIGKILL');
		await asked;

		const next = await again(dashboard);
		const visitor = await signedIn(next, ADMIN);
		const settled = await eventually(
			async () => ({
				state: (await status(visitor)).state,
				games: (await processesIn(dashboard.gameDir)).length,
				running: (await operations(visitor)).some((one) => one.state === 'running')
			}),
			({ state, games, running }) =>
				games <= 1 && !running && state === (games === 1 ? 'running' : 'stopped')
		);
		expect(settled.games).toBeLessThanOrEqual(1);
	});
});

test('a countdown is announced and can be cancelled; the server goes on', async () => {
	const dashboard = await start();
	const admin = await signedIn(dashboard, ADMIN);
	await admin.json('/api/server/start', {});
	await settles(admin, 'running');
	const { body } = await admin.json('/api/server/stop', {
		delaySeconds: 300,
		message: 'Back soon'
	});
	const cancelled = await admin.json(`/api/operations/${body.operation.id}/cancel`, {});
	expect(cancelled.status).toBe(200);
	expect(await ended(admin, body.operation.id)).toMatchObject({ state: 'cancelled' });
	expect((await status(admin)).state).toBe('running');
	expect((await admin.json(`/api/operations/${body.operation.id}/cancel`, {})).status).toBe(409);
});

test('wrong input changes nothing and says why', async () => {
	const dashboard = await start();
	const admin = await signedIn(dashboard, ADMIN);
	for (const [body, status] of [
		[{ delaySeconds: -1 }, 422],
		[{ delaySeconds: 1.5 }, 422],
		[{ message: 'a\nb' }, 422],
		[{ force: true }, 422]
	] as const) {
		const answer = await admin.json('/api/server/start', body);
		expect(answer.status).toBe(status);
		expect(answer.body.issues[0].message).toBeTruthy();
	}
	expect((await admin.json('/api/operations')).body.operations).toEqual([]);
	expect(await processesIn(dashboard.gameDir)).toEqual([]);
});

test('whatever stops the server takes a countdown within the same limits', async () => {
	const superadmin = await signedIn(await start());
	const id = '20260102T030405Z-1a2b';
	const planId = '0'.repeat(32);
	const asked: [string, object][] = [
		['/api/server/stop', {}],
		[`/api/backups/${id}/restore`, { scope: 'all' }],
		[`/api/snapshots/${id}/restore`, {}],
		['/api/upgrades', { planId }],
		['/api/software/apply', { planId }]
	];
	const paths = (answer: { body: { issues?: { path: string }[] } }) =>
		answer.body.issues?.map(({ path }) => path);
	for (const [address, body] of asked) {
		const late = await superadmin.json(address, { ...body, delaySeconds: 3601 });
		expect([address, late.status, paths(late)]).toEqual([address, 422, ['delaySeconds']]);
		const long = await superadmin.json(address, { ...body, message: 'x'.repeat(121) });
		expect([address, long.status, paths(long)]).toEqual([address, 422, ['message']]);
		const good = await superadmin.json(address, { ...body, delaySeconds: 30, message: 'Soon' });
		expect([address, good.status]).not.toEqual([address, 422]);
	}
});
