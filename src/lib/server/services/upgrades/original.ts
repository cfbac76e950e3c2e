import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#core/clock';
import { parseJson, readTextIfExists, writeAtomic } from '#core/files';

/** The folder of one upgrade, on the disk of the worlds: `new` is what is coming in, `old` what was there before. */
export const PREFIX = '.craftwarden-upgrade-';
/** Only where this lies is nobody waiting for what is in the folder. */
const KEPT = 'kept.json';
const KEPT_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** What was there before a good upgrade stays, until `tidyOriginals` removes it. Can be repeated. */
export async function keepOriginal(
	{ root, fresh, download }: { root: string; fresh: string; download: string },
	clock: Clock
): Promise<string> {
	for (const dir of [fresh, download]) await remove(dir);
	const until = new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS);
	await note(root, until);
	return `The untouched original is kept in ${path.basename(root)}/old until ${until.toISOString().slice(0, 10)}.`;
}

/** Nothing in it is needed any more. What the disk refuses to remove now is left to `tidyOriginals`. */
export async function discard(
	{ root }: { root: string },
	{ clock, log }: { clock: Clock; log: { error(message: string, facts?: object): void } }
): Promise<void> {
	try {
		await remove(root);
	} catch (cause) {
		log.error('What an upgrade had laid out could not be removed yet', { cause });
		await note(root, clock.now()).catch(() => {}); // the same disk: then a person removes it
	}
}

const note = (root: string, until: Date) =>
	writeAtomic(path.join(root, KEPT), `${JSON.stringify({ until: until.toISOString() })}\n`);

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
		// The note last: without it, this would be left alone for ever.
		await remove(path.join(serverDir, name, 'old'));
		await remove(path.join(serverDir, name));
		log.info('The server from before an upgrade was deleted', { dir: name });
	}
}

const remove = (dir: string) => rm(dir, { recursive: true, force: true, maxRetries: 3 });

/** Null when it is not one of ours. */
function untilIn(text: string | null): number | null {
	const { until } = (text === null ? null : (parseJson(text) as { until?: unknown } | null)) ?? {};
	const at = typeof until === 'string' ? Date.parse(until) : NaN;
	return Number.isNaN(at) ? null : at;
}
