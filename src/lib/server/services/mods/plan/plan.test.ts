import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../../scripts/demo-server/seed/seed-mods.ts';
import {
	setupMods,
	warned,
	type ModsSetup
} from '../../../../../../tests/fakes/mods/mods-setup.ts';
import type { PlanRequest } from '#schemas/mod';

const jar = (id: string, depends: Record<string, string> = {}) =>
	modJar({ id, version: '1.0.0', name: id, description: '', depends });

const fileNames = (items: { fileName: string }[]) => items.map(({ fileName }) => fileName);
const plan = ({ mods }: ModsSetup, request: PlanRequest) => mods.plan(request, 'admin');

/** `a` needs `b`, `b` needs `c` and `a`, and there is a library. */
async function circle() {
	const setup = await setupMods();
	const { registry } = setup;
	for (const slug of ['a', 'b', 'c']) registry.addProject({ slug, title: slug.toUpperCase() });
	const id = (slug: string) => registry.store.find(slug)!.id;
	registry.addVersion('c', { number: '1.0.0' });
	registry.addVersion('b', {
		number: '1.0.0',
		dependencies: [{ projectId: id('c') }, { projectId: id('a') }]
	});
	registry.addVersion('a', { number: '1.0.0', dependencies: [{ projectId: id('b') }] });
	return { ...setup, id };
}

test('an install includes what it needs and what that needs, even in a cycle', async () => {
	const setup = await circle();
	const { add, warnings, restart, downloadBytes } = await plan(setup, {
		install: [{ projectId: setup.id('a') }]
	});
	expect(add.map(({ title, reason }) => [title, reason])).toEqual([
		['A', null],
		['B', 'needed by A'],
		['C', 'needed by B']
	]);
	expect(warnings).toEqual([]);
	expect(restart).toBe(true);
	expect(downloadBytes).toBe(add.reduce((sum, { size }) => sum + size, 0));
	// One bulk request for the projects of each round, one list of versions for each project.
	const asked = setup.asked();
	expect(asked.filter((one) => one === 'GET /projects')).toHaveLength(3);
	expect(asked.filter((one) => one.endsWith('/version'))).toHaveLength(3);
	expect(asked).toHaveLength(6);
});

test('a dependency that is present, by project, by mod id or inside another jar, is not added again', async () => {
	const setup = await circle();
	await setup.install('b', '1.0.0');
	await setup.put(
		'bundle.jar',
		modJar({
			...{ id: 'bundle', version: '2.0.0', name: 'bundle', description: '' },
			nested: [{ file: 'META-INF/jars/c.jar', bytes: jar('c') }]
		})
	);
	const { add, warnings } = await plan(setup, { install: [{ projectId: 'a' }] });
	expect(add.map(({ title }) => title)).toEqual(['A']);
	expect(warned({ warnings })).toEqual([]);
});

test('a disabled mod that is needed is enabled instead of downloaded', async () => {
	const setup = await circle();
	await setup.install('b', '1.0.0', { disabled: true });
	await setup.install('c', '1.0.0', { disabled: true });
	const { add, rename } = await plan(setup, { install: [{ projectId: 'a' }] });
	expect(add.map(({ title }) => title)).toEqual(['A']);
	expect(rename.map((item) => [item.replaces, item.fileName, item.reason])).toEqual([
		['b-1.0.0.jar.disabled', 'b-1.0.0.jar', 'needed by A']
	]);
});

test('an exact version is installed; an older one is replaced by it, a newer one stays', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'lib' });
	const versions = ['1.0.0', '2.0.0', '3.0.0'].map((number) =>
		registry.addVersion('lib', { number })
	);
	registry.addProject({ slug: 'user' });
	const { id: versionId, projectId } = versions[1]!;
	registry.addVersion('user', { number: '1.0.0', dependencies: [{ versionId, projectId }] });
	const install = { install: [{ projectId: 'user' }] };
	const exact = await plan(setup, install);
	expect(fileNames(exact.add)).toEqual(['user-1.0.0.jar', 'lib-2.0.0.jar']);

	await setup.install('lib', '1.0.0');
	const older = await plan(setup, install);
	expect(older.replace.map((item) => [item.replaces, item.fileName, item.reason])).toEqual([
		['lib-1.0.0.jar', 'lib-2.0.0.jar', 'needed by user']
	]);
	const { mods } = setup;
	await setup.put('lib-1.0.0.jar', versions[2]!.files[0]!.bytes);
	const newer = await mods.plan(install, 'admin');
	expect(newer.replace).toEqual([]);
	expect(warned(newer)).toEqual(['other-version']);
});

