import type { ServerState } from '../status.ts';

const NOT_WHILE: Partial<Record<ServerState, string>> = {
	starting: 'The server is starting. It can be backed up when it has started.',
	stopping: 'The server is stopping. It can be backed up when it has stopped.',
	unknown:
		'The server does not answer, so its saving cannot be paused. It can be backed up when it answers again, or has stopped.'
};

/**
 * Why no backup can be made while the server is in this state: it runs, and cannot be told to pause its saving. Null
 * when one can.
 */
export const noBackupIn = (state: ServerState) => NOT_WHILE[state] ?? null;
