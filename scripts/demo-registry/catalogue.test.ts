import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { drive, setupRegistry } from '../../tests/fakes/mods/registry-setup.ts';
import { SEED_MODS, modJar } from '../demo-server/seed/seed-mods.ts';
import { fillCatalogue } from './catalogue.ts';
import { startRegistry } from './registry.ts';

const sha512 = (bytes: Buffer) => createHash('sha512').update(bytes).digest('hex');
const FABRIC = { loaders: ['fabric'], gameVersion: '1.21.1' };

test('every mod of the demo server is in the catalogue, and each has an update', async () => {
	const { fake, registry } = await setupRegistry();
	fillCatalogue(fake);
	const hashes = new Map(SEED_MODS.map((mod) => [sha512(modJar(mod)), mod]));
	const known = await registry.byHash([...hashes.keys()]);
	expect([...known.values()].map(({ file }) => file?.fileName).sort()).toEqual(
		SEED_MODS.map(({ file }) => file).sort()
	);
	const latest = await registry.latest([...hashes.keys()], { ...FABRIC, channels: ['release'] });
	const updates = [...latest].map(([hash, { number }]) => [hashes.get(hash)?.id, number]);
	expect(Object.fromEntries(updates)).toEqual({
		'fabric-api': '0.105.0+1.21.1',
		lithium: '0.14.0+mc1.21.1',
		'lantern-keeper': '1.5.0',
		'quiet-villagers': '3.0.0',
		waymarks: '1.0.0+1.21.1'
	});
});

test('the demo has several pages of mods to find, covering everything a result can show', async () => {
	const { fake, registry, clock } = await setupRegistry();
	fillCatalogue(fake);
	const input = { q: '', offset: 0, limit: 20, sort: 'relevance', ...FABRIC };
	const pages = [await registry.search(input), await registry.search({ ...input, offset: 20 })];
	const third = await drive(clock, registry.search({ ...input, offset: 40 }));
	expect(pages.map(({ hits }) => hits.length)).toEqual([20, 20]);
	expect(third.hits.length).toBeGreaterThan(0);
	const hits = [...pages, third].flatMap((page) => page.hits);
	expect(new Set(hits.map(({ side }) => side))).toEqual(new Set(['client', 'server', 'both']));
	const kinds = fake.store.versions.flatMap(({ dependencies }) => dependencies.map((d) => d.kind));
	expect(new Set(kinds)).toEqual(new Set(['required', 'optional', 'incompatible', 'embedded']));
	expect(new Set(fake.store.versions.map(({ channel }) => channel)).size).toBe(3);
});

test('the mod that the demo overview suggests for breaking the server exists', async () => {
	const registry = await startRegistry();
	onTestFinished(() => registry.close());
	fillCatalogue(registry);
	const page = new URL('../../src/routes/admin/overview/TryThis.svelte', import.meta.url);
	expect(await readFile(page, 'utf8')).toContain(registry.store.find('ruin-keeper')!.id);
});

test('it generates the same world every time', async () => {
	const [one, two] = await Promise.all([startRegistry(), startRegistry()]);
	onTestFinished(async () => void (await Promise.all([one.close(), two.close()])));
	for (const registry of [one, two]) fillCatalogue(registry!);
	const facts = ({ store }: typeof one) =>
		store.versions.map(({ id, files, publishedAt }) => [id, publishedAt, files[0]!.sha512]);
	expect(facts(one)).toEqual(facts(two));
	const ids = one.store.versions.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
});