test('an unavailable dependency blocks, and one that is not in the registry is reported', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'old', title: 'Old Library' });
	registry.addVersion('old', { number: '1', gameVersions: ['1.20.1'] });
	registry.addProject({ slug: 'user', title: 'User' });
	registry.addVersion('user', {
		number: '1',
		dependencies: [
			{ projectId: registry.store.find('old')!.id },
			{ projectId: 'gone0000' },
			{ fileName: 'other-site.jar' },
			{ versionId: 'gone1111' },
			{ projectId: registry.store.find('user')!.id }
		]
	});
	const { warnings } = await plan(setup, { install: [{ projectId: 'user' }] });
	expect(warnings.map(({ message, blocking }) => [message, blocking])).toEqual([
		['User needs Old Library, which has no version for this server.', true],
		['User needs gone0000, which is not in the registry any more.', true],
		[
			'User also needs other-site.jar, which is not in the registry. Look for it on the mod’s own page.',
			false
		],
		['User needs a version that was withdrawn.', true]
	]);
});

test('incompatible mods block, whichever of the two declares it', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	for (const slug of ['one', 'two', 'three']) registry.addProject({ slug });
	registry.addVersion('one', { number: '1' });
	const projectId = registry.store.find('one')!.id;
	const dependencies = [{ projectId, kind: 'incompatible' as const }];
	registry.addVersion('two', { number: '1', dependencies });
	registry.addVersion('three', { number: '1' });
	await setup.install('two', '1');
	await setup.put(
		'hater.jar',
		modJar({
			...{ id: 'hater', version: '1', name: 'Hater', description: '' },
			breaks: { three: '*' }
		})
	);
	const first = await plan(setup, { install: [{ projectId: 'one' }] });
	expect(first.warnings.map(({ message }) => message)).toEqual([
		'one and two do not work together.'
	]);
	const other = await plan(setup, { install: [{ projectId: 'three' }] });
	expect(warned(other)).toEqual(['incompatible!']);
});

test('a given version must belong to the project, be listed, and fit the server', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'mod' });
	registry.addProject({ slug: 'other' });
	const bad = [
		registry.addVersion('other', { number: '1' }),
		registry.addVersion('mod', { number: '1', gameVersions: ['1.20.1'] }),
		registry.addVersion('mod', { number: '2', loaders: ['forge'] }),
		registry.addVersion('mod', { number: '3', status: 'unlisted' })
	];
	for (const { id } of bad)
		await expect(
			plan(setup, { install: [{ projectId: 'mod', versionId: id }] })
		).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: 'versionId' }] });
	await expect(plan(setup, { install: [{ projectId: 'mod' }] })).rejects.toMatchObject({
		kind: 'invalid',
		code: 'no-compatible-version'
	});
	await expect(plan(setup, { install: [{ projectId: 'nothing' }] })).rejects.toMatchObject({
		kind: 'not-found'
	});
});

test('of several versions the most stable is chosen, then the newest', async () => {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'mod' });
	setup.registry.addVersion('mod', { number: '1.0.0' });
	setup.registry.addVersion('mod', { number: '1.1.0' });
	setup.registry.addVersion('mod', { number: '2.0.0-beta', channel: 'beta' });
	const { add } = await plan(setup, { install: [{ projectId: 'mod' }] });
	expect(fileNames(add)).toEqual(['mod-1.1.0.jar']);
	setup.registry.addProject({ slug: 'early' });
	setup.registry.addVersion('early', { number: '0.2.0', channel: 'alpha' });
	const early = await plan(setup, { install: [{ projectId: 'early' }] });
	expect(warned(early)).toEqual(['prerelease']);
});

