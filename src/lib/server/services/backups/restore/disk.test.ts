import { renameSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
	ADA,
	createHome,
	newGame,
	setupBackups,
	put,
	startGame
} from '../../../../../../tests/fakes/archives/backups-setup.ts';
import { mountSmallDisk } from '../../../../../../tests/fakes/archives/small-disk.ts';
import type { Operation } from '#schemas/operation';

/** Unpacking requires 64 MB to spare. */
const SIZE = '80m';
const soon = <T>(check: () => T | Promise<T>) =>
	vi.waitFor(check, { timeout: 15_000, interval: 5 });

/** A home on a disk of its own, with a running server; null where no disk may be mounted. */
async function setup(retryForMs: number) {
	const disk = mountSmallDisk(SIZE);
	if (!disk) return null;
	onTestFinished(disk.dispose);
	const home = await createHome(disk.dir);
	const game = newGame();
	const kit = setupBackups(home, game, { retry: { everyMs: 5, forMs: retryForMs } });
	onTestFinished(kit.close);
	/** Records what it is about to do, as the real one does. */
	const note = () => {
		const file = path.join(kit.dataDir, 'server-state.json');
		writeFileSync(`${file}.tmp`, '{}');
		renameSync(`${file}.tmp`, file);
	};
	startGame(game);
	const id = await kit.backUp();
	await put(home, 'world/level.dat', 'level 2');
	const restore = () => kit.backups.restore(id, { scope: 'all' }, ADA);
	const world = () => readFile(kit.file('world/level.dat'), 'utf8');
	const staging = async () =>
		(await readdir(kit.serverDir)).filter((name) => name.startsWith('.craftwarden'));
	const rollback = async (operation: Operation) =>
		(await kit.operations.get(operation.id)).steps.find(({ id }) => id === 'rollback');
	return { disk, game, kit, note, restore, world, staging, rollback };
}

describe('a restore that fills up the disk', () => {
	test.for([
		['stopped', 1],
		['started', 2]
	] as const)(
		'when its server is to be %s is rolled back, and the server runs in the space freed by the unpacked files',
		async ([, nth], { skip }) => {
			const at = await setup(10_000);
			if (!at) return skip();
			const { disk, game, kit, note } = at;
			let actions = 0;
			game.noted = () => {
				if (++actions === nth) disk.fill();
				note();
			};
			const ended = await kit.finished(at.restore());
			expect(ended.cause?.message).toMatch(/disk is full|went wrong/);
			expect([game.state, await at.world()]).toEqual(['running', 'level 2']);
			expect(await at.staging()).toEqual([]);
			expect(ended.state).toBe(nth === 1 ? 'failed' : 'rolled-back');
			if (nth === 1) expect(game.commands).not.toContain('(ended)');
			else expect(game.commands.slice(-2)).toEqual(['(ended)', '(launched)']);
		}
	);

	test('that stays full while everything is put back: the server is started as soon as there is space', async ({
		skip
	}) => {
		const at = await setup(60_000);
		if (!at) return skip();
		const { disk, game, kit, note } = at;
		let full = true;
		game.noted = () => {
			if (full && game.state === 'stopped') disk.fill();
			note();
		};
		const begun = await at.restore();
		await soon(async () =>
			expect((await at.rollback(begun))?.detail).toMatch(
				/as it was before, but the server cannot be started: the disk is full\. It is tried again/
			)
		);
		expect([game.state, await at.world()]).toEqual(['stopped', 'level 2']);
		full = false;
		disk.empty();
		expect(await kit.finished(begun)).toMatchObject({ state: 'rolled-back' });
		expect((await at.rollback(begun))?.detail).toMatch(/the server runs again/);
		expect([game.state, await at.world(), await at.staging()]).toEqual(['running', 'level 2', []]);
	});

	test('when everything is restored and runs waits for space, and rolls nothing back', async ({
		skip
	}) => {
		const at = await setup(60_000);
		if (!at) return skip();
		const { disk, game, kit } = at;
		game.changed = () => {
			if (game.commands.at(-1) === '(launched)') disk.fill();
		};
		const begun = await at.restore();
		await soon(async () => {
			const { steps } = await kit.operations.get(begun.id);
			const start = steps.find(({ id }) => id === 'start');
			expect(start?.detail).toMatch(/the disk is full\. It is tried again every few seconds/);
		});
		disk.empty();
		expect(await kit.finished(begun)).toMatchObject({ state: 'succeeded' });
		expect([game.state, await at.world()]).toEqual(['running', 'level 1']);
		expect(game.commands.slice(-2)).toEqual(['(ended)', '(launched)']);
	});

	test('that stays full for longer than the retries last says that only the server is missing', async ({
		skip
	}) => {
		const at = await setup(100);
		if (!at) return skip();
		const { disk, game, kit, note } = at;
		game.noted = () => {
			if (game.state === 'stopped') disk.fill();
			note();
		};
		expect(await kit.finished(at.restore())).toMatchObject({
			state: 'failed',
			cause: {
				message: expect.stringMatching(
					/Everything is as it was before, but the server cannot be started: .*the disk is full\./
				)
			}
		});
		expect([game.state, await at.world(), await at.staging()]).toEqual(['stopped', 'level 2', []]);
	});
});
