import { PlayerUuid } from '#schemas/common';
import { playerName, type PlayerAction, type PlayerVerb } from '#schemas/player';
import { invalid } from '#core/errors';
import type { ListName } from '#minecraft/lists';
import type { PlayerCommand } from '#minecraft/commands';

/** Adds a player to a list or removes them from it. */
export type ListCommand = Extract<PlayerCommand, { action: keyof typeof LISTS }>;
/** Turns the whitelist on or off. */
export type SwitchCommand = Extract<PlayerCommand, { action: 'whitelist-on' | 'whitelist-off' }>;
export type KickCommand = Extract<PlayerCommand, { action: 'kick' }>;

export const LISTS = {
	op: { list: 'ops', on: true },
	deop: { list: 'ops', on: false },
	'whitelist-add': { list: 'whitelist', on: true },
	'whitelist-remove': { list: 'whitelist', on: false },
	ban: { list: 'bans', on: true },
	pardon: { list: 'bans', on: false }
} as const satisfies Partial<Record<PlayerVerb, { list: ListName; on: boolean }>>;

export const isSwitch = (command: PlayerCommand): command is SwitchCommand =>
	!('player' in command);
export const isKick = (command: PlayerCommand): command is KickCommand => command.action === 'kick';

/** What the command should achieve: true for on the list (or the whitelist turned on). */
export const wants = (command: ListCommand | SwitchCommand): boolean =>
	isSwitch(command) ? command.action === 'whitelist-on' : LISTS[command.action].on;

/** A command may mean a player by their id; no name has that form. */
export const isId = (player: string) => PlayerUuid.safeParse(player).success;

/** `AppError('invalid')` when the name cannot be one on this server; then nothing is sent. An id stays an id. */
export function commandOf(
	{ action, player, uuid, reason }: PlayerAction,
	bedrockPrefix: string | null
): PlayerCommand {
	if (action === 'whitelist-on' || action === 'whitelist-off') return { action };
	const who = uuid ?? validName(player, bedrockPrefix);
	if (action === 'ban' || action === 'kick') return { action, player: who, reason: reason || null };
	return { action, player: who };
}

function validName(player: string | undefined, bedrockPrefix: string | null): string {
	const name = playerName(bedrockPrefix).safeParse(player);
	if (name.success) return name.data;
	throw invalidName(name.error.issues[0]?.message ?? 'Not a player name');
}

export const invalidName = (message: string, cause?: unknown) =>
	invalid([{ path: 'player', message }], cause);
