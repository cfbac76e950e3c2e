import {
	AFTER_CRASH,
	forRefused,
	forSilent,
	OVERVIEW,
	type Obstacle
} from '$lib/game/rcon/obstacle';
import { unseenReason } from '$lib/game/labels';
import type { Status } from '$lib/schemas/status';

/** `blocks`: no command can be sent at all. */
type ConsoleObstacle = Obstacle & { blocks: boolean };

/** Returns why a command would not be answered now, or null when it would. `rcon`: whether RCON is on; `refused`: why it takes nothing. */
export function consoleObstacle(
	status: Pick<Status, 'state' | 'online' | 'reason' | 'hanging'>,
	rcon: boolean,
	refused: string | null
): ConsoleObstacle | null {
	const { state } = status;
	const blocked = (why: string, help = OVERVIEW) => ({ why, blocks: true, help });
	if (state === 'stopped')
		return { why: 'The server is stopped: start it to run commands.', blocks: true, start: true };
	if (state === 'crashed') return { ...AFTER_CRASH, blocks: true };
	if (!rcon)
		return blocked('RCON is off, so no command can be sent. The overview says how to turn it on.');
	if (state === 'starting')
		return blocked('The server is starting: it takes commands when it is ready.');
	if (refused && (state === 'running' || state === 'unknown'))
		return blocked(refused, forRefused(status));
	const unsure = (why: string, help: Obstacle['help']) => ({ why, blocks: false, help });
	if (state === 'stopping' && !status.hanging)
		return unsure('The server is stopping: a command may not reach it any more.', OVERVIEW);
	if (state !== 'unknown' && state !== 'stopping') return null;
	const seen = unseenReason(status) ?? 'The server does not answer.';
	return unsure(
		`${seen} A command may not reach it, or run later: its answer says which.`,
		state === 'stopping' ? OVERVIEW : forSilent(status)
	);
}
