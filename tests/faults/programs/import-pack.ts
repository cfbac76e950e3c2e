// Makes a server in an empty folder, or changes its build, and prints how that went: `import-pack.ts <folder> <kind>`. Gives up when it takes too long.
import { drive } from './driver.ts';
import { CHANGE, deskAt, PACK, type Kind } from './import-desk.ts';

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
			: kind === 'change' || kind === 'change-bad'
				? await software.plan(CHANGE)
				: await software.planUpload({ name: 'pack.mrpack', bytes: bytes() }, async () => ({
						do: 'import',
						...wish
					}));
	return software.apply({ planId: plan.id }, ADA);
});
