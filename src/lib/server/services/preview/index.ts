import { hash } from 'node:crypto';
import type { Status } from '#schemas/status';
import type { Clock } from '#core/clock';
import { createTtlValue } from '#core/ttl-cache';
import type { CardFacts, Painter } from '#picture';

export const PREVIEW_MS = 60_000;

export type Preview = { bytes: Buffer<ArrayBuffer>; etag: string };

/** The picture that other sites show with a link to the public page: 1200 by 630 pixels, PNG. */
export interface Previews {
	/**
	 * Probes the server once in 60 s and draws only when something has changed, once at a time for all who
	 * wait. One that cannot be drawn is replaced by a picture without a state. Rejects only when that is gone too.
	 */
	get(): Promise<Preview>;
	close(): Promise<void>;
}

/** `shows`: the facts that were drawn; null for the fallback. */
type Drawn = { picture: Preview; shows: string | null };

type Deps = {
	status: () => Promise<Status>;
	painter: Painter;
	clock: Pick<Clock, 'monotonicMs'>;
	log: { error(message: string, facts?: { cause?: unknown }): void };
};

export function createPreviews({ status, painter, clock, log }: Deps): Previews {
	const closing = new AbortController();
	const drawn = createTtlValue<Drawn>(PREVIEW_MS, clock);
	let flight: Promise<Drawn> | null = null;

	async function renew(): Promise<Drawn> {
		const before = drawn.stale();
		const facts = factsOf(await status());
		const shows = JSON.stringify(facts);
		if (before?.shows === shows) return before;
		const bytes = await painter.draw(facts, closing.signal).catch((cause) => {
			if (!closing.signal.aborted)
				log.error('The preview picture could not be drawn; the one without a state is shown', {
					cause
				});
			return null;
		});
		const picture = withTag(bytes ?? (await painter.fallback()));
		return { picture, shows: bytes && shows };
	}

	return {
		async get() {
			flight = drawn.load(renew);
			return (await flight).picture;
		},
		async close() {
			closing.abort();
			await flight?.catch(() => {});
		}
	};
}

/** What the public page shows, and no more: the rest of a status changes all the time. What answers can be joined. */
const factsOf = ({ name, state, online, address, version, players }: Status): CardFacts => ({
	...{ name, address, version },
	state: state === 'unknown' && online ? 'running' : state,
	players: { online: players.online, max: players.max }
});

const withTag = (bytes: Buffer<ArrayBuffer>): Preview => ({
	bytes,
	etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
});
