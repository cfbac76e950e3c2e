import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

const STATS_FILE = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.json$/;
/** The second one since 26.1. */
const FOLDERS = ['stats', 'players/stats'];
/** Files checked at the same time: enough to be quick, few enough to leave the disk to the game. */
const AT_ONCE = 64;

/**
 * When each player was last on the server, from the time at which the game wrote their statistics (when they leave,
 * and every five minutes): ISO 8601 by id. Names that are not ids, links and folders are skipped. Never rejects.
 */
export async function readLastSeen(worldDir: string): Promise<Map<string, string>> {
	const seen = new Map<string, string>();
	for (const folder of FOLDERS) {
		const dir = path.join(worldDir, folder);
		const names = (await readdir(dir).catch(() => [])).filter((name) => STATS_FILE.test(name));
		for (let i = 0; i < names.length; i += AT_ONCE)
			await Promise.all(names.slice(i, i + AT_ONCE).map((name) => note(seen, dir, name)));
	}
	return seen;
}

async function note(seen: Map<string, string>, dir: string, name: string) {
	const stats = await lstat(path.join(dir, name)).catch(() => null);
	if (!stats?.isFile()) return;
	const uuid = name.slice(0, -'.json'.length);
	const at = stats.mtime.toISOString();
	if (at > (seen.get(uuid) ?? '')) seen.set(uuid, at);
}
