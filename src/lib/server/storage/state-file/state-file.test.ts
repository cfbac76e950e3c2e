import {
	chmod,
	mkdir,
	readFile,
	readdir,
	rename,
	rm,
	stat,
	symlink,
	writeFile
} from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { createStateFile } from './state-file.ts';

const Schema = z.strictObject({ words: z.array(z.string()), count: z.int().default(0) });
type State = z.infer<typeof Schema>;
const defaults: State = { words: [], count: 0 };

async function setup(dir?: string) {
	const file = path.join(dir ?? (await tempDir()), 'state.json');
	const warnings: string[] = [];
	const open = (options: { version?: number; mode?: number } = {}) =>
		createStateFile<State>({
			...{ file, schema: Schema, version: 2, defaults },
			...options,
			warn: (message) => warnings.push(message)
		});
	const add = (word: string) => (old: State) => ({
		words: [...old.words, word],
		count: old.count + 1
	});
	return { file, dir: path.dirname(file), warnings, open, add, state: open() };
}
/** A file with `one` in its previous copy and `one`, `two` in itself. */
async function written() {
	const all = await setup();
	await all.state.update(all.add('one'));
	await all.state.update(all.add('two'));
	return all;
}
const names = async (dir: string) =>
	(await readdir(dir)).map((name) => name.replace(/broken-\w+$/, 'broken')).sort();

test('without a file there are the defaults, and reading writes nothing', async () => {
	const { state, dir, warnings } = await setup();
	expect(await state.read()).toEqual(defaults);
	expect(await readdir(dir)).toEqual([]);
	expect(warnings).toEqual([]);
});

test('a change is on disk when it returns, private, with the previous copy beside it', async () => {
	const { open, file, dir, warnings } = await written();
	expect(await open().read()).toEqual({ words: ['one', 'two'], count: 2 });
	expect(JSON.parse(await readFile(`${file}.prev`, 'utf8')).data.words).toEqual(['one']);
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	expect(await names(dir)).toEqual(['state.json', 'state.json.prev']);
	expect(warnings).toEqual([]);
});

test('changes requested at once are all made', async () => {
	const { state, open, add } = await setup();
	const words = Array.from({ length: 40 }, (_, i) => `word ${i}`);
	await Promise.all(words.map((word) => state.update(add(word))));
	expect(await open().read()).toEqual({ words, count: 40 });
});

