import type { ServerState } from '$lib/schemas/status';

/** Returns why a command would not be answered now, or null when it would. `rcon`: whether RCON is on. */
export function consoleObstacle(state: ServerState, rcon: boolean): string | null {
	if (state === 'stopped' || state === 'crashed')
		return `The server ${state === 'stopped' ? 'is stopped' : 'crashed'}: start it to run commands.`;
	if (!rcon) return 'RCON is off, so no command can be sent. The overview says how to turn it on.';
	if (state === 'starting') return 'The server is starting: it takes commands when it is ready.';
	if (state === 'unknown')
		return 'The server does not answer: a command may get no answer, and run later.';
	return null;
}
