import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	modSet,
	openMods,
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
import type { Operation } from '#schemas/operation';
import { AppError } from '#core/errors';
import type { TrialVerdict } from '#trial';
import type { ModChange } from './index.ts';
import { whyNoTrial } from './trial.ts';

let world: World;
let setup: Setup;
let trouble: Trouble;
let mods: string;
let desk: ReturnType<typeof openMods>;
/** The sets that were started on a copy. */
let booted: string[][];

const FAILS = (message: string): TrialVerdict => ({
	verdict: 'bad',
	fingerprint: message,
	cause: { message, log: [], mods: ['lithium'] },
	readyMs: null,
	durationMs: 1000
});
const STARTS: TrialVerdict = {
	verdict: 'good',
	fingerprint: null,
	cause: null,
	readyMs: 900,
	durationMs: 1000
};
const isNew = (set: string[]) => set.includes('lithium-0.13.1.jar');

beforeEach(async () => {
	world = await createWorld();
	mods = path.join(world.game.dir, 'mods');
	await mkdir(mods);
	await writeFile(path.join(mods, 'lithium-0.13.0.jar'), 'lithium 0.13.0');
	await writeFile(path.join(mods, 'other.jar'), 'other');
	booted = [];
	trouble = {};
	setup = openSetup(world);
	const { operations, power } = setup;
	const { dataDir } = world;
	desk = openMods({ operations, server: power.serverControl, modsDir: mods, dataDir, trouble });
	await setup.finished(await setup.power.start(NOW, ADA));
});
afterEach(async () => {
	await setup.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});

const answer = (verdictOf: (set: string[]) => TrialVerdict) => {
	trouble.boot = async (jars) => {
		const set = jars.map(({ fileName }) => fileName).sort();
		booted.push(set);
		return verdictOf(set);
	};
};
const update = async (facts: Partial<ModChange> = {}) => {
	const change = await updateOf(
		mods,
		{
			from: { fileName: 'lithium-0.13.0.jar', title: 'Lithium 0.13.0' },
			to: { fileName: 'lithium-0.13.1.jar', title: 'Lithium 0.13.1', content: 'lithium 0.13.1' }
		},
		facts
	);
	return setup.finished(await desk.changes.run(change, ADA));
};
const trialOf = ({ steps }: Operation) => steps.find(({ id }) => id === 'trial');
const NAMES = ['lithium-0.13.0.jar', 'other.jar'];
const NEW = ['lithium-0.13.1.jar', 'other.jar'];

