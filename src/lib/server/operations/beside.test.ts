import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
	ann,
	createKit,
	define,
	finished,
	gateStep,
	noting,
	run
} from '../../../../tests/faults/operations-kit.ts';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';

/** Two kinds: `update` begins beside the others, `backup` holds the operation lock. */
async function setup(dir?: string) {
	return createKit({ beside: ['update'], ...(dir && { dir }) });
}
type Kit = Awaited<ReturnType<typeof setup>>;
const update = (kit: Kit) => kit.operations.run('update', {}, ann, 'Lithium');

describe('an operation that runs beside the others', () => {
	test('leaves the server to others until it needs it exclusively', async () => {
		const kit = await setup();
		const [trial, backup] = [gateStep('trial'), gateStep('backup')];
		const actions: string[] = [];
		const swap = noting(actions, 'swap', { exclusive: true });
		kit.operations.define({ kind: 'update', steps: () => [trial.plan, swap] });
		define(kit, [backup.plan]);
		const updating = await update(kit);
		await trial.entered;
		expect(kit.operations.busy()).toBeNull();
		expect(kit.operations.running()).toMatchObject({ id: updating.id, leavesServer: true });
		expect(kit.summaries.at(-1)).toMatchObject({ id: updating.id, leavesServer: true });
		const backing = await run(kit);
		await backup.entered;
		expect(kit.operations.busy()).toMatchObject({ id: backing.id });

		trial.open();
		const waits = async () => (await kit.operations.get(updating.id)).steps[1];
		await expect
			.poll(waits)
			.toMatchObject({ status: 'running', detail: expect.stringContaining('free') });
		expect(actions).toEqual([]);
		backup.open();
		await finished(kit.operations, backing);
		expect(await finished(kit.operations, updating)).toMatchObject({ state: 'succeeded' });
		expect(actions).toEqual(['swap']);
		expect(kit.operations.busy()).toBeNull();
		expect(kit.lock.tryAcquire()).toBe(true);
		kit.lock.release();
	});

	test('gives the server back for a step that leaves it to others, and takes it again after that', async () => {
		const kit = await setup();
		const wait = gateStep('countdown', { releases: true, announces: true });
		const actions: string[] = [];
		const [pack, swap] = ['pack', 'swap'].map((id) => noting(actions, id, { exclusive: true }));
		kit.operations.define({ kind: 'update', steps: () => [pack!, wait.plan, swap!] });
		const backup = gateStep('backup');
		define(kit, [backup.plan]);
		const updating = await update(kit);
		await wait.entered;
		expect((await kit.journal.read(updating.id))!.server).toBe(false);
		expect(kit.operations.running()).toMatchObject({ id: updating.id, leavesServer: true });
		expect(kit.operations.beside()).toMatchObject({ id: updating.id, countsDown: true });
		expect(kit.summaries.at(-1)).toMatchObject({ countsDown: true });
		const backing = await run(kit);
		await backup.entered;
		wait.open();
		await expect
			.poll(async () => (await kit.operations.get(updating.id)).steps[2])
			.toMatchObject({ status: 'running', detail: expect.stringContaining('free') });
		expect(actions).toEqual(['pack']);
		backup.open();
		await finished(kit.operations, backing);
		expect(await finished(kit.operations, updating)).toMatchObject({ state: 'succeeded' });
		expect(kit.summaries.at(-1)).toMatchObject({ countsDown: false });
		expect(kit.operations.beside()).toBeNull();
		expect(actions).toEqual(['pack', 'swap']);
		expect(kit.lock.tryAcquire()).toBe(true);
		kit.lock.release();
	});

	test('keeps others away while it has the server', async () => {
		const kit = await setup();
		const swap = gateStep('swap', { exclusive: true });
		kit.operations.define({ kind: 'update', steps: () => [swap.plan] });
		define(kit, []);
		const updating = await update(kit);
		await swap.entered;
		expect(kit.operations.busy()).toMatchObject({ id: updating.id });
		expect(await kit.operations.get(updating.id)).not.toHaveProperty('leavesServer');
		await expect(run(kit)).rejects.toMatchObject({
			kind: 'conflict',
			message: expect.stringContaining('Lithium')
		});
		swap.open();
		await finished(kit.operations, updating);
		await expect(run(kit)).resolves.toBeTruthy();
	});

	test('runs one at a time, and does not begin while something else has the server it will need', async () => {
		const kit = await setup();
		const [trial, backup] = [gateStep('trial'), gateStep('backup')];
		kit.operations.define({
			kind: 'update',
			steps: () => [trial.plan, noting([], 'swap', { exclusive: true })]
		});
		define(kit, [backup.plan]);
		const backing = await run(kit);
		await backup.entered;
		await expect(update(kit)).rejects.toMatchObject({ kind: 'conflict' });
		backup.open();
		await finished(kit.operations, backing);
		const updating = await update(kit);
		await trial.entered;
		await expect(update(kit)).rejects.toMatchObject({ kind: 'conflict' });
		trial.open();
		await finished(kit.operations, updating);
	});

	test('that failed before it needed the server does not wait for it', async () => {
		const kit = await setup();
		const backup = gateStep('backup');
		const trial = gateStep('trial');
		const actions: string[] = [];
		kit.operations.define({
			kind: 'update',
			steps: () => [
				noting(actions, 'download', { undo: async () => {} }),
				noting(actions, 'trial', {
					async run(ctx) {
						await trial.plan.run(ctx);
						throw new Error('no');
					}
				}),
				noting(actions, 'swap', { exclusive: true })
			]
		});
		define(kit, [backup.plan]);
		const updating = await update(kit);
		const backing = await run(kit);
		await backup.entered;
		trial.open();
		expect(await finished(kit.operations, updating)).toMatchObject({ state: 'failed' });
		expect(actions).toEqual(['download', 'trial', '-download']);
		backup.open();
		await finished(kit.operations, backing);
	});

	test('whose process died while it had the server is recovered before anything else may have it', async () => {
		const first = await setup();
		const swap = gateStep('swap', { exclusive: true, afterCrash: 'resume' });
		first.operations.define({ kind: 'update', steps: () => [swap.plan] });
		const updating = await update(first);
		await swap.entered;
		const entry = (await first.journal.read(updating.id))!;
		expect(entry.server).toBe(true);

		// As another process finds it, whose own copy of the folder is the dead one's.
		const second = await setup();
		await second.journal.write(entry);
		const actions: string[] = [];
		const again = noting(actions, 'swap', { exclusive: true, afterCrash: 'resume' });
		second.operations.define({ kind: 'update', steps: () => [again] });
		define(second, []);
		const other = createLock(path.join(second.dir, 'operation.lock'), systemClock);
		onTestFinished(() => other.close());
		expect(other.tryAcquire()).toBe(true);
		await second.operations.recover();
		await expect.poll(() => second.operations.busy()).toMatchObject({ id: updating.id });
		expect(actions).toEqual([]);
		other.release();
		expect(await finished(second.operations, updating)).toMatchObject({ state: 'succeeded' });
		expect(actions).toEqual(['swap']);
		swap.open();
		await finished(first.operations, updating);
	});
});
