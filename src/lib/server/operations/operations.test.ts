import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import {
	ann,
	createKit,
	define,
	finished,
	gateStep,
	noting,
	run
} from '../../../../tests/faults/operations-kit.ts';
import { OperationId } from '#schemas/operation';
import { AppError } from '#core/errors';
import { OperationFailure, type OperationEvent, type StepPlan } from './index.ts';

const statuses = (operation: { steps: { id: string; status: string }[] }) =>
	operation.steps.map(({ id, status }) => `${id} ${status}`);

const inShort = (event: OperationEvent) => {
	if (event.type === 'step') return `${event.step.id} ${event.step.status}`;
	if (event.type === 'log') return event.log.step;
	return event.type === 'end' ? event.operation.state : 'operation';
};

describe('a successful operation', () => {
	test('returns at once, runs its steps in order and ends succeeded', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const gate = gateStep();
		define(kit, [gate.plan, noting(actions, 'one'), noting(actions, 'two')]);
		const begun = await run(kit);
		expect(OperationId.safeParse(begun.id).success).toBe(true);
		expect(begun).toMatchObject({
			kind: 'backup',
			subject: 'the world',
			by: 'ann',
			state: 'running'
		});
		expect(statuses(begun)).toEqual(['gate running', 'one pending', 'two pending']);
		expect(kit.operations.running()).toEqual(begun);
		expect(actions).toEqual([]);
		gate.open();
		const ended = await finished(kit.operations, begun);
		expect(ended).toMatchObject({ id: begun.id, state: 'succeeded', cause: null });
		expect(ended.finishedAt).not.toBeNull();
		expect(statuses(ended)).toEqual(['gate done', 'one done', 'two done']);
		expect(actions).toEqual(['one', 'two']);
		expect(kit.operations.running()).toBeNull();
		expect(await kit.operations.get(begun.id)).toEqual(ended);
		expect(await kit.operations.list()).toEqual([ended]);
	});

	test('each step is in the journal before it begins, with the one before it as done', async () => {
		const kit = await createKit();
		const seen: string[][] = [];
		const look: StepPlan['run'] = async ({ id }) => {
			const text = await readFile(path.join(kit.dir, 'operations', `${id}.json`), 'utf8');
			seen.push(statuses(JSON.parse(text).operation));
		};
		define(
			kit,
			['a', 'b'].map((id) => ({ id, label: id, run: look }))
		);
		await finished(kit.operations, run(kit));
		expect(seen).toEqual([
			['a running', 'b pending'],
			['a done', 'b running']
		]);
	});

	test('a step’s checkpoint is on disk before it continues, and the next step can read it', async () => {
		const kit = await createKit();
		const seen: unknown[] = [];
		define(kit, [
			noting([], 'a', {
				async run(ctx) {
					await ctx.remember({ file: 'x', n: 1 });
					await ctx.remember({ n: 2 });
					seen.push((await kit.journal.read(ctx.id))?.memo);
				}
			}),
			noting([], 'b', { run: async (ctx) => void seen.push(ctx.checkpoint) })
		]);
		await finished(kit.operations, run(kit));
		expect(seen).toEqual([
			{ file: 'x', n: 2 },
			{ file: 'x', n: 2 }
		]);
	});

	test('a step that skips itself is skipped, and the rest continues', async () => {
		const kit = await createKit();
		define(kit, [
			noting([], 'a', { run: async (ctx) => ctx.skip('Nothing to do') }),
			noting([], 'b')
		]);
		const ended = await finished(kit.operations, run(kit));
		expect(ended.steps).toMatchObject([
			{ status: 'skipped', detail: 'Nothing to do' },
			{ status: 'done' }
		]);
		expect(ended.state).toBe('succeeded');
	});

	test('the steps receive the input', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const steps = (input: { names: string[] }) => input.names.map((id) => noting(actions, id));
		kit.operations.define({ kind: 'backup', steps });
		await finished(kit.operations, run(kit, { names: ['x', 'y'] }));
		expect(actions).toEqual(['x', 'y']);
	});
});

