import { describe, expect, test } from 'vitest';
import type { Mod } from '#schemas/mod';
import { type ModFile, type JarDependency, type JarMod, satisfies } from '#minecraft/mods';
import { installedMods } from './installed.ts';
import type { ModServer, RegistryFact } from './types.ts';

const FABRIC: ModServer = { loader: 'fabric', loaderVersion: '0.16.9', gameVersion: '1.21.1' };
const QUILT: ModServer = { loader: 'quilt', loaderVersion: '0.27.1', gameVersion: '1.20.1' };
const FORGE: ModServer = { loader: 'forge', loaderVersion: '47.2.0', gameVersion: '1.20.1' };
const NEOFORGE: ModServer = {
	loader: 'neoforge',
	loaderVersion: '21.1.172',
	gameVersion: '1.21.1'
};

const mod = (modId: string, more: Partial<JarMod> = {}): JarMod => ({
	modId,
	name: modId,
	version: '1.0.0',
	loader: 'fabric',
	side: 'both',
	provides: [],
	dependencies: [],
	nested: false,
	description: null,
	...more
});
const needs = (modId: string, range = '*', more: Partial<JarDependency> = {}): JarDependency => ({
	modId,
	range,
	kind: 'required',
	side: 'both',
	...more
});
const file = (fileName: string, mods: JarMod[], more: Partial<ModFile> = {}): ModFile => ({
	fileName,
	enabled: !fileName.endsWith('.disabled'),
	size: 10,
	mtimeMs: 0,
	sha512: `hash of ${fileName}`,
	facts: { ok: true, mods, library: false },
	regular: true,
	...more
});
const requiring = (...dependencies: JarDependency[]) => file('a.jar', [mod('a', { dependencies })]);

function join(server: ModServer, files: ModFile[], registry = new Map<string, RegistryFact>()) {
	const mods = installedMods(
		files,
		server,
		registry,
		({ fileName }) => ({ locked: fileName === 'locked.jar', shareable: false }),
		satisfies
	);
	return new Map(mods.map((each) => [each.fileName, each]));
}
const codes = (mod: Mod | undefined) => mod?.problems.map(({ code }) => code);
const fulfilled = (mod: Mod | undefined) =>
	mod?.requires.map(({ modId, satisfiedBy }) => `${modId}: ${satisfiedBy}`);

test('dependencies are found in files, in the server, under other names and inside jars', () => {
	const mods = join(FABRIC, [
		requiring(
			needs('minecraft', '>=1.21'),
			needs('java', '>=21'),
			needs('fabricloader', '>=0.16'),
			needs('fabric', '*'),
			needs('fabric-networking-api-v1', '>=4'),
			needs('inner')
		),
		file('api.jar', [
			mod('fabric-api', { provides: ['fabric'] }),
			mod('fabric-networking-api-v1', { version: '4.3.0+x', nested: true })
		]),
		file('b.jar', [mod('b'), mod('inner', { nested: true })])
	]);
	expect(fulfilled(mods.get('a.jar'))).toEqual([
		'minecraft: minecraft',
		'java: java',
		'fabricloader: fabricloader',
		'fabric: api.jar',
		'fabric-networking-api-v1: api.jar',
		'inner: b.jar'
	]);
	expect(codes(mods.get('a.jar'))).toEqual([]);
	expect(mods.get('api.jar')?.requiredBy).toEqual(['a.jar']);
	expect(mods.get('b.jar')?.requiredBy).toEqual(['a.jar']);
});

test('a file that bundles its dependency does not require it from others', () => {
	const mods = join(FABRIC, [
		file('a.jar', [mod('a', { dependencies: [needs('lib')] }), mod('lib', { nested: true })]),
		file('lib.jar', [mod('lib')])
	]);
	expect(fulfilled(mods.get('a.jar'))).toEqual(['lib: a.jar']);
	expect(mods.get('lib.jar')?.requiredBy).toEqual([]);
	expect(mods.get('a.jar')?.requiredBy).toEqual([]);
});

