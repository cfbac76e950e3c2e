import { expect, test } from 'vitest';
import { PlayerVerb } from '#schemas/player';
import { api, type Endpoint, type Page } from './index.ts';

const entries = Object.entries<Endpoint | Page>(api);
const stored = {} as never;

test('what stands in brackets in an address is parsed', () => {
	for (const [key, { params }] of entries) {
		const names = [...key.matchAll(/\[(\w+)\]/g)].map(([, name]) => name);
		const shape = (params as { shape?: object } | undefined)?.shape ?? {};
		expect(Object.keys(shape), key).toEqual(names);
	}
});

test('only what is named here is open to everybody', () => {
	const open = entries.filter(([, { role }]) => role === 'public').map(([key]) => key);
	expect(open.sort()).toEqual([
		'GET /api/modpack',
		'GET /api/status',
		'GET /healthz',
		'GET /metrics',
		'GET /og.png',
		'POST /api/errors',
		'POST /logout',
		'page /',
		'page /login'
	]);
});

test('op and deop need a superadmin, as a body and as a form action', async () => {
	const { refine } = api['POST /api/players'];
	const needs = (action: PlayerVerb) => refine?.({ body: { action } } as never, stored);
	const needy = PlayerVerb.options.filter((verb) => needs(verb) === 'superadmin');
	expect(needy).toEqual(['op', 'deop']);
	for (const key of ['page /admin/players', 'page /admin/players/[uuid]'] as const) {
		const above = Object.entries(api[key].actions!).filter(([, { role }]) => role !== 'admin');
		expect(above.map(([name]) => name)).toEqual(['op', 'deop']);
	}
});

test('a form action does what its name says, whatever the form says', () => {
	const { kick } = api['page /admin/players'].actions!;
	expect(kick.body.parse({ action: 'op', player: 'Ada' })).toMatchObject({ action: 'kick' });
});

test('a lock and a share need a superadmin, switching a mod does not', () => {
	const { refine } = api['PATCH /api/mods'];
	const needs = (body: object) =>
		refine?.({ body: { fileName: 'x.jar', ...body } } as never, stored);
	expect(needs({ enabled: false })).toBeNull();
	expect(needs({ parked: true })).toBeNull();
	expect(needs({ locked: false })).toBe('superadmin');
	expect(needs({ shareable: true })).toBe('superadmin');
});

test('only a superadmin starts a server whose world does not fit the game', () => {
	const { refine } = api['POST /api/server/start'];
	const form = api['page /admin'].actions!.start.refine;
	for (const needs of [refine, form]) {
		expect(needs?.({ body: { despiteWorld: true } } as never, stored)).toBe('superadmin');
		expect(needs?.({ body: { despiteWorld: false } } as never, stored)).toBeNull();
	}
});
