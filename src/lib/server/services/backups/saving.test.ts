import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import type { ServerState } from '#schemas/status';
import { AppError } from '#core/errors';
import { createSaving, type Saving } from './saving.ts';

const OWN = 'b 1 1';
const SERVER = 'b 7 7';

async function setUp() {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-saving-'));
	onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
	const clock = createManualClock();
	const game = {
		run: SERVER as string | null,
		/** What stands in the way when there is no process. */
		unseen: null as AppError | null,
		state: 'running' as ServerState,
		refuses: false,
		sent: [] as string[],
		living: true,
		/** How save-off is answered, or how it fails. */
		off: (): string => 'Automatic saving is now disabled'
	};
	const cries: string[] = [];
	const warnings: string[] = [];
	const run = () => game.run && { id: game.run, startedAt: '', pid: 7, ours: true };
	const saving = createSaving({
		...{ dataDir, clock, installation: async () => ({ rcon: { enabled: true } }) as never },
		server: {
			run: async () => run() || null,
			observe: async () => ({
				...{ state: game.state, run: run() || null, reason: null },
				...{ diagnosis: null, readyAt: null, endedAt: null }
			}),
			async ensureStopped() {
				if (game.unseen) throw game.unseen;
			}
		},
		rcon: {
			async command(line) {
				game.sent.push(line);
				// The note is on disk before the game is told.
				if (line === 'save-off')
					expect(existsSync(path.join(dataDir, 'saving-off.json'))).toBe(true);
				if (line === 'save-on' && game.refuses)
					throw new AppError('timeout', 'No answer', { code: 'outcome-unknown' });
				if (line === 'save-off') return game.off();
				return line === 'save-all flush' ? 'Saved the game' : 'Automatic saving is now …';
			}
		},
		processes: { own: OWN, lives: () => game.living },
		log: {
			warn: (message) => void warnings.push(message),
			error: (message) => void cries.push(message)
		}
	});
	const note = path.join(dataDir, 'saving-off.json');
	/** Five minutes of checks, as the dashboard does them. */
	const tendFor5Minutes = async () => {
		for (let i = 0; i < 100; i++) {
			await clock.advance(3000);
			await saving.tend();
		}
	};
	return { saving, game, clock, cries, warnings, note, tendFor5Minutes };
}

test('saving that does not come back within a minute is reported once, and retried until it does', async () => {
	const { saving, game, clock, cries, note } = await setUp();
	await saving.pause(() => {}, new AbortController().signal);
	game.refuses = true;
	expect(await saving.resume()).toBe('unconfirmed');
	for (let i = 0; i < 19; i++) {
		await clock.advance(3000);
		await saving.tend();
	}
	expect([cries.length, saving.alarm]).toEqual([0, null]);
	await clock.advance(9000);
	await saving.tend();
	await saving.tend();
	expect(cries).toHaveLength(1);
	expect(saving.alarm).not.toBeNull();
	game.refuses = false;
	await clock.advance(60_000);
	await saving.tend();
	expect([saving.alarm, existsSync(note)]).toEqual([null, false]);
});

const pause = (saving: Saving) => saving.pause(() => {}, new AbortController().signal);

test.each<[string, () => string]>([
	['refused', () => 'Unknown command'],
	[
		'not sent',
		() => {
			throw new AppError('offline', 'Nothing was sent.', { code: 'rcon-unreachable' });
		}
	]
])('where save-off was %s, save-on is not sent at all', async (_, off) => {
	const { saving, game, note, cries, warnings, tendFor5Minutes } = await setUp();
	game.off = off;
	game.refuses = true;
	await expect(pause(saving)).rejects.toThrow();
	await tendFor5Minutes();
	expect(game.sent).toEqual(['save-off']);
	expect([cries, warnings, saving.alarm, existsSync(note)]).toEqual([[], [], null, false]);
});

test('where it is unknown whether save-off ran, save-on is retried less and less often, and reported once', async () => {
	const { saving, game, cries, warnings, tendFor5Minutes } = await setUp();
	game.off = () => {
		throw new AppError('timeout', 'No answer', { code: 'outcome-unknown' });
	};
	game.refuses = true;
	await expect(pause(saving)).rejects.toThrow('No answer');
	await tendFor5Minutes();
	const tries = game.sent.filter((line) => line === 'save-on').length;
	expect(tries).toBeGreaterThan(5);
	expect(tries).toBeLessThan(12);
	expect([warnings.length, cries.length]).toEqual([1, 1]);
});

test('a refused save-off does not forget one that was left off before', async () => {
	const { saving, game, clock, note } = await setUp();
	await pause(saving);
	game.refuses = true;
	expect(await saving.resume()).toBe('unconfirmed');
	game.off = () => 'Unknown command';
	await expect(pause(saving)).rejects.toThrow();
	expect(existsSync(note)).toBe(true);
	game.refuses = false;
	await clock.advance(60_000);
	await saving.tend();
	expect([game.sent.at(-1), existsSync(note)]).toEqual(['save-on', false]);
});

test('a pause held by another living process is left alone, that of a dead one is ended', async () => {
	const { saving, game, note } = await setUp();
	await writeFile(
		note,
		JSON.stringify({
			since: '2026-01-01T00:00:00.000Z',
			holder: 'b 99 1',
			server: SERVER
		})
	);
	await saving.tend();
	expect(game.sent).toEqual([]);
	game.living = false;
	await saving.tend();
	expect(game.sent).toEqual(['save-on']);
	expect(existsSync(note)).toBe(false);
});

test('a server that has been replaced since saves by itself: nothing is sent', async () => {
	const { saving, game, note } = await setUp();
	await saving.pause(() => {}, new AbortController().signal);
	game.run = 'b 7 8';
	expect(await saving.resume()).toBe('gone');
	expect(game.sent).not.toContain('save-on');
	expect(existsSync(note)).toBe(false);
});

test('an unreadable note is treated as the worst case', async () => {
	const { saving, game, note } = await setUp();
	await writeFile(note, '{"since":');
	game.living = false;
	await saving.tend();
	expect(game.sent).toEqual(['save-on']);
	await expect(readFile(note)).rejects.toThrow();
});

test('a note of an earlier version is understood', async () => {
	const { saving, game, note } = await setUp();
	const server = { pid: 7, startTicks: 7, bootId: 'b' };
	const holder = { pid: 99, startTicks: 1, bootId: 'b' };
	await writeFile(note, JSON.stringify({ since: '2026-01-01T00:00:00.000Z', holder, server }));
	await saving.tend();
	expect(game.sent).toEqual([]);
	game.living = false;
	await saving.tend();
	expect(game.sent).toEqual(['save-on']);
});

test('a server that answers though its process cannot be seen does not count as stopped', async () => {
	const { saving, game } = await setUp();
	Object.assign(game, { run: null, state: 'stopped' });
	expect(await pause(saving)).toEqual({ mode: 'stopped', warning: null });
	game.unseen = new AppError('conflict', 'Something answers.');
	await expect(pause(saving)).rejects.toBe(game.unseen);
	Object.assign(game, { unseen: null, state: 'unknown' });
	await expect(pause(saving)).rejects.toMatchObject({ kind: 'conflict' });
	expect(game.sent).toEqual([]);
});
