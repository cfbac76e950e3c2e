import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createManualClock } from '../../../../tests/fakes/manual-clock.ts';
import {
	ann,
	createKit,
	finished,
	gateStep,
	leftBehind,
	noting,
	type Kit
} from '../../../../tests/faults/operations-kit.ts';
import { defineKinds } from '../../../../tests/faults/programs/kinds.ts';
import { tempDir } from '../../../../tests/faults/temp.ts';
import type { Entry } from '#storage/journal';
import { OperationFailure, type Definition } from './index.ts';

const RUNNER = path.resolve('tests/faults/programs/runner.ts');
const STEPS = ['a', 'b', 'c'];
const undo = async () => {};
const actionsIn = (dir: string) =>
	existsSync(path.join(dir, 'actions'))
		? readFileSync(path.join(dir, 'actions'), 'utf8').trim().split('\n')
		: [];

/** A separate process; it begins with `go`. */
async function runner(dir: string, ...args: string[]) {
	const child = spawn(process.execPath, [RUNNER, dir, ...args], {
		stdio: ['pipe', 'pipe', 'inherit']
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const next = async () => String((await lines.next()).value);
	expect(await next()).toBe('ready');
	return {
		next,
		go: () => child.stdin.end(),
		async kill() {
			child.kill('SIGKILL');
			await once(child, 'exit');
		},
		exited: once(child, 'exit')
	};
}
/** What a process leaves behind when it is killed in the middle of step `b`. */
async function killedInB(kind: string) {
	const dir = await tempDir();
	writeFileSync(path.join(dir, 'hold'), '');
	const process = await runner(dir, 'run', kind);
	process.go();
	const [, id] = (await process.next()).split(' ');
	await expect.poll(() => actionsIn(dir), { interval: 5, timeout: 15_000 }).toEqual(['a', 'b']);
	await process.kill();
	await rm(path.join(dir, 'hold'));
	return { dir, id: id! };
}

describe('after kill -9 in the middle of a step', () => {
	const cases = [
		['restart', 'succeeded', ['a', 'b', 'b', 'c'], null],
		['update', 'rolled-back', ['a', 'b', 'rollback'], 'Craftwarden was cut off during “Doing b”.'],
		['backup', 'interrupted', ['a', 'b', '-b', '-a'], 'Craftwarden was cut off during “Doing b”.']
	] as const;
	test.each(cases)('%s: the next start ends it %s', async (kind, state, actions, cause) => {
		const { dir, id } = await killedInB(kind);
		const kit = await createKit({ dir });
		defineKinds(kit.operations, dir);
		expect(kit.operations.running()).toMatchObject({ id, kind });
		await kit.operations.recover();
		const ended = await finished(kit.operations, kit.operations.get(id));
		expect(ended).toMatchObject({ state, by: expect.stringMatching(/^process \d+$/) });
		expect(ended.cause?.message ?? null).toBe(cause);
		expect(actionsIn(dir)).toEqual(actions);
		expect((await kit.journal.read(id))?.operation).toEqual(ended);
		expect(ended.steps.every(({ status }) => status !== 'running' && status !== 'pending')).toBe(
			true
		);
	});

	test('of four processes that try to recover it at once one does', async () => {
		for (const kind of ['restart', 'backup']) {
			const { dir } = await killedInB(kind);
			const others = await Promise.all(Array.from({ length: 4 }, () => runner(dir, 'recover')));
			for (const other of others) other.go();
			for (const other of others) expect(await other.next()).toBe('nothing left');
			await Promise.all(others.map(({ exited }) => exited));
			const rest = kind === 'restart' ? ['b', 'c'] : ['-b', '-a'];
			expect(actionsIn(dir)).toEqual(['a', 'b', ...rest]);
		}
	});

	test('the next process to take the lock recovers it first', async () => {
		const { dir, id } = await killedInB('backup');
		const next = await runner(dir, 'run', 'restart');
		next.go();
		const begun = (await next.next()).split(' ');
		expect(begun[0]).toBe('running');
		expect(begun[1]).not.toBe(id);
		expect(await next.next()).toBe('ended succeeded');
		expect(actionsIn(dir)).toEqual(['a', 'b', '-b', '-a', 'a', 'b', 'c']);
	});

	test('a process that asks for the lock while a long one is resumed is refused with its name', async () => {
		const { dir, id } = await killedInB('restart');
		writeFileSync(path.join(dir, 'hold'), '');
		const next = await runner(dir, 'run', 'backup');
		next.go();
		expect(await next.next()).toBe(`refused conflict ${id}`);
		await rm(path.join(dir, 'hold'));
		await next.exited;
	});

	test('a running dashboard recovers it by itself', async () => {
		const dir = await tempDir();
		writeFileSync(path.join(dir, 'hold'), '');
		const other = await runner(dir, 'run', 'backup');
		const clock = createManualClock();
		const kit = await createKit({ dir, clock });
		defineKinds(kit.operations, dir);
		await kit.operations.recover();
		kit.operations.startWatching();
		other.go();
		const id = (await other.next()).split(' ')[1]!;
		await expect.poll(() => actionsIn(dir), { interval: 5, timeout: 15_000 }).toEqual(['a', 'b']);
		await clock.advance(10_000);
		expect(kit.operations.running()).toMatchObject({ id, state: 'running' });
		expect(actionsIn(dir)).toEqual(['a', 'b']);
		await other.kill();
		const end = finished(kit.operations, kit.operations.get(id));
		await clock.advance(2000);
		expect((await end).state).toBe('interrupted');
		expect(kit.summaries.at(-1)).toMatchObject({ id, state: 'interrupted' });
	});
});

test('of four processes that start an operation at once one runs and the others name it', async () => {
	const dir = await tempDir();
	writeFileSync(path.join(dir, 'hold'), '');
	const all = await Promise.all(Array.from({ length: 4 }, () => runner(dir, 'run', 'backup')));
	for (const one of all) one.go();
	const lines = await Promise.all(all.map(({ next }) => next()));
	const id = lines.find((line) => line.startsWith('running'))?.split(' ')[1];
	expect(lines.filter((line) => line === `refused conflict ${id}`)).toHaveLength(3);
	expect(actionsIn(dir).filter((action) => action === 'a')).toHaveLength(1);
	await rm(path.join(dir, 'hold'));
	await Promise.all(all.map(({ exited }) => exited));
	expect(await readdir(path.join(dir, 'operations'))).toEqual([`${id}.json`]);
});

describe('how recovery treats an entry', () => {
	/** Recovers one entry with `backup` defined like this; returns the operation as it ended, and what was done. */
	async function recovered(facts: Partial<Entry>, definition: Partial<Definition<unknown>> = {}) {
		const kit = await createKit();
		const actions: string[] = [];
		const entry = leftBehind('backup', STEPS, 1, facts);
		await kit.journal.write(entry);
		const steps = () => STEPS.map((id) => noting(actions, id, { undo, afterCrash: 'resume' }));
		kit.operations.define({ kind: 'backup', steps, ...definition });
		await kit.operations.recover();
		const { id } = entry.operation;
		return { kit, actions, ended: await finished(kit.operations, kit.operations.get(id)) };
	}
	const rollbackInto = (actions: string[]) => noting(actions, 'rollback');
	const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

	test('a recent one continues from its checkpoint', async () => {
		const seen: unknown[] = [];
		const { ended } = await recovered(
			{ memo: { file: 'x' }, input: { names: STEPS } },
			{
				steps: (input) =>
					(input as { names: string[] }).names.map((id) =>
						noting([], id, {
							afterCrash: 'resume',
							run: async ({ checkpoint }) => void seen.push(checkpoint)
						})
					)
			}
		);
		expect(ended.state).toBe('succeeded');
		expect(seen).toEqual([{ file: 'x' }, { file: 'x' }]);
	});

	test('one that is too old does not continue, nor one from the future', async () => {
		for (const writtenAt of [ago(11 * 60_000), ago(-11 * 60_000), ago(365 * 86_400_000)]) {
			const { ended, actions } = await recovered({ writtenAt });
			expect(ended.state).toBe('interrupted');
			expect(actions).toEqual(['-b', '-a']);
		}
		expect((await recovered({ writtenAt: ago(5000) }, { resumeWithinMs: 1000 })).ended.state).toBe(
			'interrupted'
		);
		expect(
			(await recovered({ writtenAt: ago(11 * 60_000) }, { resumeWithinMs: 3_600_000 })).ended.state
		).toBe('succeeded');
	});

	test('one in a step that resumes at any age does', async () => {
		const steps = () => STEPS.map((id) => noting([], id, { undo, afterCrash: 'always' }));
		const { ended } = await recovered({ writtenAt: ago(86_400_000) }, { steps });
		expect(ended.state).toBe('succeeded');
	});

	test('one that only lacks its end succeeds, however old it is', async () => {
		const { operation } = leftBehind('backup', STEPS, 3);
		const { ended, actions } = await recovered({ operation, writtenAt: ago(86_400_000) });
		expect(ended.state).toBe('succeeded');
		expect(actions).toEqual([]);
	});

	test('one whose steps have changed since does not continue', async () => {
		const actions: string[] = [];
		const { ended } = await recovered(
			{},
			{
				steps: () =>
					['a', 'x', 'c'].map((id) => noting(actions, id, { undo, afterCrash: 'resume' }))
			}
		);
		expect(ended.state).toBe('interrupted');
		expect(actions).toEqual(['-a']);
	});

	test('an interrupted undo is completed, each step once more at most', async () => {
		const { ended, actions } = await recovered({ phase: 'undo', ending: 'cancelled' });
		expect(actions).toEqual(['-b', '-a']);
		expect(ended).toMatchObject({ state: 'cancelled', cause: null });
	});

	test('an interrupted rollback is run again', async () => {
		const actions: string[] = [];
		const entry = leftBehind('backup', [...STEPS, 'rollback'], 3);
		entry.operation.cause = { message: 'Why.', log: [], mods: [] };
		const { ended } = await recovered(
			{ operation: entry.operation, phase: 'rollback' },
			{ rollback: rollbackInto(actions) }
		);
		expect(actions).toEqual(['rollback']);
		expect(ended).toMatchObject({ state: 'rolled-back', cause: { message: 'Why.' } });
	});

	test('a step whose failure leaves in place what was done is tried again, and what follows is done', async () => {
		const actions: string[] = [];
		const cause = { message: 'No.', log: [], mods: [], kept: 'Done.' };
		const run = async () => Promise.reject(new OperationFailure(cause));
		const steps = () =>
			STEPS.map((id) => noting(actions, id, { afterCrash: 'always', ...(id === 'b' && { run }) }));
		const { operation } = leftBehind('backup', STEPS, 2);
		operation.steps[1]!.status = 'failed';
		const { ended } = await recovered({ operation }, { steps, rollback: rollbackInto(actions) });
		expect(actions).toEqual(['b', 'c']);
		expect(ended).toMatchObject({
			state: 'failed',
			kept: 'Done.',
			cause: { message: 'Done: No.' }
		});
		expect(ended.steps.map(({ status }) => status)).toEqual(['done', 'failed', 'done']);
	});

	test('a step that kills its process again and again is not retried forever', async () => {
		const { ended, actions } = await recovered({ takeovers: 3 });
		expect(ended.state).toBe('interrupted');
		expect(actions).toEqual(['-b', '-a']);
	});

	test('an undo that kills its process again and again ends failed and says so', async () => {
		const { ended, actions } = await recovered({ takeovers: 3, phase: 'undo', ending: 'failed' });
		expect(ended.state).toBe('failed');
		expect(ended.cause?.message).toContain('3 times');
		expect(actions).toEqual([]);
	});

	test('a rollback is resumed however often its processes died: after a pause, and people are notified', async () => {
		const clock = createManualClock();
		const kit = await createKit({ clock });
		const actions: string[] = [];
		const { operation } = leftBehind('backup', [...STEPS, 'rollback'], 3);
		const writtenAt = clock.now().toISOString();
		await kit.journal.write(
			leftBehind('backup', [], 0, { operation, writtenAt, phase: 'rollback', takeovers: 4 })
		);
		const steps = () => STEPS.map((id) => noting(actions, id));
		kit.operations.define({ kind: 'backup', steps, rollback: rollbackInto(actions) });
		await kit.operations.recover();
		const ended = finished(kit.operations, operation);
		await clock.advance(9_000);
		expect(kit.operations.running()?.steps.at(-1)).toMatchObject({
			status: 'running',
			detail: expect.stringMatching(/again and again.*Next attempt in 10 s/)
		});
		expect(
			kit.said.some(({ level, message }) => level === 'error' && /rollback/.test(message))
		).toBe(true);
		expect((await kit.journal.read(operation.id))?.takeovers).toBe(4);
		expect(actions).toEqual([]);
		await expect(kit.operations.run('backup', {}, ann)).rejects.toMatchObject({
			operation: operation.id
		});
		await clock.advance(1_000);
		expect(await ended).toMatchObject({ state: 'rolled-back' });
		expect(actions).toEqual(['rollback']);
	});

	test('a graceful exit does not count against a paused rollback, and the next start continues at once', async () => {
		const clock = createManualClock();
		const kit = await createKit({ clock });
		const { operation } = leftBehind('backup', [...STEPS, 'rollback'], 3);
		const facts = { operation, phase: 'rollback', takeovers: 9 } as const;
		const writtenAt = clock.now().toISOString();
		await kit.journal.write(leftBehind('backup', [], 0, { ...facts, writtenAt }));
		const kind = { kind: 'backup', steps: () => STEPS.map((id) => noting([], id)) } as const;
		kit.operations.define({ ...kind, rollback: rollbackInto([]) });
		await kit.operations.recover();
		await kit.operations.close();
		const next = await createKit({ dir: kit.dir, clock });
		next.operations.define({ ...kind, rollback: rollbackInto([]) });
		await next.operations.recover();
		expect((await finished(next.operations, operation)).state).toBe('rolled-back');
	});

	test('an unknown type of operation is left alone and blocks others', async () => {
		const kit = await createKit();
		const entry = leftBehind('update', STEPS, 1);
		await kit.journal.write(entry);
		kit.operations.define({ kind: 'backup', steps: () => [noting([], 'a')] });
		await kit.operations.recover();
		expect(await kit.journal.read(entry.operation.id)).toEqual(entry);
		expect(kit.operations.running()?.id).toBe(entry.operation.id);
		await expect(kit.operations.run('backup', {}, ann)).rejects.toMatchObject({
			kind: 'conflict',
			operation: entry.operation.id
		});
		const other = await createKit({ dir: kit.dir });
		other.operations.define({ kind: 'update', steps: () => STEPS.map((id) => noting([], id)) });
		await other.operations.recover();
		await finished(other.operations, other.operations.get(entry.operation.id));
		await finished(kit.operations, kit.operations.run('backup', {}, ann));
	});

	test('several are recovered one after the other, the oldest first', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		const entries = [1, 2, 3].map(() => leftBehind('backup', STEPS, 1));
		for (const entry of entries) await kit.journal.write(entry);
		kit.operations.define({
			kind: 'backup',
			steps: () => STEPS.map((id) => noting(actions, id, { undo }))
		});
		const ends = entries.map(({ operation }) => finished(kit.operations, operation));
		await kit.operations.recover();
		for (const end of ends) expect((await end).state).toBe('interrupted');
		expect(actions).toEqual(['-b', '-a', '-b', '-a', '-b', '-a']);
	});

	test('a damaged journal does not stop the others', async () => {
		const kit = await createKit();
		const entry = leftBehind('backup', STEPS, 1);
		await kit.journal.write(entry);
		await writeFile(path.join(kit.dir, 'operations', '20260101T000000000Z-0000.json'), '{');
		kit.operations.define({ kind: 'backup', steps: () => STEPS.map((id) => noting([], id)) });
		await kit.operations.recover();
		expect((await finished(kit.operations, entry.operation)).state).toBe('interrupted');
		expect(kit.said.some(({ message }) => message.includes('is damaged'))).toBe(true);
	});

	test('a cancelled operation is not resumed as if nobody had cancelled it', async () => {
		const kit = await createKit();
		const deaf = Promise.withResolvers<void>();
		const entered = Promise.withResolvers<void>();
		const run = () => (entered.resolve(), deaf.promise);
		const plan = {
			id: 'deaf',
			label: 'Deaf',
			cancellable: true,
			afterCrash: 'resume',
			run
		} as const;
		kit.operations.define({ kind: 'backup', steps: () => [plan] });
		const { id } = await kit.operations.run('backup', {}, ann);
		await entered.promise;
		const cancelled = kit.operations.cancel(id, ann);
		await expect.poll(async () => (await kit.journal.read(id))?.phase).toBe('undo');
		expect((await kit.journal.read(id))?.ending).toBe('cancelled');
		deaf.resolve();
		await cancelled;
	});
});

describe('close', () => {
	test('aborts the step, leaves the journal as running and the lock free; the next start continues', async () => {
		const kit = await createKit();
		const gate = gateStep('gate', { afterCrash: 'resume' });
		const actions: string[] = [];
		kit.operations.define({
			kind: 'restart',
			steps: () => [noting(actions, 'a', { undo }), gate.plan, noting(actions, 'c')]
		});
		const { id } = await kit.operations.run('restart', {}, ann);
		const ctx = await gate.entered;
		const heard: string[] = [];
		kit.operations.watch(id, ({ type }) => heard.push(type));
		await kit.operations.close();
		expect(ctx.signal.aborted).toBe(true);
		expect(kit.lock.held).toBe(false);
		expect(heard).not.toContain('end');
		expect((await kit.journal.read(id))?.operation).toMatchObject({
			state: 'running',
			steps: [{ status: 'done' }, { status: 'running' }, {}]
		});
		await expect(kit.operations.run('restart', {}, ann)).rejects.toMatchObject({ kind: 'busy' });

		const next = await createKit({ dir: kit.dir });
		const again = gateStep('gate', { afterCrash: 'resume' });
		again.open();
		next.operations.define({
			kind: 'restart',
			steps: () => [noting(actions, 'a'), again.plan, noting(actions, 'c')]
		});
		await next.operations.recover();
		expect((await finished(next.operations, next.operations.get(id))).state).toBe('succeeded');
		expect(actions).toEqual(['a', 'c']);
	});

	test('does not wait forever for an unresponsive step, and nothing it does later reaches the journal', async () => {
		const kit = await createKit({ closeWithinMs: 50 });
		const deaf = Promise.withResolvers<void>();
		const entered = Promise.withResolvers<void>();
		const run = () => (entered.resolve(), deaf.promise);
		kit.operations.define({
			kind: 'backup',
			steps: () => [{ id: 'deaf', label: 'Deaf', run }, noting([], 'b')]
		});
		const { id } = await kit.operations.run('backup', {}, ann);
		await entered.promise;
		await kit.operations.close();
		const file = path.join(kit.dir, 'operations', `${id}.json`);
		const before = await readFile(file, 'utf8');
		deaf.resolve();
		await new Promise((resolve) => setImmediate(resolve));
		await kit.operations.close();
		expect(await readFile(file, 'utf8')).toBe(before);
		expect(JSON.parse(before).operation).toMatchObject({
			state: 'running',
			steps: [{ status: 'running' }, {}]
		});
	});

	test('gives nobody else the lock while an unresponsive step is still changing files', async () => {
		const kit = await createKit({ closeWithinMs: 50 });
		const actions: string[] = [];
		const deaf = Promise.withResolvers<void>();
		const entered = Promise.withResolvers<void>();
		const define = ({ operations }: Kit, run: () => Promise<void>) =>
			operations.define({
				kind: 'backup',
				steps: () => [{ id: 'deaf', label: 'Deaf', afterCrash: 'resume', run }]
			});
		define(kit, () => (entered.resolve(), deaf.promise));
		await kit.operations.run('backup', {}, ann);
		await entered.promise;
		await kit.operations.close();
		const next = await createKit({ dir: kit.dir });
		define(next, async () => void actions.push('taken up'));
		await next.operations.recover();
		expect(next.operations.running()).toMatchObject({ kind: 'backup' });
		expect(actions).toEqual([]);
		deaf.resolve();
		await vi.waitFor(async () => {
			await next.operations.recover();
			expect(actions).toEqual(['taken up']);
		});
	});

	test('records a step that ended in time as done, and begins no other', async () => {
		const kit = await createKit();
		const late = Promise.withResolvers<void>();
		const entered = Promise.withResolvers<void>();
		const actions: string[] = [];
		const run = () => (entered.resolve(), late.promise);
		kit.operations.define({
			kind: 'backup',
			steps: () => [noting([], 'late', { run }), noting(actions, 'b')]
		});
		const { id } = await kit.operations.run('backup', {}, ann);
		await entered.promise;
		const closed = kit.operations.close();
		late.resolve();
		await closed;
		expect(actions).toEqual([]);
		expect((await kit.journal.read(id))?.operation).toMatchObject({
			state: 'running',
			steps: [{ status: 'done' }, { status: 'pending' }]
		});
	});
});
