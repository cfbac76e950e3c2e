import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { api, type Page } from '#api';

type Handler = { key?: string };
type Module = Record<string, unknown> & { load?: Handler; actions?: Record<string, Handler> };

const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|fallback)$/;
const modules = import.meta.glob<Module>('/src/routes/**/+{page.,}server.ts');
const files = (await readdir('src/routes', { recursive: true })).sort();
const routeOf = (file: string) => `/${path.dirname(file)}`.replace(/\/\([^)]+\)|\/\.$/g, '') || '/';
const named = (name: string) => files.filter((file) => path.basename(file) === name);
const load = (file: string) => modules[`/src/routes/${file}`]!();

test('every endpoint of the source is in the table, and every entry is an endpoint', async () => {
	const found: string[] = [];
	for (const file of named('+server.ts'))
		for (const [method, handler] of Object.entries(await load(file))) {
			if (!METHODS.test(method)) continue;
			const key = `${method} ${routeOf(file)}`;
			expect((handler as Handler).key, `${key} is written with endpoint('${key}', …)`).toBe(key);
			found.push(key);
		}
	expect(found.sort()).toEqual(
		Object.keys(api)
			.filter((key) => !key.startsWith('page '))
			.sort()
	);
});

test('every page and form action of the source is in the table, and every entry is a page', async () => {
	const found: string[] = [];
	for (const file of named('+page.server.ts')) {
		const { load: loads, actions = {} } = await load(file);
		const key = `page ${routeOf(file)}`;
		expect(loads?.key, `the load of ${key} is written with page('${key}', …)`).toBe(key);
		found.push(key);
		for (const [name, { key: own }] of Object.entries(actions)) {
			expect(own, `the actions of ${key} are written with formActions`).toBe(`${key}?/${name}`);
			found.push(own!);
		}
	}
	const wanted = Object.entries(api as unknown as Record<string, Page>)
		.filter(([, { kind }]) => kind === 'page')
		.flatMap(([key, { actions = {} }]) => [
			key,
			...Object.keys(actions).map((name) => `${key}?/${name}`)
		]);
	expect(found.sort()).toEqual(wanted.sort());
});

test('no page lacks a load, which is where a refusal is decided', () => {
	const loads = named('+page.server.ts').map(routeOf);
	const pages = named('+page.svelte').map(routeOf);
	expect(pages.filter((page) => !loads.includes(page))).toEqual([]);
	expect(files.filter((file) => /\+(page|layout)\.[jt]s$/.test(file))).toEqual([]);
});
