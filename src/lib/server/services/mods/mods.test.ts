import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { fabricJar } from '../../../../../tests/fakes/mods/mod-jars.ts';
import { ada, setupMods } from '../../../../../tests/fakes/mods/mods-setup.ts';
import { parse } from '#core/http';
import { InstalledMods, ModHits, ModProject, ModSearch } from '#schemas/mod';

const own = modJar({ id: 'own', version: '1.0.0', name: 'Own', description: '' });

async function setup(options: Parameters<typeof setupMods>[0] = {}) {
	const made = await setupMods(options);
	const { registry } = made;
	if (!registry.store.find('lithium')) {
		registry.addProject({ slug: 'lithium', title: 'Lithium', categories: ['optimization'] });
		registry.addVersion('lithium', { number: '1', changelog: 'secret' });
		registry.addVersion('lithium', { number: '2', gameVersions: ['1.20.1', '1.21.1'] });
		registry.addVersion('lithium', { number: '3', loaders: ['forge'] });
	}
	return made;
}

test('the list joins files, jars and the registry with two requests for any number of mods', async () => {
	const made = await setup({ threads: true });
	await made.install('lithium', '1');
	await made.put('own.jar', own);
	const list = InstalledMods.parse(await made.mods.list());
	const id = made.registry.store.find('lithium')!.id;
	expect(list).toMatchObject({
		loader: 'fabric',
		gameVersion: '1.21.1',
		registryProblem: null,
		mods: [
			{
				fileName: 'lithium-1.jar',
				modId: 'lithium',
				project: { id, title: 'Lithium', iconUrl: `/api/mods/icons/${id}` }
			},
			{ fileName: 'own.jar', project: null, versionId: null }
		]
	});
	expect(made.asked()).toEqual(['POST /version_files', 'GET /projects']);
});

test('an answer is cached for ten seconds, and rebuilt after a change', async () => {
	const clock = createManualClock();
	const made = await setup({ clock });
	await made.install('lithium', '1');
	expect((await made.mods.list()).mods).toHaveLength(1);
	await made.put('own.jar', own);
	expect((await made.mods.list()).mods).toHaveLength(1);
	made.mods.invalidate();
	expect((await made.mods.list()).mods).toHaveLength(2);
	await made.put('own-2.jar', own);
	await clock.advance(10_001);
	expect((await made.mods.list()).mods).toHaveLength(3);
});

test('a restart requests nothing again, and an outage keeps what is known', async () => {
	const first = await setup();
	const { root, registry } = first;
	await first.install('lithium', '1');
	await first.put('own.jar', own);
	await first.mods.list();
	registry.misbehave([{ answer: { status: 404 }, times: Infinity }]);
	first.asked();
	const second = await setup({ root, registry });
	const list = await second.mods.list();
	expect(first.asked()).toEqual([]);
	expect(list.registryProblem).toBeNull();
	expect(list.mods[0]).toMatchObject({ project: { title: 'Lithium' } });

	await second.put('new.jar', modJar({ id: 'new', version: '1', name: 'New', description: '' }));
	second.mods.invalidate();
	const later = await second.mods.list();
	expect(later.registryProblem).toEqual(expect.any(String));
	expect(later.mods.map(({ name, project }) => [name, project?.title ?? null])).toEqual([
		['Lithium', 'Lithium'],
		['New', null],
		['Own', null]
	]);
});

test('a hanging registry does not keep the list waiting', async () => {
	const clock = createManualClock();
	const made = await setup({ clock });
	await made.install('lithium', '1');
	made.registry.misbehave([{ stall: 'at-once' }]);
	const listing = made.mods.list();
	while (!made.registry.requests.length) await new Promise((go) => setTimeout(go, 5));
	await clock.advance(2_600);
	const list = await listing;
	expect(list.mods).toHaveLength(1);
	expect(list.registryProblem).toBe('The registry has not answered yet.');
});

test('a plan waits for what the registry knows of the mods, however late, and asks right after a failure', async () => {
	const clock = createManualClock();
	const made = await setup({ clock });
	await made.install('lithium', '1');
	made.registry.misbehave([{ answer: { status: 404 }, times: 1 }]);
	expect((await made.mods.list()).registryProblem).toEqual(expect.any(String));
	const { keep, replace } = await made.mods.plan({ update: ['lithium-1.jar'] }, 'admin');
	expect([keep, replace.map(({ to }) => to)]).toEqual([[], ['2']]);

	made.registry.misbehave([{ answer: { status: 404 }, times: Infinity }]);
	await made.put('own.jar', own);
	await expect(made.mods.plan({ update: ['own.jar'] }, 'admin')).rejects.toMatchObject({
		kind: 'upstream'
	});
});

test('a hanging request keeps no other one waiting', async () => {
	const clock = createManualClock();
	const made = await setup({ clock });
	await made.install('lithium', '1');
	made.registry.misbehave([{ stall: 'at-once' }]);
	const listing = made.mods.list();
	while (!made.registry.requests.length) await new Promise((go) => setTimeout(go, 5));
	await clock.advance(2_600);
	await listing;
	await made.put('own.jar', own);
	// No more time passes: anything waiting for the first answer would wait forever.
	const { mods } = await made.mods.updates(true);
	expect(mods.map(({ latest }) => latest?.version ?? null)).toEqual(['2', null]);
});

