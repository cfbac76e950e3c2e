import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ADMIN_PAGES, PUBLIC_PAGES } from '../e2e/pages.ts';

test('every page of the source is covered by axe, without JavaScript and by screenshots', async () => {
	const files = await readdir('src/routes', { recursive: true });
	const routes = files
		.filter((file) => file.endsWith('+page.svelte'))
		.map((file) => `/${path.dirname(file)}`.replace(/\/\([^)]+\)|\/\.$/g, '') || '/');
	const addresses = [...PUBLIC_PAGES, ...ADMIN_PAGES].map((page) => page.split('?')[0]!);
	const forgotten = routes.filter((route) => {
		const pattern = new RegExp(`^${route.replace(/\[\w+\]/g, '[^/]+')}$`);
		return !addresses.some((address) => pattern.test(address));
	});
	expect(forgotten).toEqual([]);
	expect(routes.length).toBeGreaterThan(10);
});
