import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '#core/exec';
import { faults } from '../../scripts/walls/faults.ts';
import { tempDir } from '../faults/temp.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER_MAX = 25;
const S = 'src/lib/server';

test('no import of the project breaks a wall, and there is no cycle', () => {
	expect(faults(ROOT)).toEqual([]);
}, 120_000);

test('no folder holds more files than a reader can take in', async () => {
	const crowded: string[] = [];
	const look = async (dir: string) => {
		const entries = await readdir(path.join(ROOT, dir), { withFileTypes: true });
		const files = entries.filter((entry) => entry.isFile()).length;
		if (files > FOLDER_MAX) crowded.push(`${dir}: ${files} files`);
		for (const entry of entries)
			if (entry.isDirectory() && entry.name !== 'node_modules') await look(`${dir}/${entry.name}`);
	};
	for (const dir of ['src', 'scripts', 'tests', 'docs']) await look(dir);
	expect(crowded).toEqual([]);
});

describe('a planted import', () => {
	/** A project of one file and what it imports, with the real aliases. */
	async function planted(from: string, line: string, others: Record<string, string> = {}) {
		const root = await tempDir();
		await cp(path.join(ROOT, 'package.json'), path.join(root, 'package.json'));
		const text = from.endsWith('.svelte') ? `<script lang="ts">\n${line}\n</script>\n` : line;
		for (const [file, content] of Object.entries({ ...others, [from]: text })) {
			await mkdir(path.dirname(path.join(root, file)), { recursive: true });
			await writeFile(path.join(root, file), content);
		}
		return root;
	}

	const DOOR = `export const x = 1;\nexport type X = number;\n`;
	const power = { [`${S}/services/power/index.ts`]: DOOR };

	/** Every way in which one file can refer to another. */
	test.each([
		['static', `import { x } from '#services/power';\nconsole.log(x);`],
		['for its effect', `import '#services/power';`],
		['relative', `import { x } from '../power/index.ts';\nconsole.log(x);`],
		['relative without ending', `import { x } from '../power';\nconsole.log(x);`],
		['the alias of kit', `import { x } from '$lib/server/services/power';\nconsole.log(x);`],
		[
			'from the root',
			`import { x } from '/src/lib/server/services/power/index.ts';\nconsole.log(x);`
		],
		['type only', `import type { X } from '#services/power';\nexport type Y = X;`],
		['inline type', `import { type X } from '#services/power';\nexport type Y = X;`],
		['as a type', `export type Y = import('#services/power').X;`],
		['exported on', `export { x } from '#services/power';`],
		['all exported on', `export * from '#services/power';`],
		['types exported on', `export type { X } from '#services/power';`],
		['dynamic', `export const y = () => import('#services/power');`],
		['dynamic, in a template', 'export const y = () => import(`#services/power`);'],
		['required', `const y = require('../power/index.ts');\nconsole.log(y);`],
		['as a namespace', `import * as all from '#services/power';\nconsole.log(all);`]
	])('is reported: %s', async (_, line) => {
		const from = `${S}/services/chat/say.ts`;
		const root = await planted(from, line, power);
		expect(faults(root)).toEqual([
			`${from} imports ${S}/services/power/index.ts: services do not know each other: take a function in Deps`
		]);
	});

	/** Every room, with something that it may not import. */
	test.each<[string, string, string]>([
		['src/lib/schemas/mod.ts', '#core/errors', `${S}/core/errors.ts`],
		['src/lib/schemas/mod.ts', 'node:fs', 'node:fs'],
		['src/lib/api/mods.ts', '#core/errors', `${S}/core/errors.ts`],
		[`${S}/core/lock.ts`, '#minecraft/rcon', `${S}/minecraft/rcon/index.ts`],
		[`${S}/core/lock.ts`, '@sveltejs/kit', '@sveltejs/kit'],
		[`${S}/core/http/actions.ts`, '#services/power', `${S}/services/power/index.ts`],
		[`${S}/minecraft/rcon/rcon.ts`, '#services/power', `${S}/services/power/index.ts`],
		[`${S}/minecraft/rcon/rcon.ts`, '#minecraft/lists', `${S}/minecraft/lists/index.ts`],
		[`${S}/minecraft/rcon/rcon.ts`, '@sveltejs/kit', '@sveltejs/kit'],
		[`${S}/runtime/process/process.ts`, '#services/power', `${S}/services/power/index.ts`],
		[`${S}/registry/modrinth.ts`, '#storage/journal', `${S}/storage/journal/index.ts`],
		[`${S}/storage/journal/journal.ts`, '#registry', `${S}/registry/index.ts`],
		[`${S}/picture/draw.ts`, '#minecraft/text', `${S}/minecraft/text/index.ts`],
		[`${S}/services/chat/say.ts`, 'node:child_process', 'node:child_process'],
		[`${S}/services/chat/say.ts`, '@sveltejs/kit', '@sveltejs/kit'],
		[`${S}/services/chat/say.ts`, '#env', `${S}/env/index.ts`],
		[`${S}/services/chat/say.ts`, '#minecraft/rcon', `${S}/minecraft/rcon/index.ts`],
		[`${S}/wiring/mods.ts`, '@sveltejs/kit', '@sveltejs/kit'],
		[`${S}/app.ts`, '$lib/client/queries.svelte.ts', 'src/lib/client/queries.svelte.ts'],
		['src/lib/ui/base/Button.svelte', '$lib/schemas/mod', 'src/lib/schemas/mod.ts'],
		['src/lib/ui/base/Button.svelte', '$lib/game/Address.svelte', 'src/lib/game/Address.svelte'],
		[
			'src/lib/client/toasts.svelte.ts',
			'$lib/ui/base/Button.svelte',
			'src/lib/ui/base/Button.svelte'
		],
		['src/lib/client/toasts.svelte.ts', '#core/errors', `${S}/core/errors.ts`],
		['src/lib/game/Address.svelte', '#core/errors', `${S}/core/errors.ts`],
		['src/lib/client/sources.ts', '#api', 'src/lib/api/index.ts'],
		['src/lib/game/Address.svelte', '#api', 'src/lib/api/index.ts'],
		['src/routes/admin/mods/+page.svelte', '$lib/api', 'src/lib/api/index.ts'],
		['src/routes/api/mods/+server.ts', '#core/errors', `${S}/core/errors.ts`],
		['src/lib/game/Address.svelte', 'node:os', 'node:os'],
		['src/routes/admin/mods/+page.svelte', '#core/files', `${S}/core/files/index.ts`],
		['src/routes/admin/mods/+page.server.ts', '#services/power', `${S}/services/power/index.ts`],
		['src/routes/admin/mods/+page.server.ts', 'node:fs', 'node:fs'],
		[
			'src/routes/admin/mods/+page.server.ts',
			'$lib/game/Address.svelte',
			'src/lib/game/Address.svelte'
		],
		['src/routes/api/mods/+server.ts', '#minecraft/rcon', `${S}/minecraft/rcon/index.ts`],
		[
			'src/lib/game/Address.svelte',
			'../../routes/admin/mods/ModRow.svelte',
			'src/routes/admin/mods/ModRow.svelte'
		],
		[
			'src/routes/admin/chat/+page.svelte',
			'../mods/ModRow.svelte',
			'src/routes/admin/mods/ModRow.svelte'
		]
	])('is reported: %s imports %s', async (from, specifier, to) => {
		const target = to.startsWith('src/') ? { [to]: to.endsWith('.svelte') ? '' : DOOR } : {};
		const pages = {
			'src/routes/admin/chat/+page.server.ts': '',
			'src/routes/admin/mods/+layout.svelte': ''
		};
		const root = await planted(from, `import * as it from '${specifier}';\nconsole.log(it);`, {
			...pages,
			...target
		});
		expect(faults(root)).toEqual([
			expect.stringMatching(`^${escaped(`${from} imports ${to}: `)}.+`)
		]);
	});

	test.each([
		[
			'a reach past a door',
			`${S}/minecraft/lists/lists.ts`,
			'#minecraft/../text/spans',
			'there is no such file'
		],
		[
			'a file of another room',
			`${S}/minecraft/lists/lists.ts`,
			'../text/spans.ts',
			'is the door of this room'
		],
		[
			'a script',
			`${S}/wiring/demo/demo.ts`,
			'../../../../../scripts/demo-server/seed/seed.ts',
			'knows neither tests nor scripts'
		],
		['a test', `${S}/core/lock.ts`, './lock.test.ts', 'knows neither tests nor scripts'],
		['nothing', `${S}/core/lock.ts`, './gone.ts', 'there is no such file']
	])('is reported: %s', async (_, from, specifier, why) => {
		const root = await planted(from, `import { x } from '${specifier}';\nconsole.log(x);`, {
			[`${S}/minecraft/text/index.ts`]: DOOR,
			[`${S}/minecraft/text/spans.ts`]: DOOR,
			'scripts/demo-server/seed/seed.ts': DOOR,
			[`${S}/core/lock.test.ts`]: DOOR
		});
		expect(faults(root)).toEqual([expect.stringContaining(why)]);
	});

	const ZOD = `import { z } from 'zod';\nexport const X = z.string();\nexport type X = string;\n`;
	const schemas = {
		'src/lib/schemas/mod.ts': ZOD,
		'src/lib/schemas/over.ts': `import { X } from './mod.ts';\nexport const Y = X;\n`,
		'src/lib/schemas/light.ts': `export const MAX = 3;\n`
	};
	test.each([
		['src/lib/client/toasts.svelte.ts', 'mod', 'X', true],
		['src/lib/game/Address.svelte', 'over', 'Y', true],
		['src/routes/admin/mods/ModRow.svelte', 'mod', 'X', true],
		['src/routes/admin/mods/mods.ts', 'mod', 'X', true],
		['src/routes/admin/mods/ModRow.svelte', 'light', 'MAX', false],
		['src/routes/admin/mods/ModRow.svelte', 'mod', 'type X', false],
		['src/routes/admin/mods/+page.server.ts', 'mod', 'X', false]
	])('brings zod to the browser: %s imports %s', async (from, schema, name, reported) => {
		const root = await planted(from, `import { ${name} } from '$lib/schemas/${schema}';`, schemas);
		expect(faults(root)).toEqual(reported ? [expect.stringContaining('zod would come')] : []);
	});

	test('is reported when a load reaches a component’s helper through the file beside it', async () => {
		const from = 'src/routes/admin/mods/mods.ts';
		const root = await planted(from, `export { x } from '$lib/game/labels';`, {
			'src/lib/game/labels.ts': DOOR,
			'src/routes/admin/mods/+page.server.ts': `import { x } from './mods';\nconsole.log(x);`
		});
		expect(faults(root)).toEqual([expect.stringMatching('^src/routes/admin/mods/mods.ts.*a load')]);
	});

	test('is reported even when only the markup uses it', async () => {
		const from = 'src/lib/game/Address.svelte';
		const root = await planted(from, '', { [`${S}/core/errors.ts`]: DOOR });
		await writeFile(path.join(root, from), `{#await import('#core/errors') then it}{it.x}{/await}`);
		expect(faults(root)).toEqual([expect.stringContaining(`imports ${S}/core/errors.ts`)]);
	});

	test('is reported as a cycle, including types', async () => {
		const root = await planted(
			`${S}/core/a.ts`,
			`import type { B } from './b.ts';\nexport type A = B;`,
			{
				[`${S}/core/b.ts`]: `import type { A } from './a.ts';\nexport type B = A;`
			}
		);
		expect(faults(root)).toEqual([expect.stringContaining('a cycle')]);
	});

	test('ends `npm run walls` with 1 and one line for each', async () => {
		const from = `${S}/services/chat/say.ts`;
		const root = await planted(from, `import '#services/power';`, power);
		const program = path.join(ROOT, 'scripts/walls/main.ts');
		const { stdout, exitCode } = await run(process.execPath, [program], {
			cwd: root,
			okCodes: 'any'
		});
		expect(exitCode).toBe(1);
		expect(stdout.trim().split('\n')).toEqual([
			`${from} imports ${S}/services/power/index.ts: services do not know each other: take a function in Deps`
		]);
	});

	test.each([
		['types of the world', `import type { X } from '#minecraft/rcon';\nexport type Y = X;`],
		[
			'a sentence about one',
			`// import { x } from '#services/power';\nexport const words = "import('#services/power')";`
		]
	])('is left alone: %s', async (_, line) => {
		const root = await planted(`${S}/services/chat/say.ts`, line, {
			...power,
			[`${S}/minecraft/rcon/index.ts`]: DOOR
		});
		expect(faults(root)).toEqual([]);
	});
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
