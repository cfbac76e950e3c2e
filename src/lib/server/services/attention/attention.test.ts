import { expect, test } from 'vitest';
import type { Diagnosis } from '#minecraft/diagnosis';
import type { Installation } from '#minecraft/folder';
import { createAttention, type Unwritten } from './index.ts';

const fine = {
	problem: null,
	command: { argv: ['java'], how: '' }
} as unknown as Installation;

type World = {
	found?: Partial<Installation>;
	state?: 'stopped' | 'crashed' | 'unknown';
	diagnosis?: Diagnosis;
	missing?: string[];
	asRoot?: boolean;
	damaged?: boolean;
	worldRefusal?: string;
	unwritten?: Unwritten[];
};
const attention = ({
	found,
	state = 'stopped',
	diagnosis,
	missing,
	asRoot,
	damaged,
	worldRefusal,
	unwritten
}: World) =>
	createAttention({
		installation: async () => ({ ...fine, ...found }),
		observe: async () => ({ state, reason: 'Because.', diagnosis: diagnosis ?? null }),
		missing: async () => missing ?? [],
		worldRefusal: async () => worldRefusal ?? null,
		asRoot: asRoot ?? false,
		demo: false,
		unwritten: () => unwritten ?? [],
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
	const found = { problem: 'Odd.' };
	expect(await codes({ found, state: 'crashed', damaged: true, asRoot: true })).toEqual([
		'crashed',
		'backup-damaged',
		'folder',
		'root'
	]);
	expect(await codes({ state: 'unknown' })).toEqual(['unknown']);
});

test('of a server that does not answer each is told what he may do himself', async () => {
	const [forAdmin] = await attention({ state: 'unknown' })('admin');
	const [forSuperadmin] = await attention({ state: 'unknown' })('superadmin');
	expect(forAdmin).toMatchObject({
		title: 'The server does not answer',
		detail: 'Because.',
		advice: expect.stringContaining('a superadmin can kill')
	});
	expect(forSuperadmin!.advice).toContain('press Kill');
});

test('what is missing is said to those who are not guided through it', async () => {
	const world: World = {
		found: { command: null, problem: 'No jar.' },
		missing: ['A way to start it', 'RCON turned on']
	};
	expect(await codes(world)).toEqual([]);
	expect(await attention(world)('admin')).toMatchObject([
		{
			code: 'setup',
			detail: 'Still to do: A way to start it, RCON turned on.',
			advice: expect.stringContaining('superadmin')
		}
	]);
});

test('what cannot be written is named, with what is lost and why', async () => {
	const why = 'the disk is full';
	const unwritten = [
		{ what: 'the audit log', lost: 2, why },
		{ what: 'the measurements', lost: 1, why }
	];
	expect(await attention({ unwritten })('admin')).toMatchObject([
		{
			code: 'not-written',
			detail:
				'New entries of the audit log and the measurements cannot be written: the disk is full. So far 3 are lost.'
		}
	]);
});

test('a world that the game must not open is told, and who may open it all the same', async () => {
	const worldRefusal = 'The world is newer.';
	expect(await attention({ worldRefusal })('admin')).toMatchObject([
		{ code: 'world', detail: worldRefusal, advice: expect.stringContaining('A superadmin can') }
	]);
	expect(await codes({ worldRefusal, state: 'crashed' })).toEqual(['crashed', 'world']);
});
