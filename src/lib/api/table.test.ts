import { expect, test } from 'vitest';
import { z } from 'zod';
import { PlayerVerb } from '#schemas/player';
import { api, type Endpoint, type Page } from './index.ts';

const entries = Object.entries<Endpoint | Page>(api);
const stored = {} as never;

test('path parameters are parsed', () => {
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

test('a form action does what its name says, whatever the form contains', () => {
	const { kick } = api['page /admin/players'].actions!;
	expect(kick.body.parse({ action: 'op', player: 'Ada' })).toMatchObject({ action: 'kick' });
});

test('locking and sharing need a superadmin, toggling a mod does not', () => {
	const { refine } = api['PATCH /api/mods'];
	const needs = (body: object) =>
		refine?.({ body: { fileName: 'x.jar', ...body } } as never, stored);
	expect(needs({ enabled: false })).toBeNull();
	expect(needs({ parked: true })).toBeNull();
	expect(needs({ locked: false })).toBe('superadmin');
	expect(needs({ shareable: true })).toBe('superadmin');
});

test('a scheduled console command needs a superadmin, whatever is done with it', async () => {
	const ID = '0123456789abcdef';
	const list = (type: string, readOnly: string | null = null) =>
		({
			schedule: {
				list: async () => ({ tasks: type ? [{ id: ID, type }] : [], readOnly })
			},
			triggers: { list: async () => ({ triggers: [{ id: ID, do: { type } }] }) }
		}) as never;
	const { actions } = api['page /admin/schedule'];
	const changing = [
		api['POST /api/schedule/tasks/run'],
		api['PATCH /api/schedule/tasks'],
		api['DELETE /api/schedule/tasks'],
		api['PATCH /api/schedule/triggers/[id]'],
		api['DELETE /api/schedule/triggers/[id]'],
		...Object.values(api['page /admin/schedule/edit'].actions!),
		...[actions!.toggle, actions!.remove, actions!.run],
		...[actions!.toggleTrigger, actions!.removeTrigger]
	];
	const waiting = { schedule: { waiting: async () => [{ key: '1', type: 'console' }] } } as never;
	for (const [key, role] of [
		['1', 'superadmin'],
		['2', null]
	])
		expect(await actions!.callOff.refine?.({ body: { key } } as never, waiting)).toBe(role);
	const say = { id: ID.toUpperCase(), type: 'say', do: { type: 'say' } };
	for (const { refine } of changing) {
		const needs = (body: object, type: string) =>
			refine?.({ params: { id: ID }, body } as never, list(type));
		expect(await needs(say, 'console')).toBe('superadmin');
		expect(await needs(say, 'say')).toBeNull();
	}
	const command = { id: ID, type: 'console', do: { type: 'console' } };
	for (const { refine } of [
		api['POST /api/schedule/tasks'],
		api['PATCH /api/schedule/tasks'],
		api['POST /api/schedule/triggers'],
		api['PATCH /api/schedule/triggers/[id]'],
		...Object.values(api['page /admin/schedule/edit'].actions!),
		actions!.add,
		api['page /admin/schedule/trigger'].actions!.add
	])
		expect(await refine?.({ params: { id: ID }, body: command } as never, list('say'))).toBe(
			'superadmin'
		);
	// What cannot be looked up now is refused.
	const { refine } = api['DELETE /api/schedule/tasks'];
	expect(await refine?.({ body: { id: ID } } as never, list('', 'It cannot be read.'))).toBe(
		'superadmin'
	);
	expect(await refine?.({ body: { id: ID } } as never, list(''))).toBeNull();
});

test('only a superadmin can have a server killed that does not end for a restart', () => {
	const { refine } = api['POST /api/server/restart'];
	const form = api['page /admin'].actions!.restart.refine;
	for (const needs of [refine, form]) {
		expect(needs?.({ body: { kill: true } } as never, stored)).toBe('superadmin');
		expect(needs?.({ body: { kill: false } } as never, stored)).toBeNull();
	}
});

test('only a superadmin can start a server whose world does not fit the game', () => {
	const { refine } = api['POST /api/server/start'];
	const form = api['page /admin'].actions!.start.refine;
	for (const needs of [refine, form]) {
		expect(needs?.({ body: { despiteWorld: true } } as never, stored)).toBe('superadmin');
		expect(needs?.({ body: { despiteWorld: false } } as never, stored)).toBeNull();
	}
});

test('no input can set what runs the game: a unit, a keeper folder, a program or its arguments', () => {
	const schemasOf = ({ params, query, body, actions }: Record<string, unknown>) => [
		...[params, query, body],
		...Object.values((actions ?? {}) as Record<string, { body?: unknown }>).map((one) => one.body)
	];
	const named = entries.flatMap(([key, entry]) =>
		schemasOf(entry as never)
			.filter((schema) => schema instanceof z.ZodType)
			.flatMap((schema) => [
				...JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).matchAll(
					/"(\w+)":\{/g
				)
			])
			.map(([, name]) => `${key} ${name}`)
	);
	expect(named.length).toBeGreaterThan(100);
	const suspicious =
		/ \w*(unit|systemd|runtime|keeper|container|arg[sv]|exec|environment|script|java|command)\w*$/i;
	// A command is one of the game's console.
	const ofConsole = /\/(console|schedule)\S* command$/;
	expect(named.filter((one) => suspicious.test(one) && !ofConsole.test(one))).toEqual([]);
});