test('a Quilt server accepts Fabric mods, and its own library in place of Fabric API', async () => {
	const setup = await setupMods({ server: { loader: 'quilt', loaderVersion: '0.26.0' } });
	const { registry } = setup;
	registry.addProject({ id: 'P7dR8mSH', slug: 'fabric-api', title: 'Fabric API' });
	registry.addVersion('fabric-api', { number: '1' });
	registry.addProject({ id: 'qvIfYCYJ', slug: 'qsl', title: 'Quilted Fabric API' });
	registry.addProject({ slug: 'mod' });
	registry.addVersion('mod', { number: '1', dependencies: [{ projectId: 'P7dR8mSH' }] });
	const without = await plan(setup, { install: [{ projectId: 'mod' }] });
	expect(without.add.map(({ title }) => title)).toEqual(['mod', 'Fabric API']);
	registry.addVersion('qsl', {
		number: '1',
		loaders: ['quilt'],
		mod: { id: 'quilted_fabric_api' }
	});
	await setup.install('qsl', '1');
	const there = await plan(setup, { install: [{ projectId: 'mod' }] });
	expect(there.add.map(({ title }) => title)).toEqual(['mod']);
});

test('a mod that others need is not removed alone, and the libraries that are left over are offered', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'lib', title: 'Lib', categories: ['library'] });
	registry.addVersion('lib', { number: '1.0.0' });
	registry.addProject({ slug: 'base', title: 'Base', categories: ['library'] });
	registry.addVersion('base', { number: '1.0.0' });
	await setup.install('lib', '1.0.0');
	await setup.install('base', '1.0.0');
	await setup.put('lib-1.0.0.jar', jar('lib', { base: '*' }));
	registry.addProject({ slug: 'lib2', categories: ['library'] });
	const { files } = registry.addVersion('lib2', {
		number: '1',
		mod: { id: 'lib', name: 'Lib', depends: { base: '*' } }
	});
	await setup.put('lib-1.0.0.jar', files[0]!.bytes);
	await setup.put('user.jar', jar('user', { lib: '>=1' }));
	const blocked = await plan(setup, { remove: ['lib-1.0.0.jar'] });
	expect(blocked.warnings).toEqual([
		{
			code: 'needed-by',
			message: 'user needs Lib. Remove or disable user too, or keep Lib.',
			blocking: true
		}
	]);
	expect(warned(await plan(setup, { disable: ['lib-1.0.0.jar'] }))).toEqual(['needed-by!']);
	const both = await plan(setup, { remove: ['lib-1.0.0.jar', 'user.jar'] });
	expect(warned(both)).toEqual([]);
	expect(fileNames(both.orphans)).toEqual(['base-1.0.0.jar']);
	const user = await plan(setup, { remove: ['user.jar'] });
	expect(fileNames(user.orphans).sort()).toEqual(['base-1.0.0.jar', 'lib-1.0.0.jar']);
	expect(fileNames(user.remove)).toEqual(['user.jar']);
	const all = await plan(setup, { remove: ['user.jar'], removeOrphans: true });
	expect(fileNames(all.remove).sort()).toEqual(['base-1.0.0.jar', 'lib-1.0.0.jar', 'user.jar']);
	expect(all.orphans).toEqual([]);
	expect(all.backupFirst).toBe(true);
});

test('mods that need a removed one are offered, with those that need them, and removed with it when asked', async () => {
	const setup = await setupMods();
	await setup.put('lib.jar', jar('lib'));
	await setup.put('user.jar', jar('user', { lib: '*' }));
	await setup.put('addon.jar', jar('addon', { user: '*' }));
	await setup.put('asleep.jar.disabled', jar('asleep', { lib: '*' }));
	await setup.put('other.jar', jar('other'));
	const offered = await plan(setup, { remove: ['lib.jar'] });
	expect(warned(offered)).toEqual(['needed-by!']);
	expect(offered.dependents.map(({ fileName, reason }) => [fileName, reason])).toEqual([
		['user.jar', 'needs lib'],
		['addon.jar', 'needs user']
	]);
	expect(fileNames(offered.remove)).toEqual(['lib.jar']);
	const whole = await plan(setup, { remove: ['lib.jar'], removeDependents: true });
	expect(whole.warnings).toEqual([]);
	expect(whole.dependents).toEqual([]);
	expect(fileNames(whole.remove)).toEqual(['lib.jar', 'user.jar', 'addon.jar']);
	expect(whole.backupFirst).toBe(true);
	// What may be lost with them is said too.
	expect(whole.world).toContain('lib, user and addon');
});

