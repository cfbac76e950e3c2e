import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jar, zip } from '../../../../../tests/fakes/mods/jars.ts';
import {
	encrypted,
	fabricJar,
	fabricJson,
	forgeJar,
	modsToml,
	neoforgeJar,
	quiltJson,
	zip64
} from '../../../../../tests/fakes/mods/mod-jars.ts';
import { readJar, type JarFacts, type JarMod } from './jar.ts';

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(path.join(os.tmpdir(), 'jars-'));
});
afterAll(() => rm(dir, { recursive: true }));

async function read(bytes: Uint8Array): Promise<JarFacts> {
	const file = path.join(dir, 'x.jar');
	await writeFile(file, bytes);
	const handle = await open(file);
	try {
		return await readJar(handle);
	} finally {
		await handle.close();
	}
}

async function modsIn(bytes: Uint8Array): Promise<JarMod[]> {
	const facts = await read(bytes);
	if (!facts.ok) throw new Error(facts.problem);
	return facts.mods;
}
const only = async (bytes: Uint8Array) => (await modsIn(bytes))[0]!;
const written = (text: string) => zip({ 'fabric.mod.json': text });
const MANIFEST = 'META-INF/MANIFEST.MF';

test('Fabric: ids, ranges and kinds; several ranges are alternatives', async () => {
	const mod = await only(
		fabricJar('lamps', {
			name: 'Lamps & Lanterns',
			version: '2.0.0+1.20.1',
			provides: ['lights'],
			depends: { minecraft: ['1.20', '1.20.1'], 'fabric-api': '>=0.90' },
			recommends: { modmenu: '*' },
			breaks: { candles: '<1.0' },
			conflicts: { torches: '*' }
		})
	);
	expect(mod).toEqual({
		modId: 'lamps',
		name: 'Lamps & Lanterns',
		version: '2.0.0+1.20.1',
		loader: 'fabric',
		side: 'both',
		provides: ['lights'],
		dependencies: [
			{ modId: 'minecraft', range: '1.20 || 1.20.1', kind: 'required', side: 'both' },
			{ modId: 'fabric-api', range: '>=0.90', kind: 'required', side: 'both' },
			{ modId: 'modmenu', range: '*', kind: 'optional', side: 'both' },
			{ modId: 'candles', range: '<1.0', kind: 'incompatible', side: 'both' }
		],
		nested: false,
		description: null
	});
});

test.each([
	['*', 'both'],
	['client', 'client'],
	['server', 'server'],
	['CLIENT', 'client'],
	[undefined, 'both']
])('Fabric: environment %s is side %s', async (environment, side) => {
	expect((await only(fabricJar('a', { environment }))).side).toBe(side);
});

test.each([
	['a byte order mark', '\ufeff{"id":"a","name":"A"}'],
	['raw line breaks and tabs', '{"id":"a","name":"A","description":"one\n\ttwo"}'],
	['comments', '{ // the id\n"id":"a", /* and */ "name":"A" }'],
	['trailing commas', '{"id":"a","name":"A","authors":["x",],}'],
	['an escape that there is not', '{"id":"a","name":"A","description":"it\\\'s"}'],
	['a list, as the first format had it', '[{"id":"a","name":"A"}]']
])('Fabric: %s is tolerated', async (_what, text) => {
	expect(await only(written(text))).toMatchObject({ modId: 'a', name: 'A' });
});

test.each([
	['no JSON', '<html>'],
	['no id', '{"name":"x"}'],
	['an id of the wrong type', '{"id":{"a":1}}'],
	['an id that is far too long', JSON.stringify({ id: 'a'.repeat(5_000) })],
	['null', 'null'],
	['nesting without end', '['.repeat(200_000)]
])('metadata with %s makes a broken jar', async (_what, text) => {
	expect(await read(written(text))).toMatchObject({ ok: false });
});

test('fields of wrong types are left out, and the rest is read', async () => {
	const mod = await only(
		written(
			'{"id":"a","name":7,"version":["1"],"provides":{"b":1},"depends":["x",{"y":1}],"environment":5,"jars":"x","__proto__":{"z":1}}'
		)
	);
	expect(mod).toMatchObject({ modId: 'a', name: '7', version: null, provides: [], side: 'both' });
});

