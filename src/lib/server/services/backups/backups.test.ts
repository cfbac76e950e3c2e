import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	unlinkSync,
	writeFileSync
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
	ADA,
	createHome,
	endGame,
	newGame,
	setupBackups,
	put,
	removeHome,
	savingNote,
	startGame,
	UUID,
	type BackupsSetup,
	type Game
} from '../../../../../tests/fakes/archives/backups-setup.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { mountSmallDisk } from '../../../../../tests/fakes/archives/small-disk.ts';
import { BACKUPS_PINNED_MAX, type BackupRestore } from '#schemas/backup';
import { AppError } from '#core/errors';
import { DOWNLOADS_MAX } from './gate.ts';

let home: string;
let game: Game;
let setup: BackupsSetup;
beforeEach(async () => {
	home = await createHome();
	game = newGame();
	setup = setupBackups(home, game);
});
afterEach(async () => {
	await setup.close();
	await removeHome(home);
});

const text = (name: string) => readFileSync(setup.file(name), 'utf8');
const statuses = (operation: { steps: { id: string; status: string }[] }) =>
	Object.fromEntries(operation.steps.map(({ id, status }) => [id, status]));
const inFolder = () => readdirSync(setup.backupDir).filter((name) => !name.startsWith('.'));
/** Damages a byte in the middle. */
function spoil(id: string) {
	const file = setup.folder.paths(id).archive;
	const bytes = readFileSync(file);
	bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 1;
	writeFileSync(file, bytes);
}

