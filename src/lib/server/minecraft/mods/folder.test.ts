import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
	chmod,
	mkdir,
	mkdtemp,
	readFile,
	rename,
	rm,
	stat,
	symlink,
	utimes,
	writeFile
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fabricJar } from '../../../../../tests/fakes/mods/mod-jars.ts';
import { asSomebody, nobodyElse } from '../../../../../tests/fakes/somebody.ts';
import { systemClock } from '#core/clock';
import { createModsFolder, type ModsFolder } from './folder.ts';
import { scanFiles } from './scan-pool.ts';

const why = nobodyElse();
let root: string;
let dir: string;
let cacheFile: string;
const open: ModsFolder[] = [];
const warn = vi.fn();

beforeEach(async () => {
	root = await mkdtemp(path.join(os.tmpdir(), 'mods-'));
	dir = path.join(root, 'mods');
	cacheFile = path.join(root, 'mods-cache.json');
	await mkdir(dir);
	warn.mockClear();
});
afterEach(async () => {
	await Promise.all(open.splice(0).map((folder) => folder.close()));
	await rm(root, { recursive: true });
});

function folder(): ModsFolder {
	const made = createModsFolder({ dir, cacheFile, clock: systemClock, warn });
	open.push(made);
	return made;
}

/** Long ago, as most files are. */
async function put(name: string, bytes: Uint8Array | string, at = new Date(1_700_000_000_000)) {
	await writeFile(path.join(dir, name), bytes);
	await utimes(path.join(dir, name), at, at);
}
const cached = async () =>
	JSON.parse(await readFile(cacheFile, 'utf8')).files as { sha512: string }[];
const hashOf = (bytes: Uint8Array) => createHash('sha512').update(bytes).digest('hex');

test('jars of the top level are listed with hashes and metadata, other files are not', async () => {
	const bytes = fabricJar('a');
	await put('a.jar', bytes);
	await put('b.jar.disabled', fabricJar('b'));
	await put('notes.txt', 'x');
	await put('.hidden.jar', fabricJar('c'));
	await put('half.jar.part', fabricJar('d'));
	await put('UPPER.JAR', fabricJar('e'));
	const found = await folder().scan();
	expect(found).toMatchObject([
		{
			fileName: 'a.jar',
			enabled: true,
			size: bytes.length,
			mtimeMs: 1_700_000_000_000,
			sha512: hashOf(bytes),
			regular: true,
			facts: { ok: true, mods: [{ modId: 'a' }] }
		},
		{ fileName: 'b.jar.disabled', enabled: false, facts: { mods: [{ modId: 'b' }] } }
	]);
	expect(warn).not.toHaveBeenCalled();
});

test('without a folder there are none', async () => {
	await rm(dir, { recursive: true });
	expect(await folder().scan()).toEqual([]);
});

test('links, folders and FIFOs are reported as not files, and never opened', async () => {
	await put('real.jar', fabricJar('a'));
	await symlink('real.jar', path.join(dir, 'link.jar'));
	await symlink('nowhere', path.join(dir, 'dangling.jar'));
	await mkdir(path.join(dir, 'folder.jar'));
	execFileSync('mkfifo', [path.join(dir, 'fifo.jar')]);
	const found = await folder().scan();
	expect(
		found.map(({ fileName, regular, sha512 }) => [fileName, regular, sha512 === null])
	).toEqual([
		['dangling.jar', false, true],
		['fifo.jar', false, true],
		['folder.jar', false, true],
		['link.jar', false, true],
		['real.jar', true, false]
	]);
});

test.skipIf(why)(
	`a file without the right to read it is told so${why ? ` (skipped: ${why})` : ''}`,
	async () => {
		await chmod(root, 0o755);
		await put('a.jar', fabricJar('a'));
		await chmod(path.join(dir, 'a.jar'), 0);
		await put('b.jar', fabricJar('b'));
		const found = asSomebody(`
			const { createModsFolder } = await import(${JSON.stringify(import.meta.resolve('./folder.ts'))});
			const { systemClock: clock } = await import(${JSON.stringify(import.meta.resolve('../../core/clock.ts'))});
			const facts = { cacheFile: '/nowhere/cache.json', clock, warn() {} };
			const folder = createModsFolder({ dir: ${JSON.stringify(dir)}, ...facts });
			console.log(JSON.stringify(await folder.scan()));
		`);
		expect(found).toMatchObject([
			{
				regular: false,
				sha512: null,
				facts: { problem: expect.stringContaining('right to read') }
			},
			{ regular: true, facts: { ok: true } }
		]);
	}
);

