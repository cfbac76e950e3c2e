// Upgrades the game in a folder and says how that went: `upgrade.ts <folder> <game>`; takes the only upgrade back: `upgrade.ts <folder> back`; or takes up what another left: `upgrade.ts <folder> recover`. Goes when it takes too long.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openUpgrades, trialsIn } from '../../fakes/upgrade-desk.ts';
import { listKept } from '../../../src/lib/server/services/upgrades/original.ts';
import { drive, takeUp } from './driver.ts';

const [, , dir, game] = process.argv as [string, string, string, string];
const deadly = path.join(dir, 'deadly');
await drive(dir, async (runner) => {
	const { operations, clock } = runner;
	const desk = openUpgrades({
		...{ dir, operations, clock },
		trouble: {
			retry: { everyMs: 20, forMs: 60_000 },
			...trialsIn(dir, clock),
			// Killed with the new game in place, before anything is put back.
			launched() {
				if (!existsSync(deadly)) return;
				rmSync(deadly);
				process.kill(process.pid, 'SIGKILL');
			}
		}
	});
	if (game === 'recover') return takeUp(runner);
	const by = { name: 'ann', role: 'superadmin', address: null } as const;
	if (game === 'back') {
		const [kept] = await listKept(desk.serverDir);
		const input = { kept: kept!.id, backupFirst: false, by: by.name };
		return operations.run('go-back', input, by);
	}
	return operations.run('upgrade', await desk.inputFor(game), by, game);
});
