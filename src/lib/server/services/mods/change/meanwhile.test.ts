import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
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
import {
	culpritsAt,
	fill,
	GUILTY,
	modsIn,
	MODS
} from '../../../../../../tests/faults/programs/culprit-desk.ts';
import type { Operation } from '#schemas/operation';
import type { ModChange } from './index.ts';
import { systemClock } from '#core/clock';
import type { TrialVerdict } from '#trial';

const BACK_OFF_MS = 10_000;
/** In which nobody waits for an automatic restart. */
const clock = {
	...systemClock,
	sleep: (ms: number, signal?: AbortSignal) =>
		systemClock.sleep(ms === BACK_OFF_MS ? 10 : ms, signal)
};
const BESIDE = ['update', 'culprit'] as const;
const GOOD: TrialVerdict = {
	...{ verdict: 'good', fingerprint: null, cause: null },
	...{ readyMs: 900, durationMs: 1000 }
};
const BAD: TrialVerdict = {
	...{ verdict: 'bad', fingerprint: 'x', readyMs: null, durationMs: 1000 },
	cause: { message: 'Lithium is broken.', log: [], mods: [] }
};

let world: World;
let setup: Setup;
let trouble: Trouble;
let mods: string;
let desk: ReturnType<typeof openMods>;
let backups: Operation[];

beforeEach(async () => {
	world = await createWorld();
	world.settings.autoRestart = true;
	mods = path.join(world.game.dir, 'mods');
	await mkdir(mods);
	await writeFile(path.join(mods, 'lithium-0.13.0.jar'), 'lithium 0.13.0');
	trouble = {};
	backups = [];
	open();
	await setup.finished(await setup.power.start(NOW, ADA));
	setup.power.startWatching();
});
function open() {
	setup = openSetup(world, { clock, beside: [...BESIDE] });
	const { operations, power } = setup;
	const { dataDir } = world;
	operations.define({
		kind: 'backup',
		steps: () => [{ id: 'pack', label: 'Pack', run: async () => {} }]
	});
	desk = openMods({ operations, server: power.serverControl, modsDir: mods, dataDir, trouble });
}
afterEach(async () => {
	await setup.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});

/** What may happen to the live server while something is booted beside it. */
const HAPPENINGS = {
	stopped: async () => {
		expect(await setup.finished(await setup.power.stop(NOW, ADA))).toMatchObject(DONE);
	},
	restarted: async () => {
		expect(await setup.finished(await setup.power.restart(NOW, ADA))).toMatchObject(DONE);
	},
	'stopped and started': async () => {
		await HAPPENINGS.stopped();
		expect(await setup.finished(await setup.power.start(NOW, ADA))).toMatchObject(DONE);
	},
	'backed up': async () => {
		const backup = await setup.operations.run('backup', {}, ADA, 'the world');
		backups.push(await setup.finished(backup));
		expect(backups).toMatchObject([DONE]);
	},
	/** It is started again by itself. */
	crashed: async () => {
		await world.game.command('exit 1');
		await expect.poll(() => world.game.starts(), { timeout: 10_000 }).toBe(2);
		await expect.poll(setup.state, { timeout: 10_000 }).toBe('running');
	}
};
const DONE = { state: 'succeeded' };
type Happening = keyof typeof HAPPENINGS;
const ALL = Object.keys(HAPPENINGS) as Happening[];

const begin = async (facts: Partial<ModChange> = {}) => {
	const jars = {
		from: { fileName: 'lithium-0.13.0.jar', title: 'Lithium 0.13.0' },
		to: { fileName: 'lithium-0.13.1.jar', title: 'Lithium 0.13.1', content: 'lithium 0.13.1' }
	};
	return desk.changes.run(await updateOf(mods, jars, facts), ADA);
};
const update = async () => setup.finished(await begin());
/** Once, at the first boot. */
const during = (happens: () => Promise<unknown>, verdictOf: (names: string[]) => TrialVerdict) => {
	let happened = false;
	trouble.boot = async (jars) => {
		if (!happened) {
			happened = true;
			await happens();
		}
		return verdictOf(jars.map(({ fileName }) => fileName));
	};
};
const names = async () => Object.keys(await modSet(mods));

