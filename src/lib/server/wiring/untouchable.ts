import { stat } from 'node:fs/promises';
import type { Runtime } from '#runtime';

type Deps = { serverDir: string; runtime: Pick<Runtime, 'kind' | 'state'>; uid?: number };

/** What prevents changes to the game's files, each in a sentence; null when nothing does. */
export function createUntouchable({ serverDir, runtime, uid = process.getuid?.() }: Deps) {
	/** Any change: it cannot be determined whether the game runs, or it runs as another user. */
	async function anyChange(): Promise<string | null> {
		const { phase, detail } = await runtime.state();
		if (phase === 'unknown') return detail ?? 'Whether the server runs cannot be seen.';
		if (runtime.kind === 'process') return null; // we start it ourselves, so it runs as we do
		const owner = await stat(serverDir).then(
			(found) => found.uid,
			() => null
		);
		if (owner === null || owner === uid) return null;
		return `The server’s folder belongs to uid ${owner}, and the dashboard runs as uid ${uid}: what it changed could be out of the game’s reach. Run both as the same user.`;
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
