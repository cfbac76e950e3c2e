import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createWorld, openSetup } from '../../../../../tests/fakes/power-setup.ts';

test('a server started by hand long ago, without RCON and ping, is running according to its log', async () => {
	const world = await createWorld();
	onTestFinished(() => world.dispose());
	world.answering = false;
	const { game } = world;
	const child = spawn(game.java, ['-jar', 'server.jar'], { cwd: game.dir, stdio: 'ignore' });
	await once(child, 'spawn');
	await vi.waitFor(() => expect(game.log()).toContain('For help'), { timeout: 15_000 });
	const chatter = '[10:00:00] [Server thread/INFO]: <Ana> still here\n'.repeat(20_000);
	await appendFile(path.join(game.dir, 'logs/latest.log'), chatter);

	const setup = openSetup(world);
	onTestFinished(() => setup.close());
	expect(await setup.power.observe()).toMatchObject({
		state: 'running',
		run: { pid: child.pid, ours: false }
	});
});
