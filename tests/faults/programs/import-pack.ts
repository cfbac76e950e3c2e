<<<<<<< HEAD
// Makes a server in an empty folder and says how that went: `import-pack.ts <folder> <kind>`. Goes when it takes too long.
import { drive } from './driver.ts';
import { deskAt, PACK, type Kind } from './import-desk.ts';
=======
// Makes a server in an empty folder, or brings another build, and says how that went: `import-pack.ts <folder> <kind>`. Goes when it takes too long.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { CHANGE, deskAt, PACK, type Kind } from './import-desk.ts';
import { createSteadyClock } from './steady-clock.ts';
>>>>>>> e78a027c (fix(software): a change of the build survives kills, a full disk and a server started meanwhile; what failed software made and killed processes left is removed)

const ADA = { name: 'ada', role: 'superadmin', address: null } as const;
const [, , dir, kind] = process.argv as [string, string, string, Kind];
async function* bytes() {
	yield PACK;
}
await drive(dir, async ({ operations, clock }) => {
	const { software } = deskAt(dir, operations, clock);
	const wish = { port: 25_565, memoryMb: 1024, acceptEula: true } as const;
	const plan =
		kind === 'create'
			? await software.plan({ do: 'create', loader: 'fabric', gameVersion: '1.21.1', ...wish })
<<<<<<< HEAD
			: await software.planUpload({ name: 'pack.mrpack', bytes: bytes() }, async () => ({
					do: 'import',
					...wish
				}));
	return software.apply(plan.id, ADA);
});
=======
			: kind === 'change' || kind === 'change-bad'
				? await software.plan(CHANGE)
				: await software.planUpload({ name: 'pack.mrpack', bytes: bytes() }, async () => ({
						do: 'import',
						...wish
					}));
	const { id } = await software.apply(plan.id, ADA);
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
>>>>>>> e78a027c (fix(software): a change of the build survives kills, a full disk and a server started meanwhile; what failed software made and killed processes left is removed)