describe('one at a time', () => {
	test('while players are told, another is refused with what is announced, and when', async () => {
		const kit = await createKit();
		const gate = gateStep('countdown', { announces: true, cancellable: true });
		kit.operations.define({ kind: 'restart', steps: () => [gate.plan] });
		define(kit, []);
		const first = await kit.operations.run('restart', {}, ann);
		const ctx = await gate.entered;
		await ctx.report({ countsDownTo: '2026-01-02T03:04:42.000Z' });
		await expect(run(kit)).rejects.toMatchObject({
			operation: first.id,
			message:
				'A restart is announced for 03:04:42 UTC (by ann). Wait until that has finished, or cancel it.'
		});
		gate.open();
		await finished(kit.operations, first);
	});

	test('another is refused at once with what is running, since when and by whom', async () => {
		const kit = await createKit();
		const gate = gateStep();
		define(kit, [gate.plan]);
		kit.operations.define({ kind: 'update', steps: () => [gate.plan] });
		const first = await kit.operations.run('update', {}, ann, 'Sodium');
		const refused = run(kit);
		await expect(refused).rejects.toMatchObject({ kind: 'conflict', operation: first.id });
		await expect(refused).rejects.toThrow(
			`Sodium is being updated since ${first.startedAt.slice(11, 19)} UTC (by ann).`
		);
		gate.open();
		await finished(kit.operations, first);
		expect((await finished(kit.operations, run(kit))).state).toBe('succeeded');
		expect(await kit.operations.list()).toHaveLength(2);
	});

	test('one whose end is only being written is waited for, and is told as it was until then', async () => {
		const end = Promise.withResolvers<void>();
		const kit = await createKit({
			journal: (real) => ({
				...real,
				async write(entry) {
					if (entry.operation.state === 'succeeded') await end.promise;
					await real.write(entry);
				}
			})
		});
		const gate = gateStep('gate', { cancellable: true });
		define(kit, [gate.plan]);
		const first = await run(kit);
		const told: string[] = [];
		kit.operations.watch(first.id, (event) => void told.push(inShort(event)));
		await gate.entered;
		gate.open();
		await expect.poll(() => kit.operations.busy()).toBeNull();
		const second = run(kit);
		expect(
			await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 400, 'waits'))])
		).toBe('waits');
		expect(told).toEqual([]);
		end.resolve();
		expect((await second).id).not.toBe(first.id);
		expect(await kit.operations.get(first.id)).toMatchObject({ state: 'succeeded' });
		await finished(kit.operations, second);
	});

	test('of ten requested at the same moment one runs', async () => {
		const kit = await createKit();
		const gate = gateStep();
		define(kit, [gate.plan]);
		const results = await Promise.allSettled(Array.from({ length: 10 }, () => run(kit)));
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		for (const result of results)
			if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'conflict' });
		gate.open();
	});

	test('the operation of another runner on the same data is respected, listed and shown', async () => {
		const clock = createManualClock();
		const here = await createKit();
		const there = await createKit({ dir: here.dir, clock });
		const gate = gateStep();
		for (const kit of [here, there]) define(kit, [gate.plan, noting([], 'next')]);
		const begun = await run(here);
		expect(there.operations.running()).toEqual(begun);
		await expect(run(there)).rejects.toMatchObject({ kind: 'conflict', operation: begun.id });
		await expect(there.operations.cancel(begun.id, ann)).rejects.toThrow('another process');

		there.operations.startWatching();
		const heard: string[] = [];
		const over = Promise.withResolvers<void>();
		there.operations.watch(begun.id, (event) => {
			heard.push(inShort(event));
			if (event.type === 'end') over.resolve();
		});
		await clock.advance(2000);
		gate.open();
		await finished(here.operations, begun);
		await clock.advance(2000);
		await over.promise;
		expect(heard).toEqual(['gate running', 'next pending', 'gate done', 'next done', 'succeeded']);
		expect(there.summaries.at(-1)).toMatchObject({
			id: begun.id,
			state: 'succeeded',
			cancellable: false
		});
		expect(there.operations.running()).toBeNull();
	});

	test('a lock held by someone else with nothing in the journal is a conflict within a second', async () => {
		const here = await createKit();
		const there = await createKit({ dir: here.dir });
		define(here, [noting([], 'a')]);
		there.lock.tryAcquire();
		await expect(run(here)).rejects.toMatchObject({ kind: 'conflict', operation: null });
		there.lock.release();
		expect((await finished(here.operations, run(here))).state).toBe('succeeded');
	});
});