test.each<[string, JarDependency, string[], RegExp | null]>([
	['absent', needs('b'), ['missing-dependency'], /needs b, which is not there/],
	[
		'in a wrong version',
		needs('c', '>=2'),
		['wrong-dependency-version'],
		/c >=2; here it is 1\.0\.0/
	],
	['disabled', needs('d'), ['missing-dependency'], /disabled \(d\.jar\.disabled\)/],
	[
		'of another game',
		needs('minecraft', '<1.21'),
		['wrong-game-version'],
		/Minecraft <1\.21; here it is 1\.21\.1/
	],
	[
		'of a newer loader',
		needs('fabricloader', '>=0.17'),
		['wrong-dependency-version'],
		/Fabric Loader/
	],
	[
		'not wanted',
		needs('c', '<2', { kind: 'incompatible' }),
		['incompatible'],
		/c 1\.0\.0 \(c\.jar\)/
	],
	['not wanted in another version', needs('c', '>2', { kind: 'incompatible' }), [], null],
	['only recommended', needs('b', '*', { kind: 'optional' }), [], null],
	['only recommended in another version', needs('c', '>2', { kind: 'optional' }), [], null],
	['for players', needs('b', '*', { side: 'client' }), [], null],
	['excused', needs('b', '*', { unless: ['c'] }), [], null],
	['of a version that cannot be told', needs('c', '>=${x}'), [], null]
])('a dependency that is %s', (_what, dependency, expected, message) => {
	const mods = join(FABRIC, [
		requiring(dependency),
		file('c.jar', [mod('c')]),
		file('d.jar.disabled', [mod('d')])
	]);
	expect(codes(mods.get('a.jar'))).toEqual(expected);
	if (message) expect(mods.get('a.jar')?.problems[0]?.message).toMatch(message);
});

test('disabled files need nothing, provide nothing and conflict with nothing', () => {
	const mods = join(FABRIC, [
		file('a.jar.disabled', [mod('a', { dependencies: [needs('absent'), needs('b')] })]),
		file('a.jar', [mod('a')]),
		file('b.jar', [mod('b')])
	]);
	for (const name of mods.keys()) expect(codes(mods.get(name))).toEqual([]);
	expect(mods.get('a.jar.disabled')).toMatchObject({ enabled: false, name: 'a' });
	expect(mods.get('b.jar')?.requiredBy).toEqual([]);
});

test('the same mod in two files is shown on both, even for names that differ in case and for equal files', () => {
	const mods = join(FABRIC, [
		file('Lamp.jar', [mod('lamp')]),
		file('lamp.jar', [mod('lamp', { version: '2.0.0' })]),
		file('x.jar', [], { facts: { ok: true, mods: [], library: true }, sha512: 'same' }),
		file('lamp-old.jar.disabled', [mod('lamp')])
	]);
	expect(mods.get('Lamp.jar')?.problems).toEqual([
		{ code: 'duplicate', message: 'The same mod (lamp) is also in lamp.jar: keep one of them.' }
	]);
	expect(codes(mods.get('lamp.jar'))).toEqual(['duplicate']);
	expect(codes(mods.get('lamp-old.jar.disabled'))).toEqual([]);
	const library = { facts: { ok: true as const, mods: [], library: true }, sha512: 'same' };
	const twins = join(FORGE, [file('1.jar', [], library), file('2.jar', [], library)]);
	expect(codes(twins.get('1.jar'))).toEqual(['duplicate']);
});

