import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/clock';
import { errno } from '#core/errors';
import { openRegular, parseJson } from '#core/files';

const MAX_BYTES = 16_384;
/** The keeper writes at least every 5 s. */
const STALE_S = 15;

const count = z.int().nonnegative();
/** What `scripts/keeper` writes; times are Unix seconds, `code` the shell's, CPU in ticks of 10 ms. */
const KeeperState = z
	.object({
		phase: z.enum(['running', 'stopping', 'exited']),
		pid: count.nullable(),
		run: count,
		startedAt: count.max(8e9).nullable(),
		at: count.max(8e9),
		code: count.max(255).nullable(),
		rssBytes: count.nullable(),
		cpuTicks: count.nullable(),
		warnings: z.array(z.string().regex(/^[A-Z_]{1,64}$/)).max(64)
	})
	.refine(({ phase, run, startedAt }) => phase === 'exited' || (run > 0 && startedAt !== null));
export type KeeperState = z.infer<typeof KeeperState>;

/** The keeper's word and its user, who is the game's; or, in a sentence, why there is none that can be believed. */
export async function readKeeperState(
	dir: string,
	clock: Clock
): Promise<{ state: KeeperState; uid: number } | { why: string }> {
	const file = path.join(dir, 'state.json');
	const read = await readSmall(file).catch((error) => ({ code: errno(error) ?? 'unknown' }));
	if (read === null)
		return { why: `There is no keeper: ${file} does not exist. Start the game’s container.` };
	if ('code' in read)
		return { why: `What the keeper says cannot be read (${read.code}): ${file}.` };
	const parsed = KeeperState.safeParse(parseJson(read.text));
	if (!parsed.success) return { why: `${file} was not written by our keeper.` };
	const ageS = Math.round(clock.now().getTime() / 1000) - parsed.data.at;
	if (ageS > STALE_S)
		return { why: `The keeper has not reported for ${span(ageS)}. Look at the game’s container.` };
	if (ageS < -STALE_S)
		return { why: 'The keeper’s clock is ahead of ours, so what it says cannot be trusted.' };
	return { state: parsed.data, uid: read.uid };
}

/** With whose it is; null when there is none. Never follows a link, and reads no more than such a file can hold. */
async function readSmall(file: string): Promise<{ text: string; uid: number } | null> {
	const handle = await openRegular(file);
	if (!handle) return null;
	try {
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
		const { uid } = await handle.stat();
		return { text: buffer.toString('utf8', 0, bytesRead), uid };
	} finally {
		await handle.close();
	}
}

const span = (seconds: number) =>
	seconds < 120
		? `${seconds} seconds`
		: seconds < 7200
			? `${Math.floor(seconds / 60)} minutes`
			: `${Math.floor(seconds / 3600)} hours`;