describe('a step that fails', () => {
	test('undoes what was done in reverse, and only that', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const undo = async () => {};
		define(kit, [
			noting(actions, 'a', { undo }),
			noting(actions, 'b'),
			noting(actions, 'c', { undo }),
			noting(actions, 'skipped', { undo, run: async (ctx) => ctx.skip('no') }),
			noting(actions, 'bad', {
				undo,
				run: async () => {
					throw new AppError('upstream', 'The other side failed.');
				}
			}),
			noting(actions, 'never', { undo })
		]);
		const ended = await finished(kit.operations, run(kit));
		expect(actions).toEqual(['a', 'b', 'c', 'skipped', 'bad', '-c', '-a']);
		expect(ended.state).toBe('failed');
		expect(ended.cause).toEqual({ message: 'The other side failed.', log: [], mods: [] });
		expect(statuses(ended)).toEqual([
			...['a undone', 'b done', 'c undone', 'skipped skipped', 'bad failed', 'never skipped']
		]);
		expect(ended.steps.slice(-2)).toMatchObject([
			{ detail: 'The other side failed.' },
			{ detail: 'Not reached' }
		]);
	});

	test('leaves a step as it was whose undo finds nothing to undo', async () => {
		const kit = await createKit();
		define(kit, [
			noting([], 'a', { run: async (ctx) => ctx.detail('Said'), undo: async (ctx) => ctx.skip() }),
			noting([], 'bad', { run: () => Promise.reject(new AppError('upstream', 'No.')) })
		]);
		const { steps } = await finished(kit.operations, run(kit));
		expect(steps[0]).toMatchObject({ status: 'done', detail: 'Said' });
	});

	test('names the cause it throws', async () => {
		const kit = await createKit();
		const cause = { message: 'A mod is missing.', log: ['[main/ERROR] boom'], mods: ['sodium'] };
		define(kit, [
			noting([], 'a', {
				run: async () => {
					throw new OperationFailure(cause);
				}
			})
		]);
		expect((await finished(kit.operations, run(kit))).cause).toEqual({ ...cause, titles: {} });
	});

	test('calls the mods to blame what people call them at that moment', async () => {
		const titles: Record<string, string> = { sodium: 'Sodium' };
		const kit = await createKit({ titlesOf: async () => ({ ...titles }) });
		const cause = { message: 'sodium 0.6 broke.', log: ['sodium'], mods: ['sodium'] };
		const steps = [
			noting([], 'a', {
				run: async () => {
					throw new OperationFailure(cause);
				}
			})
		];
		const rollback = noting([], 'back', { run: async () => void delete titles['sodium'] });
		define(kit, steps, { rollback });
		const ended = await finished(kit.operations, run(kit));
		expect(ended.cause).toEqual({
			...cause,
			message: 'Sodium 0.6 broke.',
			titles: { sodium: 'Sodium' }
		});
		expect(ended.steps[0]?.detail).toBe('Sodium 0.6 broke.');
	});

	test('says what to do about what stays in place, and not about what was taken back', async () => {
		const failing = async (definition: { rollback?: StepPlan }) => {
			const kit = await createKit();
			const cause = { message: 'Sodium broke.', log: [], mods: [], advice: 'Remove Sodium.' };
			const broken = async () => {
				throw new OperationFailure(cause);
			};
			define(kit, [noting([], 'a', { run: broken })], definition);
			const { cause: told, steps } = await finished(kit.operations, run(kit));
			expect(steps[0]?.detail).toBe(told?.message);
			return told;
		};
		const told = { log: [], mods: [] };
		expect(await failing({})).toEqual({ ...told, message: 'Sodium broke. Remove Sodium.' });
		const rollback = noting([], 'back');
		expect(await failing({ rollback })).toEqual({ ...told, message: 'Sodium broke.' });
	});

	test('shows a bug as an id that is in the log beside the real cause', async () => {
		const kit = await createKit();
		define(kit, [
			noting([], 'a', {
				run: async () => {
					throw new TypeError('x is not a function');
				}
			})
		]);
		const { cause } = await finished(kit.operations, run(kit));
		const id = /^Something went wrong \(id ([0-9a-f]{8})\)\. Try again; /.exec(cause!.message)?.[1];
		expect(id).toBeDefined();
		expect(kit.said).toContainEqual(
			expect.objectContaining({
				level: 'error',
				facts: expect.objectContaining({ id, cause: expect.any(TypeError) })
			})
		);
	});

	test('a failed undo is reported, the rest is undone, and it ends failed', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const undo = async () => {};
		define(kit, [
			noting(actions, 'a', { undo }),
			noting(actions, 'stuck', {
				undo: async () => {
					throw new AppError('offline', 'The server is offline.');
				}
			}),
			noting(actions, 'bad', { run: () => Promise.reject(new AppError('timeout', 'Too slow.')) })
		]);
		const ended = await finished(kit.operations, run(kit));
		expect(actions).toEqual(['a', 'stuck', 'bad', '-stuck', '-a']);
		expect(ended.state).toBe('failed');
		expect(ended.steps[1]).toMatchObject({
			status: 'failed',
			detail: 'Could not be undone: The server is offline.'
		});
		expect(ended.cause?.message).toBe('Too slow. Not everything could be undone: Doing stuck.');
	});

	test('a rollback replaces the undo and ends rolled-back', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		define(
			kit,
			[
				noting(actions, 'a', { undo: async () => {}, run: (ctx) => ctx.remember({ snapshot: 7 }) }),
				noting(actions, 'bad', { run: () => Promise.reject(new AppError('timeout', 'Too slow.')) })
			],
			{
				rollback: noting(actions, 'rollback', {
					run: async ({ checkpoint }) => void actions.push(`to ${checkpoint.snapshot}`)
				})
			}
		);
		const ended = await finished(kit.operations, run(kit));
		expect(actions).toEqual(['a', 'bad', 'rollback', 'to 7']);
		expect(ended.state).toBe('rolled-back');
		expect(ended.cause?.message).toBe('Too slow.');
		expect(statuses(ended)).toEqual(['a done', 'bad failed', 'rollback done']);
		// It is said while it lasts, and not before or afterwards.
		const told = kit.summaries.map(({ state, rollsBack = false }) => `${state} ${rollsBack}`);
		expect([...new Set(told)]).toEqual(['running false', 'running true', 'rolled-back false']);
	});

	test('a rollback that fails ends failed and reports both; one that has nothing to do ends failed, too', async () => {
		const kit = await createKit();
		const bad = noting([], 'bad', {
			run: () => Promise.reject(new AppError('timeout', 'Too slow.'))
		});
		const run2 = async () => {
			throw new AppError('internal', 'The snapshot is gone.');
		};
		define(kit, [bad], { rollback: noting([], 'rollback', { run: run2 }) });
		const ended = await finished(kit.operations, run(kit));
		expect(ended.state).toBe('failed');
		expect(ended.cause?.message).toBe('Too slow. The rollback failed too: The snapshot is gone.');
		define(kit, [bad], {
			rollback: noting([], 'rollback', {
				run: () => Promise.reject(new AppError('timeout', 'Too slow. Wait.'))
			})
		});
		expect((await finished(kit.operations, run(kit))).cause?.message).toBe(
			'Too slow. The rollback failed for the same reason. Wait.'
		);
		define(kit, [bad], {
			rollback: noting([], 'rollback', { run: async (ctx) => ctx.skip('Nothing was changed') })
		});
		const second = await finished(kit.operations, run(kit));
		expect(second.state).toBe('failed');
		expect(statuses(second)).toEqual(['bad failed', 'rollback skipped']);
	});
});

