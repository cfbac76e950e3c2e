import { access, constants, stat } from 'node:fs/promises';
import { diskTrouble } from '#core/files';
import type { Runtime } from '#runtime';

type Deps = { serverDir: string; runtime: Pick<Runtime, 'kind' | 'state'>; uid?: number };

/** What prevents changes to the game's files, each in a sentence; null when nothing does. */
export function createUntouchable({ serverDir, runtime, uid = process.getuid?.() }: Deps) {
	/** Any change: nobody can tell whether the game runs, it runs as somebody else, or its folder is not ours to write. */
	async function anyChange(): Promise<string | null> {
		const { phase, detail, uid: game } = await runtime.state();
		if (phase === 'unknown') return detail ?? 'Whether the server runs cannot be seen.';
		try {
			const folder = (await stat(serverDir)).uid;
			// A volume may belong to root while the game, which may write to it, runs as somebody else.
			const owner = game ?? folder;
			// A process we start ourselves, so it runs as we do.
			if (runtime.kind !== 'process' && owner !== uid)
				return `${game === undefined ? 'The server’s folder belongs to' : 'The game runs as'} uid ${owner}, and the dashboard runs as uid ${uid}: what it changed could be out of the game’s reach. Run both as the same user.`;
			await access(serverDir, constants.R_OK | constants.W_OK | constants.X_OK);
			return null;
		} catch (error) {
			return `Nothing can be changed in the server’s folder ${serverDir}: ${diskTrouble(error)}.`;
		}
	}
	return {
		anyChange,
		/** A change of the mods, which the engine's own configuration may also undo. */
		async modChange(): Promise<string | null> {
			const { undoneBy = [] } = await runtime.state();
			if (undoneBy.length === 0) return anyChange();
			const [is, them] = undoneBy.length === 1 ? ['is', 'it'] : ['are', 'them'];
			return `${undoneBy.join(', ')} ${is} set in the game’s container, which would undo the change at its next start. Remove ${them} there first.`;
		}
	};
}
