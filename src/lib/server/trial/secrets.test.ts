import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { namedIn, secretsIn } from './secrets.ts';

test.each([
	['token = "MTAx.Gx9-secret"', ['MTAx.Gx9-secret']],
	['{"botToken":"abc\\u0041def","channel":"12345678"}', ['abcAdef']],
	['db_pass: hunter2hunter2 # of the database', ['hunter2hunter2']],
	['    S:"Bot Token"=xoxb-123456', ['xoxb-123456']],
	["webhookUrl: 'https://hooks.example/x'", ['https://hooks.example/x']],
	['api_key=a b c d', ['a b c d']],
	['[discord]\nsecrets = { token = "from-a-table" }', ['from-a-table']],
	['password = ""\ntoken = null\nsecret = true\ncompass = "minecraft:compass"', []],
	['password = "minecraft"\npassive = "all mobs"', []]
])('%j', (text, secrets) => {
	const found = namedIn(text);
	expect(found).toEqual(expect.arrayContaining(secrets));
	if (!secrets.length) expect(found).toEqual([]);
});

test('only what looks like configuration is read, up to a limit', async () => {
	const dir = await tempDir();
	await mkdir(path.join(dir, 'config'));
	const write = async (name: string, text: string) => {
		await writeFile(path.join(dir, 'config', name), text);
		return { file: path.join('config', name), bytes: text.length };
	};
	const files = [
		await write('a.json', '{"token": "one-of-them"}'),
		await write('b.png', 'token = "not-a-text"'),
		await write('huge.toml', `token = "in-a-huge-one"\n${' '.repeat(300 * 1024)}`),
		{ file: 'config/gone.toml', bytes: 1 }
	];
	expect(await secretsIn(dir, files)).toEqual(['one-of-them']);
	const many = await write(
		'many.yml',
		Array.from({ length: 4000 }, (_, i) => `token${i}: value-${i}`).join('\n')
	);
	expect(await secretsIn(dir, [many])).toHaveLength(500);
});

test('long runs of one character are searched at once', () => {
	const began = performance.now();
	for (const text of ['token'.repeat(50_000), 'token="'.repeat(30_000), `token=${'"'.repeat(2e5)}`])
		namedIn(text);
	expect(performance.now() - began).toBeLessThan(2000);
});
