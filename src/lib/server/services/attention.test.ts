import { expect, test } from 'vitest';
import type { Diagnosis } from '../minecraft/diagnosis.ts';
import type { Installation } from '../minecraft/installation.ts';
import { createAttention } from './attention.ts';

const LINES = ['enable-rcon=true', 'rcon.password=very-secret'];
const fine = {
	problem: null,
	command: { argv: ['java'], how: '' },
	rcon: { enabled: true }
} as unknown as Installation;

type World = {
	found?: Partial<Installation>;
	state?: 'stopped' | 'crashed' | 'unknown';
	diagnosis?: Diagnosis;
	queued?: boolean;
	asRoot?: boolean;
	damaged?: boolean;
};
const attention = ({ found, state = 'stopped', diagnosis, queued, asRoot, damaged }: World) =>
	createAttention({
		installation: async () => ({ ...fine, ...found }),
		observe: async () => ({ state, reason: 'Because.', diagnosis: diagnosis ?? null }),
		setup: { rconLines: () => LINES, queued: async () => queued ?? false },
		asRoot: asRoot ?? false,
		demo: false,
		concerns: async () =>
			damaged
				? [{ code: 'backup-damaged', title: 'A backup is damaged', detail: 'x', advice: null }]
				: []
	});
const codes = async (world: World) =>
	(await attention(world)('superadmin')).map(({ code }) => code);

test('a well server needs nobody', async () => {
	expect(await codes({})).toEqual([]);
});

test('the most urgent comes first', async () => {
	const found = { command: null, problem: 'No jar.', rcon: { ...fine.rcon, enabled: false } };
	expect(await codes({ found, state: 'crashed', asRoot: true })).toEqual([
		'crashed',
		'no-command',
		'rcon-off',
		'root'
	]);
	expect(await codes({ state: 'unknown' })).toEqual(['unknown']);
	expect(await codes({ found: { problem: 'Odd.' } })).toEqual(['folder']);
	expect(await codes({ found, state: 'crashed', damaged: true })).toEqual([
		'crashed',
		'backup-damaged',
		'no-command',
		'rcon-off'
	]);
});

test('the RCON password is shown to superadmins only', async () => {
	const ask = attention({ found: { rcon: { ...fine.rcon, enabled: false } } });
	expect((await ask('superadmin'))[0]).toMatchObject({ lines: LINES, action: 'enableRcon' });
	const [seen] = await ask('admin');
	expect(seen).toMatchObject({ code: 'rcon-off', lines: [], action: null });
	expect(JSON.stringify(seen)).not.toContain('very-secret');
});

test('what is queued is not offered again', async () => {
	const found = { rcon: { ...fine.rcon, enabled: false } };
	expect(await codes({ found, queued: true })).toEqual(['rcon-queued']);
});
