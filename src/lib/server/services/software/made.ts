import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Exchange } from '#core/files';
import { OWN_LOCK } from './exchange.ts';
import type { Deps } from './types.ts';

/** Why a server did not start is read there. */
const EVIDENCE = ['logs', 'crash-reports'];
/** Java itself says there why it crashed. */
const JAVA_CRASH = /^hs_err_pid\d+\.log$/;
/** What a game or its launcher downloads, and whom people let in or kept out meanwhile. */
const MAY_STAY = [
	...['libraries', 'versions', 'cache', '.fabric', 'usercache.json'],
	...['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json']
];

type Made = {
	/** Names in the folder that the new software did not make, those that were exchanged for its own included. */
	known: Iterable<string>;
	/** Nothing but these is removed. */
	only?: ReadonlySet<string>;
	/** Whether downloads and lists of players stay. */
	caches?: boolean;
};

/** Removes what new software has made in the server's folder and the old one would not know. Can be repeated. */
export async function removeMade(
	{ serverDir, apart }: Pick<Deps, 'serverDir' | 'apart'>,
	{ known, only, caches = true }: Made
): Promise<void> {
	const kept = new Set([...known, ...EVIDENCE, OWN_LOCK, ...(caches ? MAY_STAY : [])]);
	const ours = apart.map((dir) => path.relative(serverDir, dir).split('/', 1)[0]!);
	for (const name of await readdir(serverDir)) {
		if (kept.has(name) || ours.includes(name) || name.startsWith('.craftwarden-')) continue;
		if ((only && !only.has(name)) || (caches && JAVA_CRASH.test(name))) continue;
		await rm(path.join(serverDir, name), { recursive: true, force: true, maxRetries: 3 });
	}
}

/** The names at the top of what was put there. */
export const topsOf = ({ put }: Exchange) => new Set(put.map((name) => name.split('/', 1)[0]!));
