import { describe, expect, test } from 'vitest';
import { ADA, NOW } from '../../../../../tests/fakes/power-setup.ts';
import {
	world,
	open,
	started,
	steps,
	reaches,
	worldForEach
} from '../../../../../tests/fakes/power-kit.ts';
import { soon } from '../../../../../tests/soon.ts';

worldForEach();

describe('start', () => {
	test('launches, waits for the ready line and says so', async () => {
		const setup = open();
		expect(await setup.state()).toBe('stopped');
		const operation = await setup.power.start(NOW, ADA);
		expect(operation).toMatchObject({ kind: 'start', state: 'running', by: 'ada' });
		const ended = await setup.finished(operation);
		expect(ended.state).toBe('succeeded');
		expect(steps(ended)).toEqual([
			['launch', 'done'],
			['ready', 'done']
		]);
		expect(await setup.power.observe()).toMatchObject({
			state: 'running',
			reason: null,
			readyAt: expect.any(String),
			run: { ours: true }
		});
		expect(world.audit).toEqual([
			{ by: 'ada', action: 'server.start', result: 'done', detail: null }
		]);
		expect(setup.changes()).toBeGreaterThan(0);
	});

	test('shows the server output meanwhile, without addresses, and how long it usually takes', async () => {
		const setup = await started();
		await world.game.command('exit 0');
		await reaches(setup, 'crashed');
		await world.game.script({ bootMs: null });
		const operation = await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await world.game.command('log Somebody at 10.0.0.7 asked');
		const shown = () => setup.operations.log(operation.id);
		await soon(async () =>
			expect(shown()).toMatchObject({
				step: 'ready',
				lines: expect.arrayContaining([expect.stringMatching(/Somebody at \*\*\* asked$/)])
			})
		);
		const { steps } = await setup.operations.get(operation.id);
		expect(steps[1]!.expected).toEqual({ usualMs: expect.any(Number), limitMs: 20_000 });
		await world.game.command('log Done (3.1s)! For help, type "help"');
		expect(await setup.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('it is starting until it is ready', async () => {
		await world.game.script({ bootMs: null });
		const setup = open();
		const operation = await setup.power.start(NOW, ADA);
		await soon(async () =>
			expect(await setup.power.observe()).toMatchObject({
				state: 'starting',
				run: expect.anything(),
				readyAt: null
			})
		);
		await world.game.command('log Done (3.1s)! For help, type "help"');
		expect(await setup.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('a successful probe makes it ready where the log does not', async () => {
		await world.game.script({ bootMs: null });
		world.answering = false;
		const setup = open();
		const operation = await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		world.answering = true;
		expect(await setup.finished(operation)).toMatchObject({ state: 'succeeded' });
		expect(await setup.state()).toBe('running');
	});

	test('three people at once cause one start; the others are told what is running', async () => {
		const setup = open();
		const answers = await Promise.allSettled([1, 2, 3].map(() => setup.power.start(NOW, ADA)));
		const done = answers.filter((answer) => answer.status === 'fulfilled');
		const refused = answers.filter((answer) => answer.status === 'rejected');
		expect([done.length, refused.length]).toEqual([1, 2]);
		for (const { reason } of refused)
			expect(reason).toMatchObject({ kind: 'conflict', operation: done[0]?.value.id });
		await setup.finished(done[0]!.value);
		expect(world.game.starts()).toBe(1);
		expect(world.audit.map(({ result }) => result).sort()).toEqual(['done', 'refused', 'refused']);
	});

	test('two dashboards on the same data cause one start', async () => {
		const [one, two] = [open(), open()];
		const answers = await Promise.allSettled([
			one.power.start(NOW, ADA),
			two.power.start(NOW, ADA)
		]);
		expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
		await reaches(one, 'running');
		expect(world.game.starts()).toBe(1);
	});

	test('of a running server is refused with a clear message', async () => {
		const setup = await started();
		await expect(setup.power.start(NOW, ADA)).rejects.toMatchObject({
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
			/not visible from here.*where it was started/
		);
		expect(world.game.starts()).toBe(0);
	});

	test('that exits before it is ready fails with the diagnosis, and the server is crashed for that reason', async () => {
		await world.game.script({
			bootMs: null,
			exit: { code: 0, log: ['You need to agree to the EULA in order to run the server.'] }
		});
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: {
				message: 'The EULA is not accepted. Set eula=true in eula.txt.',
				log: [expect.any(String), expect.stringContaining('EULA')]
			}
		});
		expect(await setup.power.observe()).toMatchObject({
			state: 'crashed',
			reason: 'The EULA is not accepted.',
			diagnosis: { code: 'eula' },
			run: null
		});
	});

	test('finds a failure that only the output shows', async () => {
		await world.game.script({ bootMs: null, exit: { code: 1, output: 'agree to the EULA\n' } });
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(ended.cause?.message).toMatch(/^The EULA/);
	});

	test('of a missing program is crashed with a clear message, and a later start is allowed', async () => {
		world.command = ['/nowhere/java', '-jar', 'server.jar'];
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/Java was not found/) }
		});
		expect(await setup.power.observe()).toMatchObject({
			state: 'crashed',
			diagnosis: { code: 'java-missing', restartable: false }
		});
		world.command = world.game.argv;
		await started(setup);
	});

	test('that takes too long fails, and the process is left alone', async () => {
		await world.game.script({ bootMs: null });
		world.verifyTimeoutMs = 300;
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(ended).toMatchObject({
			state: 'failed',
			cause: { message: expect.stringMatching(/not stopped/), loading: true }
		});
		expect(await setup.state()).toBe('starting');
		await expect(setup.power.start(NOW, ADA)).rejects.toThrow('The server is starting already.');
		const stopped = await setup.finished(await setup.power.stop(NOW, ADA));
		expect(stopped.state).toBe('succeeded');
	});

	test('is called off by stopping the server again, gently', async () => {
		await world.game.script({ bootMs: null });
		const setup = open();
		const operation = await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await soon(async () =>
			expect(await setup.operations.get(operation.id)).toHaveProperty('cancellable', true)
		);
		await setup.operations.cancel(operation.id, { ...ADA, name: 'bob' });
		const ended = await setup.finished(operation);
		expect(ended).toMatchObject({ state: 'cancelled', cause: null });
		expect(steps(ended)).toEqual([
			['launch', 'done'],
			['ready', 'skipped'],
			['stop-again', 'done']
		]);
		expect(await setup.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by bob.'
		});
		expect(world.game.log()).toContain('Stopping server');
		await world.game.script({});
		await started(setup);
	});

	test('is cancelled by a stop that names it, and one that is over by then is stopped', async () => {
		await world.game.script({ bootMs: null });
		const setup = open();
		const operation = await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await expect(setup.power.stop(NOW, ADA)).rejects.toMatchObject({ kind: 'conflict' });
		const cancels = operation.id;
		await soon(async () =>
			expect(await setup.power.stop({ ...NOW, cancels }, ADA)).toMatchObject({ id: cancels })
		);
		expect(await setup.finished(operation)).toMatchObject({ state: 'cancelled' });

		await world.game.script({});
		const next = await setup.finished(await setup.power.start(NOW, ADA));
		const stop = await setup.power.stop({ ...NOW, cancels: next.id }, ADA);
		expect(stop.kind).toBe('stop');
		expect(await setup.finished(stop)).toMatchObject({ state: 'succeeded' });
		expect(await setup.state()).toBe('stopped');
	});

	test('one that does not end when it is called off is never killed; a kill ends it', async () => {
		await world.game.script({ bootMs: null, stopMs: null });
		const setup = open();
		const operation = await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await soon(async () => expect(await setup.operations.cancel(operation.id, ADA)).toBeTruthy());
		await reaches(setup, 'stopping');
		expect(setup.operations.running()).toMatchObject({ id: operation.id });
		await setup.power.kill(ADA);
		expect(await setup.finished(operation)).toMatchObject({ state: 'cancelled' });
	});

	test('one that fails leaves the server as it is', async () => {
		await world.game.script({ bootMs: null });
		world.verifyTimeoutMs = 300;
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(steps(ended)).toEqual([
			['launch', 'done'],
			['ready', 'failed']
		]);
		expect(await setup.state()).toBe('starting');
	});

	test('ignores the ready line of the previous run', async () => {
		const setup = await started();
		await setup.finished(await setup.power.stop(NOW, ADA));
		await world.game.script({ bootMs: null });
		await setup.power.start(NOW, ADA);
		await soon(() => expect(world.game.starts()).toBe(2));
		for (let i = 0; i < 5; i++) expect(await setup.state()).toBe('starting');
	});
});

