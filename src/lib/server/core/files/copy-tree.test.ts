import { rm, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { copyTree, readTree } from './copy-tree.ts';

test('a copy that fails has stopped: nothing is written afterwards', async () => {
	const dir = await tempDir();
	const from = path.join(dir, 'from');
	await mkdir(from);
	for (let i = 0; i < 300; i++) await writeFile(path.join(from, String(i)), 'chunks');
	const tree = await readTree(from);
	await rm(path.join(from, tree.files[1]!.file));
	let told = 0;
	const copying = copyTree(from, path.join(dir, 'to'), tree, { progress: () => told++ });
	await expect(copying).rejects.toMatchObject({ code: 'ENOENT' });
	const before = told;
	for (let i = 0; i < 100; i++) await setImmediate();
	expect(told).toBe(before);
	expect(told).toBeLessThan(299);
});