describe('loaders', () => {
	const forge = mod('f', { loader: 'forge', side: 'unknown' });
	const neoforge = mod('n', { loader: 'neoforge', side: 'unknown' });
	const files = [
		file('fabric.jar', [mod('a')]),
		file('quilt.jar', [mod('q', { loader: 'quilt' })]),
		file('forge.jar', [forge]),
		file('neoforge.jar', [neoforge]),
		file('both.jar', [
			mod('x', { name: 'For Fabric' }),
			{ ...forge, modId: 'y', name: 'For Forge' }
		]),
		file('plugin.jar', [], { facts: { ok: true, mods: [], library: false, plugin: true } }),
		file('library.jar', [], { facts: { ok: true, mods: [], library: true } }),
		file('nothing.jar', [])
	];
	const fitting = (server: ModServer) =>
		[...join(server, files).values()]
			.filter((one) => !codes(one)?.includes('wrong-loader'))
			.map(({ fileName }) => fileName.replace('.jar', ''));

	test.each<[string, ModServer, string[]]>([
		['Fabric', FABRIC, ['fabric', 'both']],
		['Quilt, which loads Fabric mods', QUILT, ['fabric', 'quilt', 'both']],
		['Forge', FORGE, ['forge', 'both', 'library']],
		['NeoForge', NEOFORGE, ['neoforge', 'library']],
		[
			'the first NeoForge',
			{ ...NEOFORGE, gameVersion: '1.20.1' },
			['forge', 'neoforge', 'both', 'library']
		],
		['old Forge', { ...FORGE, gameVersion: '1.12.2' }, ['forge', 'both', 'library', 'nothing']],
		['no loader at all', { loader: 'vanilla', loaderVersion: null, gameVersion: '1.21' }, []]
	])('what fits %s', (_what, server, expected) => {
		expect(fitting(server)).toEqual(expected);
	});

	test('the mod of this loader is the one that is shown', () => {
		expect(join(FABRIC, files).get('both.jar')).toMatchObject({
			modId: 'x',
			name: 'For Fabric',
			loaders: ['fabric', 'forge']
		});
		expect(join(FORGE, files).get('both.jar')).toMatchObject({ modId: 'y', name: 'For Forge' });
		expect(join(FORGE, files).get('fabric.jar')).toMatchObject({
			modId: null,
			name: 'a',
			problems: [{ message: 'It is made for Fabric; this server runs Forge.' }]
		});
		expect(join(FORGE, files).get('plugin.jar')?.problems[0]?.message).toMatch(/plugin/);
	});

	test('while the loader is unknown nobody is warned', () => {
		const unknown = { loader: null, loaderVersion: null, gameVersion: null };
		const mods = join(unknown, [
			...files.slice(1),
			requiring(needs('absent'), needs('minecraft', '>=1'))
		]);
		for (const name of mods.keys()) expect(codes(mods.get(name))).toEqual([]);
	});
});

test('Quilt: replacements of Fabric API serve Fabric mods, whatever their version says', () => {
	const mods = join(QUILT, [
		requiring(needs('fabric-api', '>=0.90'), needs('fabric'), needs('fabricloader', '>=0.15')),
		file('q.jar', [mod('q', { loader: 'quilt', dependencies: [needs('quilt_loader', '>=0.20')] })]),
		file('qfapi.jar', [
			mod('quilted_fabric_api', {
				loader: 'quilt',
				version: '7.0.0',
				provides: ['fabric-api'],
				providedVersions: { 'fabric-api': '0.92.0' }
			})
		])
	]);
	expect(fulfilled(mods.get('a.jar'))).toEqual([
		'fabric-api: qfapi.jar',
		'fabric: qfapi.jar',
		'fabricloader: fabricloader'
	]);
	for (const name of mods.keys()) expect(codes(mods.get(name))).toEqual([]);
});

test('Connector allows Fabric mods on NeoForge, with ids as Forge writes them', () => {
	const files = [
		requiring(
			needs('fabric-api', '>=0.90'),
			needs('some-lib', '>=3'),
			needs('fabricloader'),
			needs('absent')
		),
		file('lib.jar', [mod('some_lib', { loader: 'neoforge', version: '1.21.1-2.0' })]),
		file('ffapi.jar', [mod('fabric_api', { loader: 'neoforge', version: '0.116.0' })]),
		file('connector.jar', [mod('connector', { loader: 'neoforge', nested: true })])
	];
	const mods = join(NEOFORGE, files);
	expect(fulfilled(mods.get('a.jar'))).toEqual([
		'fabric-api: ffapi.jar',
		'some-lib: lib.jar',
		'fabricloader: fabricloader',
		'absent: null'
	]);
	expect(codes(mods.get('a.jar'))).toEqual(['missing-dependency']);
	expect(codes(join(NEOFORGE, files.slice(0, 3)).get('a.jar'))).toEqual(['wrong-loader']);
});

