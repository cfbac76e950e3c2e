import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { ada, ben, setupMods, OPERATION } from '../../../../../tests/fakes/mods/mods-setup.ts';
import { ModWish, PlanAgreement } from '#schemas/mod';
import { systemClock } from '#core/clock';
import { readJar } from '#minecraft/mods';
import { receive } from './upload.ts';

type Facts = { version?: string; depends?: Record<string, string> };
const jar = (id: string, { version = '1.0.0', depends = {} }: Facts = {}) =>
	modJar({ id, version, name: id, description: '', depends });
const sha512 = (bytes: Uint8Array) => createHash('sha512').update(bytes).digest('hex');

async function* chunks(bytes: Uint8Array, size = 64) {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const upload = (name: string, bytes: Uint8Array) => ({ name, bytes: chunks(bytes) });

/** `mod` 1 of 3 is installed; `mod` 2 and 3 need a library. */
async function setup(options: Parameters<typeof setupMods>[0] = {}) {
	const made = await setupMods(options);
	const { registry } = made;
	registry.addProject({ slug: 'lib', title: 'Lib', categories: ['library'] });
	registry.addVersion('lib', { number: '1' });
	registry.addProject({ slug: 'mod', title: 'Mod', categories: ['magic'] });
	registry.addVersion('mod', { number: '1' });
	const dependencies = [{ projectId: registry.store.find('lib')!.id }];
	registry.addVersion('mod', { number: '2', dependencies });
	await made.install('mod', '1');
	return made;
}

test('several are installed by one plan: what one of them needs comes once, and what was asked for is counted as such', async () => {
	const made = await setup();
	const { registry } = made;
	const lib = registry.store.find('lib')!.id;
	const ids = ['one', 'two'].map((slug) => {
		const { id } = registry.addProject({ slug, title: slug });
		registry.addVersion(slug, { number: '1', dependencies: [{ projectId: lib }] });
		return id;
	});
	const wish = ModWish.parse({ do: 'install', file: [], project: ids });
	const plan = await made.mods.preview(wish, 'admin');
	expect(plan).toMatchObject({ kind: 'install', subject: '2 mods and 1 dependency' });
	expect(plan.add.map(({ title }) => title).sort()).toEqual(['Lib', 'one', 'two']);
	const agreed = PlanAgreement.parse({ planId: plan.id });
	await made.mods.fulfil(wish, agreed, ben);
	expect(made.ran).toMatchObject([
		{ kind: 'install', planId: plan.id, titles: ['one 1', 'two 1', 'Lib 1'], needed: 1 }
	]);

	// What another one of them needs may be asked for itself.
	const all = await made.mods.preview({ ...wish, project: [...ids, lib] }, 'admin');
	expect(all.subject).toBe('3 mods');
	// The plan is for what the address says, and for nothing else.
	const more = registry.addProject({ slug: 'more' }).id;
	await expect(
		made.mods.fulfil({ ...wish, project: [...ids, more] }, agreed, ben)
	).rejects.toMatchObject({ code: 'plan-changed' });
});

test('an address names one project or several, and a version of a single one', () => {
	const parsed = (facts: object) =>
		ModWish.safeParse({ do: 'install', file: [], ...facts }).success;
	expect(parsed({ project: ['a'] })).toBe(true);
	expect(parsed({ project: ['a'], version: 'v1' })).toBe(true);
	expect(parsed({ project: ['a', 'b'] })).toBe(true);
	expect(parsed({ project: ['a', 'b'], version: 'v1' })).toBe(false);
	expect(parsed({ project: [] })).toBe(false);
	expect(parsed({ project: [''] })).toBe(false);
	expect(parsed({ project: Array(51).fill('a') })).toBe(false);
});

test('an update does exactly what its plan showed', async () => {
	const made = await setup();
	const plan = await made.mods.plan({ update: ['mod-1.jar'] }, 'admin');
	expect(plan.subject).toBe('Mod 2 and 1 dependency');
	const operation = await made.mods.update({ fileNames: ['mod-1.jar'], planId: plan.id }, ben);
	expect(operation.kind).toBe('update');
	const store = made.registry.store;
	const [lib, mod] = ['lib', 'mod'].map((slug) => store.versionsOf(store.find(slug)!.id)[0]!);
	const [libFile, modFile] = [lib!.files[0]!, mod!.files[0]!];
	const file = ({ url, name, size, sha1, sha512 }: typeof libFile) => ({
		...{ url, size, sha1, sha512 },
		fileName: name
	});
	const put = (stored: typeof libFile, id: string, title: string) => ({
		...{ fileName: stored.name, file: file(stored), staged: null, title },
		...{ sha512: stored.sha512, size: stored.size, side: 'server', ids: [id] }
	});
	const old = await readFile(path.join(made.modsDir, 'mod-1.jar'));
	expect(made.ran).toEqual([
		{
			kind: 'update',
			planId: plan.id,
			titles: ['Mod 2', 'Lib 1'],
			needed: 1,
			changes: [
				{ is: 'replace', title: 'Mod', from: '1', to: '2' },
				{ is: 'add', title: 'Lib', from: null, to: '1' }
			],
			put: [put(modFile, 'mod', 'Mod 2'), put(libFile, 'lib', 'Lib 1')],
			take: [
				{
					...{ fileName: 'mod-1.jar', sha512: sha512(old), title: 'Mod 1' },
					...{ side: 'server', ids: ['mod'] }
				}
			],
			rename: [],
			before: { 'mod-1.jar': sha512(old) },
			restart: true,
			backupFirst: false
		}
	]);
});

test('a plan is valid only for the mods and the registry data that it was made for', async () => {
	const made = await setup();
	const ask = () => made.mods.plan({ update: ['mod-1.jar'] }, 'admin');
	const refused = { kind: 'conflict', code: 'plan-changed' };
	const update = (planId: string) => made.mods.update({ fileNames: ['mod-1.jar'], planId }, ben);

	const { id } = await ask();
	expect((await ask()).id).toBe(id);
	await made.put('by-hand.jar', jar('by-hand'));
	await expect(update(id)).rejects.toMatchObject(refused);

	const second = (await ask()).id;
	made.registry.addVersion('mod', { number: '3' });
	await expect(update(second)).rejects.toMatchObject(refused);

	await expect(update('0'.repeat(32))).rejects.toMatchObject(refused);
	expect(made.ran).toEqual([]);
	await update((await ask()).id);
	expect(made.ran).toHaveLength(1);
});

test('a plan for one thing does not permit another', async () => {
	const made = await setup();
	await made.put('own.jar', jar('own'));
	const { id: planId } = await made.mods.plan({ remove: ['own.jar'] }, 'admin');
	const refused = { code: 'plan-changed' };
	const { mods } = made;
	await expect(mods.remove({ fileNames: ['mod-1.jar'], planId }, ben)).rejects.toMatchObject(
		refused
	);
	await expect(
		mods.remove({ fileNames: ['own.jar'], removeOrphans: true, planId }, ben)
	).rejects.toMatchObject(refused);
	await expect(
		mods.remove({ fileNames: ['own.jar'], removeDependents: true, planId }, ben)
	).rejects.toMatchObject(refused);
	await expect(mods.install({ projectId: 'lib', planId }, ben)).rejects.toMatchObject(refused);
	await expect(mods.update({ all: true, planId }, ben)).rejects.toMatchObject(refused);
	await expect(
		mods.patch({ fileName: 'own.jar', enabled: false, planId }, ben)
	).rejects.toMatchObject(refused);
	expect(made.ran).toEqual([]);
	await mods.remove({ fileNames: ['own.jar'], planId }, ben);
	expect(made.ran[0]).toMatchObject({ kind: 'remove', planId, backupFirst: true });
});

test('a removal includes the mods that need it, but no locked one for an admin', async () => {
	const made = await setup();
	await made.put('user.jar', jar('user', { depends: { mod: '*' } }));
	const { mods } = made;
	const request = { remove: ['mod-1.jar'], removeDependents: true };
	const action = { fileNames: ['mod-1.jar'], removeDependents: true };
	await mods.patch({ fileName: 'user.jar', locked: true }, ada);
	const offered = await mods.plan({ remove: ['mod-1.jar'] }, 'admin');
	expect(offered.dependents).toEqual([]);
	expect(offered.warnings.map(({ code }) => code).sort()).toEqual(['locked', 'needed-by']);
	const forbidden = { kind: 'forbidden', code: 'locked' };
	await expect(mods.plan(request, 'admin')).rejects.toMatchObject(forbidden);
	await expect(mods.remove(action, ben)).rejects.toMatchObject(forbidden);
	// Nor by the plan that was shown to a superadmin.
	const { id: planId } = await mods.plan(request, 'superadmin');
	await expect(mods.remove({ ...action, planId }, ben)).rejects.toMatchObject(forbidden);
	expect(made.ran).toEqual([]);

	await mods.remove({ ...action, planId }, ada);
	expect(made.ran).toHaveLength(1);
	expect(made.ran[0]).toMatchObject({
		kind: 'remove',
		planId,
		titles: ['Mod 1', 'user 1.0.0'],
		take: [{ fileName: 'mod-1.jar' }, { fileName: 'user.jar' }],
		put: [],
		backupFirst: true
	});
});

test('a plan expires after half an hour', async () => {
	const clock = createManualClock();
	const made = await setup({ clock });
	const { id: planId } = await made.mods.plan({ update: ['mod-1.jar'] }, 'admin');
	await clock.advance(30 * 60_000);
	await expect(made.mods.update({ fileNames: ['mod-1.jar'], planId }, ben)).rejects.toMatchObject({
		code: 'plan-changed'
	});
});

test('without a plan it is made on the spot, and a blocked one is refused', async () => {
	const made = await setup();
	await made.put('user.jar', jar('user', { depends: { mod: '*' } }));
	await expect(made.mods.remove({ fileNames: ['mod-1.jar'] }, ben)).rejects.toMatchObject({
		kind: 'conflict',
		code: 'plan-blocked',
		message: /user needs Mod/
	});
	await expect(
		made.mods.patch({ fileName: 'mod-1.jar', enabled: false }, ben)
	).rejects.toMatchObject({ code: 'plan-blocked' });
	const { id: planId } = await made.mods.plan({ remove: ['mod-1.jar'] }, 'admin');
	await expect(made.mods.remove({ fileNames: ['mod-1.jar'], planId }, ben)).rejects.toMatchObject({
		code: 'plan-blocked'
	});
	expect(made.ran).toEqual([]);
	await made.mods.remove({ fileNames: ['mod-1.jar', 'user.jar'], backupFirst: false }, ben);
	expect(made.ran[0]).toMatchObject({ planId: null, backupFirst: false });
	expect(made.ran[0]!.take.map(({ fileName }) => fileName)).toEqual(['mod-1.jar', 'user.jar']);
});

test('update all includes what has an update and no lock', async () => {
	const made = await setup();
	const { registry } = made;
	for (const slug of ['kept', 'held']) {
		registry.addProject({ slug });
		registry.addVersion(slug, { number: '1' });
		await made.install(slug, '1');
	}
	registry.addVersion('held', { number: '2' });
	await made.mods.patch({ fileName: 'held-1.jar', locked: true }, ada);
	await made.mods.update({ all: true }, ada);
	expect(made.ran[0]!.take.map(({ fileName }) => fileName)).toEqual(['mod-1.jar']);
	await made.put(
		'mod-1.jar',
		registry.store.versionsOf(registry.store.find('mod')!.id)[0]!.files[0]!.bytes
	);
	await expect(made.mods.update({ all: true }, ben)).rejects.toMatchObject({
		kind: 'conflict',
		code: 'nothing-to-do'
	});
});

test('an admin cannot change a locked mod in any way, and a superadmin can', async () => {
	const made = await setup();
	const fileName = 'mod-1.jar';
	await made.mods.patch({ fileName, locked: true }, ada);
	const forbidden = { kind: 'forbidden', code: 'locked' };
	const { mods } = made;
	const version = made.registry.store.versionsOf(made.registry.store.find('mod')!.id)[0]!;
	await expect(mods.update({ fileNames: [fileName] }, ben)).rejects.toMatchObject(forbidden);
	await expect(mods.remove({ fileNames: [fileName] }, ben)).rejects.toMatchObject(forbidden);
	await expect(mods.patch({ fileName, enabled: false }, ben)).rejects.toMatchObject(forbidden);
	await expect(mods.install({ projectId: 'mod' }, ben)).rejects.toMatchObject(forbidden);
	await expect(
		mods.install({ projectId: 'mod', versionId: version.id }, ben)
	).rejects.toMatchObject(forbidden);
	await expect(mods.plan({ remove: [fileName] }, 'admin')).rejects.toMatchObject(forbidden);
	const { id: planId } = await mods.plan({ update: [fileName] }, 'superadmin');
	await expect(mods.update({ fileNames: [fileName], planId }, ben)).rejects.toMatchObject(
		forbidden
	);
	await expect(
		mods.update({ fileNames: [fileName] }, { name: 'dashboard', role: null, address: null })
	).rejects.toMatchObject(forbidden);
	expect((await mods.plan({ update: [fileName] }, 'admin')).keep[0]!.reason).toBe('it is locked');
	expect(made.ran).toEqual([]);
	await mods.update({ fileNames: [fileName], planId }, ada);
	await mods.patch({ fileName, enabled: false }, ada);
	expect(made.ran.map(({ kind }) => kind)).toEqual(['update', 'disable']);
});

test('the second caller is told what is in progress', async () => {
	const made = await setup();
	const { id: planId } = await made.mods.plan({ update: ['mod-1.jar'] }, 'admin');
	made.world.running = { ...OPERATION, kind: 'update', subject: 'Mod 2', by: 'ann' };
	for (const action of [
		made.mods.update({ fileNames: ['mod-1.jar'], planId }, ben),
		made.mods.update({ all: true }, ben),
		made.mods.remove({ fileNames: ['mod-1.jar'] }, ben),
		made.mods.upload(upload('x.jar', jar('x')), ada)
	])
		await expect(action).rejects.toMatchObject({
			kind: 'conflict',
			operation: OPERATION.id,
			message: expect.stringMatching(
				/^Mod 2 is being updated since [\d:]+ UTC \(by ann\)\. Wait until that has finished\.$/
			)
		});
	expect(made.ran).toEqual([]);
});

test('several are disabled and enabled in one operation, as the plan showed it', async () => {
	const made = await setup();
	await made.put('own.jar', jar('own'));
	const files = ['mod-1.jar', 'own.jar'];
	const { id, rename } = await made.mods.plan({ disable: files }, 'admin');
	expect(rename.map(({ replaces }) => replaces)).toEqual(files);
	const wish = { fileNames: files, enabled: false };
	await made.mods.switchFiles({ ...wish, planId: id, backupFirst: true }, ada);
	expect(made.ran.at(-1)).toMatchObject({
		...{ kind: 'disable', backupFirst: true },
		rename: files.map((from) => ({ from, to: `${from}.disabled` }))
	});
	const [first] = files;
	await expect(
		made.mods.switchFiles({ ...wish, fileNames: [first!], planId: id }, ada)
	).rejects.toMatchObject({ code: 'plan-changed' });
});

test('every change can be announced to the players first, and none is without a word about it', async () => {
	const made = await setup();
	await made.put('own.jar', jar('own'));
	const soon = { delaySeconds: 60, message: 'New mobs!' };
	const countdown = { seconds: 60, message: 'New mobs!' };
	await made.mods.update({ fileNames: ['mod-1.jar'], ...soon }, ben);
	await made.mods.install({ projectId: 'lib', delaySeconds: 60 }, ben);
	await made.mods.remove({ fileNames: ['own.jar'], ...soon }, ben);
	await made.mods.patch({ fileName: 'own.jar', enabled: false, ...soon }, ben);
	expect(made.ran.map((one) => one.countdown)).toEqual([
		...[countdown, { seconds: 60, message: '' }, countdown, countdown]
	]);
	await made.mods.remove({ fileNames: ['own.jar'], delaySeconds: 0, message: 'x' }, ben);
	expect(made.ran.at(-1)).not.toHaveProperty('countdown');
});

test('enabling an enabled mod changes nothing', async () => {
	const made = await setup();
	await expect(
		made.mods.patch({ fileName: 'mod-1.jar', enabled: true }, ben)
	).rejects.toMatchObject({ kind: 'conflict', code: 'nothing-to-do' });
	await made.mods.patch({ fileName: 'mod-1.jar', enabled: false }, ben);
	expect(made.ran[0]).toMatchObject({
		kind: 'disable',
		changes: [{ is: 'disable', title: 'Mod', from: '1', to: '1' }],
		...{ put: [], take: [], rename: [{ from: 'mod-1.jar', to: 'mod-1.jar.disabled' }] }
	});
});

test('when the registry is unreachable, removing works and updating says why it does not', async () => {
	const made = await setup();
	await made.mods.list();
	made.registry.misbehave([{ answer: { status: 404 }, times: Infinity }]);
	await expect(made.mods.update({ fileNames: ['mod-1.jar'] }, ben)).rejects.toThrow();
	const all: ModWish = { do: 'update', all: '1', file: [], project: [] };
	await expect(made.mods.preview(all, 'admin')).rejects.toThrow('could not be looked up');
	await made.mods.remove({ fileNames: ['mod-1.jar'] }, ben);
	expect(made.ran.map(({ kind }) => kind)).toEqual(['remove']);
});

test('an upload is checked beside mods/ and installed from there', async () => {
	const made = await setup();
	const bytes = jar('fresh', { version: '2.1.0' });
	await made.mods.upload(upload('Fresh Mod (2.1).jar', bytes), ada);
	const [change] = made.ran;
	expect(change).toMatchObject({
		kind: 'install',
		titles: ['fresh 2.1.0'],
		take: [],
		put: [{ file: null, sha512: sha512(bytes), size: bytes.length }]
	});
	const { staged } = change!.put[0]!;
	expect(path.dirname(staged!)).toBe(path.join(made.root, 'uploads'));
	expect(await readFile(staged!)).toEqual(bytes);
	expect(await readdir(made.modsDir)).toEqual(['mod-1.jar']);
});

test('an upload replaces the same mod, and only that one', async () => {
	const made = await setup();
	await made.put('Own Thing.jar.disabled', jar('own'));
	await made.put('user.jar', jar('user', { depends: { own: '>=2' } }));
	await made.mods.upload(upload('own-2.jar', jar('own', { version: '2.0.0' })), ada);
	expect(made.ran[0]).toMatchObject({
		put: [{ fileName: 'own-2.jar' }],
		take: [{ fileName: 'Own Thing.jar.disabled' }]
	});
	await made.put('own-copy.jar', jar('own'));
	await expect(
		made.mods.upload(upload('own-2.jar', jar('own', { version: '2.0.0' })), ada)
	).rejects.toMatchObject({ kind: 'conflict', code: 'duplicate' });
});

test('an upload that cannot be a mod here is refused and leaves nothing behind', async () => {
	const made = await setup();
	await made.put('own.jar', jar('own'));
	const forge = (await setup()).registry;
	forge.addProject({ slug: 'anvil' });
	const other = forge.addVersion('anvil', { number: '1', loaders: ['neoforge'] }).files[0]!.bytes;
	const refused: [string, Uint8Array, object][] = [
		['x.zip', jar('x'), { kind: 'invalid' }],
		['x.jar', Buffer.alloc(0), { kind: 'invalid' }],
		['x.jar', Buffer.from('<html>'), { kind: 'invalid', code: 'bad-jar' }],
		['x.jar', jar('x').subarray(0, 100), { kind: 'invalid', code: 'bad-jar' }],
		['x.jar', other, { kind: 'invalid', message: /for NeoForge.*runs Fabric/ }],
		['x.jar', jar('own'), { kind: 'conflict', code: 'nothing-to-do' }],
		['x.jar', jar('x', { depends: { nowhere: '*' } }), { code: 'plan-blocked' }],
		['x.jar', jar('x', { depends: { minecraft: '1.7.10' } }), { code: 'plan-blocked' }]
	];
	for (const [name, bytes, error] of refused)
		await expect(made.mods.upload(upload(name, bytes), ada)).rejects.toMatchObject(error);
	async function* broken() {
		yield jar('x').subarray(0, 50);
		throw new Error('hung up');
	}
	await expect(made.mods.upload({ name: 'x.jar', bytes: broken() }, ada)).rejects.toMatchObject({
		kind: 'malformed'
	});
	expect(await made.uploads()).toEqual([]);
	expect(made.ran).toEqual([]);
});

test('only so many uploads arrive at the same time', async () => {
	const made = await setup();
	const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
	async function* slow() {
		await arrived;
		yield new Uint8Array();
	}
	const some = Array.from({ length: 4 }, () =>
		made.mods.upload({ name: 'x.jar', bytes: slow() }, ada)
	);
	const ends = Promise.allSettled(some);
	await expect(made.mods.upload(upload('x.jar', jar('x')), ada)).rejects.toMatchObject({
		kind: 'throttled'
	});
	arrive();
	for (const { status } of await ends) expect(status).toBe('rejected');
	await made.mods.upload(upload('x.jar', jar('x')), ada);
});

test('an upload beyond the limit ends there', async () => {
	const dir = path.join(await tempDir(), 'uploads');
	let sent = 0;
	async function* endless() {
		for (;;) {
			sent += 100_000;
			yield Buffer.alloc(100_000);
		}
	}
	const deps = { dir, readJar, clock: systemClock, maxBytes: 1 << 20 };
	await expect(
		receive({ name: 'x.jar', bytes: endless() }, deps, new AbortController().signal)
	).rejects.toMatchObject({ kind: 'too-large', message: 'A jar may have at most 1 MB.' });
	expect(sent).toBe(1_100_000);
	expect(await readdir(dir)).toEqual([]);
});

test.each([
	'../../evil.jar',
	'/etc/x.jar',
	'a\\b.jar',
	'.hidden.jar',
	'x\u202efdp.jar',
	'-rf.jar',
	`${'x'.repeat(300)}.jar`
])('an upload called %j gets a name of ours', async (name) => {
	const made = await setupMods();
	await made.mods.upload(upload(name, jar('fresh')), ada);
	expect(made.ran[0]!.put[0]!.fileName).toBe('fresh-1.0.0.jar');
});

test('uploads left by a killed process are removed, others are not', async () => {
	const made = await setup();
	const dir = path.join(made.root, 'uploads');
	await mkdir(dir);
	for (const name of ['old.jar', 'young.jar']) await writeFile(path.join(dir, name), 'x');
	await utimes(path.join(dir, 'old.jar'), new Date(0), new Date(0));
	await made.mods.upload(upload('x.jar', jar('x')), ada);
	const left = await made.uploads();
	expect(left).toContain('young.jar');
	expect(left).not.toContain('old.jar');
});