test('a change that fails or is invalid changes nothing and does not stop the next', async () => {
	const { state, open, add } = await written();
	await expect(state.update(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
	await expect(state.update((old) => ({ ...old, count: 0.5 }))).rejects.toThrow();
	expect((await state.read()).count).toBe(2);
	await state.update(add('three'));
	expect((await open().read()).words).toEqual(['one', 'two', 'three']);
});

test('a value that was read is frozen; the copy for a change is not', async () => {
	const { state } = await written();
	const value = await state.read();
	expect(() => value.words.push('sneaky')).toThrow(TypeError);
	await state.update((draft) => {
		draft.words.push('three');
		return draft;
	});
	expect((await state.read()).words).toEqual(['one', 'two', 'three']);
	expect(defaults.words).toEqual([]);
});

test('a change that changes nothing is not written', async () => {
	const { state, file } = await written();
	const before = await stat(file);
	await state.update((old) => ({ ...old }));
	expect((await stat(file)).ino).toBe(before.ino);
});

test('when the disk refuses, the old value stays in memory and on disk, and the person is told', async () => {
	const { state, open, add, file, dir } = await written();
	await rm(`${file}.prev`);
	await mkdir(path.join(`${file}.prev`, 'in the way'), { recursive: true });
	const refused = state.update(add('three'));
	await expect(refused).rejects.toMatchObject({ kind: 'internal' });
	await expect(refused).rejects.toThrow('state.json could not be saved');
	expect((await state.read()).words).toEqual(['one', 'two']);
	expect((await open().read()).words).toEqual(['one', 'two']);
	await rm(`${file}.prev`, { recursive: true });
	await state.update(add('four'));
	expect((await open().read()).words).toEqual(['one', 'two', 'four']);
	expect(await names(dir)).toEqual(['state.json', 'state.json.prev']);
});

describe('damage', () => {
	const damages: [string, (file: string) => Promise<unknown>][] = [
		['empty', (file) => writeFile(file, '')],
		['cut off', async (file) => writeFile(file, (await readFile(file)).subarray(0, 20))],
		['full of NULs', async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
		['wrong JSON', (file) => writeFile(file, '{"words":[]}')],
		['no object', (file) => writeFile(file, '[]')],
		['without a format', (file) => writeFile(file, '{"version":"2","data":{"words":[]}}')],
		['of another shape', (file) => writeFile(file, '{"version":2,"data":{"words":[1]}}')],
		['with an unknown key', (file) => writeFile(file, '{"version":2,"data":{"words":[],"x":1}}')],
		['a folder', (file) => rm(file).then(() => mkdir(file))],
		['a link', (file) => rename(file, `${file}.target`).then(() => symlink(`${file}.target`, file))]
	];
	test.each(damages)(
		'%s: the previous copy is used, with a warning, and the file set aside',
		async (_, damage) => {
			const { open, file, warnings, dir } = await written();
			await damage(file);
			expect((await open().read()).words).toEqual(['one']);
			expect(warnings).toHaveLength(1);
			expect(warnings[0]).toMatch(/^state\.json .*previous copy.*kept as state\.json\.broken-/);
			expect(await names(dir)).toContain('state.json.broken');
			// The next start finds it whole and has nothing to say.
			expect((await open().read()).words).toEqual(['one']);
			expect(warnings).toHaveLength(1);
		}
	);

	test('a change after damage continues from the previous copy', async () => {
		const { open, add, file } = await written();
		await writeFile(file, 'garbage');
		await open().update(add('three'));
		expect((await open().read()).words).toEqual(['one', 'three']);
	});

	test('both copies broken: defaults, with a warning, and both set aside', async () => {
		const { open, file, warnings, dir } = await written();
		await writeFile(file, '{');
		await writeFile(`${file}.prev`, '');
		expect(await open().read()).toEqual(defaults);
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain('Defaults are used');
		expect(await names(dir)).toEqual(['state.json.broken', 'state.json.prev.broken']);
	});

	test('the file is gone, the previous copy is not: it is used, with a warning', async () => {
		const { open, file, warnings } = await written();
		await rm(file);
		expect((await open().read()).words).toEqual(['one']);
		expect(warnings[0]).toContain('is missing');
	});

	test('a file of a newer release is refused for reading and changing, and left alone', async () => {
		const { open, add, file, dir } = await written();
		const before = await readFile(file);
		const old = open({ version: 1 });
		await expect(old.read()).rejects.toThrow('newer Craftwarden (format 2, this one knows 1)');
		await expect(old.update(add('x'))).rejects.toMatchObject({ kind: 'internal' });
		expect(await readFile(file)).toEqual(before);
		expect(await names(dir)).toEqual(['state.json', 'state.json.prev']);
	});

	test('a file that others may read is made private with a warning', async () => {
		const { open, file, warnings } = await written();
		await chmod(file, 0o644);
		expect((await open().read()).words).toEqual(['one', 'two']);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect(warnings).toEqual(['state.json was open to other users (0644); it is 0600 now.']);
		await chmod(file, 0o644);
		await open({ mode: 0o644 }).read();
		expect((await stat(file)).mode & 0o777).toBe(0o644);
		expect(warnings).toHaveLength(1);
	});

	test.skipIf(process.getuid?.() === 0)(
		'a file we may not read: the previous copy is used and said; without one it is refused, never reset',
		async () => {
			const { open, add, file, warnings, dir } = await written();
			await chmod(file, 0);
			expect((await open().read()).words).toEqual(['one']);
			expect(warnings[0]).toContain('permission was denied');
			await chmod(`${file}.prev`, 0);
			await expect(open().update(add('three'))).rejects.toThrow('permission was denied');
			expect(await names(dir)).toEqual(['state.json', 'state.json.prev']);
			await chmod(file, 0o600);
			expect((await open().read()).words).toEqual(['one', 'two']);
		}
	);
});
