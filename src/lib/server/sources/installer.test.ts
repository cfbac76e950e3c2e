import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { runInstaller } from './installer.ts';

test('without a sandbox, an installer runs only if a person was told', async () => {
	const root = await tempDir();
	const java = path.join(root, 'java');
	await writeFile(java, '#!/bin/sh\necho ran > proof\n');
	await chmod(java, 0o755);
	const dir = await tempDir();
	const { signal } = new AbortController();
	const installer = {
		jar: path.join(root, 'x.jar'),
		java,
		dir,
		proof: 'proof',
		hidden: [],
		signal
	};
	const none = async () => false;
	await expect(runInstaller({ ...installer, bare: false }, none)).rejects.toMatchObject({
		code: 'plan-changed'
	});
	expect(await readdir(dir)).toEqual([]);
	await runInstaller({ ...installer, bare: true }, none);
	expect(await readdir(dir)).toEqual(['proof']);
});
