import { openRegular } from '#core/files';
import type { ServerLoader } from '#schemas/software/software';
import type { ImportDeps } from './types.ts';

export const isMod = (path: string) => /^mods\/[^/]+\.jar$/i.test(path);

/** Whether the jar itself says that it is for players only; that is no hint by the way, but its own metadata. */
export async function isForPlayers(
	file: string,
	loader: ServerLoader,
	{ readJar }: Pick<ImportDeps, 'readJar'>
): Promise<boolean> {
	const handle = await openRegular(file);
	if (!handle) return false;
	try {
		const facts = await readJar(handle);
		const own = facts.ok ? facts.mods.filter((mod) => !mod.nested && mod.loader === loader) : [];
		return own.length > 0 && own.every(({ side }) => side === 'client');
	} finally {
		await handle.close();
	}
}

export const FOR_PLAYERS = 'It says itself that it is for players only.';
