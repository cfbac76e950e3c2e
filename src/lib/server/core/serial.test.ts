import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSerial } from './serial.ts';

/** Tasks that end when told to, and a list of what began and ended. */
function setup(options?: Parameters<typeof createSerial>[0]) {
	const queue = createSerial(options);
	const seen: string[] = [];
	const ends = new Map<string, PromiseWithResolvers<string>>();
	const add = (name: string, signal?: AbortSignal) => {
		const end = Promise.withResolvers<string>();
		ends.set(name, end);
		const task = () => {
			seen.push(name);
			return end.promise;
		};
		return queue.run(task, signal);
	};
	const end = async (name: string) => {
		ends.get(name)!.resolve(name.toUpperCase());
		await turn();
	};
	return { queue, seen, add, end };
}

test('one at a time, in order of arrival, and never synchronously', async () => {
	const { queue, seen, add, end } = setup();
	const all = [add('a'), add('b'), add('c')];
	expect(seen).toEqual([]);
	expect(queue.size).toBe(3);
	await turn();
	expect(seen).toEqual(['a']);
	await end('b'); // done in advance: it still waits for its turn
	expect(seen).toEqual(['a']);
	await end('a');
	expect(seen).toEqual(['a', 'b', 'c']);
	await end('c');
	expect(await Promise.all(all)).toEqual(['A', 'B', 'C']);
	expect(queue.size).toBe(0);
});

test('a task that rejects or throws fails for its caller only', async () => {
	const queue = createSerial();
	const rejected = queue.run(() => Promise.reject(new Error('rejected')));
	const thrown = queue.run(() => {
		throw new Error('thrown');
	});
	const good = queue.run(() => 'plain');
	await expect(rejected).rejects.toThrow('rejected');
	await expect(thrown).rejects.toThrow('thrown');
	expect(await good).toBe('plain');
	expect(queue.size).toBe(0);
});

test('a task added by a task comes after those already waiting', async () => {
	const queue = createSerial();
	const seen: string[] = [];
	const inner: Promise<unknown>[] = [];
	const first = queue.run(() => {
		inner.push(queue.run(() => seen.push('inner')));
		seen.push('first');
	});
	const second = queue.run(() => seen.push('second'));
	await Promise.all([first, second]);
	await Promise.all(inner);
	expect(seen).toEqual(['first', 'second', 'inner']);
});

test('a task that arrives during a handover does not overtake', async () => {
	const { seen, add, end } = setup();
	const first = add('a');
	const others = [add('b')];
	void first.then(() => others.push(add('c')));
	await turn();
	await end('a');
	await end('b');
	await end('c');
	await Promise.all(others);
	expect(seen).toEqual(['a', 'b', 'c']);
});

test('a task aborted before its turn never runs, and leaves the queue at once', async () => {
	const { queue, seen, add, end } = setup({ waitingMax: 1 });
	const before = add('z', AbortSignal.abort(new Error('never wanted')));
	await expect(before).rejects.toThrow('never wanted');
	const first = add('a');
	const gone = new AbortController();
	const second = add('b', gone.signal);
	gone.abort(new Error('gone'));
	await expect(second).rejects.toThrow('gone');
	expect(queue.size).toBe(1);
	const third = add('c');
	await end('a');
	await end('c');
	expect(await Promise.all([first, third])).toEqual(['A', 'C']);
	expect(seen).toEqual(['a', 'c']);
});

test('a task aborted at the moment its turn comes does not run either', async () => {
	const { queue, seen, add } = setup();
	const gone = new AbortController();
	const mine = add('a', gone.signal);
	gone.abort(new Error('gone'));
	await expect(mine).rejects.toThrow('gone');
	expect(seen).toEqual([]);
	expect(queue.size).toBe(0);
	expect(await queue.run(() => 'next')).toBe('next');
});

test('the signal of a running task is up to the task', async () => {
	const { add, end } = setup();
	const gone = new AbortController();
	const mine = add('a', gone.signal);
	await turn();
	gone.abort();
	await end('a');
	expect(await mine).toBe('A');
});

test('a full queue refuses, and takes more when there is room', async () => {
	const { queue, seen, add, end } = setup({ waitingMax: 2, full: () => new Error('too many') });
	const all = [add('a'), add('b'), add('c')];
	await expect(add('d')).rejects.toThrow('too many');
	expect(queue.size).toBe(3);
	await turn();
	await end('a');
	all.push(add('e'));
	for (const name of ['b', 'c', 'e']) await end(name);
	await Promise.all(all);
	expect(seen).toEqual(['a', 'b', 'c', 'e']);
});

test('several at a time, never more than the limit', async () => {
	const { queue, seen, add, end } = setup({ atOnce: 2 });
	const all = [add('a'), add('b'), add('c'), add('d')];
	await turn();
	expect(seen).toEqual(['a', 'b']);
	await end('b');
	expect(seen).toEqual(['a', 'b', 'c']);
	await end('a');
	await end('c');
	await end('d');
	await Promise.all(all);
	expect(queue.size).toBe(0);
});
