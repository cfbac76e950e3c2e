import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock, type Clock } from '#core/clock';
import { createLock } from '#core/lock';
import { createFollower } from '#minecraft/follow';
import { createRcon } from '#minecraft/rcon';
import { createTickRates } from '#minecraft/tps';
import { TICKS } from '../options.ts';
import { makeDemoFolder, startDemo } from '../testing/spawn-demo.ts';

const SPEED = 40;
/** As fast as the game's own: the look at it takes its 10 s in a quarter of one. */
const quick: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() * SPEED };

async function begin(ticks: string) {
	const folder = await makeDemoFolder();
	const demo = startDemo(folder, { DEMO_TICKS: ticks, DEMO_SPEED: String(SPEED) });
	const clock = ticks === 'gametime' ? quick : systemClock;
	const rcon = createRcon({
		address: async () => ({ host: '127.0.0.1', port: folder.rconPort, password: folder.password }),
		lock: createLock(path.join(folder.dir, 'rcon.lock'), systemClock),
		clock: systemClock
	});
	const logs = createFollower({
		file: path.join(folder.dir, 'logs/latest.log'),
		pollMs: 20,
		clock: systemClock
	});
	onTestFinished(async () => {
		rcon.close();
		logs.close();
		await demo.kill();
		await rm(folder.dir, { recursive: true, force: true });
	});
	await demo.ready();
	return createTickRates({ rcon, logs, clock });
}

test.each(TICKS)('a server of type %s reports its tick rate', async (ticks) => {
	const rates = await begin(ticks);
	await expect
		.poll(async () => (await rates.ask('run'))?.tps ?? null, { timeout: 15_000, interval: 300 })
		.toBeGreaterThan(ticks === 'gametime' ? 10 : 19.9);
	const report = (await rates.ask('run'))!;
	expect(report.tps).toBeLessThanOrEqual(20);
	if (ticks === 'gametime') expect(report.mspt).toBe(null);
	else expect(report.mspt).toBeGreaterThan(0);
});
