import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readZipEntry } from '../demo-server/world/zip.ts';
import { startRegistry, type RegistryOptions } from './registry.ts';

async function setup(options: RegistryOptions = {}) {
	const fake = await startRegistry(options);
	onTestFinished(() => fake.close());
	const ask = (path: string, body?: object, agent = 'tester/1.0') =>
		fetch(path.startsWith('http') ? path : `${fake.url}/${path}`, {
			method: body ? 'POST' : 'GET',
			headers: { 'user-agent': agent, 'content-type': 'application/json' },
			body: body ? JSON.stringify(body) : null
		});
	const json = async (path: string, body?: object) => (await ask(path, body)).json();
	return { fake, ask, json };
}

test('facets are OR inside a group and AND between groups, with comparisons', async () => {
	const { fake, json, ask } = await setup();
	for (const [slug, loader, downloads] of [
		['a', 'fabric', 10],
		['b', 'forge', 20],
		['c', 'quilt', 30]
	] as const) {
		fake.addProject({ slug, downloads, categories: ['library'] });
		fake.addVersion(slug, { number: '1', loaders: [loader] });
	}
	const slugs = async (facets: string[][]) => {
		const query = new URLSearchParams({ facets: JSON.stringify(facets), index: 'downloads' });
		const { hits } = (await json(`search?${query}`)) as { hits: { slug: string }[] };
		return hits.map(({ slug }) => slug).join('');
	};
	expect(await slugs([])).toBe('cba');
	expect(await slugs([['categories:fabric', 'categories:forge'], ['project_type:mod']])).toBe('ba');
	expect(await slugs([['categories:library'], ['downloads>=20'], ['categories!=quilt']])).toBe('b');
	expect(await slugs([['versions=1.20']])).toBe('');
	for (const bad of ['facets=[[', 'facets=[["nonsense:1"]]', 'index=best', 'limit=x'])
		expect((await ask(`search?${bad}`)).status).toBe(400);
});

test('a search page holds at most a hundred results', async () => {
	const { fake, json } = await setup();
	for (let n = 0; n < 120; n++) fake.addProject({ slug: `mod-${n}`, downloads: 1000 - n });
	expect(await json('search?limit=500')).toMatchObject({ limit: 100, total_hits: 120 });
	const last = (await json('search?offset=119&query=mod')) as { hits: { slug: string }[] };
	expect(last.hits.map(({ slug }) => slug)).toEqual(['mod-119']);
});

test('a file is served under its name with + and with %2B, and matches its hashes', async () => {
	const { fake, ask } = await setup();
	const { id } = fake.addProject({ slug: 'mod' });
	const version = fake.addVersion('mod', { number: '1.0+mc1.21' });
	const [file] = version.files;
	expect(file!.url).toMatch(/\/data\/\w+\/versions\/\w+\/mod-1\.0%2Bmc1\.21\.jar$/);
	for (const url of [file!.url, file!.url.replace('%2B', '+')]) {
		const bytes = await (await ask(url)).bytes();
		expect(createHash('sha512').update(bytes).digest('hex')).toBe(file!.sha512);
	}
	expect((await ask(file!.url.replace(version.id, 'other'))).status).toBe(404);
	const icon = await (await ask(`${new URL(fake.url).origin}/data/${id}/icon.png`)).bytes();
	expect(Buffer.from(icon).toString('latin1', 1, 4)).toBe('PNG');
});

test('hashes: unknown ones are absent, an update may be the same version, an older one, or none', async () => {
	const { fake, json, ask } = await setup();
	fake.addProject({ slug: 'mod' });
	fake.addVersion('mod', { number: '1' });
	const hash = fake.addVersion('mod', { number: '2', channel: 'beta' }).files[0]!.sha512;
	const body = { hashes: [hash, 'unknown'], algorithm: 'sha512' };
	expect(Object.keys((await json('version_files', body)) as object)).toEqual([hash]);
	const update = async (more: object) => {
		const filter = { loaders: ['fabric'], game_versions: ['1.21.1'], ...more };
		const all = (await json('version_files/update', { ...body, ...filter })) as Record<
			string,
			{ version_number: string }
		>;
		return all[hash]?.version_number;
	};
	expect(await update({})).toBe('2');
	expect(await update({ version_types: ['release'] })).toBe('1');
	expect(await update({ loaders: ['forge'] })).toBeUndefined();
	expect((await ask('version_files/update', body)).status).toBe(400);
});

test('clients that do not identify themselves, or ask too often, are refused', async () => {
	const { fake, ask } = await setup({ perMinute: 3 });
	expect((await ask('search', undefined, 'node')).status).toBe(403);
	const answers = [];
	for (let n = 0; n < 3; n++) answers.push(await ask('search'));
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
	expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
		'1',
		'0',
		'0'
	]);
	expect(answers[2]!.headers.get('x-ratelimit-reset')).toBe('20');
	expect(fake.requests).toHaveLength(4);
});

test.each([
	['fabric', 'fabric.mod.json', '"id": "mod"'],
	['quilt', 'quilt.mod.json', '"id": "mod"'],
	['neoforge', 'META-INF/neoforge.mods.toml', 'modId="mod"'],
	['forge', 'META-INF/mods.toml', 'modId="mod"']
])('a jar for %s holds what that loader reads', async (loader, name, text) => {
	const { fake } = await setup();
	fake.addProject({ slug: 'mod' });
	const [file] = fake.addVersion('mod', { number: '1', loaders: [loader] }).files;
	const dir = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-jar-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	await writeFile(path.join(dir, 'x.jar'), file!.bytes);
	expect(readZipEntry(path.join(dir, 'x.jar'), name)?.toString()).toContain(text);
});
