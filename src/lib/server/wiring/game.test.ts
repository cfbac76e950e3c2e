import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { startFakePing } from '../../../../tests/fakes/game/ping.ts';
import { startFakeRcon } from '../../../../tests/fakes/game/rcon.ts';
import type { ServerConfig } from '#env';
import { systemClock } from '#core/clock';
import { connectGame } from './game.ts';

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const SLOW_MS = 4_000;

/** A game whose answers are held back until released; every limit of up to four seconds elapses at once. */
async function slowGame(answers: 'ping' | 'rcon') {
	const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-slow-'));
	onTestFinished(() => rm(home, { recursive: true, force: true }));
	const gate = Promise.withResolvers<string>();
	const rcon = await startFakeRcon({
		password: 'secret',
		answer: () => gate.promise
	});
	onTestFinished(() => rcon.close());
	const ping = await startFakePing();
	onTestFinished(() => ping.close());
	await writeFile(
		path.join(home, 'server.properties'),
		[
			`enable-status=${answers === 'ping'}`,
			`server-port=${ping.port}`,
			`enable-rcon=${answers === 'rcon'}`,
			`rcon.port=${rcon.address.port}`,
			'rcon.password=secret'
		].join('\n')
	);
	const game = connectGame(
		{
			...{ serverDir: home, dataDir: home, runtime: { kind: 'process' } },
			rcon: { host: null, port: null, password: null }
		} as Partial<ServerConfig> as ServerConfig,
		{ clock: systemClock, log: { warn: () => {} }, environment: {}, command: null }
	);
	onTestFinished(() => game.close());
	return { game, ping, rcon, letGo: () => gate.resolve('There are 0 of a max of 20 players') };
}

test('a game that needs four seconds for its console is slow, not silent', async () => {
	const { game, rcon, letGo } = await slowGame('rcon');
	for (const ask of [game.probe, game.unanswered]) {
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		const asked = ask();
		await rcon.until(() => rcon.commands.length === 1);
		await vi.advanceTimersByTimeAsync(SLOW_MS);
		vi.useRealTimers();
		letGo();
		expect(await asked).toEqual(ask === game.probe ? true : []);
		rcon.commands.splice(0);
	}
});

test('one that needs four seconds for the ping is slow, too', async () => {
	const { game } = await slowGame('ping');
	const { sleep } = systemClock;
	vi.spyOn(systemClock, 'sleep').mockImplementation((ms, signal) =>
		sleep(ms > 500 && ms <= SLOW_MS ? 0 : ms, signal)
	);
	expect(await game.unanswered()).toEqual([]);
	expect(await game.probe()).toBe(true);
});