test('a search is limited to what fits the server and marks what is installed', async () => {
	const made = await setup({ server: { loader: 'quilt' } });
	await made.install('lithium', '1');
	made.registry.addProject({ slug: 'for-forge' });
	made.registry.addVersion('for-forge', { number: '1', loaders: ['forge'] });
	const found = ModHits.parse(await made.mods.search(ModSearch.parse({})));
	expect(found).toMatchObject({
		total: 1,
		hits: [{ slug: 'lithium', installed: 'lithium-1.jar' }]
	});
	const facets = made.registry.requests.find(({ path }) => path === '/v2/search')!.query['facets'];
	expect(JSON.parse(facets!)).toEqual(
		expect.arrayContaining([['versions:1.21.1'], ['categories:quilt', 'categories:fabric']])
	);
});

test.each(['"]],["versions:1.0"', '🧊 §k <b>', '%00&limit=99', ''])(
	'the search for %j is a search for exactly that',
	async (q) => {
		const made = await setup();
		await made.mods.search(ModSearch.parse({ q }));
		const { query, status } = made.registry.requests.at(-1)!;
		expect(query['query'] ?? '').toBe(q);
		expect(query['limit']).toBe('20');
		expect(JSON.parse(query['facets']!)).toHaveLength(3);
		expect(status).toBe(200);
	}
);

test('an oversized search is never sent', () => {
	expect(() => parse(ModSearch, { q: 'x'.repeat(10_000) })).toThrow('At most 200 characters');
});

test('a project shows its versions, those that fit first', async () => {
	const made = await setup();
	await made.install('lithium', '1');
	const project = ModProject.parse(await made.mods.project('lithium'));
	expect(
		project.versions.map(({ version, compatible, installed }) => [version, compatible, installed])
	).toEqual([
		['2', true, false],
		['1', true, true],
		['3', false, false]
	]);
	expect(project).toMatchObject({ installed: 'lithium-1.jar', body: expect.stringContaining('#') });
	await expect(made.mods.project('nothing')).rejects.toMatchObject({ kind: 'not-found' });
});

test('icons are served from here, and a project without one says so', async () => {
	const made = await setup();
	made.registry.addProject({ slug: 'plain', icon: null });
	expect(await made.mods.icon(made.registry.store.find('lithium')!.id)).toMatchObject({
		type: 'image/png'
	});
	await expect(made.mods.icon(made.registry.store.find('plain')!.id)).rejects.toMatchObject({
		kind: 'not-found'
	});
});

test('a lock follows the mod, and a share the exact jar', async () => {
	const made = await setup();
	await made.install('lithium', '1');
	await made.put('own.jar', own);
	await made.mods.patch({ fileName: 'lithium-1.jar', locked: true }, ada);
	await made.mods.patch({ fileName: 'own.jar', shareable: true }, ada);
	await made.mods.patch({ fileName: 'own.jar', shareable: true }, ada);
	expect(made.world.repacked).toBe(1);
	expect(made.told).toMatchObject([
		{ by: 'ada', action: 'mods.lock', subject: 'Lithium', detail: 'lithium-1.jar' },
		{ by: 'ada', action: 'mods.share', subject: 'Own', detail: 'own.jar' }
	]);
	await made.install('lithium', '2');
	await made.put('own.jar', modJar({ id: 'own', version: '2', name: 'Own', description: '' }));
	made.mods.invalidate();
	const flags = (await made.mods.list()).mods.map((mod) => [
		mod.fileName,
		mod.locked,
		mod.shareable
	]);
	expect(flags).toEqual([
		['lithium-1.jar', true, false],
		['lithium-2.jar', true, false],
		['own.jar', false, false]
	]);
	await made.mods.patch({ fileName: 'lithium-2.jar', locked: false }, ada);
	expect((await made.mods.list()).mods.some(({ locked }) => locked)).toBe(false);
	await expect(made.mods.patch({ fileName: 'x.jar', locked: true }, ada)).rejects.toMatchObject({
		kind: 'not-found'
	});
	expect(made.ran).toEqual([]);
});

/** Keys that every object has: for a mod or a project they are names like any other. */
const INHERITED = ['constructor', '__proto__', 'toString'];

test.each(INHERITED)('a mod that needs, and one that provides, %s is listed', async (name) => {
	const made = await setup();
	await made.put('needy.jar', fabricJar('needy', { depends: { [name]: '>=1.0.0' } }));
	const problems = async () => {
		made.mods.invalidate();
		const { mods } = await made.mods.list();
		return mods.find(({ modId }) => modId === 'needy')!.problems.map(({ message }) => message);
	};
	expect(await problems()).toEqual([`It needs ${name} >=1.0.0, which is not there.`]);
	await made.put('giver.jar', fabricJar('giver', { provides: [name] }));
	expect(await problems()).toEqual([]);
});

test('unlisted projects are neither found nor shown', async () => {
	const made = await setup();
	made.registry.addProject({ slug: 'hidden', title: 'Hidden', status: 'unlisted' });
	await expect(made.mods.project('hidden')).rejects.toMatchObject({
		kind: 'not-found',
		message: 'The registry does not list Hidden publicly.'
	});
	// A mirror that finds everything, and says so.
	const hits = (answer: { hits: object[] }) => ({
		...answer,
		hits: ['approved', 'archived', 'private', 7].map((status, i) => ({
			...answer.hits[0],
			...{ status, project_id: `hit${i}` }
		}))
	});
	made.registry.misbehave([{ on: /search/, change: hits }]);
	const found = await made.mods.search(ModSearch.parse({}));
	expect(found.hits.map(({ projectId }) => projectId)).toEqual(['hit0', 'hit1']);
});