test('texts are one line, of limited length, and without control, format or direction characters', async () => {
	const mod = await only(
		fabricJar('a', {
			name: '<img src=x onerror=alert(1)>\u202e\u0007§kgnp.x\n second',
			description: 'x'.repeat(100_000),
			depends: { ['b'.repeat(300)]: '*', c: '>'.repeat(10_000) }
		})
	);
	expect(mod.name).toBe('<img src=x onerror=alert(1)>gnp.x second');
	expect(mod.description).toHaveLength(1_000);
	expect(mod.dependencies.map(({ modId, range }) => [modId, range.length])).toEqual([['c', 200]]);
});

test('Quilt: forms of dependencies and versions, provided versions, environment', async () => {
	const mod = await only(
		zip({
			'quilt.mod.json': quiltJson(
				'lamps',
				{
					metadata: { name: 'Lamps' },
					provides: ['org.example:lights', { id: 'bulbs', version: '9.0' }],
					depends: [
						'org.quiltmc:qsl',
						{ id: 'a', versions: '>=1.0', unless: 'b' },
						{ id: 'c', versions: ['1.0', '2.0'], optional: true },
						{ id: 'd', versions: { all: ['>=1', { any: ['<2', '=3'] }] }, environment: 'client' },
						[{ id: 'e' }, { id: 'f' }]
					],
					breaks: [{ id: 'g', versions: '<2' }]
				},
				{ minecraft: { environment: 'dedicated_server' } }
			)
		})
	);
	expect(mod).toMatchObject({
		name: 'Lamps',
		loader: 'quilt',
		side: 'server',
		provides: ['lights', 'bulbs'],
		providedVersions: { bulbs: '9.0' }
	});
	expect(mod.dependencies).toEqual([
		{ modId: 'qsl', range: '*', kind: 'required', side: 'both' },
		{ modId: 'a', range: '>=1.0', kind: 'required', side: 'both', unless: ['b'] },
		{ modId: 'c', range: '1.0 || 2.0', kind: 'optional', side: 'both' },
		{ modId: 'd', range: '>=1 <2 || >=1 =3', kind: 'required', side: 'client' },
		{ modId: 'e', range: '*', kind: 'required', side: 'both', unless: ['f'] },
		{ modId: 'g', range: '<2', kind: 'incompatible', side: 'both' }
	]);
});

test('Forge: several mods in one jar, mandatory, sides', async () => {
	const toml = `${modsToml('lamps', [
		{ modId: 'forge', mandatory: true, versionRange: '[47,)', side: 'BOTH' },
		{ modId: 'jei', mandatory: false, versionRange: '[15,)', side: 'CLIENT' },
		{ modId: 'rei', mandatory: 'false' }
	])}\n[[mods]]\r\nmodId="lanterns"\r\nversion='2'\r\ndescription='''\r\nTwo\r\nlines'''\n`;
	expect(await modsIn(zip({ 'META-INF/mods.toml': toml }))).toMatchObject([
		{
			modId: 'lamps',
			loader: 'forge',
			side: 'unknown',
			dependencies: [
				{ modId: 'forge', range: '[47,)', kind: 'required', side: 'both' },
				{ modId: 'jei', range: '[15,)', kind: 'optional', side: 'client' },
				{ modId: 'rei', range: '*', kind: 'optional', side: 'both' }
			]
		},
		{ modId: 'lanterns', name: 'lanterns', version: '2', description: 'Two lines' }
	]);
});

test('NeoForge: the type of a dependency, and its old file', async () => {
	const types = ['required', 'OPTIONAL', 'incompatible', 'discouraged'];
	const mod = await only(
		neoforgeJar(
			'a',
			types.map((type) => ({ modId: type.toLowerCase(), type }))
		)
	);
	expect(mod.loader).toBe('neoforge');
	expect(mod.dependencies.map(({ kind }) => kind)).toEqual([
		'required',
		'optional',
		'incompatible',
		'optional'
	]);
	expect((await only(forgeJar('a', [{ modId: 'neoforge', mandatory: true }]))).loader).toBe(
		'neoforge'
	);
});

test('Forge, NeoForge: the Java version that a mod requires', async () => {
	const toml =
		'[[mods]]\nmodId="a"\nversion="1"\n[features.a]\njavaVersion="[25,)"\n[features.b]\njavaVersion="[99,)"\n';
	for (const file of ['mods.toml', 'neoforge.mods.toml'])
		expect((await only(zip({ [`META-INF/${file}`]: toml }))).dependencies).toEqual([
			{ modId: 'java', range: '[25,)', kind: 'required', side: 'both' }
		]);
});

