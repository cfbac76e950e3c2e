import { expect, test } from 'vitest';
import { ModSearch } from '#schemas/mod';
import { ada, ben, setupMods } from '../../../../../../tests/fakes/mods/mods-setup.ts';

/** `mod` and `other` 1 are installed, and both have a version 2; `mod` 2 did not start here. */
async function setup() {
	const made = await setupMods();
	for (const slug of ['mod', 'other']) {
		made.registry.addProject({ slug });
		for (const number of ['1', '2']) made.registry.addVersion(slug, { number });
		await made.install(slug, '1');
	}
	await made.mods.list();
	const project = made.registry.store.find('mod')!;
	const version = made.registry.store.versionsOf(project.id).find(({ number }) => number === '2')!;
	const { loader, loaderVersion, gameVersion } = made.server;
	const failed = {
		...{ projectId: project.id, versionId: version.id, version: '2' },
		...{ sha512: version.files[0]!.sha512, loader, loaderVersion, gameVersion },
		...{ operationId: '20260605T101112131Z-1a2b', at: '2026-06-05T10:11:12.131Z' },
		...{ alone: true, certain: false, onCopy: false, control: true }
	};
	await made.inventory.failures.remember([failed]);
	const failedHere = async () =>
		Object.fromEntries(
			(await made.mods.updates(false)).mods.map((one) => [one.fileName, one.failedHere])
		);
	return { ...made, failed, failedHere };
}

test('a version that was rolled back is marked, and left out of "update all"', async () => {
	const { mods, ran, failed, failedHere } = await setup();
	const { at, operationId } = failed;
	expect(await failedHere()).toEqual({
		'mod-1.jar': { at, operationId, certain: false },
		'other-1.jar': null
	});
	await mods.update({ all: true }, ben);
	expect(ran.at(-1)?.titles).toEqual(['other 2']);
	const wish = { do: 'update' as const, file: [], project: [], all: '1' as const };
	const asked = { ...wish, dependents: undefined, orphans: undefined };
	expect((await mods.preview(asked, 'admin')).replace).toMatchObject([{ title: 'other' }]);
});

test('one that failed on a copy, perhaps because of the others, is marked and still offered', async () => {
	const { mods, inventory, ran, failed } = await setup();
	await inventory.failures.remember([{ ...failed, alone: false, onCopy: true }]);
	expect((await mods.updates(false)).mods).toMatchObject([
		{ fileName: 'mod-1.jar', failedHere: { certain: false }, leftOut: false },
		{ fileName: 'other-1.jar', failedHere: null, leftOut: false }
	]);
	await mods.update({ all: true }, ben);
	expect(ran.at(-1)?.titles).toEqual(['mod 2', 'other 2']);
	await inventory.failures.remember([{ ...failed, certain: true, onCopy: true }]);
	expect((await mods.updates(false)).mods[0]).toMatchObject({ leftOut: true });
	await mods.update({ all: true }, ben);
	expect(ran.at(-1)?.titles).toEqual(['other 2']);
});

test('it can be tried again when asked for by name, and the plan says what happened', async () => {
	const { mods, ran } = await setup();
	const plan = await mods.plan({ update: ['mod-1.jar'] }, 'admin');
	expect(plan.warnings).toMatchObject([
		{ code: 'failed-here', message: 'mod 2 did not start here on 5 Jun 2026.', blocking: false }
	]);
	await mods.update({ fileNames: ['mod-1.jar'], planId: plan.id }, ben);
	expect(ran.at(-1)?.titles).toEqual(['mod 2']);
});

test('several that were tried together are one warning, until it is known which of them is to blame', async () => {
	const { mods, registry, inventory, failed } = await setup();
	const other = registry.store.versionsOf(registry.store.find('other')!.id);
	const second = other.find(({ number }) => number === '2')!;
	const of = { projectId: second.id, versionId: second.id, sha512: second.files[0]!.sha512 };
	const inSet = { ...failed, operationId: '20260606T101112131Z-1a2b', alone: false, onCopy: true };
	await inventory.failures.remember([inSet, { ...inSet, ...of }]);
	const both = { update: ['mod-1.jar', 'other-1.jar'] };
	const warned = async (of = both) => (await mods.plan(of, 'admin')).warnings;
	const { operationId } = inSet;
	expect(await warned()).toEqual([
		{
			...{ code: 'failed-here', blocking: false, operationId },
			message: 'mod 2 and other 2 were tried together on 5 Jun 2026, and the server did not start.'
		}
	]);
	expect(await warned({ update: ['mod-1.jar'] })).toMatchObject([
		{ message: 'mod 2 was part of a change on 5 Jun 2026 with which the server did not start.' }
	]);
	await inventory.failures.remember([{ ...inSet, operationId: 'a search', certain: true }]);
	await inventory.failures.acquit(operationId, [failed.sha512]);
	expect(await warned()).toEqual([
		{ code: 'failed-here', blocking: false, message: 'mod 2 did not start here on 5 Jun 2026.' }
	]);
});

test('a search marks the project whose version did not start here, until it or a later one is installed', async () => {
	const { mods, install } = await setup();
	const marks = async () =>
		(await mods.search(ModSearch.parse({}))).hits.flatMap(({ slug, failedHere }) =>
			failedHere ? [{ slug, ...failedHere }] : []
		);
	expect(await marks()).toEqual([{ slug: 'mod', version: '2', certain: false }]);
	await install('mod', '2');
	mods.invalidate();
	expect(await marks()).toEqual([]);
});

test('one that had been ready for players is not said not to have started', async () => {
	const { mods, inventory, failed } = await setup();
	// The server had crashed before: there was nothing to compare it with.
	await inventory.failures.forget(failed.versionId);
	await inventory.failures.remember([{ ...failed, control: false, ready: true }]);
	const { warnings } = await mods.plan({ update: ['mod-1.jar'] }, 'admin');
	expect(warnings).toMatchObject([{ message: 'mod 2 did not stay up here on 5 Jun 2026.' }]);
	expect((await mods.updates(false)).mods[0]).toMatchObject({
		failedHere: { ready: true },
		leftOut: true
	});
});

test('a newer version is offered again', async () => {
	const { mods, registry, failedHere } = await setup();
	registry.addVersion('mod', { number: '3' });
	await mods.updates(true);
	expect(await failedHere()).toEqual({ 'mod-1.jar': null, 'other-1.jar': null });
});

test('a person may forget it: it is offered as if nothing had happened, and that is recorded', async () => {
	const { mods, told, failed, failedHere } = await setup();
	await mods.forgetFailure(failed.versionId, ada);
	expect(await failedHere()).toMatchObject({ 'mod-1.jar': null });
	expect(told).toMatchObject([{ by: ada.name, action: 'mods.forget-failure', detail: '2' }]);
	await expect(mods.forgetFailure(failed.versionId, ada)).rejects.toMatchObject({
		kind: 'not-found'
	});
});
