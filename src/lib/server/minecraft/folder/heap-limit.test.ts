import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { readHeapLimit } from './heap-limit.ts';

const GIB = 1024 ** 3;

test('the last limit of the command counts, even one in an argument file', async () => {
	const dir = await tempDir();
	const args = '# -Xmx9G is a comment\n-Xms1G\n-Xmx6G # six\n';
	await writeFile(path.join(dir, 'user_jvm_args.txt'), args);
	const limit = (...argv: string[]) => readHeapLimit(dir, ['java', ...argv]);
	expect(await limit('-Xmx4G', '-jar', 'x.jar')).toEqual({ bytes: 4 * GIB, option: '-Xmx4G' });
	expect(await limit('-Xmx1G', '@user_jvm_args.txt', '@libraries/none.txt')).toMatchObject({
		bytes: 6 * GIB
	});
	expect(await limit('@user_jvm_args.txt', '-Xmx2048m')).toMatchObject({ bytes: 2 * GIB });
	expect(await limit('-XX:MaxHeapSize=1073741824')).toMatchObject({ bytes: GIB });
});

test('a command that says nothing, or nonsense, has no limit', async () => {
	const dir = await tempDir();
	for (const word of [
		'-Xms4G',
		'-Xmx',
		'-Xmx0',
		'-Xmx4Q',
		'-Xmx999999999999t',
		'@../../etc/passwd'
	])
		expect(await readHeapLimit(dir, ['java', word])).toBeNull();
});
