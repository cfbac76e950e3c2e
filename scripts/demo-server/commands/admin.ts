import { CommandError } from './reader.ts';
import type { Call, Command } from './types.ts';
import type { Game } from '../game.ts';
import { javaDate } from '../world/java-time.ts';
import type { Profile, UserEntry } from '../world/lists.ts';
import { disconnect, kickUnlisted } from '../world/players.ts';

const BAN_REASON = 'Banned by an operator.';
const KICK_REASON = 'Kicked by an operator';

/** Does it for each profile that it changes; when it changes none, the game says `nothing`. */
function change(
	call: Call,
	profiles: Profile[],
	nothing: string,
	apply: (profile: Profile) => string | null
): void {
	let changed = 0;
	for (const profile of profiles) {
		const message = apply(profile);
		if (message === null) continue;
		changed++;
		call.success(message, true);
	}
	if (changed === 0) throw new CommandError(nothing);
}

const op: Command = (call) => {
	const { game, reader } = call;
	const targets = reader.profiles();
	reader.end();
	const { ops } = game.lists;
	const nothing = 'Nothing changed. The player already is an operator';
	change(call, targets(game), nothing, ({ uuid, name }) => {
		if (ops.has(uuid)) return null;
		const level = game.properties.number('op-permission-level');
		ops.add({ uuid, name, level, bypassesPlayerLimit: false });
		return `Made ${name} a server operator`;
	});
};

const deop: Command = (call) => {
	const { game, reader } = call;
	const targets = reader.profiles();
	reader.end();
	const nothing = 'Nothing changed. The player is not an operator';
	change(call, targets(game), nothing, ({ uuid, name }) => {
		if (!game.lists.ops.has(uuid)) return null;
		game.lists.ops.remove(uuid);
		return `Made ${name} no longer a server operator`;
	});
	kickUnlisted(game);
};

const ban: Command = (call) => {
	const { game, reader, source } = call;
	const targets = reader.profiles();
	const reason = reader.more() ? expand(game, reader.rest()) : BAN_REASON;
	const nothing = 'Nothing changed. The player is already banned';
	const { bans } = game.lists;
	const profiles = targets(game);
	change(call, profiles, nothing, ({ uuid, name }) => {
		if (bans.has(uuid)) return null;
		const created = javaDate(new Date());
		bans.add({ uuid, name, created, source: source.name, expires: 'forever', reason });
		return `Banned ${name}: ${reason}`;
	});
	for (const { uuid } of profiles) {
		const player = game.online.get(uuid);
		if (player) disconnect(game, player, 'You are banned from this server');
	}
};

const pardon: Command = (call) => {
	const { game, reader } = call;
	const targets = reader.profiles();
	reader.end();
	change(call, targets(game), "Nothing changed. The player isn't banned", ({ uuid, name }) => {
		if (!game.lists.bans.has(uuid)) return null;
		game.lists.bans.remove(uuid);
		return `Unbanned ${name}`;
	});
};

const banlist: Command = ({ game, reader, success }) => {
	const kind = reader.more() ? reader.literal(['players', 'ips']) : 'all';
	reader.end();
	const entries: UserEntry[] = kind === 'ips' ? [] : game.lists.bans.all();
	if (entries.length === 0) return success('There are no bans', false);
	success(`There are ${entries.length} ban(s):`, false);
	for (const { name, source, reason } of entries)
		success(`${name} was banned by ${String(source)}: ${String(reason)}`, false);
};

const kick: Command = ({ game, reader, success }) => {
	const targets = reader.players();
	const reason = reader.more() ? expand(game, reader.rest()) : KICK_REASON;
	for (const player of targets(game)) {
		disconnect(game, player, reason);
		success(`Kicked ${player.name}: ${reason}`, true);
	}
};

const whitelistAdd: Command = (call) => {
	const targets = call.reader.profiles();
	call.reader.end();
	const { whitelist } = call.game.lists;
	change(call, targets(call.game), 'Player is already whitelisted', ({ uuid, name }) => {
		if (whitelist.has(uuid)) return null;
		whitelist.add({ uuid, name });
		return `Added ${name} to the whitelist`;
	});
};

const whitelistRemove: Command = (call) => {
	const targets = call.reader.profiles();
	call.reader.end();
	const { whitelist } = call.game.lists;
	change(call, targets(call.game), 'Player is not whitelisted', ({ uuid, name }) => {
		if (!whitelist.has(uuid)) return null;
		whitelist.remove(uuid);
		return `Removed ${name} from the whitelist`;
	});
	kickUnlisted(call.game);
};

const whitelistSwitch =
	(on: boolean): Command =>
	({ game, reader, success }) => {
		reader.end();
		const word = on ? 'on' : 'off';
		if (game.properties.flag('white-list') === on)
			throw new CommandError(`Whitelist is already turned ${word}`);
		game.properties.set('white-list', String(on));
		success(`Whitelist is now turned ${word}`, true);
		kickUnlisted(game);
	};

const WHITELIST: Record<string, Command> = {
	add: whitelistAdd,
	remove: whitelistRemove,
	on: whitelistSwitch(true),
	off: whitelistSwitch(false),
	list({ game, reader, success }) {
		reader.end();
		const names = game.lists.whitelist.all().map((entry) => entry.name);
		if (names.length === 0) return success('There are no whitelisted players', false);
		success(`There are ${names.length} whitelisted player(s): ${names.join(', ')}`, false);
	},
	reload({ game, reader, success }) {
		reader.end();
		game.lists.whitelist.load();
		success('Reloaded the whitelist', true);
		kickUnlisted(game);
	}
};

/** Selectors inside a message become names. */
export const expand = (game: Game, text: string) =>
	text.replace(/@([ap])(?![\w[-])/g, () =>
		[...game.online.values()].map((player) => player.name).join(', ')
	);

export const adminCommands: Record<string, Command> = {
	op,
	deop,
	ban,
	pardon,
	banlist,
	kick,
	whitelist: (call) => WHITELIST[call.reader.literal(Object.keys(WHITELIST))]!(call)
};
