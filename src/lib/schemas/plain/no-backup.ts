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

/** Whether RCON is on, and whether the game refuses its password. */
type Rcon = { on: boolean; refused?: boolean };

/**
 * Why no backup can be made while the server is in this state: it runs, and cannot be told to pause its saving. Null
 * when one can, as far as is known: of one that runs well `rcon` decides.
 */
export function noBackupIn(state: ServerState, rcon: Rcon = { on: true }): string | null {
	if (state !== 'running') return NOT_WHILE[state] ?? null;
	if (!rcon.on) return RCON_OFF;
	return rcon.refused ? RCON_REFUSED : null;
}
