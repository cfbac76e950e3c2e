import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { putOf } from '../../../../../../tests/fakes/mods/change-setup.ts';
import {
	fabricJar,
	forgeJar,
	modsToml,
	neoforgeJar
} from '../../../../../../tests/fakes/mods/mod-jars.ts';
import { zip } from '../../../../../../tests/fakes/mods/jars.ts';
import { tempDir } from '../../../../../../tests/faults/temp.ts';
import { readJar, satisfies, type ModFile } from '#minecraft/mods';
import type { ModChange } from '../change/index.ts';
import type { ServerFacts } from '../known.ts';
import { createPreflight } from './preflight.ts';

const JAVA = { version: '21.0.9', major: 21 };
const FABRIC: ServerFacts = {
	...{ loader: 'fabric', loaderVersion: '0.16.9', gameVersion: '1.21.1' },
	java: JAVA
};

/** What is said of new jars beside those in `mods/`. */
async function said(server: ServerFacts, jars: Buffer[], present: ModFile[] = [], config = '') {
	const dir = await tempDir();
	const put = jars.map((content, i) => putOf({ fileName: `new-${i}.jar`, title: 'New', content }));
	const fileOf = (i: number) => path.join(dir, `${i}`);
	for (const [i, jar] of jars.entries()) await writeFile(fileOf(i), jar);
	await mkdir(path.join(dir, 'config'));
	if (config) await writeFile(path.join(dir, 'config/fabric_loader_dependencies.json'), config);
	const read = async () => ({ files: present, server });
	const preflight = createPreflight({ read, readJar, satisfies, serverDir: dir });
	const change: ModChange = {
		...{ kind: 'install', planId: null, titles: [], put, take: [], rename: [], before: {} },
		...{ restart: true, backupFirst: false }
	};
	return preflight(change, fileOf);
}

test('a jar that needs a newer Java than the one that starts the server is refused by name', async () => {
	const needing = fabricJar('quartz', { depends: { java: '>=25' } });
	expect(await said(FABRIC, [needing])).toEqual(['quartz needs Java >=25; here it is 21.0.9.']);
	expect(await said({ ...FABRIC, java: { version: '25.0.1', major: 25 } }, [needing])).toEqual([]);
	// Nobody knows which one starts it: the boot on a copy shows it.
	expect(await said({ ...FABRIC, java: null }, [needing])).toEqual([]);
});

test.each([
	['forge', 'mods.toml', '52.0.1'],
	['neoforge', 'neoforge.mods.toml', '21.1.172']
] as const)('%s: the Java among its features counts', async (loader, file, version) => {
	const toml = `${modsToml('quartz')}\n[features.quartz]\njavaVersion = "[25,)"\n`;
	const server = { loader, loaderVersion: version, gameVersion: '1.21.1', java: JAVA };
	expect(await said(server, [zip({ [`META-INF/${file}`]: toml })])).toEqual([
		'quartz needs Java [25,); here it is 21.0.9.'
	]);
	expect(await said(server, [loader === 'forge' ? forgeJar('a') : neoforgeJar('a')])).toEqual([]);
});

test('game, loader and the others are checked too, including nested jars and the owner’s overrides', async () => {
	const needs = (depends: Record<string, string>) => fabricJar('quartz', { depends });
	expect(await said(FABRIC, [needs({ minecraft: '1.20.x' })])).toHaveLength(1);
	expect(await said(FABRIC, [needs({ fabricloader: '>=0.17' })])).toHaveLength(1);
	expect(await said(FABRIC, [needs({ wick: '*' })])).toEqual([
		'quartz needs wick, which is not there.'
	]);
	expect(await said(FABRIC, [needs({ wick: '*' }), fabricJar('wick')])).toEqual([]);
	const within = fabricJar(
		'quartz',
		{ depends: { wick: '*' }, jars: [{ file: 'META-INF/jars/wick.jar' }] },
		{ 'META-INF/jars/wick.jar': fabricJar('wick') }
	);
	expect(await said(FABRIC, [within])).toEqual([]);
	const config = JSON.stringify({ overrides: { quartz: { '-depends': { wick: '*' } } } });
	expect(await said(FABRIC, [needs({ wick: '*' })], [], config)).toEqual([]);
});
