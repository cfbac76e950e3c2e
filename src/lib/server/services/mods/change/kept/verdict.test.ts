import { describe, expect, test } from 'vitest';
import type { Diagnosis } from '#minecraft/diagnosis';
import { failingOf, verdictOf, type Changed } from './verdict.ts';

const diagnosis = (facts: Partial<Diagnosis>): Diagnosis => ({
	...{ code: 'crash', message: 'The server crashed.', log: [], mods: [], advice: '' },
	...{ restartable: true },
	...facts
});
const change = (facts: Partial<Changed>): Changed => ({
	...{ kind: 'remove', put: [], take: [], rename: [] },
	...facts
});
const create = {
	fileName: 'create-0.5.1.jar',
	sha512: '',
	title: 'Create 0.5.1',
	side: 'both'
} as const;
const removal = change({ take: [{ ...create, ids: ['create'] }] });
const update = change({
	kind: 'update',
	take: [{ ...create, ids: ['create'] }],
	put: [{ ...create, fileName: 'create-6.jar', ids: ['create'], size: 1, file: null, staged: null }]
});
const disabling = change({
	kind: 'disable',
	rename: [
		{ ...create, from: 'create-0.5.1.jar', to: 'create-0.5.1.jar.disabled', ids: ['create'] }
	]
});
const enabling = change({
	kind: 'enable',
	rename: [
		{ ...create, from: 'create-0.5.1.jar.disabled', to: 'create-0.5.1.jar', ids: ['create'] }
	]
});

const verdict = (
	before: Partial<Diagnosis> | null,
	after: Partial<Diagnosis>,
	of: Changed | null = removal
) => {
	const found = diagnosis(after);
	return verdictOf({
		before: before && failingOf(diagnosis(before), ''),
		after: failingOf(found, ''),
		diagnosis: found,
		change: of
	});
};

describe.each([
	['removed', removal],
	['disabled', disabling],
	['updated', update],
	['enabled', enabling],
	['put back', null]
])('a mod that is %s', (_, of) => {
	test('stays so when the server fails as it did before, whatever the time and the process', () => {
		const at = (time: string, pid: number, address: string) => ({
			message: `It crashed at ${time} after ${pid} ms: Ticking@${address} (pid ${pid})`,
			mods: ['a', 'b']
		});
		expect(verdict(at('10:00:01', 7, '1f2e3d'), at('23:59:59', 9, 'abcdef'), of)).toBe('same');
		const unknown = (line: string) => ({ code: 'unknown' as const, log: [line] });
		expect(
			verdict(
				unknown('[10:00:01] [main/ERROR]: No. 1'),
				unknown('[11:00:00] [main/ERROR]: No. 2'),
				of
			)
		).toBe('same');
	});
	test('stays so when no mod could be the reason', () => {
		for (const code of ['eula', 'port', 'java-missing', 'world-locked'] as const)
			expect(verdict({}, { code, restartable: false }, of)).toBe('other');
		expect(
			verdict({}, { code: 'unknown', restartable: false, message: 'The disk is full.' }, of)
		).toBe('other');
	});
	test('is taken back when nothing is known against the server before', () => {
		expect(verdict(null, {}, of)).toBeNull();
	});
	test('is taken back when the new failure names it', () => {
		for (const mods of [['create'], ['create-0.5.1.jar'], ['other', 'Create']])
			expect(verdict({}, { code: 'mods', mods }, of)).toBeNull();
	});
});

test('a failure that is new takes back what adds or replaces mods, and not what only takes some out', () => {
	const after = { message: 'The server crashed: NullPointerException' };
	for (const of of [update, enabling, null])
		expect(verdict({ message: 'x' }, after, of)).toBeNull();
	for (const of of [removal, disabling]) expect(verdict({ message: 'x' }, after, of)).toBe('other');
	// Its last words are other ones.
	const [a, b] = [['A is missing'], ['B is missing']];
	expect(verdict({ code: 'unknown', log: a }, { code: 'unknown', log: b }, update)).toBeNull();
});

test('of two broken mods each can be updated or taken out: the other one is named before and after', () => {
	const both = { code: 'mods' as const, message: 'a (and 1 more)', mods: ['create', 'botany'] };
	const one = { code: 'mods' as const, message: 'botany', mods: ['botany'] };
	for (const of of [removal, disabling, update]) expect(verdict(both, one, of)).toBe('among');
	expect(verdict({ code: 'mods', mods: ['create'] }, one, update)).toBeNull();
});

test('a removed mod is named by parts of a class or path, not by words that look like it', () => {
	const said = (text: string) => verdict({ message: 'x' }, { message: text });
	expect(said('NoClassDefFoundError: com/simibubi/create/AllBlocks')).toBeNull();
	expect(said("Mod 'Deco' (deco) requires 'create'")).toBeNull();
	expect(said('It cannot create the folder.')).toBe('other');
});

test('a file that the game could not load cannot be missed by it', () => {
	const damaged = change({ take: [{ ...create, damaged: true }] });
	expect(verdict(null, {}, damaged)).toBe('unknown-before');
	expect(verdict(null, {}, { ...damaged, take: [...damaged.take, create] })).toBeNull();
	expect(verdict(null, {}, { ...damaged, put: update.put })).toBeNull();
});
