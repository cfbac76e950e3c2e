import type { Side } from '#schemas/mod';

/** What the registry's authors say about where a mod runs, in the terms of the newer field. */
const ENVIRONMENTS: Record<string, Side> = {
	client_and_server: 'both',
	client_or_server: 'both',
	client_or_server_prefers_both: 'both',
	client_only: 'client',
	client_only_server_optional: 'both',
	singleplayer_only: 'client',
	server_only: 'server',
	server_only_client_optional: 'server',
	dedicated_server_only: 'server'
};

/** One word, or several of which each applies to some version. */
export function sideOfEnvironment(words: string[]): Side {
	const known = words.flatMap((word) =>
		Object.hasOwn(ENVIRONMENTS, word) ? [ENVIRONMENTS[word] as Side] : []
	);
	const [first, ...others] = known;
	if (!first) return 'unknown';
	return others.every((side) => side === first) ? first : 'both';
}

export const SUPPORT = ['required', 'optional', 'unsupported', 'unknown'] as const;
export type Support = (typeof SUPPORT)[number];

/** The older two fields: each `required`, `optional`, `unsupported` or `unknown`. */
export function sideOfSupport(client: Support, server: Support): Side {
	if (client === server) return client === 'required' || client === 'optional' ? 'both' : 'unknown';
	if (server === 'unsupported') return 'client';
	if (client === 'unsupported') return 'server';
	if (client === 'unknown' || server === 'unknown') return 'unknown';
	// Required on one side and optional on the other.
	return server === 'required' ? 'server' : 'both';
}