describe('a change of the mods of a running server is tried on a copy first', () => {
	test('and continues when that starts', async () => {
		answer(() => STARTS);
		const operation = await update();
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(trialOf(operation)).toMatchObject({
			status: 'done',
			detail:
				'The new set started on a copy of the server in 900 ms. Watching and stopping it took 100 ms.'
		});
		expect(booted).toEqual([NEW]);
		expect(operation.boots).toMatchObject([
			{ files: ['lithium-0.13.1.jar'], verdict: 'good', control: false }
		]);
	});

	test('and fails, with nothing changed and the server never stopped, when only the new set does not start', async () => {
		answer((set) => (isNew(set) ? FAILS('Lithium is broken.') : STARTS));
		const operation = await update();
		expect(operation).toMatchObject({
			state: 'failed',
			cause: {
				message: expect.stringMatching(/^Lithium is broken\..*never stopped/),
				mods: ['lithium'],
				onCopy: true
			}
		});
		expect(booted).toEqual([NEW, NAMES]);
		expect(operation.boots?.map(({ control }) => control)).toEqual([false, true]);
		// Of both boots from the beginning, and while a copy is watched: what is said while one waits does not move.
		expect(operation.steps.find(({ id }) => id === 'trial')?.expected).toEqual({
			usualMs: null,
			limitMs: 280_000
		});
		expect(Object.keys(await modSet(mods)).sort()).toEqual(NAMES);
		expect(world.game.starts()).toBe(1);
		expect(await setup.state()).toBe('running');
		expect(operation.steps.find(({ id }) => id === 'swap')).toMatchObject({ status: 'skipped' });
		const sha512s = [expect.any(String)];
		expect(desk.failed).toEqual([
			{ operationId: operation.id, sha512s, alone: true, onCopy: true, control: true }
		]);
	});

	test('and continues when the present set does not start there either', async () => {
		answer(() => FAILS('It needs the network.'));
		const operation = await update();
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(trialOf(operation)).toMatchObject({
			status: 'done',
			detail: expect.stringMatching(/inconclusive/)
		});
		expect(booted).toEqual([NEW, NAMES]);
		expect(desk.failed).toEqual([]);
	});

	test('and continues when the boot ended for an unrelated reason', async () => {
		answer(() => ({ ...FAILS('The disk is nearly full.'), verdict: 'indeterminate' }));
		expect(await update()).toMatchObject({ state: 'succeeded' });
		expect(booted).toEqual([NEW]);
	});

	test.each(['the new set', 'the present set'])(
		'and continues when the memory for %s is gone by the time it is started',
		async (which) => {
			answer((set) => {
				if (isNew(set) === (which === 'the new set'))
					throw new AppError('conflict', 'There is not enough memory.');
				return FAILS('Lithium is broken.');
			});
			const operation = await update();
			expect(operation).toMatchObject({ state: 'succeeded' });
			expect(trialOf(operation)).toMatchObject({
				status: 'done',
				detail: expect.stringMatching(
					/inconclusive: it could not be completed.* not enough memory\./
				)
			});
			expect(desk.failed).toEqual([]);
		}
	);

	test('and fails, with nothing changed, when the disk has no space for the copy', async () => {
		answer(() => {
			throw new AppError('internal', 'The copy could not be made: the disk is full.');
		});
		expect(await update()).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/the disk is full/) }
		});
		expect(Object.keys(await modSet(mods)).sort()).toEqual(NAMES);
		expect(world.game.starts()).toBe(1);
	});

	test('unless it is switched off, or not possible', async () => {
		answer(() => STARTS);
		const asked = await update({ skipTrial: true });
		expect(trialOf(asked)).toMatchObject({
			status: 'skipped',
			detail: expect.stringMatching(/as requested/)
		});
		expect(booted).toEqual([]);
	});

	test('unless nothing is loaded that was not before', async () => {
		const disable = { kind: 'disable' } as ModChange;
		await expect(whyNoTrial({} as never, disable)).resolves.toBe(
			'A disabled mod is not loaded, so there is nothing to try.'
		);
	});

	test('unless the server is stopped anyway', async () => {
		answer(() => STARTS);
		await setup.finished(await setup.power.stop(NOW, ADA));
		expect(trialOf(await update())).toMatchObject({
			status: 'skipped',
			detail: expect.stringMatching(/is not running/)
		});
		expect(booted).toEqual([]);
	});

	test('where there is no sandbox, the step says so and the change continues', async () => {
		const operation = await update();
		expect(operation).toMatchObject({ state: 'succeeded' });
		expect(trialOf(operation)).toMatchObject({
			status: 'skipped',
			detail: expect.stringMatching(/no sandbox/)
		});
	});

	test('a manual change in the meantime ends it, and blames nobody', async () => {
		answer((set) => (isNew(set) ? FAILS('Lithium is broken.') : STARTS));
		const boot = trouble.boot!;
		trouble.boot = async (...call) => {
			await writeFile(path.join(mods, 'mine.jar'), 'mine');
			return boot(...call);
		};
		const operation = await update();
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/mine\.jar was added/) }
		});
		expect(world.game.starts()).toBe(1);
	});
});

test('dependencies missing by the new jars’ own metadata are refused before anything is started', async () => {
	answer(() => STARTS);
	trouble.preflight = async () => ['Lithium needs Wick, which is not there.'];
	const operation = await update();
	expect(operation).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringMatching(/needs Wick/) }
	});
	expect(booted).toEqual([]);
	expect(world.game.starts()).toBe(1);
});