describe('while a change is tried on a copy, the live server', () => {
	test.each(ALL)('may be %s: that continues at once, and the change afterwards', async (what) => {
		during(HAPPENINGS[what], () => GOOD);
		expect(await update()).toMatchObject({ state: 'succeeded', boots: [{ verdict: 'good' }] });
		expect(await names()).toEqual(['lithium-0.13.1.jar']);
		// Whoever stopped it wants it to stay stopped.
		expect(await setup.state()).toBe(what === 'stopped' ? 'stopped' : 'running');
	});

	test.each(ALL)('may be %s, and a failed trial changes nothing about that', async (what) => {
		during(HAPPENINGS[what], (set) => (set.includes('lithium-0.13.1.jar') ? BAD : GOOD));
		expect(await update()).toMatchObject({
			state: 'failed',
			boots: [{ verdict: 'bad' }, { verdict: 'good' }]
		});
		expect(await names()).toEqual(['lithium-0.13.0.jar']);
		expect(await setup.state()).toBe(what === 'stopped' ? 'stopped' : 'running');
		const restarts = ['restarted', 'stopped and started', 'crashed'].includes(what) ? 1 : 0;
		expect(world.game.starts()).toBe(1 + restarts);
	});

	test('keeps running, and nothing is replaced, when its mods were changed by hand', async () => {
		during(
			() => writeFile(path.join(mods, 'mine.jar'), 'mine'),
			() => GOOD
		);
		expect(await update()).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/mine\.jar was added/) }
		});
		expect(await names()).toEqual(['lithium-0.13.0.jar', 'mine.jar']);
		expect(world.game.starts()).toBe(1);
		expect(await setup.state()).toBe('running');
	});
});

test('restoring a snapshot while a change is tried removes none of its downloads', async () => {
	during(
		async () => {
			// The snapshot that the change itself has taken.
			const restore = await desk.changes.restore('20260102T030405Z-0001', '', ADA);
			expect(await setup.finished(restore)).toMatchObject(DONE);
		},
		() => GOOD
	);
	expect(await update()).toMatchObject(DONE);
	expect(await names()).toEqual(['lithium-0.13.1.jar']);
});

describe('while players are told of a change, and it waits', () => {
	const MINUTE = { seconds: 60, message: 'New mobs!' };
	const told = () =>
		world.sent.flatMap((line) => /^tellraw @a .*"text":"(.*?)"/.exec(line)?.[1] ?? []);
	const countdown = ({ steps }: Operation) => steps.find(({ id }) => id === 'countdown');
	const waiting = async (facts: Partial<ModChange> = {}) => {
		const { id } = await begin({ countdown: MINUTE, ...facts });
		await expect
			.poll(async () => countdown(await setup.operations.get(id))?.detail)
			.toBe('Announced in game.');
		return setup.operations.get(id);
	};
	const isAsBefore = async () => {
		expect(await names()).toEqual(['lithium-0.13.0.jar']);
		expect(await setup.state()).toBe('running');
		expect(world.game.starts()).toBe(1);
		expect(await desk.snapshots.count()).toBe(0);
	};

	test('its end is the stop: nobody is told a second time', async () => {
		world.players = 2;
		const operation = await setup.finished(
			await begin({ countdown: { seconds: 2, message: '' }, backupFirst: true })
		);
		expect(operation).toMatchObject(DONE);
		expect(operation.steps.map(({ id }) => id)).toEqual([
			...['lookup', 'snapshot', 'download', 'trial', 'backup', 'countdown', 'swap'],
			...['restart', 'verify', 'modpack']
		]);
		expect(told()).toEqual([
			'The server restarts in 2 seconds. Its mods are being changed.',
			'The server restarts in 1 second. Its mods are being changed.'
		]);
	});

	test('a change that needs no restart does not wait', async () => {
		const change = await updateOf(
			mods,
			{
				from: { fileName: 'lithium-0.13.0.jar', title: 'Lithium 0.13.0' },
				to: { fileName: 'lithium-0.13.1.jar', title: 'Lithium 0.13.1', content: 'x' }
			},
			{ restart: false, countdown: MINUTE }
		);
		for (const one of [...change.put, ...change.take]) one.side = 'client';
		const operation = await setup.finished(await desk.changes.run(change, ADA));
		expect(operation).toMatchObject(DONE);
		expect(countdown(operation)).toBeUndefined();
		expect(told()).toEqual([]);
	});

	test('a cancel leaves everything as it was, and the players are told', async () => {
		const { id } = await waiting({ backupFirst: true });
		await setup.operations.cancel(id, ADA);
		expect(await setup.finished(await setup.operations.get(id))).toMatchObject({
			state: 'cancelled'
		});
		expect(told()).toEqual([
			'The server restarts in 1 minute. New mobs!',
			'The restart was called off.'
		]);
		await isAsBefore();
	});

	test('a change that is refused when it has ended is called off to the players', async () => {
		const { id } = await waiting({ countdown: { seconds: 2, message: '' } });
		await writeFile(path.join(mods, 'mine.jar'), 'mine');
		const ended = await setup.finished(await setup.operations.get(id));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/mine\.jar was added/) }
		});
		expect(told().at(-1)).toBe('The restart was called off.');
		expect(ended.steps.at(-1)).toMatchObject({
			id: 'rollback',
			announced: { text: 'The restart was called off.' }
		});
		expect(world.game.starts()).toBe(1);
	});

	test('a snapshot is put back after it too', async () => {
		expect(await update()).toMatchObject(DONE);
		const wish = {
			snapshot: '20260102T030405Z-0001',
			by: 'ada',
			countdown: { ...MINUTE, seconds: 1 }
		};
		const ended = await setup.finished(await setup.operations.run('restore', wish, ADA));
		expect(ended).toMatchObject(DONE);
		expect(countdown(ended)).toMatchObject({ status: 'done' });
		expect(told()).toEqual(['The server restarts in 1 second. New mobs!']);
		expect(await names()).toEqual(['lithium-0.13.0.jar']);
	});

	test('a backup goes on, also when the change has made one before', async () => {
		const { id } = await waiting({ backupFirst: true });
		await HAPPENINGS['backed up']();
		await setup.operations.cancel(id, ADA);
	});

	test('a server that is stopped is not waited for', async () => {
		const operation = await waiting();
		await world.game.command('stop');
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject(DONE);
		expect(countdown(ended)).toMatchObject({
			status: 'skipped',
			detail: expect.stringMatching(/ended in the meantime/)
		});
		expect(told()).not.toContain('The restart was called off.');
		expect(await names()).toEqual(['lithium-0.13.1.jar']);
		expect(await setup.state()).toBe('stopped');
	});

	test('nobody else stops or restarts the server: who wants to is told what is announced', async () => {
		const { id } = await waiting();
		for (const action of ['stop', 'restart'] as const)
			await expect(setup.power[action](NOW, ADA)).rejects.toMatchObject({
				kind: 'conflict',
				operation: id,
				message: expect.stringMatching(
					/is being updated \(by ada\), and the restart is announced for .* UTC\. Wait until that has finished, or cancel it\.$/
				)
			});
		await setup.operations.cancel(id, ADA);
		await setup.finished(await setup.operations.get(id));
		await isAsBefore();
		await HAPPENINGS.stopped();
	});

	test.each(['closed', 'killed'])(
		'a dashboard that was %s goes on where it was, and calls nothing off',
		async (how) => {
			const { id } = await waiting({ countdown: { seconds: 4, message: '' } });
			const left = (await setup.journal.read(id))!;
			await setup.close();
			open();
			// What a killed process leaves is what lay there at that moment.
			if (how === 'killed') await setup.journal.write(left);
			await setup.operations.recover();
			const ended = await setup.finished(await setup.operations.get(id));
			expect(ended).toMatchObject(DONE);
			expect(countdown(ended)).toMatchObject({ status: 'done' });
			expect(told()).not.toContain('The restart was called off.');
			expect(told().filter((text) => /in 4 seconds/.test(text)).length).toBeLessThan(3);
			expect(await names()).toEqual(['lithium-0.13.1.jar']);
			expect(await setup.state()).toBe('running');
		}
	);
});