test.each([
	[{ clientSideOnly: true }, {}, 'client'],
	[{}, { displayTest: 'IGNORE_SERVER_VERSION' }, 'server'],
	[{}, { displayTest: 'MATCH_VERSION' }, 'both'],
	[{}, { displayTest: 'IGNORE_ALL_VERSION' }, 'unknown'],
	[{}, {}, 'unknown']
])('Forge: %j %j is side %s', async (root, mod, side) => {
	expect((await only(forgeJar('a', [], mod as Record<string, string>, root))).side).toBe(side);
});

test('Forge: the jar version is the one in the manifest, even over two lines, and unknown without one', async () => {
	const toml = modsToml('a', [], { version: '${file.jarVersion}' });
	const manifest = 'Manifest-Version: 1.0\r\nImplementation-Version: 1.2.\r\n 3-beta\r\n\r\n';
	expect((await only(zip({ 'META-INF/mods.toml': toml, [MANIFEST]: manifest }))).version).toBe(
		'1.2.3-beta'
	);
	expect((await only(zip({ 'META-INF/mods.toml': toml }))).version).toBeNull();
	expect((await only(forgeJar('a', [], { version: '${version}' }))).version).toBe('${version}');
});

test.each([
	['a key twice', '[[mods]]\nmodId="a"\nmodId="b"\nversion="1"\n[x]\ny=1\n[x]\nz=2'],
	['an escape that there is not', '[[mods]]\nmodId="a"\nversion="1"\ncredits="it\\\'s \\d"'],
	['text without quotes', 'license=All Rights Reserved\n[[mods]]\nmodId="a"\nversion="1"'],
	['a text that never ends', '[[mods]]\nmodId="a"\nversion="1"\ndescription=\'\'\'oops']
])('Forge: %s is tolerated', async (_what, toml) => {
	expect(await only(zip({ 'META-INF/mods.toml': toml }))).toMatchObject({
		modId: 'a',
		version: '1'
	});
});

test('Forge up to 1.12: a list or a list in an object, and unquoted words', async () => {
	const list = `[{ "modid": "Lamps", "name": "Lamps", "version": "1.0",
		"requiredMods": ["Forge@[14.23,)", "candles"], "dependencies": [mod_Torches] }]`;
	const [plain] = await modsIn(zip({ 'mcmod.info': list }));
	expect(plain).toMatchObject({
		modId: 'Lamps',
		loader: 'forge',
		dependencies: [
			{ modId: 'Forge', range: '[14.23,)', kind: 'required' },
			{ modId: 'candles', range: '*', kind: 'required' },
			{ modId: 'Torches', kind: 'optional' }
		]
	});
	const wrapped = `{ "modListVersion": 2, "modList": ${list} }`;
	expect(await modsIn(zip({ 'mcmod.info': wrapped }))).toEqual([plain]);
});

test('a jar for several loaders is read for all of them', async () => {
	const mods = await modsIn(
		zip({
			'fabric.mod.json': fabricJson('a'),
			'quilt.mod.json': quiltJson('a'),
			'META-INF/mods.toml': modsToml('a'),
			'META-INF/neoforge.mods.toml': modsToml('a'),
			'mcmod.info': '[{"modid":"old"}]'
		})
	);
	expect(mods.map(({ modId, loader }) => `${modId} ${loader}`)).toEqual([
		'a fabric',
		'a quilt',
		'a neoforge',
		'a forge'
	]);
});

test('nested jars are read three levels deep, each loader by its own list', async () => {
	const fifth = fabricJar('five');
	const deepest = fabricJar('four', { jars: [{ file: 'e.jar' }] }, { 'e.jar': fifth });
	const third = fabricJar('three', { jars: [{ file: 'd.jar' }] }, { 'd.jar': deepest });
	const second = fabricJar('two', { jars: [{ file: 'c.jar' }] }, { 'c.jar': third });
	const outer = zip({
		'fabric.mod.json': fabricJson('one', {
			jars: [{ file: 'META-INF/jars/b.jar' }, { file: 'no.jar' }]
		}),
		'quilt.mod.json': quiltJson('one', { jars: ['META-INF/jars/b.jar', 'q.jar'] }),
		'META-INF/jarjar/metadata.json': JSON.stringify({ jars: [{ path: 'f.jar' }] }),
		'META-INF/jars/b.jar': second,
		'q.jar': zip({ 'quilt.mod.json': quiltJson('quilted') }),
		'f.jar': forgeJar('forged'),
		'unlisted.jar': fabricJar('unlisted')
	});
	const mods = await modsIn(outer);
	expect(mods.filter(({ nested }) => !nested).map(({ modId }) => modId)).toEqual(['one', 'one']);
	expect(new Set(mods.filter(({ nested }) => nested).map(({ modId }) => modId))).toEqual(
		new Set(['forged', 'two', 'three', 'four', 'quilted'])
	);
});

