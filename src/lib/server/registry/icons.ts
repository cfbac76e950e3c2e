import type { Clock } from '#core/clock';
import { createTtlMap } from '#core/ttl-cache';
import {
	createRateLimit,
	explain,
	follow,
	IDLE_MS,
	readBody,
	StatusFailure,
	watch,
	type Transport
} from '#core/net';
import { fileRule } from './origins.ts';

export type Icon = { bytes: Uint8Array; type: 'image/png' | 'image/webp' | 'image/jpeg' };

type Deps = {
	base: () => Promise<URL>;
	userAgent: string;
	transport: Transport;
	clock: Clock;
	closing: AbortSignal;
	/** Null: the project has none, or there is no such project. */
	addressOf: (projectId: string) => Promise<string | null>;
};

const ICON_MAX_BYTES = 512 << 10;
const TOTAL_MS = 20_000;
const KEPT_MAX = 400;
/** All of them together: a page shows some dozens of 5 to 30 kB each. */
const KEPT_MAX_BYTES = 6 << 20;
const FRESH_MS = 24 * 3_600_000;

/** Icons by project; never an SVG, which can hold scripts. */
export function createIcons(deps: Deps) {
	const icons = createTtlMap<string, Icon | null>({
		...{ ttlMs: FRESH_MS, max: KEPT_MAX, clock: deps.clock },
		weights: { of: (icon) => icon?.bytes.length ?? 0, max: KEPT_MAX_BYTES }
	});
	const rateLimit = createRateLimit(deps.clock, 'The mod registry');

	const load = async (id: string) => {
		const address = await deps.addressOf(id);
		const url = address ? URL.parse(address) : null;
		return url ? rateLimit.run(() => fetchIcon(url, deps), deps.closing) : null;
	};

	return (id: string): Promise<Icon | null> => icons.load(id, () => load(id));
}

async function fetchIcon(url: URL, { base, userAgent, transport, clock, closing }: Deps) {
	const limits = watch(
		clock,
		{ who: 'The mod registry', idleMs: IDLE_MS, totalMs: TOTAL_MS },
		closing
	);
	try {
		const answer = await follow(transport, fileRule(await base()), {
			url,
			headers: { 'user-agent': userAgent, accept: 'image/png, image/webp, image/jpeg' },
			signal: limits.signal
		});
		limits.touch();
		const { statusCode = 0 } = answer;
		if (statusCode !== 200) {
			answer.destroy();
			throw new StatusFailure(statusCode);
		}
		return toIcon(await readBody(answer, ICON_MAX_BYTES, limits.touch));
	} catch (error) {
		if (closing.aborted) throw closing.reason;
		throw explain(limits.signal.aborted ? limits.signal.reason : error, {
			host: url.host,
			setting: 'MODRINTH_URL'
		});
	} finally {
		limits.done();
	}
}

/** From its first bytes: what the other side calls it does not count. */
function toIcon(bytes: Buffer): Icon | null {
	const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
	if (starts('\x89PNG\r\n\x1a\n')) return { bytes, type: 'image/png' };
	if (starts('RIFF') && starts('WEBP', 8)) return { bytes, type: 'image/webp' };
	if (starts('\xff\xd8\xff')) return { bytes, type: 'image/jpeg' };
	return null;
}
