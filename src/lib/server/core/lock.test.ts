import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../../../../tests/faults/temp.ts';
import { systemClock } from './clock.ts';
import { createLock, type SharedLock } from './lock.ts';

const HOLDER = path.resolve('tests/faults/programs/lock-holder.ts');

const lockFile = async () => path.join(await tempDir(), 'some.lock');
function lockOn(file: string): SharedLock {
	const lock = createLock(file, systemClock);
	onTestFinished(() => lock.close());
	return lock;
}
/** A process that has taken the lock when this resolves, or says that it is busy. */
async function holder(file: string) {
	const child = spawn(process.execPath, [HOLDER, file], { stdio: ['pipe', 'pipe', 'inherit'] });
	onTestFinished(() => void child.kill('SIGKILL'));
	const [line] = await once(createInterface({ input: child.stdout }), 'line');
	return { child, line };
}

test('of two holders in one process the second waits its turn', async () => {
	const file = await lockFile();
	const [one, two] = [lockOn(file), lockOn(file)];
	expect(one.tryAcquire()).toBe(true);
	expect(one.tryAcquire()).toBe(false);
	expect(two.tryAcquire()).toBe(false);
	one.release();
	expect(two.tryAcquire()).toBe(true);
	expect([one.held, two.held]).toEqual([false, true]);
});

test('several users of one connection hold it in turn, and release only their own', async () => {
	const file = await lockFile();
	const lock = lockOn(file);
	const [one, two] = [lock.share(), lock.share()];
	expect(one.tryAcquire()).toBe(true);
	expect([two.tryAcquire(), lock.tryAcquire()]).toEqual([false, false]);
	expect([one.held, two.held, lock.held]).toEqual([true, false, false]);
	two.release();
	two.close();
	expect((await holder(file)).line).toBe('busy');
	const waiting = two.acquire(10_000);
	one.release();
	await waiting;
	expect([one.held, two.held]).toEqual([false, true]);
	expect((await holder(file)).line).toBe('busy');
	lock.close();
	expect([two.held, (await holder(file)).line]).toEqual([false, 'held']);
});

test('the lock of another process is respected, and free as soon as that process is killed', async () => {
	const file = await lockFile();
	const { child, line } = await holder(file);
	expect(line).toBe('held');
	const lock = lockOn(file);
	expect(lock.tryAcquire()).toBe(false);
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(lock.tryAcquire()).toBe(true);
});

test('another process sees the lock that we hold as taken', async () => {
	const file = await lockFile();
	const lock = lockOn(file);
	lock.tryAcquire();
	expect((await holder(file)).line).toBe('busy');
});

test('waiting ends with the lock, the time limit or the signal', async () => {
	const file = await lockFile();
	const [one, two] = [lockOn(file), lockOn(file)];
	one.tryAcquire();
	await expect(two.acquire(50)).rejects.toMatchObject({ kind: 'busy' });
	const gone = AbortSignal.abort(new Error('gone'));
	await expect(two.acquire(10_000, gone)).rejects.toThrow('gone');
	const waiting = two.acquire(10_000);
	one.release();
	await waiting;
	expect(two.held).toBe(true);
});

test('the file is private from the start, and closing releases the lock', async () => {
	const file = await lockFile();
	const [one, two] = [lockOn(file), lockOn(file)];
	one.tryAcquire();
	expect((await stat(file)).mode & 0o777).toBe(0o600);
	one.close();
	expect(two.tryAcquire()).toBe(true);
	one.close();
	one.release();
});

test('a file that is not a lock is an error with a clear message, never a lock', async () => {
	const file = await lockFile();
	await writeFile(
		file,
		'a note that somebody left here, long enough to be looked at as a database'
	);
	const lock = lockOn(file);
	expect(() => lock.tryAcquire()).toThrow('cannot be used');
	expect(lock.held).toBe(false);
});
