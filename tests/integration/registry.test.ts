import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRegistry, type FakeRegistry } from '../../scripts/demo-registry/registry.ts';
import type { Operation } from '#schemas/operation';
import { ADMIN, signedIn, startDashboard, type Dashboard, type Visitor } from '../harness.ts';

const LITHIUM = 'lithium-fabric-0.13.0+mc1.21.1.jar';

let registry: FakeRegistry;
let dashboard: Dashboard;
let ada: Visitor;
let bob: Visitor;
beforeAll(async () => {
	registry = await startRegistry();
	dashboard = await startDashboard({ env: { MODRINTH_URL: registry.url } });
	[ada, bob] = await Promise.all([signedIn(dashboard), signedIn(dashboard, ADMIN)]);
});
afterAll(async () => {
	await dashboard?.dispose();
	await registry?.close();
});

const inMods = async () => (await readdir(path.join(dashboard.gameDir, 'mods'))).sort();
/** As bob, to its end: the answer is a stream that ends with the operation. */
async function install(body: object): Promise<Operation> {
	const answer = await bob.fetch('/api/mods/install', {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'content-type': 'application/json' }
	});
	expect(answer.status).toBe(200);
	await answer.text();
	return (await bob.json('/api/operations')).body.operations[0];
}

test('an admin installs nothing that is not listed publicly', async () => {
	const { id: projectId } = registry.addProject({ slug: 'hidden', status: 'withheld' });
	const { id: versionId } = registry.addVersion('hidden', { number: '1' });
	const before = await inMods();
	for (const wish of [{ projectId }, { projectId, versionId }])
		for (const [address, body] of [
			['/api/mods/install', wish],
			['/api/mods/plan', { install: [wish] }]
		] as const)
			expect(await bob.json(address, body)).toMatchObject({
				status: 422,
				body: { code: 'not-listed', detail: expect.stringMatching(/does not list hidden publicly/) }
			});
	expect(await bob.json('/api/mods/projects/hidden')).toMatchObject({
		status: 404,
		body: { detail: 'The registry does not list hidden publicly.' }
	});
	expect(await inMods()).toEqual(before);
});

test('what was withdrawn after it was planned is not installed', async () => {
	const project = registry.addProject({ slug: 'recalled', title: 'Recalled' });
	registry.addVersion('recalled', { number: '1' });
	const before = await inMods();
	const projectId = project.id;
	const { plan } = (await bob.json('/api/mods/plan', { install: [{ projectId }] })).body;
	project.status = 'withheld';
	const { cause } = await install({ projectId, planId: plan.id });
	expect(cause?.message).toMatch(/^The registry no longer offers Recalled 1/);
	expect(await inMods()).toEqual(before);
});

test('a jar that turns out to be a locked mod is never added beside it', async () => {
	const lock = await ada.json('/api/mods', { fileName: LITHIUM, locked: true }, 'PATCH');
	expect(lock.status).toBe(200);
	const impostor = registry.addProject({ slug: 'impostor', title: 'Impostor' });
	registry.addVersion('impostor', { number: '99', mod: { id: 'lithium', version: '99.0.0' } });
	const before = await inMods();
	const { cause, steps, state } = await install({ projectId: impostor.id });
	expect(state).not.toBe('succeeded');
	expect(cause?.message).toBe(
		`impostor-99.jar is the same mod (lithium) as ${LITHIUM}, which is locked: only a superadmin may remove that.`
	);
	expect(steps.at(-1)?.detail).toBe('Nothing was changed: the old mods are in place.');
	expect(await inMods()).toEqual(before);
});

test('a rate limit of the registry is shown at once, with when it is tried again', async () => {
	const headers = { 'retry-after': '300' };
	registry.misbehave([{ on: /search/, answer: { status: 429, headers }, times: Infinity }]);
	const asked = () => registry.requests.filter(({ path }) => path === '/v2/search').length;
	for (const q of ['first', 'second']) {
		const answer = await bob.json(`/api/mods/search?q=${q}`);
		expect(answer).toMatchObject({
			status: 502,
			body: {
				code: 'rate-limited',
				detail: expect.stringMatching(/Try again at \d\d:\d\d:\d\d UTC, in 5 minutes/)
			}
		});
		expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
	}
	expect(asked()).toBe(1);
	registry.misbehave([]);
}, 5_000);
