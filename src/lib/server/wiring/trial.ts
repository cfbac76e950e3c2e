import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/clock';
import type { Logger } from '#core/log';
import type { ServerConfig } from '#env';
import { Loader } from '#schemas/mod';
import { TRIAL_HOLD_SECONDS } from '#schemas/plain/limits';
import { createTrials } from '#trial';
import { createLogMask } from '#minecraft/mask';
import { createStateFile } from '#storage/state-file';
import { createGameSecrets } from './game-secrets.ts';
import type { Game } from './game.ts';
import { demoHoldMs, demoSpeed } from './demo/demo.ts';

type Needs = {
	clock: Clock;
	log: Logger;
	game: Game;
	environment: NodeJS.ProcessEnv;
	root: string;
	/** Values that must never be shown. */
	secrets: string[];
};

/** The demo's game is a small program of ours. */
const DEMO = { heapBytes: 256 * 2 ** 20, minMs: 20_000 };
const REAL = { holdMs: TRIAL_HOLD_SECONDS.real * 1000, minMs: 120_000 };
const HISTORY_MAX = 5;
const History = z.object({ readyMs: z.array(z.number()) });

/** Boots sets of jars on a copy of the server. */
export function wireTrials(config: ServerConfig, needs: Needs) {
	const { clock, log, game, environment, root, secrets } = needs;
	const { serverDir, dataDir, demo } = config;
	const ours = demo && !config.serverCommand;
	const speed = demoSpeed(environment);
	const history = createStateFile({
		...{ file: path.join(dataDir, 'trial-times.json'), schema: History, version: 1 },
		...{ defaults: { readyMs: [] }, warn: log.warn }
	});
	const gameSecrets = createGameSecrets({ serverDir }, secrets, clock);
	const switches = Object.entries(environment).filter(([name]) => name.startsWith('DEMO_'));
	return createTrials({
		...{ serverDir, dataDir, clock, log, trusted: ours },
		elsewhere:
			config.runtime.kind === 'keeper'
				? 'The game runs in another container, with a Java that is not here.'
				: null,
		hidden: {
			dirs: [config.backupDir, config.snapshotDir, config.logDir, os.homedir()],
			files: [path.resolve(root, environment['ENV_FILE'] || '.env')]
		},
		needed: ours ? [path.join(root, 'scripts'), path.join(root, 'package.json')] : [],
		async installation() {
			const { command, worldDir, loader } = await game.installation();
			const supported = Loader.safeParse(loader).success;
			return { command: command?.argv ?? null, worldDir, supported };
		},
		portable: ours ? { heapBytes: DEMO.heapBytes } : null,
		environment: ours
			? Object.fromEntries(switches.map(([name, value]) => [name, value ?? '']))
			: {},
		async liveBytes() {
			const [usage, { phase, run }] = [await game.runtime.usage(), await game.runtime.state()];
			return usage?.memory ?? (run || phase === 'unknown' ? 'unknown' : null);
		},
		history: {
			read: async () => (await history.read()).readyMs,
			add: async (readyMs) =>
				void (await history.update((value) => ({
					readyMs: [...value.readyMs, readyMs].slice(-HISTORY_MAX)
				})))
		},
		limits: ours
			? { maxMs: config.verifyTimeoutMs, minMs: DEMO.minMs, holdMs: demoHoldMs(speed).copy }
			: { maxMs: config.verifyTimeoutMs, ...REAL },
		async mask(found) {
			const all = [...(await gameSecrets()), ...found];
			return createLogMask({ secrets: all, addresses: false }).text;
		}
	});
}
