import path from 'node:path';
import { DEMO_MAIN } from '../../../scripts/demo-server/testing/spawn-demo.ts';
import { Settings } from '#schemas/settings';
import { systemClock } from '#core/clock';
import { createLock } from '#core/lock';
import type { Env } from '#env';
import { connectGame } from '../../../src/lib/server/wiring/game.ts';
import { openBootHistory } from '../../../src/lib/server/wiring/power.ts';
import { diagnose, READY_LINE } from '#minecraft/diagnosis';
import { createOperations, OperationFailure } from '#operations';
import { createPower } from '#services/power';
import { createJournal } from '#storage/journal';
import { modJar, type ModFault } from '../../../scripts/demo-server/seed/seed-mods.ts';
import { openMods, realSnapshots } from './change-setup.ts';

export type DemoPlaces = { serverDir: string; dataDir: string };
export const DEMO_OLD = 'lithium-fabric-0.13.0+mc1.21.1.jar';
export const DEMO_NEW = 'lithium-fabric-0.13.1+mc1.21.1.jar';
/** An update of the demo's Lithium, which may spoil the server. */
export const demoUpdate = (fault?: ModFault) =>
	modJar({
		id: 'lithium',
		version: '0.13.1+mc1.21.1',
		name: 'Lithium',
		description: '',
		...(fault && { fault })
	});

/** Times twenty: a fault that comes 3 s after the ready line comes at once. */
const SPEED = 20;
const PATIENCE = { holdMs: 900, beatMs: 50, graceMs: 400, warningS: 1 };

/** One dashboard's services on a demo server's folder, wired as in the app, with a quick demo and little patience. */
export function openDemoDesk(
	{ serverDir, dataDir }: DemoPlaces,
	patience = PATIENCE,
	verifyTimeoutMs = 15_000
) {
	const clock = systemClock;
	const env = {
		serverDir,
		dataDir,
		serverCommand: null,
		runtime: { kind: 'process' },
		rcon: { host: null, port: null, password: null }
	} as Partial<Env> as Env;
	const said: unknown[] = [];
	const say = (...words: unknown[]) => void said.push(words);
	const log = { info: () => {}, warn: () => {}, error: say };
	const game = connectGame(env, {
		...{ clock, log },
		command: { argv: [process.execPath, DEMO_MAIN], how: 'The demo server.' },
		environment: {
			PATH: process.env['PATH'],
			NODE_COMPILE_CACHE: path.join(
				path.dirname(DEMO_MAIN),
				'../../node_modules/.cache/demo-server'
			),
			DEMO_SEED: '1',
			DEMO_SPEED: String(SPEED),
			DEMO_BOTS: '0',
			DEMO_BOOT_MS: '60',
			DEMO_SAVE_MS: '30',
			DEMO_EXIT_AFTER_MS: '180000'
		}
	});
	const lock = createLock(path.join(dataDir, 'operation.lock'), clock);
	const operations = createOperations({
		journal: createJournal({ dir: path.join(dataDir, 'operations'), warn: say }),
		...{ lock, clock, log },
		publish: () => {}
	});
	const power = createPower({
		...game,
		...{ operations, diagnose, log, clock, dataDir, patience },
		shown: (lines) => lines,
		isReady: (line) => READY_LINE.test(line),
		failure: (cause) => new OperationFailure(cause),
		settings: async () => Settings.parse({}),
		audit: async () => {},
		changed: () => {},
		gaveUp: () => {},
		announced: () => {},
		beforeLaunch: async () => {},
		bootHistory: openBootHistory(dataDir, say),
		verifyTimeoutMs
	});
	const modsDir = path.join(serverDir, 'mods');
	const { store, snapshots } = realSnapshots({ serverDir, dataDir, clock });
	const server = power.serverControl;
	const desk = openMods({ operations, server, modsDir, dataDir, said, snapshots });
	return {
		...desk,
		...{ operations, power, said, modsDir },
		async close() {
			power.close();
			await operations.close();
			game.close();
			store.close();
			lock.close();
		}
	};
}
export type DemoDesk = ReturnType<typeof openDemoDesk>;
