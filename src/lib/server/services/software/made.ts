import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Exchange } from '#core/files';
import { OWN_LOCK } from './exchange.ts';
import type { Deps } from './types.ts';

/** They say why a server did not start. */
const EVIDENCE = ['logs', 'crash-reports'];
/** Java's own crash report. */
const JAVA_CRASH = /^hs_err_pid\d+\.log$/;
/** What a game or its launcher downloads, and the player lists, which may have been edited meanwhile. */
const MAY_STAY = [
	...['libraries', 'versions', 'cache', '.fabric', 'usercache.json'],
	...['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json']
];

type Made = {
	/** Names in the folder that the new software did not make, including those that the exchange replaced. */
	known: Iterable<string>;
	/** If given, only these are removed. */
	only?: ReadonlySet<string>;
	/** Whether downloads and player lists stay. */
	caches?: boolean;
};

/** Removes what new software has made in the server's folder and the old software would not know. Can be repeated. */
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

/** The top-level names of what was put into the folder. */
export const topsOf = ({ put }: Exchange) => new Set(put.map((name) => name.split('/', 1)[0]!));
