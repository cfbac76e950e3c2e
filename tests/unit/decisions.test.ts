import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('every package that the project depends on is named by a decision', async () => {
	const { dependencies, devDependencies } = JSON.parse(
		await readFile(path.join(ROOT, 'package.json'), 'utf8')
	) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
	const texts: string[] = [];
	for await (const file of glob('docs/decisions/**/*.md', { cwd: ROOT }))
		texts.push(await readFile(path.join(ROOT, file), 'utf8'));
	const words = new Set(texts.join('\n').match(/[@\w][\w@/.-]*\w/g));
	const unnamed = Object.keys({ ...dependencies, ...devDependencies }).filter(
		(name) => !words.has(name)
	);
	expect(unnamed).toEqual([]);
});
