import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Runtime, RuntimeState } from '#runtime';
import { asSomebody, nobodyElse } from '../../../../tests/fakes/somebody.ts';
import { createUntouchable } from './untouchable.ts';

async function over(state: Partial<RuntimeState>, facts: { kind?: Runtime['kind']; uid?: number }) {
	const serverDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-uid-'));
	onTestFinished(() => rm(serverDir, { recursive: true, force: true }));
	const { kind = 'keeper', uid = process.getuid!() } = facts;
	const runtime = { kind, state: async () => ({ phase: 'stopped', ...state }) as RuntimeState };
	return { serverDir, ...createUntouchable({ serverDir, runtime, uid }) };
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

test('where the engine reports the user of the game, that counts and not the folder’s owner', async () => {
	const own = process.getuid!();
	const { anyChange } = await over({ uid: own + 1 }, {});
	expect(await anyChange()).toMatch(
		`The game runs as uid ${own + 1}, and the dashboard runs as uid ${own}: `
	);
	const volume = await over({ uid: own + 1 }, { uid: own + 1 });
	expect(await volume.anyChange()).toBe(null);
});

test('a missing folder is a reason, whoever runs the game', async () => {
	for (const kind of ['process', 'keeper', 'systemd'] as const) {
		const { serverDir, modChange } = await over({}, { kind });
		await rm(serverDir, { recursive: true });
		expect(await modChange()).toBe(
			`Nothing can be changed in the server’s folder ${serverDir}: the folder is gone.`
		);
	}
});

/** What stands against a change, asked in a program of its own. */
const question = (serverDir: string, kind: Runtime['kind'], facts = '') => `
	const { createUntouchable } = await import(${JSON.stringify(import.meta.resolve('./untouchable.ts'))});
	const runtime = { kind: '${kind}', state: async () => ({ phase: 'stopped'${facts} }) };
	const { anyChange } = createUntouchable({ serverDir: ${JSON.stringify(serverDir)}, runtime });
	console.log(JSON.stringify(await anyChange()));`;

const nobody = nobodyElse();
test.skipIf(nobody)(
	`another user is refused in words, and nothing is written${nobody ? ` (${nobody})` : ''}`,
	async () => {
		const { serverDir } = await over({}, {});
		await chmod(serverDir, 0o755);
		const denied = `Nothing can be changed in the server’s folder ${serverDir}: permission was denied.`;
		if (process.getuid!() === 0) {
			expect(asSomebody(question(serverDir, 'systemd'))).toMatch(
				/^The server’s folder belongs to uid 0, and the dashboard runs as uid 65534: /
			);
			expect(asSomebody(question(serverDir, 'process'))).toBe(denied);
			expect(asSomebody(question(serverDir, 'keeper', ', uid: 65534'))).toBe(denied);
		}
		expect(await readdir(serverDir)).toEqual([]);
	}
);

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0;
test.runIf(canMount)('a read-only volume is a reason, even for root', async () => {
	const { serverDir } = await over({}, {});
	const readOnly = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
	const program = [process.execPath, '--input-type=module', '-e', question(serverDir, 'keeper')];
	const { stdout, stderr } = spawnSync(
		'unshare',
		['-m', 'sh', '-c', readOnly, 'sh', serverDir, ...program],
		{ encoding: 'utf8' }
	);
	expect([stdout.trim(), stderr]).toEqual([
		JSON.stringify(
			`Nothing can be changed in the server’s folder ${serverDir}: the disk is read-only.`
		),
		''
	]);
});
