import { z } from 'zod';
import { OnePlayer, oneLine, Time, wholeNumber, type Role } from './common.ts';

export const CHAT_MESSAGE_MAX = 256;
export const CHAT_LIMIT_MAX = 500;

export const ChatMessage = z.object({
	/** Stays the same whenever the log is read again. */
	id: z.string(),
	at: Time,
	kind: z.enum(['chat', 'say', 'me', 'join', 'leave', 'death', 'advancement']),
	/** As the game shows it, with a team's prefix; `Server`, `Admin` and the like for messages that no player sent. */
	player: z.string().nullable(),
	/** The player behind that name, by their profile; left out for whatever is not known to be one. */
	who: z.object({ name: z.string(), uuid: z.string().nullable() }).optional(),
	/** The only player who was told it. */
	to: z.string().optional(),
	/** What was said, or what follows the player's name: `was slain by Zombie`. */
	text: z.string()
});
export type ChatMessage = z.infer<typeof ChatMessage>;

export const ChatSend = z.strictObject({
	message: oneLine(CHAT_MESSAGE_MAX).min(1, 'Type a message'),
	/** Only this player reads it; all of them when it is left out. Checked again with the server's Bedrock prefix. */
	to: OnePlayer
});
export type ChatSend = z.infer<typeof ChatSend>;

export const ChatQuery = z.object({
	limit: wholeNumber(1, CHAT_LIMIT_MAX).optional().default(100)
});
export type ChatQuery = z.infer<typeof ChatQuery>;

/** The same messages as each role may see them. */
export type ChatByRole = Record<Role, ChatMessage[]>;
