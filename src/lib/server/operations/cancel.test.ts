import { describe, expect, test } from 'vitest';
import {
	ann,
	createKit,
	define,
	finished,
	gateStep,
	noting,
	run
} from '../../../../tests/faults/operations-kit.ts';
import { AppError } from '#core/errors';
import { toSummary } from './index.ts';

describe('cancel', () => {
	test('stops a cancellable step, undoes what was done and ends cancelled', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const gate = gateStep('gate', { cancellable: true });
		define(kit, [
			noting(actions, 'a', { undo: async () => {} }),
			gate.plan,
			noting(actions, 'never')
		]);
		const { id } = await run(kit);
		await gate.entered;
		expect(toSummary(kit.operations.running()!)).toMatchObject({
			cancellable: true,
			step: 'Waiting at gate'
		});
		// The whole operation says the same, wherever it comes from; the disk does not: there nobody can cancel it.
		expect(await kit.operations.get(id)).toHaveProperty('cancellable', true);
		expect(await kit.operations.list()).toMatchObject([{ id, cancellable: true }]);
		expect((await kit.journal.read(id))?.operation).not.toHaveProperty('cancellable');
		const ended = await kit.operations.cancel(id, { ...ann, name: 'bob' });
		expect(ended).toMatchObject({ state: 'cancelled', cause: null });
		expect(ended).not.toHaveProperty('cancellable');
		expect(ended.steps).toMatchObject([
			{ status: 'undone' },
			{ status: 'skipped', detail: 'Cancelled by bob' },
			{ status: 'skipped', detail: 'Not reached' }
		]);
		expect(actions).toEqual(['a', '-a']);
		await expect(kit.operations.cancel(id, ann)).rejects.toMatchObject({ kind: 'conflict' });
	});

	test('what a step took does not grow while it is undone', async () => {
		const kit = await createKit();
		const gate = gateStep('gate', { cancellable: true });
		const undone = Promise.withResolvers<void>();
		define(kit, [
			noting([], 'a', {
				async undo(ctx) {
					ctx.detail('Being undone.');
					await undone.promise;
				}
			}),
			gate.plan
		]);
		const { id } = await run(kit);
		await gate.entered;
		const [before] = (await kit.operations.get(id)).steps;
		const took = { startedAt: before!.startedAt, endedAt: before!.endedAt };
		expect(took).toEqual({ startedAt: expect.any(String), endedAt: expect.any(String) });
		const ending = finished(kit.operations, kit.operations.get(id));
		const cancelled = kit.operations.cancel(id, ann);
		await new Promise((resolve) => setTimeout(resolve, 20));
		undone.resolve();
		await cancelled;
		const [after, stopped] = (await ending).steps;
		expect(after).toMatchObject({ status: 'undone', ...took });
		expect(after!.at > took.endedAt!).toBe(true);
		expect(stopped).toMatchObject({ status: 'skipped', endedAt: expect.any(String) });
	});

	test('is refused while the step cannot be cancelled, and changes nothing', async () => {
		const kit = await createKit();
		const gate = gateStep();
		define(kit, [gate.plan]);
		const { id } = await run(kit);
		const ctx = await gate.entered;
		expect(toSummary(kit.operations.running()!).cancellable).toBe(false);
		expect(await kit.operations.get(id)).not.toHaveProperty('cancellable');
		await expect(kit.operations.cancel(id, ann)).rejects.toMatchObject({
			kind: 'conflict',
			operation: id
		});
		expect(ctx.signal.aborted).toBe(false);
		gate.open();
		expect((await finished(kit.operations, kit.operations.get(id))).state).toBe('succeeded');
	});

	test('also counts when the step succeeds before it notices', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const deaf = Promise.withResolvers<void>();
		const entered = Promise.withResolvers<void>();
		define(kit, [
			noting(actions, 'deaf', {
				cancellable: true,
				undo: async () => {},
				run: () => (entered.resolve(), deaf.promise)
			}),
			noting(actions, 'never')
		]);
		const begun = await run(kit);
		await entered.promise;
		const cancelled = kit.operations.cancel(begun.id, ann);
		await expect(
			kit.operations.cancel(begun.id, ann).then(() => deaf.resolve())
		).rejects.toMatchObject({ kind: 'conflict' });
		deaf.resolve();
		expect((await cancelled).state).toBe('cancelled');
		expect(actions).toEqual(['deaf', '-deaf']);
	});

	test.each([
		['cancelled', null],
		['failed', 'It goes on.']
	])('what has to follow it is a step of its own: %s', async (state, trouble) => {
		const kit = await createKit();
		const gate = gateStep('gate', { cancellable: true });
		let by: unknown;
		kit.operations.define({
			kind: 'start',
			steps: () => [gate.plan],
			afterCancel: {
				id: 'after',
				label: 'After it',
				async run(ctx) {
					by = ctx.checkpoint['cancelledBy'];
					if (trouble) throw new AppError('conflict', trouble);
				}
			}
		});
		const { id } = await kit.operations.run('start', {}, ann);
		await gate.entered;
		await kit.operations.cancel(id, { ...ann, name: 'bob' });
		const ended = await finished(kit.operations, kit.operations.get(id));
		expect(ended).toMatchObject({ state, cause: trouble && { message: trouble } });
		expect(ended.steps.at(-1)).toMatchObject({ id: 'after', status: trouble ? 'failed' : 'done' });
		expect(by).toBe('bob');
	});

	test('an unknown operation is not found', async () => {
		const kit = await createKit();
		for (const id of ['20260102T030405123Z-0000', '../x']) {
			await expect(kit.operations.cancel(id, ann)).rejects.toMatchObject({ kind: 'not-found' });
			await expect(kit.operations.get(id)).rejects.toMatchObject({ kind: 'not-found' });
		}
	});
});
