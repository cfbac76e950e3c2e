import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
	createKit,
	define,
	finished,
	noting,
	run
} from '../../../../tests/faults/operations-kit.ts';
import { AppError } from '#core/errors';

describe('a disk that refuses writes', () => {
	const full = () =>
		new AppError('internal', 'The journal could not be written: the disk is full.');

	test('nothing begins when it cannot be journalled, and nothing stays locked afterwards', async () => {
		const kit = await createKit();
		const actions: string[] = [];
		define(kit, [noting(actions, 'a')]);
		const folder = path.join(kit.dir, 'operations');
		await writeFile(folder, 'in the way');
		await expect(run(kit)).rejects.toMatchObject({ kind: 'internal', code: 'journal' });
		expect(actions).toEqual([]);
		await rm(folder);
		expect(kit.operations.running()).toBeNull();
		expect((await finished(kit.operations, run(kit))).state).toBe('succeeded');
		expect(await kit.operations.list()).toHaveLength(1);
	});

	test('a step that cannot be journalled does not run; what was done is undone', async () => {
		const actions: string[] = [];
		let broken = false;
		const kit = await createKit({
			journal: (real) => ({
				...real,
				write: (entry) => (broken ? Promise.reject(full()) : real.write(entry))
			})
		});
		define(kit, [
			noting(actions, 'a', {
				undo: async () => void (broken = false),
				run: async () => void (broken = true)
			}),
			noting(actions, 'b')
		]);
		const ended = await finished(kit.operations, run(kit));
		expect(actions).toEqual(['a', '-a']);
		expect(ended).toMatchObject({ state: 'failed', cause: { message: full().message } });
		expect((await kit.journal.read(ended.id))?.operation).toEqual(ended);
	});

	test('success that cannot be written does not count as success', async () => {
		const actions: string[] = [];
		const kit = await createKit({
			journal: (real) => ({
				...real,
				write: (entry) =>
					entry.operation.state === 'succeeded' ? Promise.reject(full()) : real.write(entry)
			})
		});
		define(kit, [noting(actions, 'a', { undo: async () => {} })]);
		const ended = await finished(kit.operations, run(kit));
		expect(ended).toMatchObject({ state: 'failed', cause: { message: full().message } });
		expect(actions).toEqual(['a', '-a']);
	});

	test('an end that cannot be written is known here, never recovered, and written later', async () => {
		const actions: string[] = [];
		let broken = false;
		const kit = await createKit({
			journal: (real) => ({
				...real,
				write: (entry) => (broken ? Promise.reject(full()) : real.write(entry))
			})
		});
		const a = noting(actions, 'a', {
			afterCrash: 'resume',
			undo: async () => {},
			run: async () => void (broken = true)
		});
		define(kit, [a]);
		const ended = await finished(kit.operations, run(kit));
		expect(ended.state).toBe('failed');
		expect(await kit.operations.get(ended.id)).toEqual(ended);
		expect(await kit.operations.list()).toEqual([ended]);
		expect(kit.operations.running()).toBeNull();
		await expect(run(kit)).rejects.toThrow('the disk is full');

		// Another process, or the next start, also sees that it has ended.
		const other = await createKit({ dir: kit.dir });
		define(other, [a]);
		await other.operations.recover();
		expect(await other.operations.list()).toMatchObject([{ id: ended.id, state: 'failed' }]);
		expect(actions).toEqual(['a', '-a']);

		broken = false;
		await kit.operations.recover();
		expect((await kit.journal.read(ended.id))?.operation).toEqual(ended);
	});

	test('an operation that was refused is not recovered, even if the disk kept its journal', async () => {
		const actions: string[] = [];
		const kit = await createKit({
			journal: (real) => ({
				...real,
				write: async (entry) => {
					await real.write(entry);
					if (actions.length === 0 && entry.operation.state === 'running') throw full();
				},
				remove: () => Promise.reject(new Error('EIO'))
			})
		});
		define(kit, [noting(actions, 'a', { afterCrash: 'resume' })]);
		await expect(run(kit)).rejects.toThrow('the disk is full');
		await kit.operations.recover();
		expect(await kit.operations.list()).toMatchObject([{ state: 'failed' }]);
		expect(actions).toEqual([]);
	});
});

test('unfinished operations of a newer release are refused, at the start and before anything new', async () => {
	const kit = await createKit();
	define(kit, [noting([], 'a')]);
	const { id } = await finished(kit.operations, run(kit));
	const entry = (await kit.journal.read(id))!;
	const file = path.join(kit.dir, 'operations', `${id}.json`);
	const operation = { ...entry.operation, state: 'running' };
	await writeFile(file, JSON.stringify({ ...entry, operation, version: 2 }));
	const refusal = { kind: 'internal', message: expect.stringContaining('newer Craftwarden') };
	const other = await createKit({ dir: kit.dir });
	await expect(other.operations.recover()).rejects.toMatchObject(refusal);
	define(other, [noting([], 'a')]);
	await expect(run(other)).rejects.toMatchObject(refusal);
	expect(other.operations.running()).toBeNull();
	await rm(file);
	await other.operations.recover();
	expect(await finished(other.operations, run(other))).toMatchObject({ state: 'succeeded' });
});
