import type { ServerState } from '../status.ts';

const NOT_WHILE: Partial<Record<ServerState, string>> = {
	starting: 'The server is starting. It can be backed up when it has started.',
	stopping: 'The server is stopping. It can be backed up when it has stopped.',
	unknown:
		'The server does not answer, so its saving cannot be paused. It can be backed up when it answers again, or has stopped.'
};

const RCON_OFF =
	'RCON is off, so saving cannot be paused for a backup. Turn RCON on, or stop the server first.';
const RCON_REFUSED =
	'The server refuses the password for RCON, so its saving cannot be paused for a backup. Restart it, or stop it first.';

/** The same of one that runs: `rcon` says whether it is on, and whether the game refuses its password. */
export function noBackupBy({ on, refused }: { on: boolean; refused: boolean }) {
	if (!on) return RCON_OFF;
	return refused ? RCON_REFUSED : null;
}

/**
 * Why no backup can be made while the server is in this state: it runs, and cannot be told to pause its saving. Null
 * when one can.
 */
export const noBackupIn = (state: ServerState) => NOT_WHILE[state] ?? null;
