import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { worldVersion } from '#minecraft/folder';
import { ADA, startDemo } from './kit/demo.ts';
import { upgradeWithout } from '../../src/lib/schemas/software/without.ts';

async function setup() {
	const { app, ended } = await startDemo();
	const { worldDir } = await app.installation();
	const serverDir = path.dirname(worldDir);
	return {
		app,
		worldDir,
		ended,
		names: async () => (await readdir(serverDir)).sort(),
		async upgrade(gameVersion: string, park: string[] = []) {
			const plan = await app.upgrades.plan({ gameVersion, park });
			const { id } = await app.upgrades.start({ planId: plan.id }, ADA);
			// Start, Stop and backups remain possible while it only prepares.
			expect(app.operations.busy()).toBeNull();
			return { plan, ended: await ended(id) };
		}
	};
}

test('the demo: a late mod is parked for one upgrade, the next fails on a copy, and another takes the world back', async () => {
	const { app, worldDir, names, upgrade, ended } = await setup();
	const { versions } = await app.upgrades.list(false);
	expect(versions.find(({ id }) => id === '1.21.4')).toMatchObject({
		...{ ready: 4, total: 5 },
		late: [{ title: 'Quiet Villagers' }]
	});
	await expect(app.upgrades.plan({ gameVersion: '1.21.4', park: [] })).rejects.toMatchObject({
		code: 'late-mods',
		message: expect.stringContaining('Quiet Villagers has no version for Minecraft 1.21.4 yet')
	});

	const late = 'quiet-villagers-2.0.1.jar';
	const { plan, ended: done } = await upgrade('1.21.4', [late]);
	expect(plan).toMatchObject({
		...{ from: '1.21.1', unknown: [], asItIs: ['Lantern Keeper'] },
		parked: [{ title: 'Quiet Villagers', reason: null }],
		content: expect.stringContaining('Without Quiet Villagers the world may lose'),
		trial: { will: true, why: null }
	});
	expect(plan.updated.map(({ title, to }) => `${title} ${to}`).sort()).toEqual([
		'Fabric API 0.106.0+1.21.4',
		'Lithium 0.15.1+mc1.21.4',
		'Waymarks 1.0.1+1.21.4'
	]);
	expect(done).toMatchObject({
		...{ kind: 'upgrade', state: 'succeeded', cause: null },
		boots: [{ verdict: 'good', control: false }]
	});
	expect(done.steps.map(({ id }) => id)).toEqual([
		...['lookup', 'java', 'download', 'snapshot', 'trial', 'backup', 'swap'],
		...['restart', 'verify', 'modpack']
	]);
	expect(await app.software.state()).toMatchObject({
		gameVersion: '1.21.4',
		parked: [{ fileName: `${late}.disabled`, title: 'Quiet Villagers' }]
	});
	const kept = (await names()).filter((name) => name.startsWith('.craftwarden-upgrade-'));
	expect(kept).toHaveLength(1);
	expect(await worldVersion(path.join(path.dirname(worldDir), kept[0]!, 'old/world'))).toBe(
		'1.21.1'
	);
	expect((await app.mods.list()).mods.filter(({ enabled }) => enabled)).toHaveLength(4);

	// The bad mod of the tour’s second step can still be tried.
	const spoiler = { do: 'install' as const, project: ['ruin-keeper'], file: [] };
	const { add, warnings } = await app.mods.preview(spoiler, 'superadmin');
	expect(add).toMatchObject([{ title: 'Ruin Keeper', to: '1.0.0' }]);
	expect(warnings.filter(({ blocking }) => blocking)).toEqual([]);

	/** Newest first, and what is said of each that failed. */
	const offered = async () => {
		const { newestComplete, versions } = await app.upgrades.list(false);
		const told = versions.map(({ id, failed }) => [id, failed?.mods ?? null] as const);
		return { newestComplete, ...Object.fromEntries(told) };
	};
	expect(await offered()).toEqual({ newestComplete: '1.21.8', '26.2': null, '1.21.8': null });
	const before = await names();
	const { run } = await app.power.observe();
	const { ended: onCopy } = await upgrade('1.21.8');
	expect(onCopy).toMatchObject({
		state: 'failed',
		cause: { mods: ['lithium'], message: expect.stringContaining('was never stopped') },
		boots: [{ verdict: 'bad' }, { verdict: 'good', control: true }]
	});
	expect((await app.power.observe()).run?.id).toBe(run?.id);
	expect(await names()).toEqual(before);

	// As the demo’s tour promises: only now is the one before it of interest.
	expect(await offered()).toEqual({
		...{ newestComplete: '1.21.5', '26.2': null, '1.21.8': ['Lithium'], '1.21.5': null }
	});
	expect(await app.tour?.()).toMatchObject({ upgraded: true });

	const { ended: failed } = await upgrade('1.21.5');
	// A fresh world proves nothing about one that has been played on.
	expect(failed, failed.cause?.message).toMatchObject({
		...{ state: 'rolled-back', boots: [{ verdict: 'good' }] }
	});
	expect(failed.steps.find(({ id }) => id === 'rollback')?.detail).toMatch(
		/the untouched original is back\. The server runs as before/
	);
	// Its page offers the same without the mod to blame.
	const { mods: installed } = await app.mods.list();
	const without = upgradeWithout(failed, await app.operations.input(failed.id), {
		installed,
		titles: failed.cause?.titles ?? {}
	});
	expect(without).toMatchObject({ gameVersion: '1.21.5', title: 'Waymarks' });
	expect((await app.upgrades.plan(without!)).parked).toMatchObject([{ title: 'Waymarks' }]);
	// What the game wrote as it crashed is evidence, and stays.
	expect((await names()).filter((name) => name !== 'crash-reports')).toEqual(before);
	expect(await worldVersion(worldDir)).toBe('1.21.4');
	expect(await app.software.state()).toMatchObject({ gameVersion: '1.21.4' });
	expect((await app.power.observe()).state).toBe('running');
	// A crash report says the version as well.
	expect(await offered()).toMatchObject({
		...{ newestComplete: null, '1.21.8': ['Lithium'] },
		'1.21.5': [expect.stringMatching(/^Waymarks/)]
	});
	expect((await app.upgrades.plan({ gameVersion: '1.21.5', park: [] })).warnings[0]).toMatch(
		/^The last upgrade to it, on .*, failed: /
	);

	// The upgrade that went well can still be taken back, and that in turn.
	const [original] = await app.upgrades.kept();
	expect(original).toMatchObject({
		...{ title: 'Minecraft 1.21.1', instead: 'Minecraft 1.21.4', refusal: null }
	});
	const { id } = await app.upgrades.goBack(original!.operationId, { backupFirst: true }, ADA);
	const back = await ended(id);
	expect(back).toMatchObject({ kind: 'go-back', state: 'succeeded', cause: null });
	expect(back.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
		...['lookup done', 'snapshot done', 'backup done', 'swap done', 'restart done'],
		...['verify done', 'modpack done']
	]);
	expect(await worldVersion(worldDir)).toBe('1.21.1');
	expect(await app.software.state()).toMatchObject({ gameVersion: '1.21.1', parked: [] });
	expect((await app.mods.list()).mods.filter(({ enabled }) => enabled)).toHaveLength(5);
	expect((await app.power.observe()).state).toBe('running');
	expect(await app.upgrades.kept()).toMatchObject([
		{ title: 'Minecraft 1.21.4', instead: 'Minecraft 1.21.1', refusal: null }
	]);
	// It is offered again, and not as if nothing had been.
	const again = await app.upgrades.list(true);
	expect(again.newestComplete).not.toBe('1.21.4');
	const left = again.versions.find((one) => one.id === '1.21.4')!;
	expect(left.wentBack?.operationId).toBe(id);
	const park = left.late.map(({ fileName }) => fileName);
	expect((await app.upgrades.plan({ gameVersion: '1.21.4', park })).warnings[0]).toMatch(
		/^You went back from it on /
	);
	const needed = (await app.snapshots.list()).filter(({ inUse }) => inUse);
	expect(needed.map(({ operationId }) => operationId)).toEqual([id]);
}, 300_000);
