import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	modSet,
	openMods,
	sha512,
	updateOf,
	type Trouble
} from '../../../../../../tests/fakes/mods/change-setup.ts';
import {
	ADA,
	createWorld,
	NOW,
	openSetup,
	type Setup,
	type World
} from '../../../../../../tests/fakes/power-setup.ts';
import { soon } from '../../../../../../tests/soon.ts';
import type { Operation } from '#schemas/operation';
import { AppError } from '#core/errors';
import { folderId, processesIn } from '../../../runtime/process/proc.ts';
import type { ModChange } from './index.ts';

let world: World;
let setup: Setup;
let trouble: Trouble;
let mods: string;
let desk: ReturnType<typeof openMods>;

beforeEach(async () => {
	world = await createWorld();
	mods = path.join(world.game.dir, 'mods');
	await mkdir(mods);
	await writeFile(path.join(mods, 'lithium-0.13.0.jar'), 'lithium 0.13.0');
	await writeFile(path.join(mods, 'other.jar'), 'other');
	trouble = {};
	open();
});
afterEach(async () => {
	await setup.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});
function open() {
	setup = openSetup(world);
	const { operations, power } = setup;
	const { dataDir } = world;
	desk = openMods({ operations, server: power.serverControl, modsDir: mods, dataDir, trouble });
}

const OLD = { 'lithium-0.13.0.jar': sha512('lithium 0.13.0'), 'other.jar': sha512('other') };
const NEW = { 'lithium-0.13.1.jar': sha512('lithium 0.13.1'), 'other.jar': sha512('other') };
const update = (facts: Partial<ModChange> = {}) =>
	updateOf(
		mods,
		{
			from: { fileName: 'lithium-0.13.0.jar', title: 'Lithium 0.13.0' },
			to: {
				fileName: 'lithium-0.13.1.jar',
				title: 'Lithium 0.13.1',
				content: 'lithium 0.13.1'
			}
		},
		facts
	);
const run = async (change: ModChange) => setup.finished(await desk.changes.run(change, ADA));
const started = async () =>
	expect(await setup.finished(await setup.power.start(NOW, ADA))).toMatchObject({
		state: 'succeeded'
	});
const steps = ({ steps }: Operation) =>
	Object.fromEntries(steps.map(({ id, status }) => [id, status]));
const detail = ({ steps }: Operation, id: string) => steps.find((one) => one.id === id)?.detail;
const games = () => processesIn(folderId(world.game.dir)!).length;
const downloads = () => readdir(path.join(world.dataDir, 'downloads')).catch(() => []);

