import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { ada, setupMods, type ModsSetup } from '../../../../../tests/fakes/mods/mods-setup.ts';

const own = modJar({ id: 'own', version: '1.0.0', name: 'Own', description: '' });

const bulk = (setup: ModsSetup) => setup.asked().filter((one) => one.startsWith('POST'));

/** One mod of each channel, each with something newer of every channel. */
async function channels() {
	const setup = await setupMods();
	const { registry } = setup;
	for (const channel of ['release', 'beta', 'alpha'] as const) {
		registry.addProject({ slug: channel });
		registry.addVersion(channel, { number: '1', channel });
		for (const newer of ['release', 'beta', 'alpha'] as const)
			registry.addVersion(channel, { number: `2-${newer}`, channel: newer });
		await setup.install(channel, '1');
	}
	return setup;
}
const latest = async ({ mods }: ModsSetup) =>
	Object.fromEntries(
		(await mods.updates(false)).mods.map((mod) => [mod.fileName, mod.latest?.version ?? null])
	);

test('nobody is offered something less stable than what is installed', async () => {
	const setup = await channels();
	await setup.mods.list();
	setup.asked();
	expect(await latest(setup)).toEqual({
		'alpha-1.jar': '2-alpha',
		'beta-1.jar': '2-beta',
		'release-1.jar': '2-release'
	});
	expect(bulk(setup)).toHaveLength(3);
});

test('three requests are enough for everything, even when nothing is known yet', async () => {
	const setup = await channels();
	expect(await latest(setup)).toMatchObject({
		'release-1.jar': '2-release',
		'beta-1.jar': '2-beta'
	});
	expect(setup.asked()).toHaveLength(3);
});

test('two hundred mods take two requests, and none the second time', async () => {
	const setup = await setupMods();
	for (let i = 0; i < 200; i++) {
		setup.registry.addProject({ slug: `mod-${i}` });
		setup.registry.addVersion(`mod-${i}`, { number: '1' });
		if (i % 2) setup.registry.addVersion(`mod-${i}`, { number: '2' });
		await setup.install(`mod-${i}`, '1');
	}
	const { mods } = await setup.mods.updates(false);
	expect(mods.filter(({ updateAvailable }) => updateAvailable)).toHaveLength(100);
	expect(setup.asked()).toEqual(['POST /version_files', 'POST /version_files/update']);
	await setup.mods.updates(false);
	expect(setup.asked()).toEqual([]);
});

test('the same version and an older one are not updates, and private jars are not looked up', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'same' });
	registry.addVersion('same', { number: '1' });
	registry.addProject({ slug: 'older' });
	registry.addVersion('older', { number: '1' });
	registry.addVersion('older', { number: '2', gameVersions: ['1.20.1'] });
	await setup.install('same', '1');
	await setup.install('older', '2');
	await setup.put('own.jar', own);
	const { mods } = await setup.mods.updates(false);
	expect(
		mods.map(({ latest, updateAvailable, error }) => [latest, updateAvailable, error])
	).toEqual([
		[null, false, null],
		[null, false, 'The registry does not know this file.'],
		[null, false, null]
	]);
});

test('a file of the same name with other content is shown and never swapped', async () => {
	const setup = await setupMods();
	const { registry } = setup;
	registry.addProject({ slug: 'mod' });
	const jar = (version: string) => ({
		name: 'mod.jar',
		bytes: modJar({ id: 'mod', version, name: 'Mod', description: '' })
	});
	registry.addVersion('mod', { number: '1', files: [jar('1')] });
	await setup.install('mod', '1');
	registry.addVersion('mod', { number: '1', files: [jar('1-changed')] });
	const { mods } = await setup.mods.updates(false);
	expect(mods[0]).toMatchObject({ latest: { fileName: 'mod.jar' }, updateAvailable: false });
	const { keep, replace } = await setup.mods.plan({ update: ['mod.jar'] }, 'admin');
	expect(replace).toEqual([]);
	expect(keep[0]!.reason).toContain('another file of the same name');
});

test('locked mods are flagged', async () => {
	const setup = await channels();
	await setup.mods.patch({ fileName: 'beta-1.jar', locked: true }, ada);
	const { mods } = await setup.mods.updates(false);
	expect(mods.filter(({ locked }) => locked).map(({ fileName }) => fileName)).toEqual([
		'beta-1.jar'
	]);
});

test('an answer is valid for half an hour, unless somebody asks again', async () => {
	const clock = createManualClock();
	const setup = await setupMods({ clock });
	setup.registry.addProject({ slug: 'mod' });
	setup.registry.addVersion('mod', { number: '1' });
	await setup.install('mod', '1');
	const first = await setup.mods.updates(false);
	setup.registry.addVersion('mod', { number: '2' });
	await clock.advance(29 * 60_000);
	expect(await setup.mods.updates(false)).toEqual(first);
	const second = await setup.mods.updates(true);
	expect(second.mods[0]).toMatchObject({ updateAvailable: true, latest: { version: '2' } });
	expect(second.checkedAt).toBe('2026-01-02T03:33:05.000Z');
	setup.registry.addVersion('mod', { number: '3' });
	await clock.advance(31 * 60_000);
	expect((await setup.mods.updates(false)).mods[0]!.latest!.version).toBe('3');
});