describe('what is reported', () => {
	test('each change of a step reaches watchers and the bus, in order, and the end once', async () => {
		const kit = await createKit();
		const gate = gateStep();
		define(kit, [gate.plan, noting([], 'b')]);
		const { id } = await run(kit);
		await gate.entered;
		const heard: string[] = [];
		kit.operations.watch(id, (event) => {
			heard.push(inShort(event));
			throw new Error('a watcher of an operation fails');
		});
		gate.open();
		await finished(kit.operations, kit.operations.get(id));
		expect(heard).toEqual(['gate done', 'b running', 'b done', 'succeeded']);
		const told = kit.summaries.map(({ state, step }) => `${state} ${step}`);
		expect(told[0]).toBe('running Waiting at gate');
		expect(told.at(-1)).toBe('succeeded null');
		expect(told).toContain('running Doing b');
	});

	test('a watcher that subscribes after the end receives it, one that unsubscribed receives nothing', async () => {
		const kit = await createKit();
		define(kit, [noting([], 'a')]);
		const ended = await finished(kit.operations, run(kit));
		expect((await finished(kit.operations, ended)).state).toBe('succeeded');
		const heard: unknown[] = [];
		kit.operations.watch(ended.id, (event) => heard.push(event))();
		await finished(kit.operations, ended);
		expect(heard).toEqual([]);
	});

	/** An operation in a step that can be made to report, and how often the journal is written. */
	async function speaking() {
		const clock = createManualClock();
		const written = { count: 0 };
		const kit = await createKit({
			clock,
			journal: (real) => ({ ...real, write: (entry) => (written.count++, real.write(entry)) })
		});
		const gate = gateStep();
		define(kit, [gate.plan]);
		const { id } = await run(kit);
		return { clock, written, kit, gate, id, ctx: await gate.entered };
	}

	test('progress is reported four times and written once a second, the last update always', async () => {
		const { clock, written, kit, gate, id, ctx } = await speaking();
		await clock.advance(5000);
		const heard: (number | undefined)[] = [];
		kit.operations.watch(
			id,
			(event) => event.type === 'step' && heard.push(event.step.progress?.done)
		);
		written.count = 0;
		for (let i = 1; i <= 300; i++) {
			ctx.progress(i, 300, 'files');
			await clock.advance(10);
		}
		expect(heard.length).toBeGreaterThan(8);
		expect(heard.length).toBeLessThanOrEqual(13);
		expect(written.count).toBeLessThanOrEqual(4);
		ctx.detail('x'.repeat(1000));
		gate.open();
		const ended = await finished(kit.operations, kit.operations.get(id));
		expect(heard.at(-1)).toBe(300);
		expect(ended.steps[0]).toMatchObject({ progress: { done: 300, total: 300, unit: 'files' } });
		expect(ended.steps[0]?.detail).toHaveLength(500);
		expect((await kit.journal.read(id))?.operation).toEqual(ended);
	});

	test('a step that repeats itself reports and writes nothing', async () => {
		const { clock, written, kit, gate, id, ctx } = await speaking();
		ctx.detail('Waiting.');
		ctx.progress(1, 2, 'files');
		await clock.advance(2000);
		const heard: string[] = [];
		kit.operations.watch(id, ({ type }) => heard.push(type));
		await clock.advance(1);
		heard.length = written.count = 0;
		for (let i = 0; i < 4; i++) {
			ctx.detail('Waiting.');
			ctx.progress(1, 2, 'files');
			await clock.advance(1000);
		}
		expect(heard).toEqual([]);
		expect(written.count).toBe(0);
		ctx.detail('Nearly there.');
		await clock.advance(1000);
		expect(heard).toEqual(['step']);
		await expect.poll(() => written.count).toBe(1);
		gate.open();
		await finished(kit.operations, kit.operations.get(id));
	});

	test('a step that has ended can report nothing more', async () => {
		const kit = await createKit();
		const gate = gateStep();
		let late: Parameters<StepPlan['run']>[0] | undefined;
		define(kit, [noting([], 'a', { run: async (ctx) => void (late = ctx) }), gate.plan]);
		const begun = await run(kit);
		await gate.entered;
		late!.progress(1, 2, 'x');
		late!.detail('too late');
		await expect(late!.remember({ a: 1 })).rejects.toThrow('is over');
		gate.open();
		const ended = await finished(kit.operations, begun);
		expect(ended.steps[0]).toMatchObject({ detail: null, progress: null });
	});
});

