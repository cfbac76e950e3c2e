import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { KeptVersion } from '#schemas/software/kept';
import { Time } from '#schemas/common';
import type { Clock } from '#core/clock';
import { errno } from '#core/errors';
import { parseJson, readTextIfExists, readTree, writeAtomic } from '#core/files';

/** The folder of one upgrade, on the disk of the worlds: `new` is what is coming in, `old` what was there before. */
export const PREFIX = '.craftwarden-upgrade-';
/** Only where this lies is nobody waiting for what is in the folder. */
const KEPT = 'kept.json';
const KEPT_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** A whole server that lies beside the present one, and all that it takes to exchange the two. */
export const Kept = z.object({
	until: Time,
	/** When it was put aside. */
	at: Time,
	/** What lies here, and what took its place. */
	aside: KeptVersion,
	live: KeptVersion,
	/** Where it lies: `old` until it has been brought back once, then what it replaced lies in `new`. */
	holds: z.enum(['old', 'new']),
	exchange: z.object({ put: z.array(z.string()), take: z.array(z.string()) }),
	/** Its mods and their configuration. */
	snapshot: z.string(),
	/** What was in the server's folder with it. */
	known: z.array(z.string()),
	bytes: z.int().nullable()
});
export type Kept = z.infer<typeof Kept>;

type Place = { root: string; fresh: string; old: string; download: string };
type Facts = Omit<Kept, 'until' | 'bytes'>;

/**
 * What has been replaced stays, until `tidyOriginals` removes it; without `facts` only a person can bring it back. Can be
 * repeated.
 */
export async function keepOriginal(
	{ root, fresh, old, download }: Place,
	clock: Clock,
	facts: Facts | null
): Promise<string> {
	const holds = facts?.holds ?? 'old';
	for (const dir of [holds === 'old' ? fresh : old, download]) await remove(dir);
	const until = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS).toISOString();
	const bytes = facts && (await sizeOf(path.join(root, holds)));
	await note(root, facts ? { ...facts, until, bytes } : { until });
	const what = holds === 'old' ? 'The untouched original' : 'What was there before';
	return `${what} is kept in ${path.basename(root)}/${holds} until ${until.slice(0, 10)}.`;
}

const sizeOf = async (dir: string) => (await readTree(dir).catch(() => null))?.bytes ?? null;

/** Nothing in it is needed any more. What the disk refuses to remove now is left to `tidyOriginals`. */
export async function discard(
	{ root }: { root: string },
	{ clock, log }: { clock: Clock; log: { error(message: string, facts?: object): void } }
): Promise<void> {
	try {
		await remove(root);
	} catch (cause) {
		log.error('What an upgrade had laid out could not be removed yet', { cause });
		await note(root, { until: clock.now().toISOString() }).catch(() => {}); // the same disk: then a person removes it
	}
}

export const note = (root: string, kept: Kept | Pick<Kept, 'until'>) =>
	writeAtomic(path.join(root, KEPT), `${JSON.stringify(kept)}\n`);

/** From now on an operation is waiting for it. Can be repeated. */
export const withdrawNote = (root: string) => rm(path.join(root, KEPT), { force: true });

/** Null when there is nothing of that name to bring back. */
export async function readKept(root: string): Promise<Kept | null> {
	const text = await readTextIfExists(path.join(root, KEPT));
	return text === null ? null : (Kept.safeParse(parseJson(text)).data ?? null);
}

/** All that can be brought back, newest first; `id` is the upgrade's. */
export async function listKept(serverDir: string): Promise<(Kept & { id: string })[]> {
	const found: (Kept & { id: string })[] = [];
	for (const name of await namesIn(serverDir)) {
		const kept = name.startsWith(PREFIX) && (await readKept(path.join(serverDir, name)));
		if (kept) found.push({ ...kept, id: name.slice(PREFIX.length) });
	}
	return found.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** A folder that is not there, or may not be read, keeps nothing. */
const namesIn = (dir: string) =>
	readdir(dir).catch((error) => {
		if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errno(error) ?? '')) return [];
		throw error;
	});

/** Without them, the mods' configuration could not be brought back. */
export const keptSnapshots = async (serverDir: string) =>
	(await listKept(serverDir)).map(({ snapshot }) => snapshot);

/** Removes the originals whose time is up. */
export async function tidyOriginals(
	serverDir: string,
	clock: Clock,
	log: { info(message: string, facts?: object): void }
): Promise<void> {
	for (const entry of await readdir(serverDir, { withFileTypes: true })) {
		const { name } = entry;
		if (!name.startsWith(PREFIX)) continue;
		// A probe of the disk that a killed process left.
		if (entry.isFile()) await remove(path.join(serverDir, name));
		if (!entry.isDirectory()) continue;
		const until = untilIn(await readTextIfExists(path.join(serverDir, name, KEPT)));
		if (until === null || clock.now().getTime() < until) continue;
		await removeKept(path.join(serverDir, name));
		log.info('The server from before an upgrade was deleted', { dir: name });
	}
}

/** The note last: without it, this would be left alone for ever. */
export async function removeKept(root: string): Promise<void> {
	for (const part of ['old', 'new']) await remove(path.join(root, part));
	await remove(root);
}

const remove = (dir: string) => rm(dir, { recursive: true, force: true, maxRetries: 3 });

/** Null when it is not one of ours. */
function untilIn(text: string | null): number | null {
	const { until } = (text === null ? null : (parseJson(text) as { until?: unknown } | null)) ?? {};
	const at = typeof until === 'string' ? Date.parse(until) : NaN;
	return Number.isNaN(at) ? null : at;
}