describe('an update', () => {
	test('of a running server: stopped, swapped, started, watched, and announced', async () => {
		await started();
		const operation = await run(await update());
		expect(operation).toMatchObject({
			kind: 'update',
			state: 'succeeded',
			subject: 'Lithium 0.13.1',
			cause: null
		});
		expect(operation.steps.map(({ id, status }) => [id, status])).toEqual([
			['lookup', 'done'],
			['snapshot', 'done'],
			['download', 'done'],
			['trial', 'skipped'],
			['swap', 'done'],
			['restart', 'done'],
			['verify', 'done'],
			['modpack', 'done']
		]);
		expect(await modSet(mods)).toEqual(NEW);
		expect(await setup.state()).toBe('running');
		expect(world.game.starts()).toBe(2);
		expect(await downloads()).toEqual([]);
		expect(desk.packs).toEqual(['built']);
		expect(await desk.snapshots.count()).toBe(1);
		expect(desk.audit).toEqual([{ by: 'ada', action: 'mods.update', result: 'done' }]);
	});

	test('of a stopped server: it is started for verification, and stopped again', async () => {
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(detail(operation, 'verify')).toMatch(/stopped before, and is stopped again/);
		expect(operation.steps.find(({ id }) => id === 'swap')?.label).toBe(
			'Exchange the files; the server was off'
		);
		expect(world.game.starts()).toBe(1);
		expect(games()).toBe(0);
		expect(await setup.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'It was only started to try a change of its mods, and is off again as it was before.'
		});
		expect(await modSet(mods)).toEqual(NEW);
	});

	test('of a server that had crashed leaves it running', async () => {
		await started();
		for (const { pid } of processesIn(folderId(world.game.dir)!)) process.kill(pid, 'SIGKILL');
		await expect.poll(() => setup.state()).toBe('crashed');
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(detail(operation, 'verify')).toMatch(/crashed before.* and is running/);
		expect(await setup.state()).toBe('running');
	});

	test('of client-only mods leaves a running server alone', async () => {
		await started();
		const change = await update({ restart: false });
		for (const one of [...change.put, ...change.take]) one.side = 'client';
		const operation = await run(change);
		expect(steps(operation)).toMatchObject({ swap: 'done', restart: 'skipped', verify: 'skipped' });
		expect(world.game.starts()).toBe(1);
		expect(await setup.state()).toBe('running');
		expect(await modSet(mods)).toEqual(NEW);
	});

	test('never replaces a jar that the running server may have open, whatever the plan says', async () => {
		await started();
		const operation = await run(await update({ restart: false }));
		expect(steps(operation)).toMatchObject({ restart: 'done', verify: 'done' });
		expect(world.game.starts()).toBe(2);
	});

	test('of a disabled jar leaves a running server alone too', async () => {
		await rename(path.join(mods, 'other.jar'), path.join(mods, 'other.jar.disabled'));
		await started();
		const take = [
			{ fileName: 'other.jar.disabled', sha512: OLD['other.jar'], title: 'Other', side: 'both' }
		] as const;
		const change = {
			...(await update({ kind: 'remove', restart: false })),
			put: [],
			take: [...take]
		};
		expect(steps(await run(change))).toMatchObject({ swap: 'done', verify: 'skipped' });
		expect(world.game.starts()).toBe(1);
	});

	test('never stops a server that it could not start again', async () => {
		await started();
		world.command = null;
		const operation = await run(await update());
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: 'There is no server jar in the folder.' }
		});
		expect(await modSet(mods)).toEqual(OLD);
		expect(games()).toBe(1);
	});

	test('tells the players before it stops their server', async () => {
		await started();
		world.players = 2;
		expect(await run(await update())).toMatchObject({ state: 'succeeded' });
		expect(world.sent[0]).toMatch(/tellraw.*restarts in 1 second\. Its mods are being changed/);
	});
});

test('a change with an obstacle is refused before anything is changed', async () => {
	await started();
	const change = await update();
	trouble.untouchable = () => 'MODS is set in the game’s container.';
	await expect(desk.changes.run(change, ADA)).rejects.toMatchObject({
		kind: 'conflict',
		message: 'MODS is set in the game’s container.'
	});
	await expect(desk.changes.restore('any', '', ADA)).rejects.toMatchObject({ kind: 'conflict' });
	expect(await modSet(mods)).toEqual(OLD);
	expect(world.game.starts()).toBe(1);
});