test('Forge and NeoForge: Maven ranges of game, loader and mods; optional ones must match when they are there', () => {
	const forge = (dependencies: JarDependency[]) =>
		file('a.jar', [mod('a', { loader: 'forge', side: 'unknown', dependencies })]);
	const other = file('b.jar', [mod('b', { loader: 'forge', version: '4.4.4' })]);
	const problems = (...dependencies: JarDependency[]) =>
		codes(join(FORGE, [forge(dependencies), other]).get('a.jar'));
	expect(
		problems(needs('forge', '[47,)'), needs('minecraft', '[1.20,1.21)'), needs('b', '[4.2,)'))
	).toEqual([]);
	expect(problems(needs('forge', '[48,)'))).toEqual(['wrong-dependency-version']);
	expect(problems(needs('minecraft', '[1.21,)'))).toEqual(['wrong-game-version']);
	expect(problems(needs('b', '[5,)', { kind: 'optional' }))).toEqual(['wrong-dependency-version']);
	expect(problems(needs('neoforge', '[20,)'))).toEqual(['missing-dependency']);
	const long = { ...FORGE, loaderVersion: '1.20.1-47.2.0' };
	expect(codes(join(long, [forge([needs('forge', '[47,48)')])]).get('a.jar'))).toEqual([]);
});

test('Fabric names pre-releases of the game in its own way, and nobody is warned about snapshots', () => {
	const on = (gameVersion: string, range: string) =>
		codes(join({ ...FABRIC, gameVersion }, [requiring(needs('minecraft', range))]).get('a.jar'));
	expect(on('1.21-pre2', '>=1.21-beta.1')).toEqual([]);
	expect(on('1.21-rc1', '>=1.21')).toEqual(['wrong-game-version']);
	expect(on('26.2-snapshot-3', '~26.2-')).toEqual([]);
	expect(on('24w14a', '>=1.21')).toEqual([]);
});

test('a client-only mod is no problem where Fabric skips it, with its nested jars and everything it needs', () => {
	const mods = join(FABRIC, [
		file('hud.jar', [
			mod('hud', { side: 'client', dependencies: [needs('absent'), needs('menu')] }),
			mod('inner', { nested: true })
		]),
		file('menu.jar', [mod('menu', { side: 'client' })]),
		requiring(needs('inner'))
	]);
	expect(mods.get('hud.jar')?.side).toBe('client');
	expect(codes(mods.get('hud.jar'))).toEqual([]);
	expect(fulfilled(mods.get('hud.jar'))).toEqual(['absent: null', 'menu: menu.jar']);
	expect(codes(mods.get('a.jar'))).toEqual(['missing-dependency']);
});

test.each<[JarMod['side'][], RegistryFact['side'], Mod['side'], boolean]>([
	[['client'], 'both', 'client', true],
	[['both'], 'client', 'both', false],
	[['both'], 'server', 'server', false],
	[['unknown'], 'client', 'client', true],
	[['unknown'], 'unknown', 'unknown', false],
	[['client', 'both'], 'unknown', 'both', false],
	[['server'], 'client', 'server', false]
])('sides %j in the jar and %s in the registry make %s', (sides, listed, expected, warned) => {
	const fact: RegistryFact = {
		project: { id: 'P', slug: 'p', title: 'P', iconUrl: null },
		versionId: 'V',
		version: '1',
		side: listed
	};
	const mods = sides.map((side, i) => mod(`m${i}`, { loader: 'forge', side }));
	const found = join(FORGE, [file('a.jar', mods)], new Map([['hash of a.jar', fact]])).get('a.jar');
	expect(found?.side).toBe(expected);
	expect(codes(found)?.includes('client-only')).toBe(warned);
});

