import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { run } from './exec.ts';

const node = (code: string, options?: Parameters<typeof run>[2]) =>
	run(process.execPath, ['-e', code], options);
/** The error of a shell script that is to fail. */
const sh = (script: string, options: Parameters<typeof run>[2]) =>
	run('/bin/sh', ['-c', script], options).catch((error) => error);

/** A zombie, which nobody has collected yet, is not alive. */
function alive(pid: number) {
	try {
		return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

test('arguments reach the program unchanged, without a shell', async () => {
	const args = ['$(id)', '; rm -rf /', "a'b", 'two words', ''];
	const { stdout } = await run(process.execPath, [
		'-p',
		'JSON.stringify(process.argv.slice(1))',
		'--',
		...args
	]);
	expect(JSON.parse(stdout)).toEqual(args);
});

test('input is written and closed; without any it is closed at once', async () => {
	const echo = 'process.stdin.pipe(process.stdout)';
	expect((await node(echo, { input: 'hello' })).stdout).toBe('hello');
	expect((await node(echo)).stdout).toBe('');
});

test('an exit code is a failure unless it is expected', async () => {
	await expect(node('console.error("why"); process.exit(3)')).rejects.toMatchObject({
		kind: 'upstream',
		message: expect.stringContaining('exit code 3'),
		cause: 'why\n'
	});
	expect(await node('process.exit(3)', { okCodes: [0, 3] })).toMatchObject({ exitCode: 3 });
});

test('a program that is missing, or cannot take its arguments, fails with a clear message', async () => {
	const missing = run('/dev/null/program', []);
	await expect(missing).rejects.toMatchObject({ kind: 'upstream' });
	await expect(run(process.execPath, ['nul\0byte'])).rejects.toMatchObject({ kind: 'upstream' });
	await expect(run(process.execPath, ['-v'], { cwd: '/dev/null/nowhere' })).rejects.toMatchObject({
		kind: 'upstream'
	});
});

test('over its time limit it is killed with its children', async () => {
	const error = await sh('sleep 1000 & echo "pid $!" >&2; wait', { timeoutMs: 1000 });
	expect(error).toMatchObject({ kind: 'timeout' });
	// Its output is closed by the end of all that held it, which the kernel does a moment before they are gone.
	const pid = Number(/pid (\d+)/.exec(error.cause)![1]);
	await vi.waitFor(() => expect(alive(pid)).toBe(false), 10_000);
});

test('aborting kills it and rejects with the reason', async () => {
	const controller = new AbortController();
	const program = node('setInterval(() => {}, 1000)', { signal: controller.signal });
	controller.abort(new Error('not wanted any more'));
	await expect(program).rejects.toThrow('not wanted any more');
	await expect(node('0', { signal: controller.signal })).rejects.toThrow('not wanted any more');
});

test('a child that left the group and holds the output open does not block us', async () => {
	const error = await sh('setsid sleep 1000 & echo "pid $!" >&2', { timeoutMs: 1000 });
	expect(error).toMatchObject({ kind: 'timeout' });
	const pid = Number(/pid (\d+)/.exec(error.cause)![1]);
	expect(alive(pid)).toBe(true);
	process.kill(pid, 'SIGKILL');
});

test('endless output is read and dropped, what is kept is bounded', async () => {
	const { stdout } = await node('process.stdout.write("x".repeat(3_000_000))', { maxOutput: 1000 });
	expect(stdout).toBe('x'.repeat(1000));
});

test('a program that never reads its input does no harm', async () => {
	expect(await node('process.exit(0)', { input: 'x'.repeat(1_000_000) })).toMatchObject({
		exitCode: 0
	});
});