describe('while the mod to blame is searched for, the live server', () => {
	let dir: string;
	beforeEach(async () => {
		dir = await mkdtemp(path.join(os.tmpdir(), 'meanwhile-'));
		await fill(dir);
	});
	afterEach(() => rm(dir, { recursive: true, force: true }));

	async function search(happens: () => Promise<unknown>) {
		let boots = 0;
		const { operations, journal } = setup;
		const booting = async () => void (++boots === 2 && (await happens()));
		const culprits = culpritsAt(dir, { operations, journal, clock, booting });
		return setup.finished(await culprits.start({ scope: 'all' }, ADA));
	}

	test.each(ALL)('may be %s: that continues at once, and so does the search', async (what) => {
		const operation = await search(HAPPENINGS[what]);
		expect(operation).toMatchObject({
			state: 'succeeded',
			result: { culprits: [{ fileName: GUILTY }] }
		});
		expect(await setup.state()).toBe(what === 'stopped' ? 'stopped' : 'running');
		expect(Object.keys(await modSet(modsIn(dir)))).toEqual(MODS);
	});

	test('has its mods changed by hand only: the search ends and says so, and blames nobody', async () => {
		const operation = await search(() => rm(path.join(modsIn(dir), 'a.jar')));
		expect(operation).toMatchObject({
			state: 'failed',
			cause: { message: 'The mods were changed during the search: a.jar is gone. It has ended.' },
			boots: [{ verdict: 'good' }, { verdict: 'bad' }]
		});
		expect(operation.result).toBeUndefined();
	});

	test('cannot be updated from here: anyone who tries is told what is running', async () => {
		await search(async () => {
			await expect(update()).rejects.toMatchObject({
				kind: 'conflict',
				message: expect.stringMatching(/is being searched/)
			});
		});
		expect(await names()).toEqual(['lithium-0.13.0.jar']);
	});
});
