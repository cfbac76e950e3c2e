import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { echo, setup, failure } from '../../../../../tests/fakes/game/rcon-kit.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import type { Rcon } from './rcon.ts';

/** Sent sooner, the end marker may arrive in one read with the command: then vanilla hangs up. */
const MARKED_MS = 50;

describe('other server software', () => {
	test('Cuberite: two packets per answer, unsplit, and nothing that makes it hang up', async () => {
		const { fake, rcon } = await setup({
			software: 'cuberite',
			answer: (line) => (line.startsWith('help') ? 'x'.repeat(Number(line.slice(5))) : undefined)
		});
		for (const length of [9000, 4096, 0, 17]) {
			expect(await rcon.command(`help ${length}`)).toBe('x'.repeat(length));
			expect(await rcon.command('list')).toBe('Players (0): ');
		}
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
		expect(await rcon.command('stop')).toBe('');
	});

	test('Cuberite: a wrong password closes the connection silently; the message says it may be wrong', async () => {
		const { fake, rcon, place } = await setup({ software: 'cuberite' });
		place.address = { ...fake.address, password: 'wrong' };
		expect(await failure(rcon.command('list'))).toMatchObject({
			kind: 'offline',
			code: 'rcon-auth-unsure'
		});
	});

	test('Pumpkin: no packet at all for a silent command is no output, and the next answer is its own', async () => {
		const { fake, rcon } = await setup(
			{ software: 'pumpkin', answer: () => undefined },
			{ quietMs: 20 }
		);
		expect(await rcon.command('say hello')).toBe('');
		expect(await rcon.command('seed')).toContain('Unknown or incomplete command');
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
	});

	test('a slow command on vanilla is waited for, its answer is complete, and the connection survives', async () => {
		const { fake, rcon } = await setup(
			{
				answer: (line) =>
					line === 'save-all flush' ? { output: 'Saved the game', delayMs: 100 } : undefined
			},
			{ quietMs: 10 }
		);
		expect(await rcon.command('save-all flush')).toBe('Saved the game');
		expect(await rcon.command('say hello')).toBe('');
		expect(fake.violations).toEqual([]);
		expect(fake.connections).toBe(1);
	});

	test('an answer that came is kept when the end marker is not answered, but not the connection', async () => {
		const { fake, rcon } = await setup(
			{
				answer: (line) => {
					if (line === 'list') return { fault: 'never' };
					return line === 'slow' ? { output: 'done', delayMs: 200 } : undefined;
				}
			},
			{ quietMs: MARKED_MS }
		);
		expect(await rcon.command('slow', { timeoutMs: 500 })).toBe('done');
		fake.script.answer = () => undefined;
		expect(await rcon.command('say next')).toBe('');
		expect(fake.connections).toBe(2);
	});

	test('a server seen to answer a silent command is never sent an end marker', async () => {
		const { fake, rcon } = await setup(
			{ answer: (line) => (line === 'slow' ? { output: 'done', delayMs: 200 } : undefined) },
			{ quietMs: MARKED_MS }
		);
		await rcon.command('say hello');
		expect(await rcon.command('slow')).toBe('done');
		expect(fake.commands.filter((line) => line === 'list').length).toBeLessThanOrEqual(1);
		expect(fake.commands.at(-1)).toBe('slow');
	});
});