test('nested jars cost no more than their share, whatever they contain', async () => {
	const bomb = zip({ 'fabric.mod.json': Buffer.alloc(2 << 20, 32) });
	const huge = Buffer.alloc(49 << 20);
	const files: Record<string, Uint8Array> = { 'bomb.jar': bomb, 'broken.jar': Buffer.from('x') };
	files['huge.jar'] = huge;
	const jars = [...Object.keys(files), 'self.jar'].map((file) => ({ file }));
	expect(await modsIn(fabricJar('a', { jars }, files))).toHaveLength(1);
});

test('a jar that names ten thousand jars is read within the limit', async () => {
	const files = Object.fromEntries(
		Array.from({ length: 300 }, (_, i) => [`${i}.jar`, fabricJar(`inner${i}`)])
	);
	const jars = Array.from({ length: 10_000 }, (_, i) => ({ file: `${i % 300}.jar` }));
	expect(await modsIn(fabricJar('a', { jars }, files))).toHaveLength(257);
});

test('library jars, plugins and jars without metadata are told apart', async () => {
	const manifest = (line: string) => zip({ [MANIFEST]: `Manifest-Version: 1.0\n${line}\n\n` });
	const none = { ok: true, mods: [] };
	expect(await read(manifest('FMLModType: LIBRARY'))).toEqual({ ...none, library: true });
	expect(await read(manifest('FMLCorePlugin: a.b.C'))).toEqual({ ...none, library: true });
	expect(
		await read(
			zip({ 'META-INF/services/net.neoforged.neoforgespi.locating.IDependencyLocator': 'x' })
		)
	).toEqual({ ...none, library: true });
	expect(await read(zip({ 'plugin.yml': 'name: X' }))).toEqual({
		...none,
		library: false,
		plugin: true
	});
	expect(await read(jar('org.example.Main'))).toEqual({ ...none, library: false });
	expect(await read(fabricJar('a', {}, { 'plugin.yml': 'name: X' }))).not.toHaveProperty('plugin');
});

test.each([
	['is HTML', Buffer.from('<!doctype html><title>404</title>'), /web page/],
	['is empty', Buffer.alloc(0), /empty/],
	['is cut off', fabricJar('a', {}, { x: 'y'.repeat(500) }).subarray(0, 90), /incomplete/],
	['is a zip64', zip64(fabricJar('a')), /zip64/],
	['is encrypted', encrypted(fabricJar('a')), /encrypted/],
	['has metadata over the limit', fabricJar('a', { x: 'y'.repeat(2 << 20) }), /too large/],
	['has a bomb for metadata', zip({ 'fabric.mod.json': Buffer.alloc(4 << 20) }), /too large/]
])('a jar that %s is broken, and says why', async (_what, bytes, why) => {
	expect(await read(bytes)).toEqual({ ok: false, problem: expect.stringMatching(why) });
});

test('metadata that cannot be read for one loader does not hide that of another', async () => {
	const mods = await modsIn(zip({ 'fabric.mod.json': '{{{', 'META-INF/mods.toml': modsToml('a') }));
	expect(mods.map(({ loader }) => loader)).toEqual(['forge']);
});

test.each(['constructor', '__proto__', 'toString'])('Forge: a mod called %s', async (name) => {
	const needs = [{ modId: name, mandatory: true, side: name }];
	const strict = modsToml(name, needs);
	expect(await only(zip({ 'META-INF/mods.toml': strict }))).toMatchObject({
		modId: name,
		dependencies: [{ modId: name, side: 'both' }]
	});
	// A reader of its own, for what is no TOML: the word is a word there too.
	const loose = `[[mods]]\nmodId = ${name}\n!\n`;
	expect(await only(zip({ 'META-INF/mods.toml': loose }))).toMatchObject({
		modId: name,
		dependencies: []
	});
});
