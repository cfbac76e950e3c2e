import { describe, expect, test } from 'vitest';
import { setupRegistry, USER_AGENT } from '../../../../tests/fakes/mods/registry-setup.ts';
import type { FileInput } from '../../../../scripts/demo-registry/registry.ts';

const anything = { q: '', offset: 0, limit: 20, sort: 'relevance', loaders: [], gameVersion: null };
const fabric = { loaders: ['fabric'], gameVersion: '1.21.1' };
const jar = (name: string, more: Partial<FileInput> = {}): FileInput => ({
	name,
	bytes: Buffer.from(`a jar called ${name}`),
	...more
});

describe('search', () => {
	test('is limited to loader and game version, sorted and paged, and identifies us', async () => {
		const { fake, registry } = await setupRegistry();
		for (const [slug, loaders, downloads] of [
			['old-fabric', ['fabric'], 5],
			['forge-only', ['forge'], 900],
			['both', ['forge', 'fabric'], 70],
			['popular', ['fabric'], 500],
			['quilt-only', ['quilt'], 60]
		] as const) {
			fake.addProject({ slug, downloads });
			const gameVersions = [slug === 'old-fabric' ? '1.20' : '1.21.1'];
			fake.addVersion(slug, { number: '1', loaders: [...loaders], gameVersions });
		}
		const input = { ...anything, ...fabric, sort: 'downloads', limit: 1 };
		const first = await registry.search(input);
		expect([first.total, first.hits.map(({ slug }) => slug)]).toEqual([2, ['popular']]);
		const second = await registry.search({ ...input, offset: 1 });
		expect(second.hits.map(({ slug }) => slug)).toEqual(['both']);
		const quilt = await registry.search({ ...anything, ...fabric, loaders: ['quilt', 'fabric'] });
		expect(quilt.hits.map(({ slug }) => slug).sort()).toEqual(['both', 'popular', 'quilt-only']);
		expect(fake.requests[0]?.headers['user-agent']).toBe(USER_AGENT);
	});

	test('is limited to a category, and to mods that the other side does not need', async () => {
		const { fake, registry } = await setupRegistry();
		for (const [slug, clientSide, serverSide, category] of [
			['screen', 'required', 'unsupported', 'optimization'],
			['ticks', 'unsupported', 'required', 'optimization'],
			['either', 'optional', 'optional', 'library'],
			['blocks', 'required', 'required', 'decoration']
		] as const) {
			fake.addProject({ slug, clientSide, serverSide, categories: [category] });
			fake.addVersion(slug, { number: '1', loaders: ['fabric'], gameVersions: ['1.21.1'] });
		}
		const slugs = async (more: object) => {
			const { hits } = await registry.search({ ...anything, ...fabric, ...more });
			return hits.map(({ slug }) => slug).sort();
		};
		expect(await slugs({ side: 'server' })).toEqual(['either', 'ticks']);
		expect(await slugs({ side: 'client' })).toEqual(['either', 'screen']);
		expect(await slugs({ category: 'optimization' })).toEqual(['screen', 'ticks']);
		expect(await slugs({ category: 'optimization', side: 'server' })).toEqual(['ticks']);
		expect(await slugs({ category: '', side: '' })).toHaveLength(4);
	});

	test('what people type stays text, whatever they type', async () => {
		const { fake, registry } = await setupRegistry();
		for (const q of ['"]]', '&limit=100', '💥 ünï', '%00', '../..']) {
			await registry.search({ ...anything, q });
			expect(fake.requests.at(-1)).toMatchObject({ status: 200, query: { query: q, limit: '20' } });
		}
	});
});

test('projects are requested in bulk, in as few URLs as they fit into, and cached', async () => {
	const { fake, registry } = await setupRegistry();
	const ids = Array.from({ length: 800 }, (_, n) => fake.addProject({ slug: `mod-${n}` }).id);
	const found = await registry.projects([...ids, 'UNKNOWN1', '..', 'a/b']);
	expect(found.map(({ id }) => id)).toEqual(ids);
	expect(fake.requests.length).toBeLessThanOrEqual(4);
	expect(Math.max(...fake.requests.map(({ url }) => url.length))).toBeLessThan(7_000);
	const before = fake.requests.length;
	await registry.projects(ids.slice(0, 50));
	expect(fake.requests.length).toBe(before);
});

test('a project by its slug, with its sides from the newer field when it exists', async () => {
	const { fake, registry } = await setupRegistry();
	const sides = { clientSide: 'required', serverSide: 'unsupported' } as const;
	fake.addProject({ slug: 'shader', ...sides });
	fake.addProject({ slug: 'dual', ...sides, environment: ['client_and_server'] });
	fake.addProject({ slug: 'odd', ...sides, environment: ['never heard of'], icon: '' });
	fake.addProject({ slug: 'hidden', status: 'withheld', icon: null });
	const found = await registry.projects(['shader', 'dual', 'odd', 'hidden']);
	expect(found.map(({ slug, side, hasIcon, listed }) => [slug, side, hasIcon, listed])).toEqual([
		['shader', 'client', true, true],
		['dual', 'both', true, true],
		['odd', 'client', false, true],
		['hidden', 'server', false, false]
	]);
});

