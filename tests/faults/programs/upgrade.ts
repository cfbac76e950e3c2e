// Upgrades the game in a folder and says how that went: `upgrade.ts <folder> <game>`, or takes up what another left: `upgrade.ts <folder> recover`. Goes when it takes too long.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { openUpgrades, trialsIn } from '../../fakes/upgrade-desk.ts';
import { createSteadyClock } from './steady-clock.ts';

/** A disk that keeps refusing is waited for without end. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
const [, , dir, game] = process.argv as [string, string, string, string];
const data = path.join(dir, 'data');
const clock = createSteadyClock();
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(data, 'operation.lock'), clock);
const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock, log, publish: quiet });
const deadly = path.join(dir, 'deadly');
const desk = openUpgrades({
	...{ dir, operations, clock },
	trouble: {
		retry: { everyMs: 20, forMs: 60_000 },
		...trialsIn(dir, clock),
		// Dies with the new game in place, before anything is put back.
		launched() {
			if (!existsSync(deadly)) return;
			rmSync(deadly);
			process.kill(process.pid, 'SIGKILL');
		}
	}
});
try {
	const begun = async (): Promise<{ id: string } | null> => {
		const by = { name: 'ann', role: 'superadmin', address: null } as const;
		if (game !== 'recover') return operations.run('upgrade', await desk.inputFor(game), by, game);
		await operations.recover();
		return operations.running();
	};
	const id = (await begun())?.id ?? 'none';
	console.log('running');
	const ended = new Promise<string>((resolve) => {
		operations.watch(id, (event) => event.type === 'end' && resolve(event.operation.state));
	});
	console.log('ended', await Promise.race([ended, delay(PATIENCE_MS, 'not')]));
} catch (error) {
	console.log('refused', error instanceof AppError ? error.kind : String(error));
}
await operations.close();
process.exit(0);
