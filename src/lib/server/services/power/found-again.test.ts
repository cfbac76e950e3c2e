import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ADA, NOW, type Setup } from '../../../../../tests/fakes/power-setup.ts';
import {
	world,
	setups,
	open,
	started,
	reaches,
	worldForEach
} from '../../../../../tests/fakes/power-kit.ts';
import { soon } from '../../../../../tests/soon.ts';

worldForEach();

describe('after a restart of the dashboard', () => {
	test('a running server is running, since the same moment', async () => {
		const first = await started();
		const before = await first.power.observe();
		await first.close();
		const after = await open().power.observe();
		expect(after).toEqual(before);
	});

	test('with its state file lost or damaged, it is still running', async () => {
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
			run: null,
			reason: null,
			restart: null,
			diagnosis: null,
			readyAt: null,
			endedAt: null
		});
	});

	test.each([
		['by a signal', null, 'It stopped cleanly; by whom is not known.'],
		['by a player', '[Bob: Stopping the server]', 'Stopped from inside the game.']
	])(
		'one that was stopped meanwhile %s is not put down to anybody without a sign',
		async (_, echo, reason) => {
			const first = await started();
			const { pid } = (await first.run())!;
			await first.close();
			if (echo) await world.game.command(`log ${echo}`);
			if (echo) await soon(() => expect(world.game.log()).toContain(echo));
			process.kill(pid!, 'SIGTERM');
			await soon(() => expect(() => process.kill(pid!, 0)).toThrow());
			expect(await open().power.observe()).toMatchObject({ state: 'stopped', reason });
		}
	);

	/** Closing halts the step as it is; the journal says `running`, as after a kill -9. */
	async function cutOff(setup: Setup) {
		await setup.close();
		setups.splice(setups.indexOf(setup), 1);
		const next = open();
		const operation = next.operations.running()!;
		expect(operation.state).toBe('running');
		await next.operations.recover();
		return { next, ended: await next.finished(operation) };
	}

	test('a start continues: the launched process is waited for, and no second one is started', async () => {
		await world.game.script({ bootMs: null });
		const setup = open();
		await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await soon(() => expect(world.game.starts()).toBe(1));
		setTimeout(() => void world.game.command('log Done (3.1s)! For help, type "help"'), 100);
		const { next, ended } = await cutOff(setup);
		expect(ended.state).toBe('succeeded');
		expect(await next.state()).toBe('running');
		expect(world.game.starts()).toBe(1);
	});

	test('a start continues whose ready line was printed while no dashboard was running', async () => {
		await world.game.script({ bootMs: null });
		const setup = open();
		await setup.power.start(NOW, ADA);
		await reaches(setup, 'starting');
		await soon(() => expect(world.game.starts()).toBe(1));
		await setup.close();
		setups.splice(0);
		await world.game.command('log Done (3.1s)! For help, type "help"');
		await soon(() => expect(world.game.log()).toContain('Done'));
		const next = open();
		const operation = next.operations.running()!;
		await next.operations.recover();
		expect(await next.finished(operation)).toMatchObject({ state: 'succeeded' });
	});

	test('a stop continues, is not sent again, and is not a crash', async () => {
		await world.game.script({ stopMs: 600 });
		const setup = await started();
		await setup.power.stop(NOW, ADA);
		await soon(() => expect(setup.operations.running()?.steps[1]?.status).toBe('running'));
		const { next, ended } = await cutOff(setup);
		expect(ended.state).toBe('succeeded');
		expect(await next.power.observe()).toMatchObject({
			state: 'stopped',
			reason: 'Stopped by ada.'
		});
		expect(world.sent).toEqual(['stop']);
	});

	test('a stop that takes longer than anybody expects is still waited for', async () => {
		await world.game.script({ stopMs: null });
		const setup = await started();
		await setup.power.stop(NOW, ADA);
		await soon(() => expect(setup.operations.running()?.steps[1]?.status).toBe('running'));
		await setup.close();
		setups.splice(0);
		const file = path.join(world.dataDir, 'server-state.json');
		const facts = JSON.parse(await readFile(file, 'utf8')) as { stop: { at: string } };
		facts.stop.at = new Date(Date.now() - 3600_000).toISOString();
		await writeFile(file, JSON.stringify(facts));
		const next = open();
		expect((await next.power.observe()).reason).toMatch('ada told it to stop 1 h ago');
		const operation = next.operations.running()!;
		await next.operations.recover();
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(next.operations.running()?.id).toBe(operation.id);
		await next.power.kill(ADA);
		expect(await next.finished(operation)).toMatchObject({ state: 'failed' });
	});

	test('a restart continues to the end', async () => {
		await world.game.script({ stopMs: 300 });
		const setup = await started();
		await setup.power.restart(NOW, ADA);
		await soon(() => expect(setup.operations.running()?.steps[1]?.status).toBe('running'));
		const { next, ended } = await cutOff(setup);
		expect(ended.state).toBe('succeeded');
		expect(await next.state()).toBe('running');
		expect(world.game.starts()).toBe(2);
	});

	test('a countdown does not continue: nothing has happened', async () => {
		const setup = await started();
		await setup.power.restart({ delaySeconds: 600, message: '' }, ADA);
		await soon(() => expect(world.sent).toHaveLength(1));
		const { next, ended } = await cutOff(setup);
		expect(ended.state).toBe('interrupted');
		expect(await next.state()).toBe('running');
		expect(world.sent).not.toContain('stop');
		expect(world.game.starts()).toBe(1);
		expect(world.announced.slice(1)).toEqual(['The restart was called off.']);
	});

	test('the players of a countdown whose dashboard was killed are told that it was called off', async () => {
		const setup = await started();
		const { id } = await setup.power.stop({ delaySeconds: 600, message: '' }, ADA);
		await soon(() => expect(world.sent).toHaveLength(1));
		const left = (await setup.journal.read(id))!;
		await setup.close();
		setups.splice(0);
		world.announced.splice(0);
		const next = open();
		// What a killed process leaves is what lay there at that moment.
		await setup.journal.write(left);
		await next.operations.recover();
		const ended = await next.finished(await next.operations.get(id));
		expect(ended).toMatchObject({ state: 'interrupted' });
		expect(world.announced).toEqual(['The stop was called off.']);
		expect(ended.steps[0]).toMatchObject({ announced: { text: 'The stop was called off.' } });
		expect(world.sent).not.toContain('stop');
		expect(await next.state()).toBe('running');
	});
});
