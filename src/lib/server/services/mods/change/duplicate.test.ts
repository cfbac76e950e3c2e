import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readJar } from '#minecraft/mods';
import { modJar } from '../../../../../../scripts/demo-server/seed/seed-mods.ts';
import { fabricJar } from '../../../../../../tests/fakes/mods/mod-jars.ts';
import { ada, ben, setupMods } from '../../../../../../tests/fakes/mods/mods-setup.ts';
import { createDuplicateCheck, createTwinsCheck } from './duplicate.ts';

type Mod = { id?: string; provides?: string[]; nested?: { file: string; bytes: Buffer }[] };

const upload = (jar: Buffer) => ({
	name: 'up.jar',
	bytes: (async function* () {
		yield jar;
	})()
});

/** `kept` is installed; version 2 of `other`, which is installed too, and `fresh` hold what the test says. */
async function setup(mod: Mod = { id: 'kept' }) {
	const made = await setupMods();
	const { registry } = made;
	registry.addProject({ slug: 'kept-mod', title: 'Kept' });
	for (const number of ['1', '2'])
		registry.addVersion('kept-mod', { number, mod: { id: 'kept', version: number } });
	for (const slug of ['other', 'fresh']) registry.addProject({ slug });
	registry.addVersion('other', { number: '1' });
	registry.addVersion('other', { number: '2', mod: { version: '2', ...mod } });
	registry.addVersion('fresh', { number: '1', mod });
	await made.install('kept-mod', '1');
	await made.install('other', '1');

	const duplicate = createDuplicateCheck({
		read: () => made.inventory.read({ ask: false }),
		readJar
	});
	/** What is reported about the most recent change once its files are here. */
	async function said() {
		const change = made.ran.at(-1)!;
		const files = registry.store.versions.flatMap((version) => version.files);
		const at = (index: number) => path.join(made.root, `${index}.jar`);
		for (const [i, { sha512, staged }] of change.put.entries())
			if (!staged) await writeFile(at(i), files.find((file) => file.sha512 === sha512)!.bytes);
		return duplicate(change, (index) => change.put[index]!.staged ?? at(index));
	}
	const lock = () => made.mods.patch({ fileName: 'kept-mod-1.jar', locked: true }, ada);
	const install = (by = ben) => made.mods.install({ projectId: 'fresh' }, by);
	const update = (fileName: string, by = ben) => made.mods.update({ fileNames: [fileName] }, by);
	return { ...made, said, lock, install, update };
}

const TWICE =
	'is the same mod (kept) as kept-mod-1.jar, and a server loads only one of them. Remove kept-mod-1.jar first.';
const LOCKED =
	'is the same mod (kept) as kept-mod-1.jar, which is locked: only a superadmin may remove that.';

test('an install, and an update, of a jar with the id of an installed mod', async () => {
	const made = await setup();
	await made.install();
	expect(await made.said()).toBe(`fresh-1.jar ${TWICE}`);
	await made.update('other-1.jar');
	expect(await made.said()).toBe(`other-2.jar ${TWICE}`);
});

test('a locked mod is not shadowed, even where its id is only an alias', async () => {
	for (const mod of [{ id: 'kept' }, { provides: ['kept'] }]) {
		const made = await setup(mod);
		await made.lock();
		await made.install();
		expect(await made.said()).toBe(`fresh-1.jar ${LOCKED}`);
		await made.update('other-1.jar');
		expect(await made.said()).toBe(`other-2.jar ${LOCKED}`);
		await made.install(ada);
		expect(await made.said()).toBe(`fresh-1.jar ${LOCKED}`);
	}
});

test('a mod that another one provides is there already', async () => {
	const made = await setup({ id: 'alias' });
	await made.put('kept-mod-1.jar', fabricJar('kept', { provides: ['alias'] }));
	await made.install();
	expect(await made.said()).toMatch(
		/^fresh-1\.jar is the same mod \(alias\) as kept-mod-1\.jar, and/
	);
});

test('enabling, and uploading, one with its id is refused before anything begins', async () => {
	const made = await setup();
	await made.lock();
	await made.put('twin.jar.disabled', fabricJar('kept'));
	const enable = { fileName: 'twin.jar.disabled', enabled: true };
	await expect(made.mods.patch(enable, ben)).rejects.toMatchObject({
		code: 'plan-blocked',
		message: expect.stringMatching(/The same mod \(kept\) is also in kept-mod-1\.jar/)
	});
	await rm(path.join(made.modsDir, 'twin.jar.disabled'));
	await expect(made.mods.upload(upload(fabricJar('kept')), ben)).rejects.toMatchObject({
		code: 'locked'
	});
	expect(made.ran).toEqual([]);
});

test('enabling, and uploading, one with its id as an alias', async () => {
	const made = await setup();
	await made.lock();
	const jar = fabricJar('twin', { provides: ['kept'] });
	await made.mods.upload(upload(jar), ben);
	expect(await made.said()).toBe(`up.jar ${LOCKED}`);
	await made.put('twin.jar.disabled', jar);
	await made.mods.patch({ fileName: 'twin.jar.disabled', enabled: true }, ben);
	expect(await made.said()).toBe(`twin.jar ${LOCKED}`);
});

test('a newer version replaces the older one, even a locked one', async () => {
	const made = await setup();
	await made.update('kept-mod-1.jar');
	expect(await made.said()).toBeNull();
	await made.lock();
	await made.update('kept-mod-1.jar', ada);
	expect(await made.said()).toBeNull();
});

test('a library inside another jar does not count as a second mod', async () => {
	const bytes = modJar({ id: 'kept', version: '9', name: 'Kept', description: '' });
	const made = await setup({ nested: [{ file: 'META-INF/jars/kept.jar', bytes }] });
	await made.lock();
	await made.install();
	expect(await made.said()).toBeNull();
});

test('mods that were duplicates before block nothing but a third copy', async () => {
	const made = await setup({});
	await made.put('twin.jar', fabricJar('kept'));
	await made.install();
	expect(await made.said()).toBeNull();
	await made.update('kept-mod-1.jar');
	expect(await made.said()).toBeNull();
	await made.mods.patch({ fileName: 'other-1.jar', enabled: false }, ben);
	expect(await made.said()).toBeNull();

	const third = await setup();
	await third.put('twin.jar', fabricJar('kept'));
	await third.install();
	expect(await third.said()).toBe(`fresh-1.jar ${TWICE}`);
});

test('a snapshot that contains the same mod twice, locked or not', async () => {
	const made = await setup({});
	const twins = createTwinsCheck({
		read: () => made.inventory.read({ ask: false }),
		readJar,
		jarsOf: async () => {
			const names = (await readdir(made.modsDir)).filter((name) => name.endsWith('.jar'));
			return Promise.all(
				names.sort().map(async (fileName) => {
					const file = path.join(made.modsDir, fileName);
					return { fileName, file, size: (await stat(file)).size };
				})
			);
		}
	});
	expect(await twins('id')).toEqual({ locked: null, others: null });
	await made.put('twin.jar', fabricJar('kept'));
	const others =
		'kept-mod-1.jar is the same mod (kept) as twin.jar: a server loads only one of them.';
	expect(await twins('id')).toEqual({ locked: null, others });
	await made.lock();
	expect((await twins('id')).locked).toMatch(
		/^In this snapshot twin\.jar is the same mod \(kept\) as kept-mod-1\.jar, which is locked, and/
	);
});
