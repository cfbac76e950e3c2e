import type { OnlinePlayer } from '#schemas/live';

/** A list is asked for this often: somebody who is new on it has joined since. */
const NOTICED_MS = 60_000;

/**
 * Who is online, with the times that the log gives: of those who joined before we first looked, and in place of when
 * somebody was first noticed.
 */
export function withArrivals(
	online: OnlinePlayer[],
	sessions: { name: string; since: string }[]
): OnlinePlayer[] {
	const came = new Map(sessions.map(({ name, since }) => [name, since]));
	return online.map((player) => {
		const { since } = player;
		const told = came.get(player.name);
		const isSame = !since || (told && Math.abs(Date.parse(since) - Date.parse(told)) < NOTICED_MS);
		return { ...player, since: (isSame && told) || since };
	});
}
