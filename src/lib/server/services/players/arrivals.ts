import type { OnlinePlayer } from '#schemas/live';

/** Who plays, with what the log says of when those came who were there before anybody looked. */
export function withArrivals(
	online: OnlinePlayer[],
	sessions: { name: string; since: string }[]
): OnlinePlayer[] {
	if (online.every(({ since }) => since !== null)) return online;
	const came = new Map(sessions.map(({ name, since }) => [name, since]));
	return online.map((player) => ({
		...player,
		since: player.since ?? came.get(player.name) ?? null
	}));
}
