import {
	chmod,
	mkdir,
	mkdtemp,
	readFile,
	readdir,
	rm,
	symlink,
	utimes,
	writeFile
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { javaArchive, tar, type TarEntry } from '../../../../../scripts/demo-sources/files.ts';
import { systemClock } from '#core/clock';
import { createJavas, majorOf } from './index.ts';

const signal = AbortSignal.timeout(60_000);

async function setup(home: string | null = null) {
	const root = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-java-'));
	onTestFinished(() => rm(root, { recursive: true, force: true }));
	const put = async (name: string, version: string, release = true) => {
		const bin = path.join(root, 'home/.jdks', name, 'bin');
		await mkdir(bin, { recursive: true });
		await writeFile(path.join(bin, 'java'), `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
		await chmod(path.join(bin, 'java'), 0o755);
		if (release) await writeFile(path.join(bin, '../release'), `JAVA_VERSION="${version}"\n`);
		return path.join(bin, 'java');
	};
	const environment = { HOME: path.join(root, 'home'), PATH: path.join(root, 'bin') };
	const dir = path.join(root, 'java');
	const javas = (more: { home?: string } = {}) =>
		createJavas({ dir, environment, home: more.home ?? home, clock: systemClock });
	/** This test's own: the machine may have some of its own. */
	const found = async () =>
		(await javas().found()).filter((one) => one.path.startsWith(root)).map((one) => one.version);
	const archive = path.join(root, 'java.tar.gz');
	return { root, put, javas, found, dir, archive };
}

test.each([
	['21.0.9', 21],
	['1.8.0_472', 8],
	['25', 25],
	['17-ea', 17],
	['x', null]
])('the major version of %s is %s', (version, major) => expect(majorOf(version)).toBe(major));

test('each Java is found once, by its release file or by its own output', async () => {
	const { root, put, found } = await setup();
	await put('jdk-17', '17.0.1');
	const program = await put('jdk-21', '21.0.9', false);
	await mkdir(path.join(root, 'bin'));
	await symlink(program, path.join(root, 'bin/java'));
	await put('broken', 'nonsense');
	expect(await found()).toEqual(['21.0.9', '17.0.1']);
});

test('plain “java” is chosen if it is new enough, else the next newer one, and JAVA_HOME takes precedence', async () => {
	const { put, javas, root } = await setup();
	const old = await put('jdk-41', '41.0.1');
	await put('jdk-43', '43.0.9');
	expect((await javas().choose(42))?.version).toBe('43.0.9');
	expect((await javas().choose(43))?.version).toBe('43.0.9');
	expect(await javas().choose(45)).toBeNull();
	const newest = await put('jdk-44', '44.0.1');
	expect((await javas().choose(42))?.version).toBe('43.0.9');
	await mkdir(path.join(root, 'bin'));
	await symlink(newest, path.join(root, 'bin/java'));
	expect((await javas().choose(42))?.version).toBe('44.0.1');
	const home = path.join(path.dirname(old), '..');
	expect((await javas({ home }).choose(43))?.version).toBe('41.0.1');
});

test('the Java that a start command names is found, by its path or as java', async () => {
	const { root, put, javas } = await setup();
	const program = await put('jdk-21', '21.0.9');
	await mkdir(path.join(root, 'bin'));
	await symlink(program, path.join(root, 'bin/java'));
	for (const name of ['java', program])
		expect(await javas().named(name)).toEqual({ version: '21.0.9', major: 21, path: program });
	expect(await javas().named('/nowhere/java')).toBeNull();
	expect(await javas().named(process.execPath)).toBeNull();
});

test('an archive becomes a Java that is found from then on', async () => {
	const { javas, archive, dir, found } = await setup();
	await writeFile(archive, javaArchive('jdk-21.0.9+10-jre', '21.0.9'));
	const all = javas();
	const java = await all.install(archive, 21, signal);
	expect(java).toMatchObject({
		version: '21.0.9',
		path: path.join(dir, 'jdk-21.0.9+10-jre/bin/java')
	});
	expect(await found()).toEqual(['21.0.9']);
	const link = path.join(dir, 'jdk-21.0.9+10-jre/legal/java.desktop/LICENSE');
	expect(await readFile(link, 'utf8')).toMatch(/^A stand-in/);
	await all.install(archive, 21, signal);
	expect(await readdir(dir)).toEqual(['jdk-21.0.9+10-jre']);
});

test('the next install removes what a killed dashboard left, but not the download of another operation', async () => {
	const { javas, archive, dir } = await setup();
	await writeFile(archive, javaArchive('jdk-21.0.9+10-jre', '21.0.9'));
	await mkdir(path.join(dir, '.unfinished-x'), { recursive: true });
	for (const name of ['.left', '.running']) await writeFile(path.join(dir, name), 'a part');
	const yesterday = new Date(Date.now() - 86_400_000);
	await utimes(path.join(dir, '.left'), yesterday, yesterday);
	await javas().install(archive, 21, signal);
	expect((await readdir(dir)).sort()).toEqual(['.running', 'jdk-21.0.9+10-jre']);
});

describe('an archive that is rejected', () => {
	const java: TarEntry[] = [
		{ name: 'jdk/release', content: 'JAVA_VERSION="21.0.9"\n' },
		{ name: 'jdk/bin/java', content: '#!/bin/sh\n', mode: 0o755 }
	];
	const packed = (more: TarEntry[]) => gzipSync(tar([...java, ...more]));
	test.each<[string, Buffer]>([
		['a way out', packed([{ name: 'jdk/../../evil', content: 'x' }])],
		['an absolute name', packed([{ name: '/tmp/evil', content: 'x' }])],
		['a backslash', packed([{ name: 'jdk\\..\\evil', content: 'x' }])],
		['a link that leads out', packed([{ name: 'jdk/evil', link: '../../../etc/passwd' }])],
		['an absolute link', packed([{ name: 'jdk/evil', link: '/etc/passwd' }])],
		[
			'a file through a link',
			packed([
				{ name: 'jdk/out', link: '..' },
				{ name: 'jdk/out/evil', content: 'x' }
			])
		],
		['the same file twice', packed([{ name: 'jdk/release', content: 'x' }])],
		['two folders', packed([{ name: 'other/file', content: 'x' }])],
		['another version', gzipSync(tar([{ name: 'j/release', content: 'JAVA_VERSION="17"\n' }]))],
		['half of it', packed([]).subarray(0, 80)],
		['no archive', Buffer.from('<!doctype html>')],
		['nothing', Buffer.alloc(0)]
	])('%s', async (_, bytes) => {
		const { javas, archive, dir, root } = await setup();
		await writeFile(archive, bytes);
		await expect(javas().install(archive, 21, signal)).rejects.toMatchObject({
			name: 'AppError',
			kind: 'upstream'
		});
		expect(await readdir(dir)).toEqual([]);
		expect((await readdir(root)).filter((name) => name === 'evil')).toEqual([]);
	});
});
