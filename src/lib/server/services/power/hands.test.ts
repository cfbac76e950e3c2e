import { expect, onTestFinished, test } from 'vitest';
import { ADA, createWorld, NOW, openHouse } from '../../../../../tests/fakes/power-house.ts';
import { AppError } from '../../core/errors.ts';

test('a server that was told to stop, which could not be noted, is waited for before it is started again', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	await world.game.script({ stopMs: 300 });
	const house = openHouse(world);
	onTestFinished(() => house.close());
	const { operations, finished, power } = house;
	await finished(await power.start(NOW, ADA));
	const before = (await power.observe()).process!.pid;
	operations.define({
		kind: 'restore',
		steps: () => [
			{
				id: 'stop',
				label: 'Stop the server',
				async run(ctx) {
					const full = new AppError('internal', 'The journal could not be written.');
					const remember = () => Promise.reject(full);
					const halted = power.hands.halt({ ...ctx, memo: {}, remember }, 'ada', 'Why.');
					await expect(halted).rejects.toBe(full);
				}
			},
			{ id: 'start', label: 'Start it', run: (ctx) => power.hands.launch(ctx) }
		]
	});
	expect(await finished(await operations.run('restore', {}, ADA))).toMatchObject({
		state: 'succeeded'
	});
	const { process, state } = await power.observe();
	expect(['starting', 'running']).toContain(state);
	expect(process!.pid).not.toBe(before);
	expect(world.sent).toEqual(['stop']);
});
