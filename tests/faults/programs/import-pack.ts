// Makes a server in an empty folder and says how that went: `import-pack.ts <folder> <kind>`. Goes when it takes too long.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import { createOperations } from '#operations';
import { createJournal } from '#storage/journal';
import { deskAt, PACK, type Kind } from './import-desk.ts';
import { createSteadyClock } from './steady-clock.ts';

const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
const ADA = { name: 'ada', role: 'superadmin', address: null } as const;
const [, , dir, kind] = process.argv as [string, string, string, Kind];
const data = path.join(dir, 'data');
const clock = createSteadyClock();
const quiet = () => {};
const log = { info: quiet, warn: quiet, error: quiet };
const lock = createLock(path.join(data, 'operation.lock'), clock);
const journal = createJournal({ dir: path.join(data, 'operations'), warn: quiet });
const operations = createOperations({ journal, lock, clock, log, publish: quiet });
async function* bytes() {
	yield PACK;
}
try {
	const { software } = deskAt(dir, operations, clock);
	const wish = { port: 25_565, memoryMb: 1024, acceptEula: true } as const;
	const plan =
		kind === 'create'
			? await software.plan({ do: 'create', loader: 'fabric', gameVersion: '1.21.1', ...wish })
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
