import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
	ADA,
	createWorld,
	NOW,
	openHouse,
	type House,
	type World
} from '../../../../../tests/fakes/power-house.ts';
import type { Operation } from '../../../schemas/operation.ts';

/** Passes as soon as it holds; the limit is for machines that are busy. */
const soon = <T>(check: () => T | Promise<T>) =>
	vi.waitFor(check, { timeout: 15_000, interval: 5 });

let world: World;
const houses: House[] = [];
beforeEach(async () => {
	world = await createWorld();
});
afterEach(async () => {
	for (const house of houses.splice(0)) await house.close();
	expect(world.errors).toEqual([]);
	await world.dispose();
});
function open() {
	const house = openHouse(world);
	houses.push(house);
	return house;
}
async function started(house = open()) {
	const operation = await house.finished(await house.power.start(NOW, ADA));
	expect(operation).toMatchObject({ state: 'succeeded' });
	return house;
}
async function byHand() {
	const child = spawn(world.game.java, ['-jar', 'server.jar'], {
		cwd: world.game.dir,
		stdio: 'ignore'
	});
	await once(child, 'spawn');
	return child;
}
const steps = (operation: Operation) => operation.steps.map(({ id, status }) => [id, status]);
const reaches = (house: House, state: string) =>
	soon(async () => expect(await house.state()).toBe(state));

describe('start', () => {
	test('launches, waits for the ready line and says so', async () => {
		const house = open();
		expect(await house.state()).toBe('stopped');
		const operation = await house.power.start(NOW, ADA);
		expect(operation).toMatchObject({ kind: 'start', state: 'running', by: 'ada' });
		const ended = await house.finished(operation);
		expect(ended.state).toBe('succeeded');
		expect(steps(ended)).toEqual([
			['launch', 'done'],
			['ready', 'done']
		]);
		expect(await house.power.observe()).toMatchObject({
			state: 'running',
			reason: null,
			readyAt: expect.any(String),
			process: { ours: true }
		});
		expect(world.audit).toEqual([
			{ by: 'ada', action: 'server.start', result: 'done', detail: null }
		]);
		expect(house.changes()).toBeGreaterThan(0);
	});

	test('it is starting until it is ready', async () => {
		await world.game.script({ bootMs: null });
		const house = open();
		const operation = await house.power.start(NOW, ADA);
		await soon(async () =>
			expect(await house.power.observe()).toMatchObject({
				state: 'starting',
				process: expect.anything(),
				readyAt: null
			})
		);
		await world.game.command('log Done (3.1s)! For help, type "help"');
		expect(await house.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('a probe that is answered makes it ready where the log does not tell', async () => {
		await world.game.script({ bootMs: null });
		world.answering = false;
		const house = open();
		const operation = await house.power.start(NOW, ADA);
		await reaches(house, 'starting');
		world.answering = true;
		expect(await house.finished(operation)).toMatchObject({ state: 'succeeded' });
		expect(await house.state()).toBe('running');
	});

	test('three people at once make one start; the others are told what is running', async () => {
		const house = open();
		const answers = await Promise.allSettled([1, 2, 3].map(() => house.power.start(NOW, ADA)));
		const done = answers.filter((answer) => answer.status === 'fulfilled');
		const refused = answers.filter((answer) => answer.status === 'rejected');
		expect([done.length, refused.length]).toEqual([1, 2]);
		for (const { reason } of refused)
			expect(reason).toMatchObject({ kind: 'conflict', operation: done[0]?.value.id });
		await house.finished(done[0]!.value);
		expect(world.game.starts()).toBe(1);
		expect(world.audit.map(({ result }) => result).sort()).toEqual(['done', 'refused', 'refused']);
	});

	test('two dashboards on the same data make one start', async () => {
		const [one, two] = [open(), open()];
		const answers = await Promise.allSettled([
			one.power.start(NOW, ADA),
			two.power.start(NOW, ADA)
		]);
		expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		await reaches(one, 'running');
		expect(world.game.starts()).toBe(1);
	});

	test('of a running server is refused in words', async () => {
		const house = await started();
		await expect(house.power.start(NOW, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			message: 'The server is running already.'
		});
		expect(world.game.starts()).toBe(1);
	});

	test('without a start command is refused with the reason', async () => {
		world.command = null;
		await expect(open().power.start(NOW, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			message: 'There is no server jar in the folder.'
		});
	});

	test('is refused when something answers whose process cannot be seen', async () => {
		world.answering = true;
		await expect(open().power.start(NOW, ADA)).rejects.toThrow(
			/cannot be seen from here.*same user/
		);
		expect(world.game.starts()).toBe(0);
	});

	test('that ends before it is ready fails with the diagnosis, and the server is crashed for that reason', async () => {
		await world.game.script({
			bootMs: null,
			exit: { code: 0, log: ['You need to agree to the EULA in order to run the server.'] }
		});
		const house = open();
		const ended = await house.finished(await house.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: {
				message: 'The EULA is not accepted. Set eula=true in eula.txt.',
				log: [expect.any(String), expect.stringContaining('EULA')]
			}
		});
		expect(await house.power.observe()).toMatchObject({
			state: 'crashed',
			reason: 'The EULA is not accepted.',
			diagnosis: { code: 'eula' },
			process: null
		});
	});

	test('what only the output tells is found there', async () => {
		await world.game.script({ bootMs: null, exit: { code: 1, output: 'agree to the EULA\n' } });
		const house = open();
		const ended = await house.finished(await house.power.start(NOW, ADA));
		expect(ended.cause?.message).toMatch(/^The EULA/);
	});

	test('a program that is missing is crashed with words, and a later start is allowed', async () => {
		world.command = ['/nowhere/java', '-jar', 'server.jar'];
		const house = open();
		const ended = await house.finished(await house.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/Java was not found/) }
		});
		expect(await house.power.observe()).toMatchObject({
			state: 'crashed',
			diagnosis: { code: 'java-missing', restartable: false }
		});
		world.command = world.game.argv;
		await started(house);
	});

	test('that takes too long fails, and the process is left alone', async () => {
		await world.game.script({ bootMs: null });
		world.verifyTimeoutMs = 300;
		const house = open();
		const ended = await house.finished(await house.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/left running/) }
		});
		expect(await house.state()).toBe('starting');
		await expect(house.power.start(NOW, ADA)).rejects.toThrow('The server is starting already.');
		const stopped = await house.finished(await house.power.stop(NOW, ADA));
		expect(stopped.state).toBe('succeeded');
	});

	test('the ready line of the run before does not count', async () => {
		const house = await started();
		await house.finished(await house.power.stop(NOW, ADA));
		await world.game.script({ bootMs: null });
		await house.power.start(NOW, ADA);
		await soon(() => expect(world.game.starts()).toBe(2));
		for (let i = 0; i < 5; i++) expect(await house.state()).toBe('starting');
	});
});

