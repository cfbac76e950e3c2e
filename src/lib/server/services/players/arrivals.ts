import type { OnlinePlayer } from '#schemas/live';

/** Who is online, with the times that the log gives for those who joined before we first looked. */
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