test('what cannot load without a disabled mod is offered to be disabled with it', async () => {
	const setup = await setupMods();
	await setup.put('lib.jar', jar('lib'));
	await setup.put('user.jar', jar('user', { lib: '*' }));
	await setup.put('addon.jar', jar('addon', { user: '*' }));
	await setup.put('asleep.jar.disabled', jar('asleep', { lib: '*' }));
	const offered = await plan(setup, { disable: ['lib.jar'] });
	expect(warned(offered)).toEqual(['needed-by!']);
	expect(fileNames(offered.dependents)).toEqual(['user.jar', 'addon.jar']);
	const some = await plan(setup, { disable: ['lib.jar', 'user.jar'] });
	expect(fileNames(some.dependents)).toEqual(['addon.jar']);
	const whole = await plan(setup, { disable: ['lib.jar', 'user.jar', 'addon.jar'] });
	expect(whole.warnings).toEqual([]);
	expect(whole.dependents).toEqual([]);
	expect(whole.rename).toHaveLength(3);
});

test('dependencies that only the registry knows count too for a jar that cannot be read', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	for (const slug of ['lib', 'user']) registry.addProject({ slug, title: slug });
	registry.addVersion('lib', { number: '1' });
	const dependencies = [{ projectId: registry.store.find('lib')!.id }];
	const files = [{ name: 'user-1.jar', bytes: Buffer.from('not read') }];
	registry.addVersion('user', { number: '1', files, dependencies });
	await setup.install('lib', '1');
	const user = await setup.install('user', '1');
	const { dependents } = await plan(setup, { remove: ['lib-1.jar'] });
	expect(fileNames(dependents)).toEqual([user]);
});

test('enabling a mod with missing dependencies blocks, and so does one for another game version', async () => {
	const setup = await setupMods();
	await setup.put('lost.jar.disabled', jar('lost', { nowhere: '*' }));
	await setup.put('old.jar.disabled', jar('old', { minecraft: '1.20.1' }));
	await setup.put('broken.jar.disabled', Buffer.from('<html>'));
	const lost = await plan(setup, { enable: ['lost.jar.disabled'] });
	expect(lost.warnings.map(({ message }) => message)).toEqual([
		'lost needs nowhere, which is not there.'
	]);
	expect(warned(await plan(setup, { enable: ['old.jar.disabled'] }))).toEqual([
		'wrong-game-version!'
	]);
	expect(warned(await plan(setup, { enable: ['broken.jar.disabled'] }))).toEqual(['broken!']);
});

test('problems that existed before the plan block nothing', async () => {
	const setup = await circle();
	await setup.put('lost.jar', jar('lost', { nowhere: '*' }));
	await setup.put('twin-1.jar', jar('twin'));
	await setup.put('twin-2.jar', jar('twin'));
	expect(warned(await plan(setup, { install: [{ projectId: 'a' }] }))).toEqual([]);
	expect(warned(await plan(setup, { remove: ['twin-2.jar'] }))).toEqual([]);
});

test('a mod that somebody added by hand is not installed a second time', async () => {
	const setup = await circle();
	await setup.put('by-hand.jar', jar('c'));
	expect(warned(await plan(setup, { install: [{ projectId: 'c' }] }))).toEqual(['duplicate!']);
	await setup.put('c.jar.disabled', jar('c'));
	expect(warned(await plan(setup, { enable: ['c.jar.disabled'] }))).toEqual([
		'duplicate!',
		'duplicate!'
	]);
});

test('client-only mods are mentioned in one sentence and do not stop the server', async () => {
	const setup = await setupMods();
	for (const slug of ['shader', 'hud']) {
		setup.registry.addProject({ slug, title: slug, serverSide: 'unsupported' });
		setup.registry.addVersion(slug, { number: '1' });
	}
	const install = [{ projectId: 'shader' }, { projectId: 'hud' }];
	const found = await plan(setup, { install });
	expect(found.warnings).toEqual([
		{
			...{ code: 'client-only', blocking: false, harmless: true },
			message: expect.stringMatching(/^shader and hud are .* the server ignores them/)
		}
	]);
	expect(found.restart).toBe(false);
	expect(found.world).toBeNull();
});

