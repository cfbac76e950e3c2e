import { rconObstacle, type Obstacle } from '$lib/game/rcon/obstacle';
import type { Status } from '$lib/schemas/status';

/** What keeps a running server from being told what to do with players; a stopped one has its files changed. */
export const listObstacle = (
	status: Pick<Status, 'state' | 'online'>,
	rcon: boolean,
	refused: string | null
): Obstacle | null =>
	rconObstacle(status, {
		rcon,
		refused: refused && `${refused} Until then players cannot be managed.`,
		off: 'players cannot be managed while the server runs, and nobody can say who is playing'
	});
