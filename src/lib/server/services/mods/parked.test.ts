import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ada, setupMods, type ModsSetup } from '../../../../../tests/fakes/mods/mods-setup.ts';

const WISH = { do: 'disable' as const, project: [], park: '1' as const };

async function park(setup: ModsSetup, file: string, loseContent = false) {
	const wish = { ...WISH, file: [file] };
	const { id } = await setup.mods.preview(wish, 'superadmin');
	await setup.mods.fulfil(
		wish,
		{ planId: id, backupFirst: false, skipTrial: false, filesOnly: false, loseContent },
		ada
	);
	// As the operation would.
	await rename(path.join(setup.modsDir, file), path.join(setup.modsDir, `${file}.disabled`));
	setup.mods.invalidate();
}

async function late() {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'late', title: 'Late', categories: ['optimization'] });
	setup.registry.addVersion('late', { number: '1', gameVersions: ['1.20.1'] });
	await setup.install('late', '1');
	await setup.mods.list();
	return setup;
}

test('a parked mod is disabled, remembered, and offered when there is a version for the game', async () => {
	const setup = await late();
	await park(setup, 'late-1.jar');
	expect(setup.ran).toMatchObject([
		{ kind: 'disable', rename: [{ from: 'late-1.jar', to: 'late-1.jar.disabled' }] }
	]);
	const fileName = 'late-1.jar.disabled';
	expect(await setup.mods.parked()).toMatchObject([{ fileName, title: 'Late', back: null }]);
	setup.registry.addVersion('late', { number: '2', gameVersions: ['1.21.1'] });
	await setup.mods.updates(true);
	const [back] = await setup.mods.parked();
	expect(back).toMatchObject({ fileName, back: 'update' });
	// One press: the version for this game, enabled.
	const plan = await setup.mods.preview(
		{ do: 'install', project: [back!.projectId!], file: [] },
		'admin'
	);
	expect(plan.replace).toMatchObject([{ fileName: 'late-2.jar', replaces: fileName }]);
});

test('a mod that came back, was removed, or was only disabled is not called parked', async () => {
	const setup = await late();
	await park(setup, 'late-1.jar');
	const at = (name: string) => path.join(setup.modsDir, name);
	await rename(at('late-1.jar.disabled'), at('renamed.jar.disabled'));
	expect(await setup.mods.parked()).toMatchObject([{ fileName: 'renamed.jar.disabled' }]);
	await rename(at('renamed.jar.disabled'), at('late-1.jar'));
	expect(await setup.mods.parked()).toEqual([]);
	await rm(at('late-1.jar'));
	expect(await setup.mods.parked()).toEqual([]);
	setup.registry.addProject({ slug: 'off' });
	setup.registry.addVersion('off', { number: '1' });
	await setup.install('off', '1', { disabled: true });
	expect(await setup.mods.parked()).toEqual([]);
});

test('a mod with blocks and items is never parked silently', async () => {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'blocks', title: 'Blocks', categories: ['decoration'] });
	setup.registry.addVersion('blocks', { number: '1' });
	await setup.install('blocks', '1');
	await setup.mods.list();
	await expect(park(setup, 'blocks-1.jar')).rejects.toMatchObject({
		kind: 'conflict',
		message: expect.stringContaining('may lose blocks')
	});
	expect(setup.ran).toEqual([]);
	expect(await setup.mods.parked()).toEqual([]);
	await park(setup, 'blocks-1.jar', true);
	expect(await setup.mods.parked()).toMatchObject([{ title: 'Blocks' }]);
});

test('a program parks a mod in the same way', async () => {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'blocks', title: 'Blocks', categories: ['decoration'] });
	setup.registry.addVersion('blocks', { number: '1' });
	const fileName = await setup.install('blocks', '1');
	await setup.mods.list();
	const asked = { fileName, parked: true, loseContent: false } as const;
	await expect(setup.mods.patch(asked, ada)).rejects.toThrow('may lose blocks');
	await setup.mods.patch({ ...asked, loseContent: true }, ada);
	await rename(
		path.join(setup.modsDir, fileName),
		path.join(setup.modsDir, `${fileName}.disabled`)
	);
	expect(await setup.mods.parked()).toMatchObject([{ title: 'Blocks', back: 'enable' }]);
});

test('what a parked mod waits for is told, and an older version that would run', async () => {
	const setup = await setupMods();
	const { registry, install, mods } = setup;
	registry.addProject({ slug: 'wick', title: 'Wick', categories: ['library'] });
	registry.addVersion('wick', { number: '1', gameVersions: ['1.20.1'], mod: { name: 'Wick' } });
	registry.addProject({ slug: 'lantern', title: 'Lantern', categories: ['optimization'] });
	registry.addVersion('lantern', { number: '1' });
	registry.addVersion('lantern', {
		number: '2',
		gameVersions: ['1.20.1'],
		mod: { depends: { wick: '*' } }
	});
	await install('wick', '1');
	await install('lantern', '2');
	await mods.list();
	await park(setup, 'lantern-2.jar');
	await park(setup, 'wick-1.jar');
	expect(await mods.parked()).toMatchObject([
		{ fileName: 'wick-1.jar.disabled', back: null, waitsFor: [], older: null },
		{
			...{ fileName: 'lantern-2.jar.disabled', back: null, waitsFor: ['Wick'] },
			older: { version: '1' }
		}
	]);
	expect((await mods.list()).parked).toMatchObject([{ waitsFor: [] }, { waitsFor: ['Wick'] }]);
});