describe('a backup', () => {
	test('is not begun while there is no world, and why depends on whether a server is there', async () => {
		expect(await setup.backups.noWorld()).toBeNull();
		for (const name of ['world', 'world_nether']) rmSync(setup.file(name), { recursive: true });
		const refused = () => setup.backups.create({ note: '' }, ADA);
		await expect(refused()).rejects.toMatchObject({ kind: 'conflict', code: 'no-world' });
		await expect(refused()).rejects.toThrow('Start the server once');
		startGame(game);
		expect(await setup.backups.noWorld()).toMatch(
			/^A server is there, but no world is in the folder/
		);
		await expect(refused()).rejects.toThrow('it may run from another folder');
		expect(game.commands).toEqual([]);
		expect(await setup.backups.list()).toEqual([]);
		// A task that fails is told of.
		const task = await setup.backups.scheduled(ADA);
		if ('skipped' in task) throw new Error('It was skipped');
		expect((await setup.finished(task.operation)).state).toBe('failed');
	});

	test('of a running server pauses its saving, contains worlds and configuration, and describes itself', async () => {
		startGame(game);
		const operation = await setup.finished(setup.backups.create({ note: 'before the party' }, ADA));
		expect(operation.state).toBe('succeeded');
		expect(game.commands).toEqual(['save-off', 'save-all flush', 'save-on']);
		expect(game.saving).toBe(true);
		expect(operation.steps.find(({ id }) => id === 'pause')!.detail).toMatch(/^Saving was paused/);
		expect(savingNote(home)).toBe(false);
		const [backup, ...others] = await setup.backups.list();
		expect(others).toEqual([]);
		expect(backup).toMatchObject({
			...{ kind: 'manual', state: 'complete', note: 'before the party', pinned: false },
			...{ worlds: ['world', 'world_nether'], gameVersion: '1.21.1', withMods: false, warnings: [] }
		});
		const names = execFileSync('tar', [
			'--zstd',
			'-tf',
			setup.folder.paths(backup!.id).archive
		]).toString();
		for (const name of [
			'world/region/r.0.0.mca',
			'world_nether/DIM-1/',
			'config/mod.toml',
			'ops.json',
			'server.properties'
		])
			expect(names).toContain(name);
		for (const name of ['session.lock', 'logs', 'mods']) expect(names).not.toContain(name);
		expect(setup.audit).toEqual([
			{ action: 'backups.create', result: 'done', detail: 'before the party' }
		]);
	});

	test('of a stopped server copies directly and says so', async () => {
		const operation = await setup.finished(setup.backups.create({ note: '', withMods: true }, ADA));
		expect(operation.state).toBe('succeeded');
		expect(operation.steps[1]!.detail).toContain('stopped');
		expect(statuses(operation)).toMatchObject({ pause: 'skipped', resume: 'skipped' });
		expect(game.commands).toEqual([]);
		expect((await setup.backups.list())[0]).toMatchObject({ withMods: true });
	});

	test('is refused while the server starts, and without RCON, and leaves nothing behind', async () => {
		startGame(game);
		for (const [state, why] of [
			['starting', 'when it has started'],
			['stopping', 'when it has stopped'],
			['unknown', 'does not answer']
		] as const) {
			game.state = state;
			// Nothing is begun that can only fail.
			await expect(setup.backups.create({ note: '' }, ADA)).rejects.toThrow(why);
			// That of a task fails, so that whoever wants to know of it is told.
			const task = await setup.backups.scheduled(ADA);
			if ('skipped' in task) throw new Error('It was skipped');
			expect(await setup.finished(task.operation)).toMatchObject({
				state: 'failed',
				cause: { message: expect.stringContaining(why) }
			});
		}
		game.state = 'running';
		game.rconEnabled = false;
		await expect(setup.backups.create({ note: '' }, ADA)).rejects.toThrow('RCON is off');
		const task = await setup.backups.scheduled(ADA);
		if ('skipped' in task) throw new Error('It was skipped');
		expect(await setup.finished(task.operation)).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('RCON is off') }
		});
		expect(game.commands).toEqual([]);
		expect(inFolder()).toEqual([]);
	});

	test('fails when the game cannot write everything, and turns saving on again', async () => {
		startGame(game);
		game.answers.set('save-all flush', () => {
			throw new AppError('timeout', 'No answer came.', { code: 'outcome-unknown' });
		});
		const operation = await setup.finished(setup.backups.create({ note: '' }, ADA));
		expect(operation.state).toBe('failed');
		expect(game.commands.at(-1)).toBe('save-on');
		expect(savingNote(home)).toBe(false);
		expect(await setup.backups.list()).toEqual([]);
	});

	test('of a server without save-off fails with a clear message, and nothing more is sent to it', async () => {
		startGame(game);
		for (const line of ['save-off', 'save-on'])
			game.answers.set(line, async () => 'Unknown command');
		expect(await setup.finished(setup.backups.create({ note: '' }, ADA))).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('does not pause its saving: Unknown command') }
		});
		expect(game.commands).toEqual(['save-off']);
		expect(savingNote(home)).toBe(false);
	});

	test('waits for a slow flush', async () => {
		startGame(game);
		const slow = Promise.withResolvers<string>();
		game.answers.set('save-all flush', () => slow.promise);
		const started = await setup.backups.create({ note: '' }, ADA);
		await expect.poll(() => game.commands, { timeout: 15_000 }).toContain('save-all flush');
		expect(setup.operations.running()?.steps[1]?.status).toBe('running');
		slow.resolve('Saved the game');
		expect((await setup.finished(started)).state).toBe('succeeded');
	});

	test('leaves saving off where somebody else had turned it off, and says so', async () => {
		startGame(game);
		game.saving = false;
		await setup.backUp();
		expect(game.saving).toBe(false);
		expect(game.commands).not.toContain('save-on');
		expect((await setup.backups.list())[0]!.warnings[0]).toContain('Saving was off before');
	});

	test('after one whose saving could not be turned on again treats that as its own doing, not as somebody’s wish', async () => {
		startGame(game);
		game.answers.set('save-on', () => {
			throw new AppError('timeout', 'No answer came.', { code: 'outcome-unknown' });
		});
		await setup.backUp();
		expect(game.saving).toBe(false);
		game.answers.set('save-all flush', () => {
			game.answers.clear();
			return 'Saved the game';
		});
		await setup.backUp();
		expect([game.saving, savingNote(home)]).toEqual([true, false]);
		const warnings = (await setup.folder.list()).flatMap((one) =>
			one.state === 'sealed' ? one.sidecar.warnings : []
		);
		expect(warnings).toEqual([]);
	});
	test('of a stopped server that is started meanwhile says so', async () => {
		const begun = await setup.backups.create({ note: '' }, ADA);
		setup.operations.watch(begun.id, (event) => {
			if (event.type === 'step' && event.step.id === 'archive') startGame(game);
		});
		expect((await setup.finished(begun)).state).toBe('succeeded');
		const [stored] = await setup.folder.list();
		expect(stored).toMatchObject({
			sidecar: { warnings: [expect.stringContaining('was started during the backup')] }
		});
	});
	test('is kept when the game does not confirm that it saves again; that is retried later', async () => {
		startGame(game);
		game.answers.set('save-on', () => {
			throw new AppError('timeout', 'No answer came.', { code: 'outcome-unknown' });
		});
		await setup.backUp();
		expect(savingNote(home)).toBe(true);
		game.answers.delete('save-on');
		setup.backups.startWatching();
		await expect.poll(() => game.saving, { timeout: 15_000 }).toBe(true);
		await expect.poll(() => savingNote(home), { timeout: 15_000 }).toBe(false);
	});

	test('can be cancelled while it is written: nothing is left, saving is on', async () => {
		await setup.close();
		setup = setupBackups(home, game, { ownProcess: true });
		startGame(game);
		// Seconds of work, and no bytes on the disk.
		const large = setup.file('world/region/large.bin');
		writeFileSync(large, '');
		truncateSync(large, 4 * 2 ** 30);
		const started = await setup.backups.create({ note: '' }, ADA);
		await expect
			.poll(() => setup.operations.running()?.steps[2]?.status, { timeout: 15_000, interval: 5 })
			.toBe('running');
		await expect
			.poll(() => inFolder().some((name) => name.endsWith('.partial')), {
				timeout: 15_000,
				interval: 5
			})
			.toBe(true);
		expect((await setup.backups.list())[0]).toMatchObject({ state: 'running' });
		await setup.operations.cancel(started.id, ADA);
		expect((await setup.finished(started)).state).toBe('cancelled');
		expect(inFolder()).toEqual([]);
		expect(game.saving).toBe(true);
		expect(savingNote(home)).toBe(false);
	});

	test('does not begin beside another one', async () => {
		const answers = await Promise.allSettled(
			Array.from({ length: 20 }, () => setup.backups.create({ note: '' }, ADA))
		);
		const begun = answers.filter(({ status }) => status === 'fulfilled');
		expect(begun).toHaveLength(1);
		await setup.finished(
			(begun[0] as PromiseFulfilledResult<Awaited<ReturnType<typeof setup.backups.create>>>).value
		);
		expect(await setup.backups.list()).toHaveLength(1);
	});

	test('as a step of another operation works the same', async () => {
		startGame(game);
		let id = '';
		setup.operations.define({
			kind: 'update',
			steps: () => [
				{
					id: 'backup',
					label: 'Back up',
					run: async (ctx) =>
						void (id = await setup.backups.runForOperation(ctx, 'before an update'))
				}
			]
		});
		expect((await setup.finished(setup.operations.run('update', {}, ADA))).state).toBe('succeeded');
		expect(await setup.backups.list()).toMatchObject([
			{ id, kind: 'before-change', state: 'complete', note: 'before an update' }
		]);
		// Who shows the newest hears of it, and of its removal, without an operation that ends.
		const told = () => setup.facts.filter(({ type }) => type === 'backups-changed').length;
		expect(told()).toBe(1);
		await setup.backups.remove(id, ADA);
		expect(told()).toBe(2);
		expect(game.saving).toBe(true);
	});
});