describe('stop', () => {
	test('over RCON: waits for the process, and is stopped, not crashed', async () => {
		await world.game.script({ stopMs: 300 });
		const house = await started();
		const { process } = await house.power.observe();
		const operation = await house.power.stop(NOW, ADA);
		await reaches(house, 'stopping');
		expect(await house.power.observe()).toMatchObject({ reason: expect.stringContaining('ada') });
		const ended = await house.finished(operation);
		expect(steps(ended)).toEqual([
			['stop', 'done'],
			['exit', 'done']
		]);
		expect(house.process.alive(process!)).toBe(false);
		expect(await house.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by ada.',
			process: null
		});
		expect(world.sent).toEqual(['stop']);
		expect(world.game.log()).toContain('All dimensions are saved');
	});

	test.each([
		['off in server.properties', { rconEnabled: false }, 'RCON is off.'],
		['not reachable', { rcon: 'off' as const }, 'RCON cannot be reached.']
	])('with RCON %s a signal is sent, and the step says so', async (_, how, why) => {
		Object.assign(world, how);
		const house = await started();
		const ended = await house.finished(await house.power.stop(NOW, ADA));
		expect(ended.state).toBe('succeeded');
		expect(ended.steps[0]?.detail).toBe(
			`Told to stop by a signal (SIGTERM), which saves too: ${why}`
		);
		expect(world.game.log()).toContain('All dimensions are saved');
		expect(world.sent).toEqual([]);
	});

	test('a server that ignores it is waited for and never killed; only an explicit kill ends it', async () => {
		await world.game.script({ stopMs: null });
		const house = await started();
		const { process } = await house.power.observe();
		const operation = await house.power.stop(NOW, ADA);
		await reaches(house, 'stopping');
		await expect(house.power.stop(NOW, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			operation: operation.id
		});
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(house.process.alive(process!)).toBe(true);
		expect(house.operations.running()?.id).toBe(operation.id);

		expect(await house.power.kill(ADA)).toEqual({ message: expect.stringContaining('was killed') });
		expect(await house.finished(operation)).toMatchObject({ state: 'succeeded' });
		expect(await house.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Killed by ada.'
		});
		expect(world.audit.at(-1)).toMatchObject({ action: 'server.kill', result: 'done' });
	});

	test('a command whose outcome is unknown is not followed by a signal', async () => {
		await world.game.script({ stopMs: 20 });
		world.rcon = 'silent';
		const house = await started();
		const operation = await house.power.stop(NOW, ADA);
		await soon(() => expect(world.sent).toEqual(['stop']));
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(await house.state()).toBe('stopping');
		expect(world.game.log()).not.toContain('Stopping server');
		await world.game.command('stop');
		expect(await house.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('of a server that was started by hand works, and it is recognised as running', async () => {
		const house = open();
		const child = await byHand();
		await reaches(house, 'running');
		expect((await house.power.observe()).process).toMatchObject({ pid: child.pid, ours: false });
		const ended = await house.finished(await house.power.stop(NOW, ADA));
		expect(ended.state).toBe('succeeded');
		expect(await house.state()).toBe('stopped');
	});

	test('of what does not run is refused, naming the state', async () => {
		const house = open();
		await expect(house.power.stop(NOW, ADA)).rejects.toThrow('The server is stopped already.');
		await expect(house.power.restart(NOW, ADA)).rejects.toThrow('The server is stopped already.');
		await started(house);
		house.process.signal((await house.process.find())!, 'SIGKILL');
		await reaches(house, 'crashed');
		await expect(house.power.stop(NOW, ADA)).rejects.toThrow(/not running: it crashed/);
		await expect(house.power.kill(ADA)).rejects.toMatchObject({ kind: 'conflict' });
		expect(world.audit.at(-1)).toMatchObject({ action: 'server.kill', result: 'refused' });
	});

	test('something outside that starts it again at once is named, not waited for', async () => {
		const loop = path.join(world.game.dir, 'loop.sh');
		await writeFile(loop, `while true; do ${world.game.java} -jar server.jar; done`);
		const shell = spawn('sh', [loop], { cwd: world.game.dir, stdio: 'ignore' });
		try {
			const house = open();
			await reaches(house, 'running');
			const ended = await house.finished(await house.power.stop(NOW, ADA));
			expect(ended).toMatchObject({
				state: 'failed',
				cause: { message: expect.stringMatching(/started it again/) }
			});
		} finally {
			shell.kill('SIGKILL');
		}
	});
});

describe('restart', () => {
	test('stops and starts: another process, ready again', async () => {
		const house = await started();
		const before = (await house.power.observe()).process!;
		const ended = await house.finished(await house.power.restart(NOW, ADA));
		expect(steps(ended)).toEqual([
			['stop', 'done'],
			['exit', 'done'],
			['launch', 'done'],
			['ready', 'done']
		]);
		const after = await house.power.observe();
		expect(after.state).toBe('running');
		expect(after.process?.pid).not.toBe(before.pid);
		expect(world.game.starts()).toBe(2);
	});

	test('is not begun when the server could not be started again', async () => {
		const house = await started();
		world.command = null;
		await expect(house.power.restart(NOW, ADA)).rejects.toThrow(
			'There is no server jar in the folder.'
		);
		expect(world.sent).toEqual([]);
		expect(await house.state()).toBe('running');
	});

	test('a kill while it waits for the end lets it go on with the start', async () => {
		await world.game.script({ stopMs: null });
		const house = await started();
		const operation = await house.power.restart(NOW, ADA);
		await reaches(house, 'stopping');
		await house.power.kill(ADA);
		expect(await house.finished(operation)).toMatchObject({ state: 'succeeded' });
		expect(await house.state()).toBe('running');
	});

	test('a kill while it loads ends it as failed', async () => {
		const house = await started();
		await world.game.script({ bootMs: null });
		const operation = await house.power.restart(NOW, ADA);
		await soon(async () => {
			expect(world.game.starts()).toBe(2);
			expect(await house.power.observe()).toMatchObject({
				state: 'starting',
				process: { pid: expect.any(Number) }
			});
		});
		await house.power.kill(ADA);
		expect(await house.finished(operation)).toMatchObject({
			state: 'failed',
			cause: { message: 'The server ended before it was ready. Killed by ada.' }
		});
		expect(await house.state()).toBe('stopped');
	});
});

describe('countdown', () => {
	test('is announced, can be called off, and then nothing has happened', async () => {
		const house = await started();
		const operation = await house.power.stop({ delaySeconds: 300, message: 'Back "soon" §c' }, ADA);
		expect(operation.steps.map(({ id }) => id)).toEqual(['countdown', 'stop', 'exit']);
		await soon(() => expect(world.sent).toHaveLength(1));
		expect(world.sent[0]).toBe(
			'tellraw @a {"text":"The server stops in 5 minutes. Back \\"soon\\" c","color":"yellow"}'
		);
		await house.operations.cancel(operation.id, ADA);
		expect(await house.finished(operation)).toMatchObject({ state: 'cancelled' });
		expect(world.sent[1]).toContain('The stop was called off.');
		expect(await house.state()).toBe('running');
		expect(world.sent).not.toContain('stop');
	});

	test('ends in the stop, also when nobody can be told', async () => {
		const house = await started();
		world.rcon = 'off';
		const ended = await house.finished(
			await house.power.stop({ delaySeconds: 1, message: '' }, ADA)
		);
		expect(ended.state).toBe('succeeded');
		expect(ended.steps[0]).toMatchObject({
			id: 'countdown',
			status: 'done',
			detail: 'Not announced in game: RCON cannot be reached.'
		});
	});
});

describe('the end of a process', () => {
	const end = async (house: House) => {
		await house.power.observe();
		await soon(async () => expect(await house.process.find()).toBeNull());
		return house.power.observe();
	};

	test('/stop typed in the game is no crash', async () => {
		const house = await started();
		await world.game.command('stop');
		expect(await end(house)).toMatchObject({
			state: 'stopped',
			reason: 'Stopped from inside the game.'
		});
	});

	test('players cannot make an orderly end look like a crash', async () => {
		const house = await started();
		await world.game.command('log <Bob> Encountered an unexpected exception');
		await soon(() => expect(world.game.log()).toContain('<Bob>'));
		await world.game.command('stop');
		expect(await end(house)).toMatchObject({ state: 'stopped' });
	});

	test('an orderly end by a signal from outside is no crash', async () => {
		const house = await started();
		process.kill((await house.process.find())!.pid, 'SIGTERM');
		expect(await end(house)).toMatchObject({
			state: 'stopped',
			reason: expect.stringContaining('signal')
		});
	});

	test.each([
		['kill -9 from outside', (pid: number) => void process.kill(pid, 'SIGKILL')],
		['an exit without a word', () => world.game.command('exit 0')],
		['an exit with a code', () => world.game.command('exit 1')],
		[
			'a player who only says that it stops',
			async () => {
				await world.game.command('log <Bob> Stopping server');
				await soon(() => expect(world.game.log()).toContain('<Bob>'));
				await world.game.command('exit 0');
			}
		],
		[
			'a crash after which the game still stops in order',
			async () => {
				await world.game.command('log Encountered an unexpected exception');
				await soon(() => expect(world.game.log()).toContain('unexpected'));
				await world.game.command('stop');
			}
		]
	])('%s is a crash', async (_, deed) => {
		const house = await started();
		await deed((await house.process.find())!.pid);
		const seen = await end(house);
		expect(seen).toMatchObject({
			state: 'crashed',
			diagnosis: expect.anything(),
			endedAt: expect.any(String)
		});
		expect(await house.power.observe()).toEqual(seen);
	});

	test('a crash report of this run is evidence, one of an earlier run is not', async () => {
		await world.game.script({
			exit: { code: 0, log: ['Stopping server'], crashReport: '---- Report ----' }
		});
		const house = open();
		const first = await house.finished(await house.power.start(NOW, ADA));
		void first;
		await reaches(house, 'crashed');
		await world.game.script({});
		await started(house);
		await world.game.command('stop');
		expect(await end(house)).toMatchObject({ state: 'stopped' });
	});

	test('a crash while no dashboard was there is noticed by the next one', async () => {
		const first = await started();
		const { pid } = (await first.process.find())!;
		await first.close();
		houses.splice(0);
		process.kill(pid, 'SIGKILL');
		await soon(() => expect(first.process.alive).toBeDefined());
		await reaches(open(), 'crashed');
	});
});

describe('after a restart of the dashboard', () => {
	test('a running server is running, since the same moment', async () => {
		const first = await started();
		const before = await first.power.observe();
		await first.close();
		const after = await open().power.observe();
		expect(after).toEqual(before);
	});

	test('with its state file lost or damaged, it is running all the same', async () => {
		const first = await started();
		await first.close();
		await rm(path.join(world.dataDir, 'server-state.json'));
		expect(await open().state()).toBe('running');
		await writeFile(path.join(world.dataDir, 'server-state.json'), '{"process":');
		expect(await open().state()).toBe('running');
		expect(world.errors).toHaveLength(1);
		world.errors = [];
	});

	test('nothing known, nothing running: stopped', async () => {
		expect(await open().power.observe()).toEqual({
			state: 'stopped',
			process: null,
			reason: null,
			diagnosis: null,
			readyAt: null,
			endedAt: null
		});
	});

	/** Closing halts the step as it is; the journal says `running`, as after a kill -9. */
	async function cutOff(house: House) {
		await house.close();
		houses.splice(houses.indexOf(house), 1);
		const next = open();
		const operation = next.operations.running()!;
		expect(operation.state).toBe('running');
		await next.operations.recover();
		return { next, ended: await next.finished(operation) };
	}

	test('a start goes on: the process that was launched is waited for, none is added', async () => {
		await world.game.script({ bootMs: null });
		const house = open();
		await house.power.start(NOW, ADA);
		await reaches(house, 'starting');
		await soon(() => expect(world.game.starts()).toBe(1));
		setTimeout(() => void world.game.command('log Done (3.1s)! For help, type "help"'), 100);
		const { next, ended } = await cutOff(house);
		expect(ended.state).toBe('succeeded');
		expect(await next.state()).toBe('running');
		expect(world.game.starts()).toBe(1);
	});

	test('a start goes on that printed its ready line while nobody was there', async () => {
		await world.game.script({ bootMs: null });
		const house = open();
		await house.power.start(NOW, ADA);
		await reaches(house, 'starting');
		await soon(() => expect(world.game.starts()).toBe(1));
		await house.close();
		houses.splice(0);
		await world.game.command('log Done (3.1s)! For help, type "help"');
		await soon(() => expect(world.game.log()).toContain('Done'));
		const next = open();
		const operation = next.operations.running()!;
		await next.operations.recover();
		expect(await next.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('a stop goes on, is not sent again, and is no crash', async () => {
		await world.game.script({ stopMs: 600 });
		const house = await started();
		await house.power.stop(NOW, ADA);
		await soon(() => expect(house.operations.running()?.steps[1]?.status).toBe('running'));
		const { next, ended } = await cutOff(house);
		expect(ended.state).toBe('succeeded');
		expect(await next.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by ada.'
		});
		expect(world.sent).toEqual(['stop']);
	});

	test('a restart goes on to the end', async () => {
		await world.game.script({ stopMs: 300 });
		const house = await started();
		await house.power.restart(NOW, ADA);
		await soon(() => expect(house.operations.running()?.steps[1]?.status).toBe('running'));
		const { next, ended } = await cutOff(house);
		expect(ended.state).toBe('succeeded');
		expect(await next.state()).toBe('running');
		expect(world.game.starts()).toBe(2);
	});

	test('a countdown does not go on: nothing has happened', async () => {
		const house = await started();
		await house.power.restart({ delaySeconds: 600, message: '' }, ADA);
		await soon(() => expect(world.sent).toHaveLength(1));
		const { next, ended } = await cutOff(house);
		expect(ended.state).toBe('interrupted');
		expect(await next.state()).toBe('running');
		expect(world.sent).not.toContain('stop');
		expect(world.game.starts()).toBe(1);
	});
});

describe('watching', () => {
	test('a crash is told without anybody asking, and restarted when the settings say so', async () => {
		world.settings.autoRestart = true;
		const house = await started();
		house.power.startWatching();
		const before = house.changes();
		process.kill((await house.process.find())!.pid, 'SIGKILL');
		await soon(() => expect(house.changes()).toBeGreaterThan(before));
		await soon(async () =>
			expect(await house.power.observe()).toMatchObject({
				state: 'crashed',
				reason: expect.stringContaining('It is started again after 10 s.')
			})
		);
	});

	test('a server that somebody starts by hand becomes running without anybody asking', async () => {
		const house = open();
		await house.power.observe();
		const before = house.changes();
		const child = await byHand();
		house.power.startWatching();
		await soon(() => expect(house.changes()).toBeGreaterThan(before));
		expect((await house.power.observe()).process?.pid).toBe(child.pid);
	});
});

test('the facts on disk are private', async () => {
	await started();
	const { stat } = await import('node:fs/promises');
	for (const name of ['server-state.json', 'process.json'])
		expect((await stat(path.join(world.dataDir, name))).mode & 0o777).toBe(0o600);
	expect(
		JSON.parse(await readFile(path.join(world.dataDir, 'server-state.json'), 'utf8'))
	).toMatchObject({
		stop: null,
		end: null
	});
});