test('where every jar is loaded, one that the registry calls client-only is tried like any other', async () => {
	for (const loader of ['forge', 'neoforge'] as const) {
		const setup = await setupMods({ server: { loader, gameVersion: '1.21.1' } });
		setup.registry.addProject({ slug: 'shader', serverSide: 'unsupported' });
		setup.registry.addVersion('shader', { number: '1', loaders: [loader] });
		const found = await plan(setup, { install: [{ projectId: 'shader' }] });
		expect(warned(found)).toEqual(['client-only']);
		expect(found.warnings[0]!.harmless).toBeUndefined();
		expect(found.restart).toBe(true);
	}
});

test('the world is mentioned when a mod with content is removed, and not for libraries and optimisations', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'magic', title: 'Magic', categories: ['magic', 'fabric'] });
	registry.addProject({
		slug: 'fast',
		title: 'Fast',
		categories: ['optimization', 'game-mechanics']
	});
	for (const slug of ['magic', 'fast'])
		for (const number of ['1', '2']) registry.addVersion(slug, { number });
	await setup.install('magic', '1');
	await setup.install('fast', '1');
	const removed = await plan(setup, { remove: ['magic-1.jar', 'fast-1.jar'] });
	expect(removed.world).toContain('Without Magic the world may lose');
	const updated = await plan(setup, { update: ['magic-1.jar'] });
	expect(updated.world).toContain('The new version of Magic');
	expect(updated.backupFirst).toBe(false);
	expect((await plan(setup, { update: ['fast-1.jar'] })).world).toBeNull();
});

test('the world is mentioned when a mod with content comes or is enabled, too', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'ruins', title: 'Ruins', categories: ['worldgen', 'fabric'] });
	registry.addProject({ slug: 'fast', title: 'Fast', categories: ['optimization'] });
	const lib = registry.addProject({ slug: 'lib', title: 'Lib', categories: ['library'] });
	registry.addVersion('lib', { number: '1' });
	registry.addVersion('ruins', { number: '1', dependencies: [{ projectId: lib.id }] });
	registry.addVersion('fast', { number: '1' });
	const may =
		'Ruins may add blocks, items and creatures to the world, which a rollback does not undo.';
	expect((await plan(setup, { install: [{ projectId: 'ruins' }] })).world).toBe(may);
	expect((await plan(setup, { install: [{ projectId: 'fast' }] })).world).toBeNull();
	await setup.install('ruins', '1', { disabled: true });
	expect((await plan(setup, { enable: ['ruins-1.jar.disabled'] })).world).toBe(may);
	expect((await plan(setup, { remove: ['ruins-1.jar.disabled'] })).world).toBeNull();
});

test('an update shows what changed between the installed version and the new one', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'mod' });
	for (const number of ['1', '2', '3', '4'])
		registry.addVersion('mod', { number, changelog: `in ${number} ${'x'.repeat(5000)}` });
	await setup.install('mod', '2');
	const { replace, keep } = await plan(setup, { update: ['mod-2.jar'] });
	expect(replace[0]).toMatchObject({
		replaces: 'mod-2.jar',
		from: '2',
		to: '4',
		fileName: 'mod-4.jar'
	});
	expect(replace[0]!.changelogs.map(({ version }) => version)).toEqual(['4', '3']);
	expect(replace[0]!.changelogs[0]!.text).toMatch(/^in 4 x{3995}$/);
	expect(keep).toEqual([]);
});

test('a requested mod that stays says why', async () => {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'mod', title: 'Mod' });
	setup.registry.addVersion('mod', { number: '1' });
	await setup.install('mod', '1');
	await setup.put('own.jar', jar('own'));
	const { keep } = await plan(setup, { update: ['mod-1.jar', 'own.jar'] });
	expect(keep.map(({ title, reason }) => [title, reason])).toEqual([
		['Mod', 'it is the newest already'],
		['own', 'the registry does not know this file']
	]);
	const again = await plan(setup, { install: [{ projectId: 'mod' }] });
	expect(again.keep[0]!.reason).toBe('it is installed already');
});