describe('a new set that does not work', () => {
	/** The game fails with the new mods only. */
	const heals = async () => void (trouble.putBack = () => world.game.script({}));
	const isBack = async (operation: Operation) => {
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(await modSet(mods)).toEqual(OLD);
		expect(await setup.state()).toBe('running');
		expect(games()).toBe(1);
		expect(await downloads()).toEqual([]);
		expect(operation.steps.at(-1)).toMatchObject({ id: 'rollback', status: 'done' });
	};

	test('that refuses to boot: the old one runs again, and the log says why', async () => {
		await started();
		await heals();
		trouble.take = () =>
			world.game.script({ bootMs: null, exit: { code: 1, log: ['FooException: no'] } });
		const operation = await run(await update());
		await isBack(operation);
		expect(steps(operation)).toMatchObject({ verify: 'failed', modpack: 'skipped' });
		expect(operation.cause).toMatchObject({
			log: expect.arrayContaining([expect.stringMatching(/FooException/)])
		});
		expect(detail(operation, 'rollback')).toBe(
			'Rolled back: Lithium 0.13.1 did not start. The server runs on 0.13.0 again. The new mod never opened the world.'
		);
		expect(world.game.starts()).toBe(3);
		const sha512s = [NEW['lithium-0.13.1.jar']];
		expect(desk.failed).toEqual([
			{ operationId: operation.id, sha512s, alone: true, onCopy: false, control: true }
		]);
	});

	test('that prints its ready line and answers nothing', async () => {
		await started();
		world.verifyTimeoutMs = 3000;
		reopen();
		trouble.take = async () => void (world.unanswered = [{ what: 'RCON', why: 'No answer came.' }]);
		trouble.putBack = async () => void (world.unanswered = []);
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(operation.cause?.message).toMatch(/never answered RCON \(No answer came\.\)/);
		expect(await modSet(mods)).toEqual(OLD);
	});

	test('a server that was stopped stays stopped, and nothing restarts it for the crash', async () => {
		await heals();
		world.settings.autoRestart = true;
		setup.power.startWatching();
		trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1 } });
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(detail(operation, 'rollback')).toMatch(/The server is off, as it was before\./);
		// Whether it starts without the new version was not tried.
		expect(desk.failed).toMatchObject([{ alone: true, onCopy: false, control: false }]);
		expect(await setup.state()).toBe('stopped');
		expect(world.game.starts()).toBe(1);
		expect((await setup.power.observe()).reason).not.toMatch(/started again/);
		expect(await modSet(mods)).toEqual(OLD);
	});

	describe('on a server that had crashed', () => {
		const crash = async () => {
			await started();
			for (const { pid } of processesIn(folderId(world.game.dir)!)) process.kill(pid, 'SIGKILL');
			await expect.poll(() => setup.state()).toBe('crashed');
			return setup.power.observe();
		};

		test('is taken back: it is down because of that crash, and the next change leaves it running', async () => {
			const before = await crash();
			await heals();
			trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1 } });
			const operation = await run(await update());
			expect(operation).toMatchObject({ state: 'rolled-back' });
			expect(detail(operation, 'rollback')).toMatch(/The server is down, as it was before: it had/);
			const { endedAt, reason } = before;
			const swap = operation.steps.find(({ id }) => id === 'swap')!;
			expect(swap.label).toBe('Exchange the files; the server was down already');
			// Not the old crash, as if it were one of now.
			expect(swap.detail).not.toContain(reason);
			const { lastRun, ...seen } = await setup.power.observe();
			expect(seen).toMatchObject({ state: 'crashed', endedAt, reason });
			// It ran since, if not for long.
			expect(lastRun!.startedAt > endedAt!).toBe(true);
			expect(lastRun!.endedAt >= lastRun!.startedAt).toBe(true);
			delete trouble.take;
			expect(await run(await update())).toMatchObject({ state: 'succeeded' });
			expect(await setup.state()).toBe('running');
		});

		test('that never becomes ready is ended, which nobody is said to have done', async () => {
			const before = await crash();
			await heals();
			world.verifyTimeoutMs = 500;
			reopen();
			trouble.take = () => world.game.script({ bootMs: null });
			expect(await run(await update())).toMatchObject({ state: 'rolled-back' });
			expect(await setup.power.observe()).toMatchObject({
				...{ state: 'crashed', endedAt: before.endedAt, reason: before.reason }
			});
			expect(games()).toBe(0);
		});

		test('is taken back in the same way by the dashboard that follows one that was killed', async () => {
			const before = await crash();
			await heals();
			trouble.take = () => world.game.script({ bootMs: null });
			const { id } = await desk.changes.run(await update(), ADA);
			await expect.poll(games).toBe(1);
			const left = (await setup.journal.read(id))!;
			await setup.close();
			open();
			// What a killed process leaves is what lay there at that moment.
			await setup.journal.write(left);
			await world.game.command('exit 1');
			await expect.poll(games).toBe(0);
			await setup.operations.recover();
			expect(await setup.finished(await setup.operations.get(id))).toMatchObject({
				state: 'rolled-back'
			});
			const { endedAt, reason } = before;
			expect(await setup.power.observe()).toMatchObject({ state: 'crashed', endedAt, reason });
			expect(await modSet(mods)).toEqual(OLD);
		});

		test('is not followed by a restart, neither now nor by the dashboard that is started next', async () => {
			await crash();
			await heals();
			trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1 } });
			world.settings.autoRestart = true;
			const begun = desk.changes.run(await update(), ADA);
			setup.power.startWatching();
			expect(await setup.finished(await begun)).toMatchObject({ state: 'rolled-back' });
			const starts = world.game.starts();
			reopen();
			setup.power.startWatching();
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect(await setup.state()).toBe('crashed');
			expect(setup.operations.busy()).toBeNull();
			expect((await setup.power.observe()).restart).toBeNull();
			expect(world.game.starts()).toBe(starts);
		});
	});

	test('a version is not blamed for what would have stopped any version from starting', async () => {
		await started();
		await heals();
		const log = ['You need to agree to the EULA in order to run the server.'];
		trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1, log } });
		expect(await run(await update())).toMatchObject({ state: 'rolled-back' });
		expect(desk.failed).toEqual([]);
	});

	test('an old set that does not start either: failed, and it says so', async () => {
		await started();
		trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1 } });
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'failed' });
		expect(operation.cause?.message).toContain(
			'The old mods are in place again, but the server does not start with them either'
		);
		// The old set does not start either: nothing is held against the new version.
		expect(desk.failed).toEqual([]);
		expect(await modSet(mods)).toEqual(OLD);
		world.errors = [];
	});

	test('killing it while it stops goes on with the change, which says so', async () => {
		world.patience.graceMs = 60_000;
		reopen();
		await world.game.script({ stopMs: null });
		await started();
		await world.game.script({});
		const { id } = await desk.changes.run(await update(), ADA);
		// A stop that the killed one has not taken would be for the one started next.
		await soon(() => expect(world.game.log()).toContain('Stopping the server'));
		const ended = setup.finished(await setup.operations.get(id));
		await setup.power.kill(ADA);
		expect(await ended).toMatchObject({ state: 'succeeded', killedBy: 'ada' });
		expect(await modSet(mods)).toEqual(NEW);
	});

	test('a server that was killed before is not said to have been killed for a change', async () => {
		await started();
		await setup.power.kill(ADA);
		expect(await run(await update())).not.toHaveProperty('killedBy');
	});

	test('killing it during verification ends the verification', async () => {
		await started();
		world.patience.holdMs = 60_000;
		reopen();
		const { id } = await desk.changes.run(await update(), ADA);
		await soon(async () =>
			expect(steps(await setup.operations.get(id))).toMatchObject({ verify: 'running' })
		);
		await soon(() => expect(world.game.starts()).toBe(2));
		world.patience.holdMs = 20;
		const ended = setup.finished(await setup.operations.get(id));
		await setup.power.kill(ADA);
		// The old set is watched for as long: killed too, so that the test ends.
		await soon(() => expect(world.game.starts()).toBe(3));
		await setup.power.kill(ADA);
		expect(await ended).toMatchObject({ state: 'failed' });
		expect(desk.failed).toEqual([]);
		expect(await modSet(mods)).toEqual(OLD);
	});
});

