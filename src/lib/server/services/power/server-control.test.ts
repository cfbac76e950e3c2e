import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ADA, createWorld, NOW, openSetup } from '../../../../../tests/fakes/power-setup.ts';
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