test('an unchanged jar is not read again, even by the next start, even under its disabled name', async () => {
	await put('a.jar', fabricJar('a'));
	const first = await folder().scan();
	const { ino } = await stat(cacheFile);
	// Other content with the same size, time and inode: only who reads it again would notice.
	await put('a.jar', fabricJar('z'));
	await rename(path.join(dir, 'a.jar'), path.join(dir, 'a.jar.disabled'));
	const again = await folder().scan();
	expect(again[0]).toMatchObject({
		fileName: 'a.jar.disabled',
		enabled: false,
		sha512: first[0]!.sha512
	});
	expect((await stat(cacheFile)).ino).toBe(ino);
});

test.each([
	['its size', () => put('a.jar', fabricJar('longer'))],
	['its time', () => put('a.jar', fabricJar('b'), new Date(1_600_000_000_000))],
	[
		'its inode',
		async () => {
			await put('new', fabricJar('b'));
			await rename(path.join(dir, 'new'), path.join(dir, 'a.jar'));
		}
	]
])(
	'a file that changed %s is read again, and deleted ones are forgotten',
	async (_what, change) => {
		const mods = folder();
		await put('a.jar', fabricJar('a'));
		await put('gone.jar', fabricJar('gone'));
		const [before] = await mods.scan();
		await change();
		await rm(path.join(dir, 'gone.jar'));
		const after = await mods.scan();
		expect(after).toHaveLength(1);
		expect(after[0]!.sha512).not.toBe(before!.sha512);
		expect((await cached()).map(({ sha512 }) => sha512)).toEqual([after[0]!.sha512]);
	}
);

test('a file that was just written does not count as settled', async () => {
	await put('a.jar', fabricJar('a'));
	const clock = { ...systemClock, now: () => new Date(1_700_000_001_000) };
	const mods = createModsFolder({ dir, cacheFile, clock, warn });
	open.push(mods);
	expect((await mods.scan())[0]!.sha512).not.toBeNull();
	await expect(stat(cacheFile)).rejects.toThrow('ENOENT');
});

test.each([
	['garbage', 'x{'],
	['of another shape', '{"version":1,"files":[{"key":1}]}'],
	['of another version', '{"version":0,"files":[]}'],
	['with a hash that is none', '{"version":1,"files":[{"key":"k","sha512":"<b>","facts":{}}]}']
])('a cache that is %s is rebuilt', async (_what, text) => {
	await put('a.jar', fabricJar('a'));
	await writeFile(cacheFile, text);
	expect(await folder().scan()).toMatchObject([{ facts: { mods: [{ modId: 'a' }] } }]);
	expect(await cached()).toHaveLength(1);
});

test('a cache that cannot be written causes a warning and does not affect the list', async () => {
	await put('a.jar', fabricJar('a'));
	cacheFile = path.join(root, 'nowhere', 'cache.json');
	expect(await folder().scan()).toHaveLength(1);
	expect(warn).toHaveBeenCalledOnce();
});

test('callers during a scan share the next one, which sees what was added meanwhile, and the threads have ended afterwards', async () => {
	for (let i = 0; i < 5; i++) await put(`${i}.jar`, fabricJar(`m${i}`));
	const threads = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort');
	const before = threads().length;
	const mods = folder();
	const first = mods.scan();
	await put('5.jar', fabricJar('m5'));
	const [a, b] = [mods.scan(), mods.scan()];
	expect(a).toBe(b);
	expect(await a).toHaveLength(6);
	expect((await first).length).toBeGreaterThanOrEqual(5);
	expect(threads()).toHaveLength(before);
});

test('closing ends a scan at once', async () => {
	await put('a.jar', Buffer.alloc(8 << 20));
	const mods = folder();
	const scan = mods.scan();
	const ended = expect(scan).rejects.toMatchObject({ kind: 'busy' });
	await mods.close();
	await ended;
	await expect(mods.scan()).rejects.toMatchObject({ kind: 'busy' });
});

test('a file that vanishes before it is read is not listed', async () => {
	await put('a.jar', fabricJar('a'));
	const results = await scanFiles({
		dir,
		files: [
			{ name: 'gone.jar', size: 1 },
			{ name: 'a.jar', size: 1 }
		],
		clock: systemClock,
		signal: new AbortController().signal
	});
	expect(results.get('a.jar')).toMatchObject({ found: true, facts: { ok: true } });
	expect(results.get('gone.jar')).toEqual({ found: false });
});