test('a new file is looked up at once, without requesting the others again', async () => {
	const setup = await channels();
	await latest(setup);
	setup.asked();
	setup.registry.addProject({ slug: 'new' });
	setup.registry.addVersion('new', { number: '1' });
	setup.registry.addVersion('new', { number: '2' });
	await setup.install('new', '1');
	expect(await latest(setup)).toMatchObject({ 'new-1.jar': '2', 'beta-1.jar': '2-beta' });
	const hashes = setup.registry.requests
		.slice(-2)
		.map(({ body }) => (body as { hashes: string[] }).hashes.length);
	expect(hashes).toEqual([1, 1]);
});

test('in an outage the last answer stays with its age, and every mod says so', async () => {
	const clock = createManualClock();
	const setup = await setupMods({ clock });
	setup.registry.addProject({ slug: 'mod' });
	setup.registry.addVersion('mod', { number: '1' });
	setup.registry.addVersion('mod', { number: '2' });
	await setup.install('mod', '1');
	const before = await setup.mods.updates(false);
	setup.registry.misbehave([{ answer: { status: 404 }, times: Infinity }]);
	const after = await setup.mods.updates(true);
	expect(after.checkedAt).toBe(before.checkedAt);
	expect(after.mods[0]).toMatchObject({ updateAvailable: true, latest: { version: '2' } });
	expect(after.mods[0]!.error).toMatch(/^It could not be looked up\. /);
	setup.asked();
	await clock.advance(31 * 60_000);
	await setup.mods.updates(false);
	await setup.mods.updates(false);
	expect(bulk(setup)).toHaveLength(1);
	setup.registry.misbehave([]);
	expect((await setup.mods.updates(true)).mods[0]!.error).toBeNull();
});

test('without a mod loader there are no updates', async () => {
	const setup = await setupMods({ server: { loader: 'vanilla' } });
	await setup.put('own.jar', own);
	expect(await setup.mods.updates(false)).toMatchObject({
		checkedAt: null,
		mods: [{ latest: null, updateAvailable: false }]
	});
	expect(setup.asked()).toEqual([]);
});

test('with the lookup of all jars switched off no request carries the hash of a private one', async () => {
	const setup = await setupMods();
	const { registry, mods, world } = setup;
	world.askAboutAll = false;
	registry.addProject({ slug: 'public' });
	registry.addVersion('public', { number: '1' });
	await setup.put('own.jar', own);
	await setup.install('public', '1'); // by hand: nobody can know where it came from
	const hashes = (await setup.inventory.read({ ask: true, patient: true })).files.map(
		({ sha512 }) => sha512!
	);
	const sent = () => JSON.stringify(registry.requests);
	await mods.list();
	await mods.updates(true);
	await mods.plan({ update: ['own.jar', 'public-1.jar'] }, 'admin');
	await mods.update({ all: true }, ada).catch(() => {});
	expect(hashes.filter((hash) => sent().includes(hash))).toEqual([]);
	expect((await mods.updates(false)).mods[0]!.error).toMatch(/not asked about this file/);

	// What is installed from the registry is looked up there.
	registry.addVersion('public', { number: '2' });
	const projectId = registry.store.find('public')!.id;
	const versionId = registry.store.versionsOf(projectId).find(({ number }) => number === '1')!.id;
	await rm(path.join(setup.modsDir, 'public-1.jar'));
	await mods.install({ projectId, versionId }, ada);
	await setup.install('public', '1');
	const { mods: found } = await mods.updates(true);
	expect(found.map(({ latest }) => latest?.version ?? null)).toEqual([null, '2']);
	expect(sent()).toContain(hashes[1]);
	expect(sent()).not.toContain(hashes[0]);

	world.askAboutAll = true;
	await mods.updates(false);
	expect(sent()).toContain(hashes[0]);
});

test.each(['withheld', 'gone'])('nothing newer is offered of a project that is %s', async (now) => {
	const clock = createManualClock();
	const setup = await setupMods({ clock });
	const { registry } = setup;
	const project = registry.addProject({ slug: 'mod' });
	for (const number of ['1', '2']) registry.addVersion('mod', { number });
	await setup.install('mod', '1');
	await setup.mods.list();
	expect(await latest(setup)).toEqual({ 'mod-1.jar': '2' });
	if (now === 'withheld') project.status = now;
	else registry.store.projects.length = 0;
	// A day later what is known of the project is asked for again.
	await clock.advance(25 * 3_600_000);
	await setup.mods.list();
	expect((await setup.mods.updates(true)).mods).toMatchObject([
		{
			latest: null,
			updateAvailable: false,
			error: 'The registry does not list this mod publicly any more.'
		}
	]);
});
