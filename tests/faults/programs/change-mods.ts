// Changes the mods in a folder and says how that went: `change-mods.ts <folder> <change> <snapshot to restore>`, or takes up what another left: `change-mods.ts <folder> recover`. Goes when it takes too long.
import { drive, takeUp } from './driver.ts';
import { ANN, changeOf, deskAt, type Change } from './mods-desk.ts';

const [, , dir, kind, snapshot] = process.argv as [
	string,
	string,
	string,
	Change | 'recover',
	string
];
await drive(dir, async (runner) => {
	const { changes } = deskAt(dir, runner.operations, runner.clock);
	if (kind === 'recover') return takeUp(runner);
	if (kind === 'restore') return changes.restore(snapshot, '', ANN);
	return changes.run(await changeOf(kind, dir), ANN);
});