describe('an unsuitable backup folder', () => {
	const failing = async (at: BackupsSetup) => {
		const { state, cause } = await at.finished(at.backups.create({ note: '' }, ADA));
		expect(state).toBe('failed');
		return cause!.message;
	};
	test('because it lies in a world', async () => {
		const other = setupBackups(home, game, {
			backupDir: path.join(home, 'server/world/backups')
		});
		expect(await failing(other)).toContain('lies in world');
		await other.close();
	});
	test('because it is a link', async () => {
		mkdirSync(path.join(home, 'elsewhere'));
		symlinkSync(path.join(home, 'elsewhere'), path.join(home, 'linked'));
		const other = setupBackups(home, game, { backupDir: path.join(home, 'linked') });
		expect(await failing(other)).toContain('symbolic link');
		await other.close();
		expect(readdirSync(path.join(home, 'elsewhere'))).toEqual([]);
	});
	test('because a file is in its place, which is also said where backups are listed', async () => {
		writeFileSync(setup.backupDir, '');
		expect(await failing(setup)).toContain('is not a folder but a file. Move it away');
		await expect(setup.backups.list()).rejects.toThrow('something else is in the place');
		expect(await setup.backups.concerns()).toMatchObject([
			{ code: 'backup-folder', detail: expect.stringContaining('Put the folder back') }
		]);
	});
	test('because its disk is not mounted any more', async () => {
		await setup.backUp();
		renameSync(setup.backupDir, path.join(home, 'unmounted'));
		mkdirSync(setup.backupDir);
		expect(await failing(setup)).toContain('not mounted');
		writeFileSync(path.join(setup.backupDir, '.craftwarden-backups'), '');
		await setup.backUp();
	});
	test.skipIf(process.getuid?.() === 0)('because it cannot be written', async () => {
		mkdirSync(setup.backupDir, { mode: 0o500 });
		expect(await failing(setup)).toContain('permission');
		chmodSync(setup.backupDir, 0o700);
	});
});

describe('a full disk', () => {
	test('is noticed before, or leaves nothing behind', async ({ skip }) => {
		const disk = mountSmallDisk('64k');
		if (!disk) return skip();
		onTestFinished(disk.dispose);
		const full = disk.dir;
		const noise = randomBytes(40_000_000);
		writeFileSync(setup.file('world/region/r.9.9.mca'), noise);
		startGame(game);
		const other = setupBackups(home, game, { backupDir: full });
		const before = await other.finished(other.backups.create({ note: '' }, ADA));
		expect(before.cause!.message).toMatch(/needs about 40\.\d MB|needs about 4\d/);
		disk.resize('34m');
		// The estimate is lower than what noise needs.
		writeFileSync(setup.file('world/region/r.9.9.mca'), noise.subarray(0, 30_000_000));
		writeFileSync(path.join(full, 'foreign'), noise.subarray(0, 8_000_000));
		const ended = await other.finished(other.backups.create({ note: '' }, ADA));
		expect(ended.state).toBe('failed');
		expect(readdirSync(full).filter((name) => !name.startsWith('.'))).toEqual(['foreign']);
		expect(game.saving).toBe(true);
		expect(await other.backups.list()).toEqual([]);
		await other.close();
	});
});

describe('the list', () => {
	test('marks unfinished ones as such, skips foreign files, and takes no path for an id', async () => {
		const id = await setup.backUp();
		writeFileSync(path.join(setup.backupDir, '20250101T000000Z-aaaa.partial'), 'half');
		writeFileSync(path.join(setup.backupDir, '20250102T000000Z-bbbb.tar.zst'), 'foreign');
		writeFileSync(path.join(setup.backupDir, 'my own.tar.zst'), 'foreign');
		symlinkSync('/etc/passwd', path.join(setup.backupDir, '20250103T000000Z-cccc.tar.zst'));
		expect((await setup.backups.list()).map((one) => [one.id, one.state])).toEqual([
			[id, 'complete'],
			['20250102T000000Z-bbbb', 'incomplete'],
			['20250101T000000Z-aaaa', 'incomplete']
		]);
		for (const bad of [
			'../../etc/passwd',
			'/etc/passwd',
			'20250103T000000Z-cccc',
			'x\0y',
			'%2e%2e',
			'20250109T000000Z-dddd'
		])
			await expect(
				setup.backups.download(bad, { range: null, ifRange: null }, ADA),
				bad
			).rejects.toMatchObject({ kind: 'not-found' });
		await setup.backups.remove('20250101T000000Z-aaaa', ADA);
		expect(inFolder()).not.toContain('20250101T000000Z-aaaa.partial');
	});
	test('is read even when it is long', async () => {
		const id = await setup.backUp();
		const sidecar = JSON.parse(readFileSync(path.join(setup.backupDir, `${id}.json`), 'utf8'));
		for (let i = 0; i < 200; i++) {
			const other = `20240101T000000Z-${i.toString(16).padStart(4, '0')}`;
			writeFileSync(
				path.join(setup.backupDir, `${other}.json`),
				JSON.stringify({ ...sidecar, id: other })
			);
			writeFileSync(path.join(setup.backupDir, `${other}.tar.zst`), '');
		}
		expect(await setup.backups.list()).toHaveLength(201);
	});
	test('allows a limited number of pins, and says what to do', async () => {
		const id = await setup.backUp();
		const sidecar = JSON.parse(readFileSync(path.join(setup.backupDir, `${id}.json`), 'utf8'));
		for (let i = 0; i < BACKUPS_PINNED_MAX; i++) {
			const other = `20240101T000000Z-${i.toString(16).padStart(4, '0')}`;
			writeFileSync(
				path.join(setup.backupDir, `${other}.json`),
				JSON.stringify({ ...sidecar, id: other, pinned: true })
			);
			writeFileSync(path.join(setup.backupDir, `${other}.tar.zst`), '');
		}
		const pin = () => setup.backups.change(id, { pinned: true }, ADA);
		await expect(pin()).rejects.toMatchObject({ kind: 'conflict' });
		await expect(pin()).rejects.toThrow(/Already 100 backups are pinned.*Unpin one/);
		await setup.backups.change('20240101T000000Z-0000', { pinned: true, note: 'still' }, ADA);
		await setup.backups.change('20240101T000000Z-0000', { pinned: false }, ADA);
		expect(await pin()).toMatchObject({ pinned: true });
	});
	test('accepts a note and a pin, and what is pinned is not deleted', async () => {
		const id = await setup.backUp();
		expect(await setup.backups.change(id, { note: 'good one', pinned: true }, ADA)).toMatchObject({
			note: 'good one',
			pinned: true
		});
		await expect(setup.backups.remove(id, ADA)).rejects.toMatchObject({ kind: 'conflict' });
		await setup.backups.change(id, { pinned: false }, ADA);
		await setup.backups.remove(id, ADA);
		expect(inFolder()).toEqual([]);
		expect(setup.audit.map(({ action, result }) => `${action} ${result}`)).toEqual([
			...[
				'backups.create done',
				'backups.change done',
				'backups.remove refused',
				'backups.change done',
				'backups.remove done'
			]
		]);
	});
});

