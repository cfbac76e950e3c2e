import { z } from 'zod';
import { OnePlayer, oneLine, PlayerUuid, Time, unlessEmpty } from './common.ts';
import { OnlinePlayer } from './live.ts';
import { isPlayerName, NOT_A_NAME } from './plain/player-name.ts';

export const REASON_MAX = 100;
/** How many a list of the game may have before nobody is added from here; the game's file stays readable. */
export const LISTED_MAX = { ops: 1000, whitelist: 10_000, bans: 3000 };

export const playerName = (bedrockPrefix: string | null) =>
	z.string().refine((name) => isPlayerName(name, bedrockPrefix), NOT_A_NAME);

export const PlayerRef = z.object({ uuid: PlayerUuid });

export const PlayerVerb = z.enum([
	'op',
	'deop',
	'whitelist-add',
	'whitelist-remove',
	'whitelist-on',
	'whitelist-off',
	'ban',
	'pardon',
	'kick'
]);
export type PlayerVerb = z.infer<typeof PlayerVerb>;

/** Shown to the player. Selectors would be replaced by names, § would start a format; neither belongs in a reason. */
export const Reason = oneLine(REASON_MAX)
	.regex(/^[^§@]*$/, 'Without § and @')
	.regex(
		/^[^\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u,
		'Without characters that turn the order of letters around'
	);

/**
 * Body of `POST /api/players`. Only `ban` and `kick` show the reason to the player; with the others it is a note for
 * the audit log. Whether the name is possible on this server is checked again with its Bedrock prefix.
 */
export const PlayerAction = z
	.strictObject({
		action: PlayerVerb,
		player: OnePlayer,
		/** In place of `player`, also for somebody whose name is not known. */
		uuid: unlessEmpty(PlayerUuid),
		reason: unlessEmpty(Reason)
	})
	.refine(({ action, player, uuid }) => (player ?? uuid) !== undefined || isSwitch(action), {
		path: ['player'],
		message: 'Type the name of a player'
	})
	.refine(({ player, uuid }) => player === undefined || uuid === undefined, {
		path: ['uuid'],
		message: 'Give a name or an id, not both'
	});
export type PlayerAction = z.infer<typeof PlayerAction>;

/** The whitelist as a whole; names no player. */
const isSwitch = (action: PlayerVerb) => action === 'whitelist-on' || action === 'whitelist-off';

export const PlayerResult = z.object({
	ok: z.literal(true),
	/** False when nothing had to change. */
	changed: z.boolean(),
	message: z.string()
});
export type PlayerResult = z.infer<typeof PlayerResult>;

/** The name is the id when no name is known. */
const Listed = z.object({ name: z.string(), uuid: z.string() });

export const Operator = Listed.extend({ level: z.int() });
export type Operator = z.infer<typeof Operator>;

export const Ban = Listed.extend({
	reason: z.string().nullable(),
	source: z.string().nullable(),
	/** The account of the dashboard that did it, where the audit log knows. */
	by: z.string().optional(),
	createdAt: Time.nullable(),
	/** Null: permanent. */
	expiresAt: Time.nullable()
});
export type Ban = z.infer<typeof Ban>;

export const KnownPlayer = z.object({
	/** Null when the server's files have none for this id. */
	name: z.string().nullable(),
	uuid: z.string(),
	lastSeenAt: Time.nullable(),
	/** When they joined, where the log tells of no leave since; absent otherwise. They may play while the server is silent. */
	joinedAt: Time.optional()
});
export type KnownPlayer = z.infer<typeof KnownPlayer>;

/** Answer of `GET /api/players`. */
export const Players = z.object({
	online: z.array(OnlinePlayer),
	ops: z.array(Operator),
	whitelist: z.object({
		/** Null when server.properties cannot be read. */
		enabled: z.boolean().nullable(),
		players: z.array(Listed)
	}),
	bans: z.array(Ban),
	/** Everyone the server remembers, most recent first. */
	known: z.array(KnownPlayer),
	/** One sentence for each list file that cannot be read properly. */
	problems: z.array(z.string())
});
export type Players = z.infer<typeof Players>;

/** From the server's logs. At least one of `from` and `to` is set. */
export const PlayerSession = z.object({
	/** Null when it began before the logs do. */
	from: Time.nullable(),
	/** Null while it lasts, and when the log does not say. */
	to: Time.nullable(),
	/**
	 * They left or were removed, the server stopped, crashed or was killed; `online` while it lasts; null when not
	 * known.
	 */
	end: z.enum(['left', 'stopped', 'crashed', 'online']).nullable()
});
export type PlayerSession = z.infer<typeof PlayerSession>;

/** One player. */
export const PlayerDetail = z.object({
	uuid: z.string(),
	/** Null when the server's files have none for this id. */
	name: z.string().nullable(),
	/** Every name that belongs to this id in the server's files, the current one first. */
	names: z.array(z.string()),
	online: z.boolean(),
	op: Operator.pick({ level: true }).nullable(),
	whitelisted: z.boolean(),
	ban: Ban.omit({ name: true, uuid: true }).nullable(),
	firstSeenAt: Time.nullable(),
	lastSeenAt: Time.nullable(),
	/** Most recent first, at most 100. */
	sessions: z.array(PlayerSession),
	/** False while older logs are still being read: there may be more sessions. */
	sessionsComplete: z.boolean()
});
export type PlayerDetail = z.infer<typeof PlayerDetail>;
