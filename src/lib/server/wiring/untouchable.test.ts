import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Runtime, RuntimeState } from '#runtime';
import { createUntouchable } from './untouchable.ts';

async function over(state: Partial<RuntimeState>, facts: { kind?: Runtime['kind']; uid?: number }) {
	const serverDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-uid-'));
	onTestFinished(() => rm(serverDir, { recursive: true }));
	const { kind = 'keeper', uid = process.getuid!() } = facts;
	const runtime = { kind, state: async () => ({ phase: 'stopped', ...state }) as RuntimeState };
	return createUntouchable({ serverDir, runtime, uid });
}

test('nothing prevents a change where the game runs as the dashboard does', async () => {
	const { anyChange, modChange } = await over({ undoneBy: [] }, {});
	expect([await anyChange(), await modChange()]).toEqual([null, null]);
});

test('an unknown is a reason, in the engine’s own words', async () => {
	const { modChange } = await over({ phase: 'unknown', detail: 'There is no keeper.' }, {});
	expect(await modChange()).toBe('There is no keeper.');
});

test('variables that would undo a change of mods are named; other changes stay possible', async () => {
	const { anyChange, modChange } = await over({ undoneBy: ['MODS', 'REMOVE_OLD_MODS'] }, {});
	expect(await modChange()).toMatch(/^MODS, REMOVE_OLD_MODS are set .* Remove them there first\.$/);
	expect(await anyChange()).toBe(null);
});

test('another user’s folder is refused, naming both, but not where we start the game ourselves', async () => {
	const uid = process.getuid!() + 1;
	const { modChange } = await over({}, { uid });
	expect(await modChange()).toContain(
		`belongs to uid ${uid - 1}, and the dashboard runs as uid ${uid}`
	);
	const process_ = await over({}, { uid, kind: 'process' });
	expect(await process_.modChange()).toBe(null);
});