test('links and folders in mods/ are left alone', async () => {
	const setup = await setupMods();
	await setup.put('real.jar', jar('real'));
	await symlink('real.jar', path.join(setup.modsDir, 'link.jar'));
	await expect(plan(setup, { remove: ['link.jar'] })).rejects.toMatchObject({ kind: 'conflict' });
	await expect(plan(setup, { remove: ['never.jar'] })).rejects.toMatchObject({ kind: 'not-found' });
});

test('an existing file name is not overwritten', async () => {
	const setup = await circle();
	await setup.put('C-1.0.0.jar', jar('something-else'));
	await setup.put('x.jar', jar('x'));
	await setup.put('x.jar.disabled', jar('x'));
	const { add } = await plan(setup, { install: [{ projectId: 'c' }] });
	expect(add[0]!.fileName).toMatch(/^c-[0-9A-Za-z]{8}\.jar$/);
	expect(warned(await plan(setup, { disable: ['x.jar'] }))).toContain('name-taken!');
});

test('a server without a mod loader, or of unknown version, accepts no mods', async () => {
	for (const server of [{ loader: 'paper' as const }, { gameVersion: null }])
		await expect(
			plan(await setupMods({ server }), { install: [{ projectId: 'x' }] })
		).rejects.toMatchObject({ kind: 'conflict' });
});

test('a chain of hundreds of projects is refused instead of followed', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	for (let i = 0; i <= 210; i++) registry.addProject({ slug: `p${i}` });
	registry.addVersion('p0', {
		number: '1',
		dependencies: Array.from({ length: 210 }, (_, i) => ({
			projectId: registry.store.find(`p${i + 1}`)!.id
		}))
	});
	await expect(plan(setup, { install: [{ projectId: 'p0' }] })).rejects.toMatchObject({
		kind: 'invalid'
	});
});

test('a damaged file takes nothing from the world, even under the name of a mod with content', async () => {
	const setup = await setupMods();
	setup.registry.addProject({ slug: 'create', categories: ['technology'] });
	setup.registry.addVersion('create', { number: '1' });
	const whole = await setup.install('create', '1');
	await setup.put('create-0.5.1.jar', Buffer.from('no jar at all'));
	await setup.put('own.jar', jar('own'));
	for (const request of [{ remove: ['create-0.5.1.jar'] }, { disable: ['create-0.5.1.jar'] }])
		expect(await plan(setup, request)).toMatchObject({ world: null });
	expect((await plan(setup, { remove: ['own.jar'] })).world).toContain('Without own the world');
	await setup.put(whole, Buffer.from('cut off'));
	expect((await plan(setup, { remove: [whole] })).world).toBeNull();
	expect((await plan(setup, { remove: [whole, 'own.jar'] })).world).toMatch(/^Without own the/);
});

test('a disabled mod that is updated stays disabled, needs nothing and does not stop the server', async () => {
	const setup = await circle();
	setup.registry.addVersion('a', {
		number: '2.0.0',
		dependencies: [{ projectId: setup.id('b') }]
	});
	const fileName = await setup.install('a', '1.0.0', { disabled: true });
	const { replace, add, restart, warnings } = await plan(setup, { update: [fileName] });
	expect(replace.map((item) => [item.replaces, item.fileName])).toEqual([
		[fileName, 'a-2.0.0.jar.disabled']
	]);
	expect(replace[0]?.reason).toBe('disabled, and stays so');
	expect([add, restart, warnings]).toEqual([[], false, []]);
});

test('a library that only the old version needed is offered for removal', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'lib', categories: ['library'] });
	registry.addVersion('lib', { number: '1' });
	registry.addProject({ slug: 'mod' });
	const dependencies = [{ projectId: registry.store.find('lib')!.id }];
	registry.addVersion('mod', { number: '1', dependencies, mod: { depends: { lib: '*' } } });
	registry.addVersion('mod', { number: '2' });
	await setup.install('lib', '1');
	await setup.install('mod', '1');
	const { orphans, remove } = await plan(setup, { update: ['mod-1.jar'] });
	expect(fileNames(orphans)).toEqual(['lib-1.jar']);
	expect(remove).toEqual([]);
});

