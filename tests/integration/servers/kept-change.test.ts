import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { fabricJar } from '../../fakes/mods/mod-jars.ts';
import { ADMIN, eventually, signedIn } from '../../harness.ts';
import { ended, power, reaches, status } from '../kit/actions.ts';
import { open, pageText, type Setup } from '../kit/servers-kit.ts';

const DAMAGED = 'create-fabric-0.5.1.jar';
const LACKING = 'deco.jar';
const LAUNCHER = {
	exitCode: 1,
	output: ['Error: Could not find or load main class net.fabricmc.Launcher']
};

let setup: Setup;
beforeEach(async () => {
	setup = await open('fabric', {
		behaviour: LAUNCHER,
		async prepare({ dir }) {
			const at = (name: string) => path.join(dir, 'mods', name);
			await writeFile(at(DAMAGED), Buffer.from('no jar at all'));
			await writeFile(
				at(LACKING),
				fabricJar('deco', { name: 'Deco', depends: { 'fabric-api': '*' } })
			);
		}
	});
});

/** Beside the one that the folder has anyway. */
const mods = async () =>
	(await readdir(path.join(setup.folder.dir, 'mods')))
		.filter((name) => !name.startsWith('lithium'))
		.sort();
const newest = async (): Promise<Operation> =>
	(await setup.ada.json('/api/operations?limit=1')).body.operations[0];
const planOf = (name: string, action = 'remove') =>
	`/admin/mods/plan?do=${action}&file=${encodeURIComponent(name)}`;

/** As a browser without JavaScript sends the form below a plan. */
async function agree(address: string, fields: Record<string, string> = {}) {
	const page = await (await setup.ada.fetch(address)).text();
	const planId = /name="planId" value="([0-9a-f]{32})"/.exec(page)![1]!;
	const answer = await setup.ada.form(`${address}&/run`, { planId, ...fields });
	const to = answer.headers.get('location');
	return {
		answer,
		operation: to ? await ended(setup.ada, to.split('/').at(-1)!.split('?')[0]!) : null
	};
}

describe('a server whose launcher does not start', () => {
	test('mods can be taken out one after the other, and nothing says that they were to blame', async () => {
		const { ada, dashboard } = setup;
		expect(await power(ada, 'start')).toMatchObject({ state: 'failed' });
		const plan = await pageText(ada, planOf(DAMAGED));
		expect(plan).not.toMatch(/may lose blocks/);
		expect(plan).toContain('Only change the files');
		const { operation } = await agree(planOf(DAMAGED));
		expect(operation).toMatchObject({ kind: 'remove', state: 'failed' });
		expect(operation!.cause!.message).toMatch(
			/^Removed create-fabric-0\.5\.1\S*\. The server still does not start, for the same reason as before: Java could not start the server/
		);
		expect(operation!.steps.map(({ id }) => id)).not.toContain('rollback');
		expect(await mods()).toEqual([LACKING]);

		const told = await pageText(ada, `/admin/operations/${operation!.id}`);
		expect(told).toContain('still does not start, for the same reason as before.');
		expect(told).toMatch(/Read the log.*Put the old mods back/);
		expect(told).not.toMatch(/[Rr]olled back|Could not remove|last change to the mods/);
		const overview = await pageText(ada, '/admin');
		expect(overview).not.toMatch(/[Rr]olled back|change to the mods failed|A mod is damaged/);
		const audit = await pageText(ada, '/admin/activity?view=audit&result=failed');
		expect(audit).not.toMatch(/create-fabric/);

		const second = await agree(planOf(LACKING, 'disable'));
		expect(second.operation!.cause!.message).toMatch(/^Disabled Deco/);
		expect(await mods()).toEqual([`${LACKING}.disabled`]);
		expect(await readdir(dashboard.dataDir)).not.toContain('failed-versions.json');
		const { inbox = [] } = (await ada.json('/api/notifications/channels')).body;
		expect(JSON.stringify(inbox)).not.toMatch(/rolled back|failed: /);

		// When its own reason is gone, it starts as it is.
		await setup.folder.behave({});
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
	});
});

describe('only the files', () => {
	test('are changed while the server is off, without JavaScript, and nothing is started', async () => {
		const { ada, folder } = setup;
		const { operation } = await agree(planOf(DAMAGED), { filesOnly: 'on' });
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(await mods()).toEqual([LACKING]);
		expect([await folder.starts(), (await status(ada)).state]).toEqual([[], 'stopped']);
		const told = await pageText(ada, `/admin/operations/${operation!.id}`);
		expect(told).toMatch(/Done: removed .* The next start will show whether it comes up\./);
		expect(told).toContain('Put the old mods back');
	});

	test('are refused in words while it runs, on the page as in the API', async () => {
		const { ada, folder } = setup;
		const address = planOf(DAMAGED);
		const before = await (await ada.fetch(address)).text();
		await folder.behave({});
		expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded' });
		expect(await pageText(ada, address)).not.toContain('Only change the files');
		const planId = /name="planId" value="([0-9a-f]{32})"/.exec(before)![1]!;
		const form = await ada.form(`${address}&/run`, { planId, filesOnly: 'on' });
		expect(form.status).toBe(409);
		expect(await form.text()).toContain('The server runs, and the files of a running server');
		const bob = await signedIn(setup.dashboard, ADMIN);
		for (const [method, body] of [
			['DELETE', { fileNames: [DAMAGED], filesOnly: true }],
			['PATCH', { fileName: LACKING, enabled: false, filesOnly: true }]
		] as const)
			expect(await bob.json('/api/mods', body, method)).toMatchObject({
				status: 409,
				body: { detail: expect.stringMatching(/^The server runs/) }
			});
		expect(await mods()).toEqual([DAMAGED, LACKING].sort());
		await power(ada, 'stop');
		await reaches(ada, 'stopped');
		const answer = await bob.json(
			'/api/mods',
			{ fileName: LACKING, enabled: false, filesOnly: true },
			'PATCH'
		);
		expect(answer.status).toBe(202);
		await eventually(newest, ({ state }) => state === 'succeeded');
		expect(await mods()).toContain(`${LACKING}.disabled`);
		expect(await folder.starts()).toHaveLength(1);
	});
});
