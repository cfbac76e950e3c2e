import { isUnseen } from '$lib/game/labels';
import type { Status } from '$lib/schemas/status';

/** Why the game takes nothing from the dashboard, and where to go for what helps. */
export type Obstacle = {
	why: string;
	help?: { label: string; href: string };
	/** What may help is to start the server: a button for it. */
	start?: boolean;
};

export const RESTART = { label: 'Restart the server', href: '/admin/confirm?do=restart' };
export const OVERVIEW = { label: 'Go to the overview', href: '/admin' };
/** Why it crashed is told there, and a start alone may end the same way. */
export const AFTER_CRASH = {
	why: 'The server crashed. The overview says why, and what helps.',
	help: OVERVIEW,
	start: true
} as const;
/** What helps one that does not answer, once it has been silent for longer than any pause. */
export const forSilent = ({ hanging }: Pick<Status, 'hanging'>) => (hanging ? RESTART : OVERVIEW);

/** What helps one that refuses the password; what is not seen cannot be restarted from here. */
export const forRefused = (status: Pick<Status, 'state' | 'online'>) =>
	isUnseen(status) ? OVERVIEW : RESTART;

/**
 * What keeps RCON from a server that is up; null when nothing does. `rcon`: whether it is on; `refused`: why it takes
 * nothing; `off`: what follows when it is off, for "RCON is off, so …".
 */
export function rconObstacle(
	status: Pick<Status, 'state' | 'online'>,
	{ rcon, refused, off }: { rcon: boolean; refused: string | null; off: string }
): Obstacle | null {
	if (status.state !== 'running' && status.state !== 'unknown') return null;
	if (!rcon)
		return {
			why: `RCON is off, so ${off}.`,
			help: { label: 'How to turn it on', href: '/admin' }
		};
	return refused === null ? null : { why: refused, help: forRefused(status) };
}