test('registry data, marks, and what is broken', () => {
	const project = { id: 'AABBCCDD', slug: 'lib', title: 'A Library', iconUrl: null };
	const fact: RegistryFact = { project, versionId: 'V1', version: '5.0', side: 'both' };
	const library = { facts: { ok: true as const, mods: [], library: true } };
	const broken = { ok: false as const, problem: 'The jar is damaged.' };
	const mods = join(
		FORGE,
		[
			file('locked.jar', [], library),
			file('unlisted-1.2.jar.disabled', [], library),
			file('bad.jar', [], { facts: broken }),
			file('link.jar', [], { facts: broken, regular: false, sha512: null, size: 0 })
		],
		new Map([['hash of locked.jar', fact]])
	);
	expect(mods.get('locked.jar')).toMatchObject({
		name: 'A Library',
		version: '5.0',
		project,
		versionId: 'V1',
		locked: true,
		problems: []
	});
	expect(mods.get('unlisted-1.2.jar.disabled')).toMatchObject({
		name: 'unlisted-1.2',
		modId: null,
		version: null,
		project: null,
		locked: false
	});
	expect(mods.get('bad.jar')?.problems).toEqual([
		{ code: 'broken', message: 'The jar is damaged.' }
	]);
	expect(codes(mods.get('link.jar'))).toEqual(['not-a-file']);
});

test('mods that depend on each other are linked, and many are linked fast enough', () => {
	const files = Array.from({ length: 400 }, (_, i) =>
		file(`m${i}.jar`, [
			mod(`m${i}`, {
				dependencies: [needs(`m${(i + 1) % 400}`, '>=1'), needs('minecraft', '>=1.20')]
			})
		])
	);
	const mods = join(FABRIC, files);
	expect(mods.get('m0.jar')).toMatchObject({ requiredBy: ['m399.jar'], problems: [] });
});

test('four times as many mods are four times the work, not sixteen', () => {
	let reads = 0;
	const counted = <T extends object>(value: T): T =>
		new Proxy(value, {
			get(target, key, receiver) {
				reads++;
				const field: unknown = Reflect.get(target, key, receiver);
				return typeof field === 'object' && field !== null ? counted(field) : field;
			}
		});
	const work = (count: number) => {
		const files = Array.from({ length: count }, (_, i) =>
			counted(file(`${i}.jar`, [mod(`m${i}`, { dependencies: [needs(`m${(i + 1) % count}`)] })]))
		);
		reads = 0;
		expect(join(FABRIC, files).get('0.jar')?.requiredBy).toEqual([`${count - 1}.jar`]);
		return reads;
	};
	const few = work(200);
	expect(few).toBeGreaterThan(200);
	expect(work(800)).toBeLessThan(5 * few);
});

describe('Java', () => {
	const told = (server: ModServer, loader: JarMod['loader'], range: string) => {
		const demanding = file('a.jar', [mod('a', { loader, dependencies: [needs('java', range)] })]);
		return join(server, [demanding])
			.get('a.jar')
			?.problems.map(({ message }) => message);
	};
	const java = { version: '21.0.9', major: 21 };

	test.each([
		[{ ...FABRIC, java }, 'fabric', '>=25', ['It needs Java >=25; here it is 21.0.9.']],
		[{ ...FABRIC, java }, 'fabric', '21', []],
		[{ ...QUILT, java }, 'quilt', '>=25', ['It needs Java >=25; here it is 21.0.9.']],
		[{ ...FORGE, java }, 'forge', '[25,)', ['It needs Java [25,); here it is 21.0.9.']],
		[{ ...NEOFORGE, java }, 'neoforge', '[21,)', []],
		[FABRIC, 'fabric', '>=25', []]
	] as const)('%j: %s %s', (server, loader, range, problems) => {
		expect(told(server, loader, range)).toEqual(problems);
	});
});