test('versions come newest first, filtered, with changelogs when they are wanted', async () => {
	const { fake, registry } = await setupRegistry();
	const { id } = fake.addProject({ slug: 'mod' });
	fake.addVersion('mod', { number: '1', changelog: '# One' });
	fake.addVersion('mod', { number: '3', publishedAt: '2025-03-01T00:00:00Z', channel: 'beta' });
	fake.addVersion('mod', { number: '2', loaders: ['forge'] });
	const all = await registry.versionsOf(id);
	expect(all.map(({ number, channel }) => [number, channel])).toEqual([
		['3', 'beta'],
		['2', 'release'],
		['1', 'release']
	]);
	expect(all[2]).toMatchObject({ changelog: null, publishedAt: '2025-01-10T09:00:00.000Z' });
	const [, one] = await registry.versionsOf(id, { ...fabric, changelogs: true });
	expect(one?.changelog).toBe('# One');
	await expect(registry.versionsOf('nothing')).rejects.toMatchObject({ kind: 'not-found' });
	await expect(registry.versionsOf('..')).rejects.toMatchObject({ kind: 'not-found' });
});

test('two hundred jars are looked up with one request, and their updates with another', async () => {
	const { fake, registry } = await setupRegistry();
	const hashes = Array.from({ length: 200 }, (_, n) => {
		fake.addProject({ slug: `mod-${n}` });
		return fake.addVersion(`mod-${n}`, { number: '1' }).files[0]!.sha512;
	});
	fake.addVersion('mod-7', { number: '2' });
	fake.addVersion('mod-8', { number: '2', gameVersions: ['1.21.4'] });
	const installed = await registry.byHash([...hashes, 'f'.repeat(128), 'nonsense']);
	expect(installed.size).toBe(200);
	const latest = await registry.latest(hashes, fabric);
	expect([7, 8, 9].map((n) => latest.get(hashes[n]!)?.number)).toEqual(['2', '1', '1']);
	expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
		'POST /v2/version_files',
		'POST /v2/version_files/update'
	]);
});

test('an update may be an older version or none, and only from the requested channels', async () => {
	const { fake, registry } = await setupRegistry();
	fake.addProject({ slug: 'mod' });
	fake.addVersion('mod', { number: '1' });
	const beta = fake.addVersion('mod', { number: '2-beta', channel: 'beta' });
	const hash = beta.files[0]!.sha512;
	const of = async (filter: object) =>
		(await registry.latest([hash], { ...fabric, ...filter })).get(hash)?.number;
	expect(await of({ channels: ['release'] })).toBe('1');
	expect(await of({})).toBe('2-beta');
	expect(await of({ gameVersion: '1.20' })).toBeUndefined();
	fake.misbehave([{ change: (all: object) => mapValues(all, { loaders: ['forge'] }) }]);
	expect(await of({})).toBeUndefined();
});

const mapValues = (all: object, more: object) =>
	Object.fromEntries(Object.entries(all).map(([key, value]) => [key, { ...value, ...more }]));

describe('the file of a version', () => {
	const fileOf = async (files: FileInput[]) => {
		const { fake, registry } = await setupRegistry();
		fake.addProject({ slug: 'mod', id: 'MODMOD00' });
		fake.addVersion('mod', { id: 'VERSION0', number: '1', files });
		return (await registry.versions(['VERSION0']))[0]!.file;
	};

	test('is the primary one, else the first, and never sources or the like', async () => {
		const no = { primary: false };
		const names = [
			[jar('a.jar', no), jar('b.jar', { primary: true })],
			[jar('a-sources.jar', no), jar('a-dev.jar', no), jar('a.jar', no), jar('b.jar', no)],
			[jar('a.jar', { fileType: 'sources-jar' }), jar('b.jar', no)],
			[jar('pack.zip'), jar('mod.jar', no)]
		];
		const files = await Promise.all(names.map(fileOf));
		expect(files.map((file) => file?.fileName)).toEqual(['b.jar', 'a.jar', 'b.jar', 'mod.jar']);
	});

	test('does not exist without a jar, a hash or a size', async () => {
		const wrong = [
			jar('x.exe'),
			jar('x.jar\0.png'),
			jar('x.jar', { sha512: 'abc' }),
			jar('x.jar', { sha512: '' }),
			jar('x.jar', { size: -5 }),
			jar('x.jar', { size: 1.5 })
		];
		for (const file of wrong) expect(await fileOf([file]), file.name).toBeNull();
	});

	test('has a safe file name', async () => {
		expect((await fileOf([jar('../../x.jar')]))?.fileName).toBe('MODMOD00-VERSION0.jar');
	});

	test('found by hash is that very jar, even if it is not the primary one', async () => {
		const { fake, registry } = await setupRegistry();
		fake.addProject({ slug: 'mod' });
		const files = [jar('a.jar'), jar('b.jar')];
		const { sha512 } = fake.addVersion('mod', { number: '1', files }).files[1]!;
		expect((await registry.byHash([sha512])).get(sha512)?.file?.fileName).toBe('b.jar');
	});
});