describe('vanilla’s one buffer for all connections', () => {
	const slowly = (line: string) => ({ output: echo(line), delayMs: 1 });
	const both = (one: Rcon, two: Rcon) =>
		Promise.all(
			Array.from({ length: 20 }, (_, i) =>
				Promise.all([one.command(`one ${i}`), two.command(`two ${i}`)])
			)
		);
	const own = Array.from({ length: 20 }, (_, i) => [`<one ${i}>`, `<two ${i}>`]);

	test('mixes the answers of two clients without a lock, and never with one', async () => {
		const { client } = await setup({ answer: slowly });
		expect(await both(client(), client())).not.toEqual(own);

		const file = path.join(await tempDir(), 'rcon.lock');
		const locked = async () => {
			const lock = createLock(file, systemClock);
			onTestFinished(() => lock.close());
			return (await setup({ answer: slowly }, { lock })).rcon;
		};
		expect(await both(await locked(), await locked())).toEqual(own);
	});

	test('a lock that another holds for too long: busy, and nothing is sent', async () => {
		const file = path.join(await tempDir(), 'rcon.lock');
		const theirs = createLock(file, systemClock);
		let nowMs = 0;
		const ours = createLock(file, { ...systemClock, monotonicMs: () => (nowMs += 6_000) });
		onTestFinished(() => theirs.close());
		onTestFinished(() => ours.close());
		theirs.tryAcquire();
		const { fake, rcon } = await setup({}, { lock: ours });
		expect(await failure(rcon.command('list'))).toMatchObject({ kind: 'busy' });
		expect(fake.commands).toEqual([]);
		theirs.release();
		expect(await rcon.command('list')).toBe('<list>');
		expect(theirs.tryAcquire()).toBe(true);
	});

	/** A server whose main thread hangs in `slow` until it is let go. */
	async function hanging() {
		let letGo = () => {};
		const gate = new Promise<void>((resolve) => (letGo = resolve));
		const { fake, rcon } = await setup({
			answer: async (line) => {
				if (line === 'slow') await gate;
				return echo(line);
			}
		});
		expect(await failure(rcon.command('slow', { timeoutMs: 300 }))).toMatchObject({
			code: 'outcome-unknown'
		});
		return { fake, rcon, letGo };
	}

	test('the output of an abandoned command is not in the next answer', async () => {
		const { fake, rcon, letGo } = await hanging();
		const next = rcon.command('say next');
		await fake.until(() => fake.logins === 2);
		letGo();
		expect(await next).toBe('<say next>');
		expect(fake.commands).toEqual(['slow', 'list', 'say next']);
	});

	test('an abandoned command ended with its run: nothing is sent before the next one', async () => {
		let run = 'first';
		const { fake, rcon } = await setup(
			{ answer: (line) => (line === 'slow' ? { fault: 'never' } : echo(line)) },
			{ run: async () => run }
		);
		await failure(rcon.command('slow', { timeoutMs: 100 }));
		run = 'second';
		expect(await rcon.command('say new')).toBe('<say new>');
		expect(fake.commands).toEqual(['slow', 'say new']);
	});

	test('while an abandoned command still hangs, the next ones are not sent at all', async () => {
		const { fake, rcon, letGo } = await hanging();
		const error = await failure(rcon.command('give Steve diamond', { timeoutMs: 300 }));
		expect(error).toMatchObject({ kind: 'offline', code: 'rcon-silent' });
		letGo();
		expect(await rcon.command('say alive')).toBe('<say alive>');
		expect(fake.commands).not.toContain('give Steve diamond');
	});
});

test('two processes share a server without mixing answers, and exit by themselves with a connection still open', async () => {
	const { fake } = await setup({ answer: (line) => ({ output: echo(line), delayMs: 1 }) });
	const dir = await tempDir();
	const here = path.dirname(fileURLToPath(import.meta.url));
	const script = `
		import { createRcon } from ${JSON.stringify(path.join(here, 'rcon.ts'))};
		import { createLock } from ${JSON.stringify(path.join(here, '../../core/lock.ts'))};
		import { systemClock } from ${JSON.stringify(path.join(here, '../../core/clock.ts'))};
		const [name, file, address] = process.argv.slice(1);
		const lock = createLock(file, systemClock);
		const rcon = createRcon({ address: async () => JSON.parse(address), lock, clock: systemClock });
		const lines = Array.from({ length: 20 }, (_, i) => name + ' ' + i);
		const answers = await Promise.all(lines.map((line) => rcon.command(line)));
		console.log(JSON.stringify(answers.filter((answer, i) => answer !== '<' + lines[i] + '>')));
	`;
	const child = async (name: string) => {
		const args = [
			'--input-type=module',
			'-e',
			script,
			name,
			path.join(dir, 'lock'),
			JSON.stringify(fake.address)
		];
		const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', ...args], {
			timeout: 15_000
		});
		return JSON.parse(stdout) as string[];
	};
	expect(await Promise.all([child('one'), child('two')])).toEqual([[], []]);
	expect(fake.commands).toHaveLength(40);
	expect(fake.violations).toEqual([]);
});
