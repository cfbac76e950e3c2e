import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	ADA,
	createWorld,
	NOW,
	openSetup,
	type Setup,
	type World
} from '../../../../../../tests/fakes/power-setup.ts';
import type { RuntimeState } from '#runtime';
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

test('an engine that restarts the game by itself is told to stop it, and nothing else is', async () => {
	setup = openSetup(world);
	await started();
	const stop = await setup.finished(await setup.power.stop(NOW, ADA));
	expect(stop).toMatchObject({
		state: 'succeeded',
		steps: [{ detail: 'Told to stop through whatever runs it.' }, {}]
	});
	expect(world.engine.stops).toBe(1);
	expect(world.sent).toEqual([]);
});

test('a crash is not followed by a start of ours where something else restarts it', async () => {
	world.settings.autoRestart = true;
	setup = openSetup(world);
	await started();
	setup.power.startWatching();
	await world.game.command('exit 1');
	await soon(async () =>
		expect((await setup.power.observe()).reason).toContain(
			'but not this time: it is left alone now.'
		)
	);
	expect(world.game.starts()).toBe(1);
});

test('a kill that is not possible is refused with a clear message', async () => {
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

/** A verify during which the engine says each of these in turn, one a look, and the last for good. */
async function verified(words: (Partial<RuntimeState> | null)[], verifyTimeoutMs = 20_000) {
	setup = openSetup(world);
	await started();
	await setup.close();
	setup = openSetup(Object.assign(world, { verifyTimeoutMs }));
	const { run } = await setup.power.observe();
	const before = world.engine.state;
	const told = words.map((one) => ({ ...before, ...one }));
	setup.operations.define({
		kind: 'update',
		steps: () => [
			{
				id: 'verify',
				label: 'Watch',
				async run(ctx) {
					Object.defineProperty(world.engine, 'state', {
						get: () => (told.length > 1 ? told.shift() : told[0])
					});
					await setup.power.serverControl.verify(ctx);
				}
			}
		]
	});
	const { id } = await setup.operations.run('update', {}, ADA);
	return { ended: await setup.finished(await setup.operations.get(id)), run: run! };
}
const looks = (count: number, state: Partial<RuntimeState> = {}) => Array(count).fill(state);

test('a verification fails when the engine has restarted the server, however well it runs then', async () => {
	world.patience.holdMs = 60_000;
	const { ended } = await verified([...looks(6), { restarts: 1 }]);
	expect(ended).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining('Whatever runs it started it again.') }
	});
});

test('a verification fails when another run has taken its place, whatever the engine counts', async () => {
	world.patience.holdMs = 60_000;
	const other = { id: 'another', startedAt: new Date().toISOString(), pid: null, ours: true };
	const { ended } = await verified([...looks(6), { run: other }]);
	expect(ended).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringContaining('Whatever runs it started it again.') }
	});
});

const UNSEEN = { phase: 'unknown', run: null, detail: 'The bus is gone.' } as const;

test('a verification continues when the engine could not be queried for a while: nothing is started or ended', async () => {
	// On a busy machine less than that passes within the first looks, and it would end before it sees nothing.
	world.patience.holdMs = 1000;
	const { ended, run } = await verified([...looks(4), ...looks(8, UNSEEN), null]);
	expect(ended).toMatchObject({ state: 'succeeded', cause: null });
	expect((await setup.power.observe()).run).toEqual(run);
	expect([world.game.starts(), world.sent, world.engine.stops]).toEqual([1, [], undefined]);
});

test('a verification whose end nobody can see fails with the reason, and changes nothing', async () => {
	const { ended, run } = await verified([...looks(2), UNSEEN], 300);
	expect(ended).toMatchObject({
		state: 'failed',
		cause: { message: expect.stringMatching(/could not be seen\. The bus is gone\.$/) }
	});
	const { serverControl } = setup.power;
	await expect(serverControl.ensureStopped()).rejects.toMatchObject({
		kind: 'conflict',
		message: 'The bus is gone.'
	});
	expect(await setup.runtime.alive(run)).toBe(true);
	expect([world.game.starts(), world.sent, world.engine.stops]).toEqual([1, [], undefined]);
});