function reopen() {
	const before = setup;
	open();
	cleanups.push(() => before.close());
}
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

describe('a rollback', () => {
	test('waits while the disk is full, and continues by itself', async () => {
		await started();
		trouble.retry = { everyMs: 5, forMs: 10_000 };
		reopen();
		trouble.take = () => world.game.script({ bootMs: null, exit: { code: 1 } });
		let tries = 0;
		trouble.putBack = async () => {
			const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
			if (++tries < 5) throw new AppError('internal', 'It is full.', { cause: full });
			await world.game.script({});
		};
		const operation = await run(await update());
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(tries).toBe(5);
		expect(await modSet(mods)).toEqual(OLD);
	});
});

describe('restoring a snapshot', () => {
	test('takes one of the present state first, verifies, and can itself be undone', async () => {
		await started();
		await run(await update());
		const [first] = ['20260102T030405Z-0001'];
		const operation = await setup.finished(await desk.changes.restore(first!, 'before', ADA));
		expect(operation).toMatchObject({
			kind: 'restore',
			state: 'succeeded',
			subject: 'the snapshot “before”'
		});
		expect(operation.steps.map(({ id }) => id)).toEqual([
			'lookup',
			'snapshot',
			'swap',
			'restart',
			'verify',
			'modpack'
		]);
		expect(await modSet(mods)).toEqual(OLD);
		expect(await desk.snapshots.count()).toBe(2);
		expect(await setup.state()).toBe('running');
	});

	test('that does not start is rolled back', async () => {
		await started();
		await run(await update());
		let times = 0;
		trouble.putBack = () =>
			world.game.script(times++ === 0 ? { bootMs: null, exit: { code: 1 } } : {});
		const operation = await setup.finished(
			await desk.changes.restore('20260102T030405Z-0001', '', ADA)
		);
		expect(operation).toMatchObject({ state: 'rolled-back' });
		expect(detail(operation, 'rollback')).toMatch(/did not start with the snapshot/);
		expect(await modSet(mods)).toEqual(NEW);
		expect(await setup.state()).toBe('running');
	});
});