describe('the server log lines that a step shows', () => {
	test('go to watchers, the newest lines only, and never to the disk', async () => {
		const kit = await createKit();
		const gate = gateStep();
		define(kit, [gate.plan]);
		const begun = await run(kit);
		const { log } = await gate.entered;
		expect(kit.operations.log(begun.id)).toBeNull();
		const heard: OperationEvent[] = [];
		kit.operations.watch(begun.id, (event) => event.type === 'log' && heard.push(event));
		const lines = Array.from({ length: 60 }, (_, i) => `line ${i} ${'x'.repeat(400)}`);
		log(lines);
		await expect.poll(() => heard).toHaveLength(1);
		const shown = kit.operations.log(begun.id)!;
		expect(heard).toEqual([{ type: 'log', log: shown }]);
		expect(shown.step).toBe('gate');
		expect(shown.lines).toHaveLength(40);
		expect(shown.lines.at(-1)).toMatch(/^line 59 x+$/);
		expect(Math.max(...shown.lines.map(({ length }) => length))).toBe(300);
		gate.open();
		await finished(kit.operations, begun);
		log(['too late']);
		await expect.poll(() => kit.operations.log(begun.id)).toBeNull();
		const text = await readFile(path.join(kit.dir, 'operations', `${begun.id}.json`), 'utf8');
		expect(text).not.toContain('line 59');
	});
});
