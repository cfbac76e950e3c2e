import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError, errno } from '#core/errors';
import type { Operations } from '#operations';
import { PREFIX, workplace } from './exchange.ts';
import type { ImportDeps } from './import/types.ts';

/**
 * Removes what killed processes and failing disks left: folders of operations that are over, and packs that nobody
 * imported. Never what an operation that is in progress, or waits for recovery, still needs.
 */
export async function tidy(deps: ImportDeps): Promise<void> {
	await tidyWorkplaces(deps);
	await tidyPacks(deps);
}

async function tidyWorkplaces({ serverDir, operations }: ImportDeps) {
	for (const name of await readdir(serverDir)) {
		if (!name.startsWith(PREFIX)) continue;
		const id = name.slice(PREFIX.length);
		const place = workplace(serverDir, id);
		if (await isOver(id, place.old, operations)) await place.remove();
	}
}

/** What a failed operation has moved aside may be all that is left of the server. */
async function isOver(id: string, old: string, operations: Pick<Operations, 'get'>) {
	const state = await operations.get(id).then(
		(operation) => operation.state,
		(error) => {
			if (error instanceof AppError && error.kind === 'not-found') return null;
			throw error;
		}
	);
	if (state === 'running') return false;
	return state === 'succeeded' || state === 'rolled-back' || !(await holdsFiles(old));
}

const holdsFiles = async (dir: string) =>
	(await readdir(dir, { recursive: true, withFileTypes: true }).catch(ifThere)).some(
		(entry) => !entry.isDirectory()
	);

/** An import in progress still needs its pack, and removes it at its end. */
async function tidyPacks({ importDir, operations, packsInUse }: ImportDeps) {
	const isNeeded = () => packsInUse.reading > 0 || operations.busy()?.kind === 'import';
	const names = await readdir(importDir).catch(ifThere);
	for (const name of names) {
		const file = path.join(importDir, name);
		if (isNeeded() || packsInUse.archives.has(file)) continue;
		await rm(file, { recursive: true, force: true });
	}
}

function ifThere(error: unknown): never[] {
	if (errno(error) === 'ENOENT') return [];
	throw error;
}
