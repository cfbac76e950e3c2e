import { isUnseen } from '$lib/game/labels';
import type { Status } from '$lib/schemas/status';

/** As players need to know it: what answers can be joined, whoever started it. */
export const forPlayers = (status: Status): Status =>
	isUnseen(status) ? { ...status, state: 'running' } : status;

/** Whether one can join now, in one sentence. */
export function outlook({ state, players }: Status, demo: boolean): string {
	switch (state) {
		case 'running':
			if (demo) return 'This is the demo, which nobody can join.';
			return players.online !== null && players.max !== null && players.online >= players.max
				? 'It is full now: you can join once somebody leaves.'
				: 'You can join now.';
		case 'starting':
			return 'It is starting: join in a moment.';
		case 'stopping':
			return 'It is stopping: nobody can join now.';
		case 'unknown':
			return 'It does not answer now, so joining may fail.';
		case 'stopped':
		case 'crashed':
			return 'Nobody can join until it runs again. You can get ready meanwhile.';
	}
}
