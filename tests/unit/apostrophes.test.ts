import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMENTS = /\/\*[^]*?\*\/|<!--[^]*?-->|(?<=^|\s)\/\/.*$/gm;
/** What the game writes itself. */
const GAMES_OWN = /Can't keep up|didn't want to live|isn't banned/g;

const straight = (text: string) =>
	text
		.replace(COMMENTS, '')
		.replace(GAMES_OWN, '')
		.match(/.*\p{L}'\p{Ll}.*/gu) ?? [];

test('apostrophes that people read are curly', async () => {
	const found: string[] = [];
	for await (const file of glob('src/**/*.{ts,svelte,html}', { cwd: ROOT })) {
		if (file.endsWith('.test.ts')) continue;
		const text = await readFile(path.join(ROOT, file), 'utf8');
		found.push(...straight(text).map((line) => `${file}: ${line.trim()}`));
	}
	expect(found).toEqual([]);
	expect(straight('const words = "the server\'s folder"; // it\'s code')).toHaveLength(1);
});