describe('a verify', () => {
	const damage = () => setup.facts.filter(({ type }) => type === 'backup-damaged');
	const standings = () =>
		setup.facts.flatMap((fact) => (fact.type === 'backup-verify' ? fact.verify : []));
	const verified = async (id: string) => {
		expect(await setup.backups.verify(id, ADA)).toMatchObject({ verifying: true });
		await expect
			.poll(async () => (await setup.backups.list())[0]!.verifying, { timeout: 15_000 })
			.not.toBe(true);
		return (await setup.backups.list())[0]!;
	};
	test('records when a backup was found good', async () => {
		const backup = await verified(await setup.backUp());
		expect(backup).toMatchObject({ state: 'complete', problem: null });
		expect(backup.verifiedAt).not.toBeNull();
		expect(damage()).toEqual([]);
	});
	test('is told as it begins, goes on and ends, also to those who did not ask', async () => {
		const id = await setup.backUp();
		const { verifiedAt } = await verified(id);
		const told = standings();
		const idle = {
			id,
			state: 'complete',
			problem: null,
			verifyProgress: null,
			verifyProblem: null
		};
		expect(told[0]).toEqual({ ...idle, verifiedAt: null, verifying: true });
		const going = told.slice(1, -1).map(({ verifyProgress: at }) => at!.done / at!.total);
		expect(going).toEqual(going.toSorted());
		expect(going.at(-1)).toBe(1);
		expect(going.length).toBeLessThanOrEqual(101);
		expect(told.at(-1)).toEqual({ ...idle, verifiedAt, verifying: false });
	});
	test('that cannot be done says why, and nothing about the backup', async () => {
		const id = await setup.backUp();
		const archive = path.join(setup.backupDir, `${id}.tar.zst`);
		unlinkSync(archive);
		mkdirSync(archive);
		const backup = await verified(id);
		expect(backup).toMatchObject({ state: 'complete', verifiedAt: null, problem: null });
		expect(backup.verifyProblem).toMatch(/\w.+\.$/);
		expect(standings().at(-1)).toMatchObject({ verifying: false, verifiedAt: null });
		expect(damage()).toEqual([]);
	});
	test('that finds damage shows it to everybody, and the backup is not restored', async () => {
		const id = await setup.backUp();
		spoil(id);
		expect(await verified(id)).toMatchObject({
			state: 'damaged',
			problem: expect.stringContaining('damaged')
		});
		expect(damage()).toMatchObject([{ type: 'backup-damaged', id }]);
		expect(standings().at(-1)).toMatchObject({ id, state: 'damaged', verifying: false });
		expect(await setup.backups.concerns()).toMatchObject([
			{ code: 'backup-damaged', title: 'A backup is damaged' }
		]);
		await expect(setup.backups.restore(id, { scope: 'all' }, ADA)).rejects.toMatchObject({
			kind: 'conflict'
		});
	});
	test('picks one backup a day at random', async () => {
		await setup.close();
		const clock = createManualClock('2026-03-01T12:00:00.000Z');
		setup = setupBackups(home, game, { random: () => 0.99 });
		await setup.backUp();
		await setup.backUp();
		const chosen = (await setup.backups.list()).at(-1)!.id;
		await setup.close();
		setup = setupBackups(home, game, { clock, random: () => 0.99 });
		setup.backups.startWatching();
		await expect
			.poll(
				async () =>
					(await setup.backups.list()).filter(({ verifiedAt }) => verifiedAt).map(({ id }) => id),
				{ timeout: 15_000 }
			)
			.toEqual([chosen]);
	});
});

