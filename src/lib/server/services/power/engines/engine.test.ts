import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	ADA,
	createWorld,
	NOW,
	openSetup,
	type Setup,
	type World
} from '../../../../../../tests/fakes/power-setup.ts';
import type { StepContext } from '#operations';
import { soon } from '../../../../../../tests/soon.ts';

let world: World;
let setup: Setup;
beforeEach(async () => {
	world = await createWorld();
	world.engine = { state: { restartsItself: true, restarts: 0 } };
});
afterEach(async () => {
	await setup.close();
	await world.dispose();
});

const started = async () =>
	expect(await setup.finished(await setup.power.start(NOW, ADA))).toMatchObject({
		state: 'succeeded'
	});

test('what restarts the game by itself is told to stop it, and nothing else is', async () => {
	setup = openSetup(world);
	await started();
	const stop = await setup.finished(await setup.power.stop(NOW, ADA));
	expect(stop).toMatchObject({
		state: 'succeeded',
		steps: [{ detail: 'Told to stop through what runs it.' }, {}]
	});
	expect(world.engine.stops).toBe(1);
	expect(world.sent).toEqual([]);
});

test('a crash is not followed by a start of ours where something else starts it again', async () => {
	world.settings.autoRestart = true;
	setup = openSetup(world);
	await started();
	setup.power.startWatching();
	await world.game.command('exit 1');
	await soon(async () =>
		expect((await setup.power.observe()).reason).toContain(
			'does not this time: it is left alone now.'
		)
	);
	expect(world.game.starts()).toBe(1);
});

test('a kill that is not possible is refused in words', async () => {
	world.engine.can = { kill: false };
	setup = openSetup(world);
	await started();
	await expect(setup.power.kill(ADA)).rejects.toMatchObject({
		kind: 'conflict',
		message: expect.stringContaining('does not let the dashboard kill it')
	});
	expect(await setup.state()).toBe('running');
	expect(world.audit.at(-1)).toMatchObject({ action: 'server.kill', result: 'refused' });
});

test('a verify ends when whatever runs it has started it again, however well it does then', async () => {
	world.patience.holdMs = 60_000;
	setup = openSetup(world);
	await started();
	const restartedMeanwhile = async (ctx: StepContext) => {
		let looks = 0;
		world.engine.state = {
			restartsItself: true,
			get restarts() {
				return looks++ < 6 ? 0 : 1;
			}
		};
		await setup.power.serverControl.verify(ctx);
	};
	setup.operations.define({
		kind: 'update',
		steps: () => [{ id: 'verify', label: 'Watch', run: (ctx) => restartedMeanwhile(ctx) }]
	});
	const { id } = await setup.operations.run('update', {}, ADA);
	const ended = setup.finished(await setup.operations.get(id));
	expect(await ended).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining('What runs it started it again.') }
	});
});