describe('a world that the game must not open', () => {
	const words = 'The world was last saved by a newer game.';
	const despite = { ...NOW, despiteWorld: true };

	test('is not opened by a start, and a superadmin may open it once', async () => {
		world.worldCheck = { refusal: words, note: null };
		const setup = open();
		await expect(setup.power.start(NOW, ADA)).rejects.toMatchObject({
			kind: 'conflict',
			code: 'world-refused',
			message: words
		});
		expect(world.game.starts()).toBe(0);
		const ended = await setup.finished(await setup.power.start(despite, ADA));
		expect(ended).toMatchObject({ state: 'succeeded' });
		expect(ended.steps[0]!.detail).toContain('Although the world does not fit');
		expect(world.audit).toMatchObject([
			{ result: 'refused', detail: words },
			{ result: 'done', detail: 'Even if the world does not fit the game.' }
		]);
		// Once: the next start asks again, and what runs is not stopped for a start that would be refused.
		await expect(setup.power.restart(NOW, ADA)).rejects.toThrow(words);
		expect(await setup.state()).toBe('running');
		await expect(setup.power.serverControl.ensureStartable()).rejects.toThrow(words);
	});

	test('is not opened by a restart during which the jar was swapped', async () => {
		const setup = await started();
		const operation = await setup.power.restart({ ...NOW, delaySeconds: 1 }, ADA);
		world.worldCheck = { refusal: words, note: null };
		expect(await setup.finished(operation)).toMatchObject({
			state: 'failed',
			cause: { message: words }
		});
		expect(world.game.starts()).toBe(1);
	});

	test('is reported when it may be opened anyway', async () => {
		world.worldCheck = { refusal: null, note: 'level.dat is damaged.' };
		const setup = open();
		const ended = await setup.finished(await setup.power.start(NOW, ADA));
		expect(ended.steps[0]!.detail).toContain('level.dat is damaged.');
	});
});
