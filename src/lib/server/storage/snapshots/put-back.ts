import path from 'node:path';
import { AppError } from '#core/errors';
import { diskTrouble, exists } from '#core/files';
import { insistOnRoom, type Contents } from './content.ts';
import type { Entry } from './manifest.ts';
import { rootOf, type Name } from './names.ts';
import { insistOnContents, planOf, type Plan } from './plan.ts';
import { carryOut, tidy } from './swap.ts';
import { walk } from './tree.ts';

type Deps = { serverDir: string; contents: Contents };

/**
 * Makes the covered roots exactly match the entries: compared, checked, written next to their place, exchanged,
 * tidied up.
 */
export async function putFilesBack(deps: Deps, entries: Entry[], apart: ReadonlySet<Name>) {
	const { serverDir, contents } = deps;
	const live = await walk(serverDir, apart);
	const plan = await planOf(serverDir, entries, live);
	await insistOnContents(
		contents,
		plan.fill.filter((fill) => fill.kind === 'file')
	);
	await insistOnSpace(serverDir, plan);
	const staging = await carryOut(deps, plan);
	await tidy(serverDir, [...live.staging, ...staging], plan).catch((cause) => {
		const why = `What they replaced could not be removed: ${diskTrouble(cause)}`;
		throw new AppError('internal', `The mods are back. ${why}.`, { cause, code: 'left-behind' });
	});
}

/** Roots may be on disks of their own. */
async function insistOnSpace(serverDir: string, { fill }: Plan) {
	for (const [root, fills] of Map.groupBy(fill, ({ name }) => rootOf(name))) {
		const bytes = fills.reduce((sum, one) => sum + (one.kind === 'file' ? one.size : 0), 0);
		const place = path.join(serverDir, root);
		const disk = (await exists(place)) ? place : serverDir;
		await insistOnRoom(disk, bytes, 'Putting the mods back');
	}
}
