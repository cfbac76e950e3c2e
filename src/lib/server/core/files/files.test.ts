import {
	link,
	mkdir,
	readFile,
	readdir,
	stat,
	symlink,
	truncate,
	utimes,
	writeFile
} from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import {
	appendLine,
	ensureDir,
	openRegular,
	replaceByCopy,
	sweepTemps,
	writeAtomic
} from './files.ts';

const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

test('a file is replaced as a whole, private, and nothing else is left in the folder', async () => {
	const dir = await tempDir();
	const file = path.join(dir, 'state.json');
	await writeAtomic(file, 'old, and longer than the new one');
	await writeAtomic(file, 'new');
	expect(await readFile(file, 'utf8')).toBe('new');
	expect(await modeOf(file)).toBe('600');
	expect(await readdir(dir)).toEqual(['state.json']);
});

test('a link with that name is replaced and its target stays as it was', async () => {
	const dir = await tempDir();
	const target = path.join(dir, 'target');
	const file = path.join(dir, 'state.json');
	await writeFile(target, 'not ours');
	await symlink(target, file);
	await writeAtomic(file, 'ours');
	expect(await readFile(target, 'utf8')).toBe('not ours');
	expect(await readFile(file, 'utf8')).toBe('ours');
});

test('the previous content is kept on request, also the second time', async () => {
	const dir = await tempDir();
	const file = path.join(dir, 'state.json');
	const keep = `${file}.prev`;
	for (const text of ['one', 'two', 'three']) await writeAtomic(file, text, 0o600, { keep });
	expect(await readFile(file, 'utf8')).toBe('three');
	expect(await readFile(keep, 'utf8')).toBe('two');
	expect((await readdir(dir)).sort()).toEqual(['state.json', 'state.json.prev']);
});

test('copying onto a name that is the same file already leaves no temp file', async () => {
	const dir = await tempDir();
	const file = path.join(dir, 'a');
	await writeFile(file, 'text');
	await link(file, path.join(dir, 'b'));
	await replaceByCopy(file, path.join(dir, 'b'));
	await replaceByCopy(path.join(dir, 'missing'), path.join(dir, 'c'));
	expect((await readdir(dir)).sort()).toEqual(['a', 'b']);
});

test('a failed write throws and leaves the old content and no temp file', async () => {
	const dir = await tempDir();
	const file = path.join(dir, 'folder');
	await mkdir(path.join(file, 'inner'), { recursive: true });
	await expect(writeAtomic(file, 'new')).rejects.toThrow();
	expect(await readdir(dir)).toEqual(['folder']);
	expect(await readdir(file)).toEqual(['inner']);
});

test('temp files of dead writers are removed, those of living ones and unrelated files stay', async () => {
	const dir = await tempDir();
	const names = ['.a.json.0123456789ab.tmp', '.b.json.0123456789ab.tmp', 'c.tmp', '.note.tmp'];
	for (const name of names) await writeFile(path.join(dir, name), '');
	const hourAgo = new Date(Date.now() - 3_600_000);
	for (const name of names.filter((one) => !one.startsWith('.b')))
		await utimes(path.join(dir, name), hourAgo, hourAgo);
	await sweepTemps(dir, new Date());
	expect((await readdir(dir)).sort()).toEqual(['.b.json.0123456789ab.tmp', '.note.tmp', 'c.tmp']);
});

test('a torn last line is closed before the next one is appended', async () => {
	const file = path.join(await tempDir(), 'log');
	await appendLine(file, 'one');
	await appendLine(file, 'two', { sync: true });
	await truncate(file, 6);
	await appendLine(file, 'three');
	expect(await readFile(file, 'utf8')).toBe('one\ntw\nthree\n');
	expect(await modeOf(file)).toBe('600');
});

test('our own lines are never written through a link', async () => {
	const dir = await tempDir();
	await writeFile(path.join(dir, 'theirs'), '');
	await symlink('theirs', path.join(dir, 'log'));
	const written = appendLine(path.join(dir, 'log'), 'one', { own: true });
	await expect(written).rejects.toMatchObject({ code: 'ELOOP' });
	expect(await readFile(path.join(dir, 'theirs'), 'utf8')).toBe('');
});

test('many lines appended at once stay whole', async () => {
	const file = path.join(await tempDir(), 'log');
	const lines = Array.from({ length: 50 }, (_, i) => `${i} ${'x'.repeat(i * 37)}`);
	await Promise.all(lines.map((line) => appendLine(file, line)));
	const found = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
	expect(found.sort()).toEqual(lines.sort());
});

test('only regular files are opened for reading', async () => {
	const dir = await tempDir();
	await writeFile(path.join(dir, 'file'), 'text');
	await symlink('file', path.join(dir, 'link'));
	const handle = await openRegular(path.join(dir, 'file'));
	expect(await handle?.readFile('utf8')).toBe('text');
	await handle?.close();
	for (const name of ['link', 'missing', '.', 'file/below', 'x'.repeat(300)])
		expect(await openRegular(path.join(dir, name))).toBeNull();
});

test('folders are created with access for us alone', async () => {
	const dir = path.join(await tempDir(), 'a', 'b');
	await ensureDir(dir);
	expect(await modeOf(dir)).toBe('700');
});
