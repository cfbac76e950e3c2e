import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { ADA, createWorld, NOW, openSetup } from '../../../../../tests/fakes/power-setup.ts';
import { soon } from '../../../../../tests/soon.ts';
import { AppError } from '#core/errors';

test('a server whose stop could not be recorded is waited for before it is started again', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	await world.game.script({ stopMs: 300 });
	const setup = openSetup(world);
	onTestFinished(() => setup.close());
	const { operations, finished, power } = setup;
	await finished(await power.start(NOW, ADA));
	const before = (await power.observe()).run!.pid;
	operations.define({
		kind: 'restore',
		steps: () => [
			{
				id: 'stop',
				label: 'Stop the server',
				async run(ctx) {
					const full = new AppError('internal', 'The journal could not be written.');
					const remember = () => Promise.reject(full);
					const halted = power.serverControl.halt(
						{ ...ctx, checkpoint: {}, remember },
						'ada',
						'Why.'
					);
					await expect(halted).rejects.toBe(full);
				}
			},
			{ id: 'start', label: 'Start it', run: (ctx) => power.serverControl.launch(ctx) }
		]
	});
	expect(await finished(await operations.run('restore', {}, ADA))).toMatchObject({
		state: 'succeeded'
	});
	const { run, state } = await power.observe();
	expect(['starting', 'running']).toContain(state);
	expect(run!.pid).not.toBe(before);
	expect(world.sent).toEqual(['stop']);
});

test('a server is not said to have stopped while it is still being made sure of', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	const setup = openSetup(world);
	onTestFinished(() => setup.close());
	const { operations, finished, power } = setup;
	await finished(await power.start(NOW, ADA));
	const seen: boolean[] = [];
	const details: string[] = [];
	const asked = () => void seen.push(details.includes('Stopped by ada.'));
	Object.defineProperty(world, 'answering', { get: () => asked() ?? false });
	operations.define({
		kind: 'restore',
		steps: () => [
			{
				id: 'stop',
				label: 'Stop the server',
				async run(ctx) {
					const detail = (text: string) => void (details.push(text), ctx.detail(text));
					await power.serverControl.halt({ ...ctx, detail }, 'ada', 'Why.');
				}
			}
		]
	});
	await finished(await operations.run('restore', {}, ADA));
	expect(details.at(-1)).toBe('Stopped by ada.');
	expect(seen.at(-1)).toBe(false);
});

test('a server that was ready long before its second verification needs no new ready line', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	world.verifyTimeoutMs = 2000;
	const before = openSetup(world);
	await before.finished(await before.power.start(NOW, ADA));
	await before.close();
	// The log of a new day.
	await writeFile(path.join(world.game.dir, 'logs/latest.log'), '[00:00:01] [main/INFO]: Later\n');
	const setup = openSetup(world);
	onTestFinished(() => setup.close());
	const { operations, finished, power } = setup;
	operations.define({
		kind: 'restore',
		steps: () => [{ id: 'verify', label: 'Verify', run: (ctx) => power.serverControl.verify(ctx) }]
	});
	expect(await finished(await operations.run('restore', {}, ADA))).toMatchObject({
		state: 'succeeded'
	});
});

/** Time that moves only when told to; for what a real process does meanwhile, it runs. */
async function passing<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
	let isOver = false;
	const over = work.finally(() => (isOver = true));
	while (!isOver) {
		await clock.advance(20);
		await new Promise((resolve) => setTimeout(resolve, 2));
	}
	return over;
}

test('a server that crashed some time after it was ready is watched for longer than that', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	world.patience.holdMs = 30_000;
	const clock = createManualClock(new Date().toISOString());
	const setup = openSetup(world, { clock });
	onTestFinished(() => setup.close());
	const { operations, finished, power } = setup;
	await passing(clock, power.start(NOW, ADA).then(finished));
	await clock.advance(60_000);
	await world.game.command('exit 1');
	await soon(async () => expect(await setup.state()).toBe('crashed'));

	operations.define({
		kind: 'update',
		steps: () => [
			{
				id: 'verify',
				label: 'Watch',
				async run(ctx) {
					await power.serverControl.launch(ctx);
					await power.serverControl.verify(ctx);
				}
			}
		]
	});
	const { id } = await operations.run('update', {}, ADA);
	const words = async () => (await operations.get(id)).steps[0]!.detail ?? '';
	await passing(
		clock,
		soon(async () => expect(await words()).toContain('Watching for'))
	);
	expect(await words()).toMatch(
		/^It is ready and answers\. Watching for 1 min 2\d s to see that it stays up, as its last crash came 1 min after it was ready\.$/
	);
	await clock.advance(62_000);
	expect(await operations.get(id)).toMatchObject({ state: 'running' });
	await world.game.command('exit 1');
	expect(await passing(clock, finished(await operations.get(id)))).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining('It did not stay up: it was ready for 1 min') }
	});
});