test('a dependency that only the registry claims is a hint when the jar says otherwise', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'lib' });
	registry.addVersion('lib', { number: '1' });
	registry.addProject({ slug: 'mod' });
	const dependencies = [{ projectId: registry.store.find('lib')!.id }];
	registry.addVersion('mod', { number: '1', dependencies });
	await setup.install('lib', '1');
	await setup.install('mod', '1');
	const { warnings } = await plan(setup, { remove: ['lib-1.jar'] });
	expect(warned({ warnings })).toEqual(['needed-by']);
});

test.each(['constructor', 'toString'])(
	'a project called %s is a project like any other',
	async (id) => {
		const setup = await setupMods();
		const { registry } = setup;
		registry.addProject({ slug: 'there' });
		registry.addVersion('there', { number: '1' });
		await setup.install('there', '1');
		registry.addProject({ id, slug: 'odd' });
		registry.addVersion('odd', { number: '1' });
		registry.addProject({ slug: 'user' });
		registry.addVersion('user', { number: '1', dependencies: [{ projectId: id }] });
		const { add, warnings } = await plan(setup, { install: [{ projectId: 'user' }] });
		expect(fileNames(add)).toEqual(['user-1.jar', 'odd-1.jar']);
		expect(warnings).toEqual([]);
	}
);

const HIDDEN = [
	...['withheld', 'rejected', 'unlisted', 'private', 'draft', 'processing', 'scheduled'],
	...['unknown', 'nobody-knows', '']
];

/** `hidden`, which the registry knows and does not list, and `user`, which needs it. */
async function hiddenProject(status: string) {
	const setup = await setupMods();
	const { registry } = setup;
	const project = registry.addProject({ slug: 'hidden', title: 'Hidden', status });
	const version = registry.addVersion('hidden', { number: '1' });
	registry.addVersion('hidden', { number: '2' });
	registry.addProject({ slug: 'user', title: 'User' });
	const addUser = (number: string, dependency: object) =>
		registry.addVersion('user', { number, dependencies: [dependency] });
	return { setup, registry, project, version, addUser };
}

test.each(HIDDEN)('an unlisted project (%s) is not planned', async (status) => {
	const { setup, project, version, addUser } = await hiddenProject(status);
	const refused = {
		kind: 'invalid',
		code: 'not-listed',
		message:
			'The registry does not list Hidden publicly, so it is not installed. Look for another mod.'
	};
	const projectId = project.id;
	for (const wish of [{ projectId }, { projectId: 'hidden' }, { projectId, versionId: version.id }])
		await expect(plan(setup, { install: [wish] })).rejects.toMatchObject(refused);

	const blocked = [
		{
			code: 'missing-dependency',
			message: 'User needs Hidden, which the registry does not list publicly.',
			blocking: true
		}
	];
	for (const dependency of [{ projectId }, { projectId, versionId: version.id }]) {
		addUser(JSON.stringify(dependency).length.toString(), dependency);
		const { add, warnings } = await plan(setup, { install: [{ projectId: 'user' }] });
		expect(add.map(({ title }) => title)).toEqual(['User']);
		expect(warnings).toEqual(blocked);
	}
});

test('an archived project is listed', async () => {
	const { setup, project } = await hiddenProject('archived');
	const { add } = await plan(setup, { install: [{ projectId: project.id }] });
	expect(add.map(({ title, to }) => [title, to])).toEqual([['Hidden', '2']]);
});

test('an installed mod that is no longer listed stays as it is', async () => {
	const { setup, version, addUser } = await hiddenProject('withheld');
	await setup.install('hidden', '1');
	const update = await plan(setup, { update: ['hidden-1.jar'] });
	expect(update.keep.map(({ reason }) => reason)).toEqual([
		'the registry does not list it publicly any more'
	]);
	expect(update.replace).toEqual([]);
	// It serves those that need it, and no newer one takes its place.
	addUser('1', { projectId: version.projectId });
	const { add, replace, warnings } = await plan(setup, { install: [{ projectId: 'user' }] });
	expect([fileNames(add), replace, warnings]).toEqual([['user-1.jar'], [], []]);
});
