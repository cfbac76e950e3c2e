import { playerName, type PlayerAction, type PlayerVerb } from '#schemas/player';
import { AppError } from '#core/errors';
import type { ListName } from '#minecraft/lists';
import type { PlayerCommand } from '#minecraft/commands';

/** Puts a player on a list or takes him off. */
export type ListDeed = Extract<PlayerCommand, { action: keyof typeof LISTS }>;
/** Turns the whitelist on or off. */
export type SwitchDeed = Extract<PlayerCommand, { action: 'whitelist-on' | 'whitelist-off' }>;
export type KickDeed = Extract<PlayerCommand, { action: 'kick' }>;

export const LISTS = {
	op: { list: 'ops', on: true },
	deop: { list: 'ops', on: false },
	'whitelist-add': { list: 'whitelist', on: true },
	'whitelist-remove': { list: 'whitelist', on: false },
	ban: { list: 'bans', on: true },
	pardon: { list: 'bans', on: false }
} as const satisfies Partial<Record<PlayerVerb, { list: ListName; on: boolean }>>;

export const isSwitch = (deed: PlayerCommand): deed is SwitchDeed => !('player' in deed);
export const isKick = (deed: PlayerCommand): deed is KickDeed => deed.action === 'kick';

/** What the deed wants to be so: on the list (or turned on), or off. */
export const wants = (deed: ListDeed | SwitchDeed): boolean =>
	isSwitch(deed) ? deed.action === 'whitelist-on' : LISTS[deed.action].on;

/** `AppError('invalid')` when the name cannot be one on this server: then nothing is ever sent. */
export function deedOf(
	{ action, player, reason }: PlayerAction,
	bedrockPrefix: string | null
): PlayerCommand {
	if (action === 'whitelist-on' || action === 'whitelist-off') return { action };
	const name = playerName(bedrockPrefix).safeParse(player);
	if (!name.success) throw invalidName(name.error.issues[0]?.message ?? 'Not a player name');
	if (action === 'ban' || action === 'kick')
		return { action, player: name.data, reason: reason || null };
	return { action, player: name.data };
}

export const invalidName = (message: string, cause?: unknown) =>
	new AppError('invalid', message.endsWith('.') ? message : `${message}.`, {
		cause,
		issues: [{ path: 'player', message }]
	});