describe('a download', () => {
	const body = async (range: string | null, ifRange: string | null = null) => {
		const { id } = (await setup.backups.list())[0]!;
		const { status, headers, stream } = await setup.backups.download(id, { range, ifRange }, ADA);
		return {
			id,
			status,
			headers,
			bytes: Buffer.from(await new Response(stream).arrayBuffer())
		};
	};
	test('returns the whole, or the requested range', async () => {
		const id = await setup.backUp();
		const whole = readFileSync(setup.folder.paths(id).archive);
		const all = await body(null);
		expect(all.status).toBe(200);
		expect(all.bytes.equals(whole)).toBe(true);
		expect(all.headers['content-disposition']).not.toMatch(/[\n"]/);
		const part = await body('bytes=10-19');
		expect(part).toMatchObject({
			status: 206,
			headers: { 'content-range': `bytes 10-19/${whole.length}`, 'content-length': '10' }
		});
		expect(part.bytes.equals(whole.subarray(10, 20))).toBe(true);
		expect((await body('bytes=-5')).bytes.equals(whole.subarray(-5))).toBe(true);
		expect((await body(`bytes=${whole.length - 3}-`)).bytes.equals(whole.subarray(-3))).toBe(true);
		for (const outside of ['bytes=99999999-', 'bytes=-0'])
			await expect(body(outside)).rejects.toMatchObject({
				kind: 'out-of-range',
				bytes: whole.length
			});
		expect(await body('bytes=0-1', '"other"')).toMatchObject({ status: 200 });
		expect(await body('bytes=0-1', `"${id}"`)).toMatchObject({ status: 206 });
		for (const odd of ['bytes=5-1', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=-', 'bytes=a-b'])
			expect((await body(odd)).status).toBe(200);
	});
	test('is limited to a few at a time; one that is aborted, or never consumed, frees its slot', async () => {
		writeFileSync(setup.file('world/region/r.1.0.mca'), randomBytes(400_000));
		const id = await setup.backUp();
		const open = () => setup.backups.download(id, { range: null, ifRange: null }, ADA);
		for (let i = 0; i < 20; i++) await open();
		const readers = await Promise.all(
			Array.from({ length: DOWNLOADS_MAX }, async () => (await open()).stream.getReader())
		);
		for (const reader of readers) expect((await reader.read()).done).toBe(false);
		await expect(open()).rejects.toMatchObject({ kind: 'throttled', retryAfterS: 30 });
		await readers[0]!.cancel();
		expect((await open()).status).toBe(200);
		for (const reader of readers.slice(1)) await reader.cancel();
	});
});

describe('a scheduled backup', () => {
	test('is skipped when nobody has played since the last one, unless the settings say otherwise', async () => {
		startGame(game);
		const first = await setup.backups.scheduled(ADA);
		expect(first).toHaveProperty('operation');
		await setup.finished((first as { operation: Parameters<typeof setup.finished>[0] }).operation);
		game.lastSeen.set(UUID, '2020-01-01T00:00:00.000Z');
		expect(await setup.backups.scheduled(ADA)).toEqual({
			skipped: expect.stringContaining('Nobody has played')
		});
		game.online = 1;
		const second = await setup.backups.scheduled(ADA);
		expect(second).toHaveProperty('operation');
		await setup.finished((second as { operation: Parameters<typeof setup.finished>[0] }).operation);
		game.online = 0;
		setup.settings.backupSkipWhenIdle = false;
		const third = await setup.backups.scheduled(ADA);
		expect(third).toHaveProperty('operation');
		await setup.finished((third as { operation: Parameters<typeof setup.finished>[0] }).operation);
		expect((await setup.backups.list()).map(({ kind }) => kind)).toEqual([
			'scheduled',
			'scheduled',
			'scheduled'
		]);
	});
});

test('a scheduled backup is not skipped because of one that a wrong clock dated in the future', async () => {
	const id = await setup.backUp();
	const createdAt = new Date(Date.now() + 365 * 24 * 3_600_000).toISOString();
	await setup.folder.update(id, (sidecar) => ({ ...sidecar, createdAt }));
	game.lastSeen.set(UUID, new Date().toISOString());
	expect(await setup.backups.scheduled(ADA)).toHaveProperty('operation');
	await expect.poll(() => setup.operations.running()).toBeNull();
});

describe('a restore', () => {
	async function changed() {
		const id = await setup.backUp({ withMods: true });
		await put(home, 'world/level.dat', 'level 2');
		await put(home, 'world/new-since', 'x');
		await put(home, `world/playerdata/${UUID}.dat`, 'inventory 2');
		await put(home, `world/advancements/${UUID}.json`, 'since');
		await put(home, 'world_nether/DIM-1/region/r.0.0.mca', 'nether 2');
		await put(home, 'config/mod.toml', 'value = 2');
		await put(home, 'ops.json', '[1, 2]');
		return id;
	}
	const staging = () =>
		readdirSync(path.join(home, 'server')).filter((name) => name.startsWith('.craftwarden'));

	test('of everything stops the server, swaps everything, starts it, and keeps the previous state until the next good start', async () => {
		startGame(game);
		const id = await changed();
		const operation = await setup.finished(setup.backups.restore(id, { scope: 'all' }, ADA));
		expect(operation.state).toBe('succeeded');
		expect(game.commands.slice(-2)).toEqual(['(ended)', '(launched)']);
		expect([text('world/level.dat'), text('config/mod.toml'), text('ops.json')]).toEqual([
			'level 1',
			'value = 1',
			'[1]'
		]);
		expect(text('world_nether/DIM-1/region/r.0.0.mca')).toBe('nether 1');
		expect(existsSync(setup.file('world/new-since'))).toBe(false);
		const [kept, ...others] = staging();
		expect(others).toEqual([]);
		expect(readFileSync(setup.file(`${kept}/old/world/level.dat`), 'utf8')).toBe('level 2');
		// It was started before: the next one counts.
		setup.backups.startWatching();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(staging()).toHaveLength(1);
		await setup.close();
		endGame(game);
		startGame(game);
		setup = setupBackups(home, game);
		setup.backups.startWatching();
		await expect.poll(staging, { timeout: 15_000 }).toEqual([]);
	});
	describe('with a backup first', () => {
		const backupFirst = true;
		const restored = (id: string, wish: BackupRestore) =>
			setup.finished(setup.backups.restore(id, { ...wish, backupFirst }, ADA));
		const added = async (...known: string[]) =>
			(await setup.backups.list()).filter(({ id }) => !known.includes(id));

		test('can be undone from it, with the mods that were replaced', async () => {
			startGame(game);
			const id = await changed();
			await put(home, 'mods/one.jar', 'jar 2');
			const operation = await restored(id, { scope: 'all' });
			expect(operation.state).toBe('succeeded');
			expect(operation.steps.map((one) => one.id)).toEqual([
				...['check', 'unpack', 'backup', 'stop', 'swap', 'start', 'keep']
			]);
			const [before] = await added(id);
			expect(before).toMatchObject({ kind: 'before-change', state: 'complete', withMods: true });
			expect(before!.note).toMatch(/^Before the restore of everything from \d.+ UTC$/);
			expect(operation.undo).toEqual({ backup: before!.id, scope: 'all' });
			expect(game.saving).toBe(true);
			expect([text('world/level.dat'), text('mods/one.jar')]).toEqual(['level 1', 'jar 1']);
			const { backup, ...wish } = operation.undo!;
			const undoes = { operation: operation.id, subject: `the backup ${id}` };
			expect(operation).toMatchObject({ subject: `the backup ${id}` });
			expect(await setup.backups.describeRestore(backup, wish)).toMatchObject({ undoes });
			expect(await setup.backups.describeRestore(id, wish)).toMatchObject({ undoes: null });
			expect(await setup.finished(setup.backups.restore(backup, wish, ADA))).toMatchObject({
				...{ state: 'succeeded', undoes },
				subject: `the backup ${backup}`
			});
			expect([text('world/level.dat'), text('mods/one.jar'), text('world/new-since')]).toEqual([
				...['level 2', 'jar 2', 'x']
			]);
		});
		test('says of one world and of one player what to put back', async () => {
			const id = await changed();
			const world = await restored(id, { scope: 'world', world: 'world_nether' });
			const [before] = await added(id);
			expect(world.undo).toEqual({ backup: before!.id, scope: 'world', world: 'world_nether' });
			expect(before!.note).toContain('the restore of world_nether from');
			const player = await restored(id, { scope: 'player', uuid: UUID });
			const [second] = await added(id, before!.id);
			expect(player.undo).toEqual({
				...{ backup: second!.id, scope: 'player', world: 'world', uuid: UUID }
			});
		});
		test('of a world that is not there any more has nothing to put back', async () => {
			const id = await changed();
			rmSync(setup.file('world_nether'), { recursive: true });
			const operation = await restored(id, { scope: 'world', world: 'world_nether' });
			expect([operation.state, operation.undo]).toEqual(['succeeded', undefined]);
		});
		test('into a folder without a world makes none', async () => {
			const id = await changed();
			for (const world of ['world', 'world_nether']) rmSync(setup.file(world), { recursive: true });
			const operation = await restored(id, { scope: 'all' });
			expect([operation.state, operation.undo]).toEqual(['succeeded', undefined]);
			expect(statuses(operation)).toMatchObject({ backup: 'skipped' });
			expect(text('world/level.dat')).toBe('level 1');
		});
		test('that fails restores nothing, and says so', async () => {
			startGame(game);
			const id = await changed();
			game.rconEnabled = false;
			const operation = await restored(id, { scope: 'all' });
			expect(operation).toMatchObject({
				state: 'failed',
				cause: {
					message: expect.stringMatching(/RCON is off.+Without that backup nothing was restored\.$/)
				}
			});
			expect(game.commands).not.toContain('(ended)');
			expect([game.state, text('world/level.dat')]).toEqual(['running', 'level 2']);
			expect([staging(), await added(id), operation.undo]).toEqual([[], [], undefined]);
		});
		test('never loses the one that is restored to it', async () => {
			const id = await changed();
			Object.assign(setup.settings, {
				...{ backupKeepLast: 1, backupKeepHourly: 0, backupKeepDaily: 0, backupKeepWeekly: 0 }
			});
			expect((await restored(id, { scope: 'all' })).state).toBe('succeeded');
			expect(await added(id)).toHaveLength(1);
			expect(await setup.backups.list()).toHaveLength(2);
		});
	});
	describe('with a countdown', () => {
		const countdown = { scope: 'all', delaySeconds: 60, message: 'Back soon' } as const;
		const begun = async (wish: BackupRestore = countdown) =>
			setup.backups.restore(await changed(), wish, ADA);

		test('tells the players, right before it stops the server', async () => {
			startGame(game);
			const operation = await setup.finished(begun({ ...countdown, backupFirst: true }));
			expect(operation.state).toBe('succeeded');
			expect(operation.steps.map(({ id }) => id)).toEqual([
				...['check', 'unpack', 'backup', 'countdown', 'stop', 'swap', 'start', 'keep']
			]);
			const told = game.commands.indexOf('(countdown: Back soon)');
			expect(game.commands.slice(told, told + 2)).toEqual(['(countdown: Back soon)', '(ended)']);
			expect(game.commands).not.toContain('(called off)');
		});
		test('has words of its own, and none for a server that does not run', async () => {
			startGame(game);
			await setup.finished(begun({ scope: 'all', delaySeconds: 60 }));
			expect(game.commands).toContain('(countdown: A backup is being restored.)');
			game.commands = [];
			endGame(game);
			const operation = await setup.finished(begun());
			expect(statuses(operation)).toMatchObject({ countdown: 'skipped', swap: 'done' });
			expect(game.commands).not.toContain('(countdown: Back soon)');
		});
		test('can be cancelled during it, and nothing has happened', async () => {
			startGame(game);
			game.counting = ({ signal }) =>
				new Promise((_, reject) =>
					signal.addEventListener('abort', () => reject(signal.reason as Error))
				);
			const operation = await begun();
			await expect.poll(() => game.commands.at(-1)).toBe('(countdown: Back soon)');
			await setup.operations.cancel(operation.id, ADA);
			expect(await setup.finished(operation)).toMatchObject({ state: 'cancelled' });
			expect([game.state, text('world/level.dat'), staging()]).toEqual(['running', 'level 2', []]);
		});
		test.each([
			['goes on when the next dashboard starts', 0],
			['is called off when that is much later', 3_600_000]
		])('that a dashboard did not survive %s', async (_, agoMs) => {
			startGame(game);
			game.counting = ({ signal }) =>
				new Promise((_, reject) =>
					signal.addEventListener('abort', () => reject(signal.reason as Error))
				);
			const { id } = await begun();
			await expect.poll(() => game.commands.at(-1)).toBe('(countdown: Back soon)');
			await setup.close();
			delete game.counting;
			const file = path.join(setup.dataDir, 'operations', `${id}.json`);
			const left = JSON.parse(readFileSync(file, 'utf8')) as { writtenAt: string };
			const writtenAt = new Date(Date.parse(left.writtenAt) - agoMs).toISOString();
			writeFileSync(file, JSON.stringify({ ...left, writtenAt }));
			setup = setupBackups(home, game);
			await setup.operations.recover();
			const { state } = await setup.finished(setup.operations.get(id));
			expect(state).toBe(agoMs ? 'failed' : 'succeeded');
			expect(game.commands.includes('(called off)')).toBe(agoMs > 0);
			expect([game.state, text('world/level.dat')]).toEqual([
				'running',
				agoMs ? 'level 2' : 'level 1'
			]);
		});
		test('is called off when the restore is refused after it', async () => {
			startGame(game);
			game.counting = async () => void (game.version = '1.20.1');
			const operation = await setup.finished(begun());
			expect(operation).toMatchObject({
				state: 'failed',
				cause: { message: expect.stringMatching(/the server has 1\.20\.1/) }
			});
			expect(game.commands).toContain('(called off)');
			expect(game.commands).not.toContain('(ended)');
			expect([text('world/level.dat'), staging()]).toEqual(['level 2', []]);
		});
	});
	test('without a backup first tells where what it replaced lies, as long as that is so', async () => {
		const id = await changed();
		const operation = await setup.finished(setup.backups.restore(id, { scope: 'all' }, ADA));
		expect(operation.undo).toBeUndefined();
		const kept = await setup.backups.replaced(operation.id);
		expect(text(`${kept}/world/level.dat`)).toBe('level 2');
		startGame(game);
		setup.backups.startWatching();
		await expect.poll(() => setup.backups.replaced(operation.id), { timeout: 15_000 }).toBeNull();
	});
	test('of one world leaves the rest alone, and a stopped server stopped', async () => {
		const id = await changed();
		const operation = await setup.finished(
			setup.backups.restore(id, { scope: 'world', world: 'world_nether' }, ADA)
		);
		expect(operation.state).toBe('succeeded');
		expect([text('world_nether/DIM-1/region/r.0.0.mca'), text('world/level.dat')]).toEqual([
			'nether 1',
			'level 2'
		]);
		expect(game.commands).toEqual([]);
		expect(statuses(operation)).toMatchObject({ stop: 'skipped', start: 'skipped' });
	});
	test('of one player brings back their files from then and nothing else', async () => {
		const id = await changed();
		const operation = await setup.finished(
			setup.backups.restore(id, { scope: 'player', uuid: UUID }, ADA)
		);
		expect(operation.state).toBe('succeeded');
		expect([text(`world/playerdata/${UUID}.dat`), text('world/level.dat')]).toEqual([
			'inventory 1',
			'level 2'
		]);
		expect(existsSync(setup.file(`world/advancements/${UUID}.json`))).toBe(false);
	});
	test('of one player into the layout of 26.1 puts their files where that layout expects them', async () => {
		const id = await changed();
		await put(home, `world/players/data/${UUID}.dat`, 'inventory 3');
		expect(
			(await setup.finished(setup.backups.restore(id, { scope: 'player', uuid: UUID }, ADA))).state
		).toBe('succeeded');
		expect(text(`world/players/data/${UUID}.dat`)).toBe('inventory 1');
		expect(text(`world/players/stats/${UUID}.json`)).toBe('{"stats":1}');
	});
	test('of a player who is not in it changes nothing', async () => {
		const id = await changed();
		const operation = await setup.finished(
			setup.backups.restore(id, { scope: 'player', uuid: UUID.replace('0', 'f') }, ADA)
		);
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringContaining('nothing of that player') }
		});
		expect(staging()).toEqual([]);
	});
	test('is refused for an older game, a world that is not in it, and while the server starts', async () => {
		const id = await changed();
		game.version = '1.20.4';
		await expect(setup.backups.restore(id, { scope: 'all' }, ADA)).rejects.toThrow(
			/Minecraft 1.21.1, the server has 1.20.4/
		);
		game.version = '26.1';
		await expect(
			setup.backups.restore(id, { scope: 'world', world: 'other' }, ADA)
		).rejects.toMatchObject({ kind: 'invalid' });
		startGame(game);
		game.state = 'starting';
		await expect(setup.backups.restore(id, { scope: 'all' }, ADA)).rejects.toThrow(/starting/);
		expect(
			setup.audit.filter(({ action }) => action === 'backups.restore').map(({ result }) => result)
		).toEqual(['refused', 'refused', 'refused']);
	});
	test('of a damaged backup ends before the server is stopped, and the damage is remembered', async () => {
		startGame(game);
		const id = await changed();
		spoil(id);
		const operation = await setup.finished(setup.backups.restore(id, { scope: 'all' }, ADA));
		expect(operation.state).toBe('failed');
		expect(operation.cause?.message).toMatch(/Nothing was changed: restore another backup\.$/);
		expect(game.commands).not.toContain('(ended)');
		expect(text('world/level.dat')).toBe('level 2');
		expect(staging()).toEqual([]);
		expect((await setup.backups.list())[0]!.state).toBe('damaged');
		const { refusal } = await setup.backups.describeRestore(id, { scope: 'all' });
		expect(refusal).toMatch(/^This backup is damaged\. .+ So restore another backup\.$/);
	});
	test('whose server does not start is rolled back completely, and the old one runs again', async () => {
		startGame(game);
		const id = await changed();
		game.answers.clear();
		game.broken = 'The game cannot load it.';
		const restored = setup.backups.restore(id, { scope: 'all' }, ADA);
		const { id: operation } = await restored;
		setup.operations.watch(operation, (event) => {
			if (event.type === 'step' && event.step.id === 'rollback') game.broken = null;
		});
		expect((await setup.finished(restored)).state).toBe('rolled-back');
		expect([text('world/level.dat'), text('ops.json'), text('world/new-since')]).toEqual([
			'level 2',
			'[1, 2]',
			'x'
		]);
		expect(game.state).toBe('running');
		expect(staging()).toEqual([]);
	});
	test('keeps its backup from being deleted until it has ended', async () => {
		const id = await changed();
		const begun = await setup.backups.restore(id, { scope: 'all' }, ADA);
		await expect(setup.backups.remove(id, ADA)).rejects.toMatchObject({ kind: 'conflict' });
		expect(await setup.finished(begun)).toMatchObject({ state: 'succeeded' });
		await setup.backups.remove(id, ADA);
		expect(await setup.backups.list()).toEqual([]);
	});
	test('is rolled back when something outside starts the server between two of its swaps', async () => {
		startGame(game);
		const id = await changed();
		game.exchanged = () => {
			game.exchanged = undefined;
			startGame(game);
		};
		const operation = await setup.finished(setup.backups.restore(id, { scope: 'all' }, ADA));
		expect(operation).toMatchObject({ state: 'rolled-back', cause: { message: /runs again/ } });
		expect([text('world/level.dat'), game.state]).toEqual(['level 2', 'running']);
	});
	describe('that a killed dashboard left long ago', () => {
		/** The journal as it looks an hour after a kill -9 in this step. */
		async function leftIn(step: string) {
			const id = await changed();
			const begun = await setup.backups.restore(id, { scope: 'all' }, ADA);
			await setup.finished(begun);
			await setup.close();
			const file = path.join(setup.dataDir, 'operations', `${begun.id}.json`);
			const entry = JSON.parse(readFileSync(file, 'utf8'));
			const { steps } = entry.operation;
			const at = steps.findIndex((one: { id: string }) => one.id === step);
			steps.splice(at, 1, { ...steps[at], status: 'running' });
			for (const one of steps.slice(at + 1)) one.status = 'pending';
			entry.writtenAt = new Date(Date.now() - 3_600_000).toISOString();
			Object.assign(entry.operation, { state: 'running', finishedAt: null });
			if (step !== 'keep') entry.memo.settled = false;
			if (step === 'swap') entry.memo.launched = false;
			writeFileSync(file, JSON.stringify(entry));
			await put(home, 'world/level.dat', 'level 1, played on');
			game.commands = [];
			setup = setupBackups(home, game);
			await setup.operations.recover();
			await expect.poll(() => setup.operations.running(), { timeout: 15_000 }).toBeNull();
			return setup.operations.get(begun.id);
		}
		test.each(['start', 'keep'])(
			'in its step “%s” stays: its server may have been played on since',
			async (step) => {
				startGame(game);
				expect(await leftIn(step)).toMatchObject({ state: 'succeeded' });
				expect(game.commands).not.toContain('(ended)');
				expect(text('world/level.dat')).toBe('level 1, played on');
				const [kept] = staging();
				expect(readFileSync(setup.file(`${kept}/old/world/level.dat`), 'utf8')).toBe('level 2');
				expect(existsSync(setup.file(`${kept}/kept.json`))).toBe(true);
			}
		);
		test('in its step “swap” is rolled back', async () => {
			startGame(game);
			expect(await leftIn('swap')).toMatchObject({ state: 'rolled-back' });
			expect([text('world/level.dat'), game.state]).toEqual(['level 2', 'running']);
		});
	});
	test('says beforehand what will be lost, and who has played since', async () => {
		startGame(game);
		const id = await changed();
		game.lastSeen.set(UUID, new Date(Date.now() + 60_000).toISOString());
		const plan = await setup.backups.describeRestore(id, { scope: 'all' });
		expect(plan.players).toMatchObject([{ uuid: UUID, name: 'Steve' }]);
		const [worlds, lists] = plan.parts;
		expect(worlds).toMatchObject({
			files: expect.arrayContaining(['world']),
			means: expect.stringMatching(/since this backup is undone/)
		});
		expect(lists).toMatchObject({
			files: ['ops.json'],
			means: expect.stringMatching(/^Operators, whitelist and bans are as they were then/)
		});
		expect(plan.refusal).toBeNull();
		expect(plan.notes.join(' ')).not.toContain('convert');
	});

	test('names those who are playing too, whose game has written nothing since the backup', async () => {
		startGame(game);
		const id = await changed();
		game.lastSeen.set('89abcdef-89ab-4cde-8f01-23456789abcd', '2020-01-01T00:00:00.000Z');
		game.lastSeen.set(UUID, '2020-01-01T00:00:00.000Z');
		game.here = [UUID];
		const { players } = await setup.backups.describeRestore(id, { scope: 'all' });
		expect(players).toMatchObject([{ uuid: UUID, online: true }]);
	});
});
