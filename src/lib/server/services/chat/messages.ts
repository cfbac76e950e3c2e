import { ChatMessage } from '#schemas/chat';
import type { GameEvent } from '#minecraft/game-log';

const KINDS: readonly string[] = ChatMessage.shape.kind.options;
/** What is left of a name that was written in another charset. */
const UNREADABLE = '\ufffd';

/** What people see in the game's chat, as messages. `now` is used where no time is given. */
export const messagesOf = (events: GameEvent[], now: Date): ChatMessage[] =>
	events
		.filter((event): event is GameEvent & Pick<ChatMessage, 'kind'> => KINDS.includes(event.kind))
		.map(({ id, at, kind, player, text }) => ({
			id,
			at: at ?? now.toISOString(),
			kind,
			player: player && (player.display.includes(UNREADABLE) ? player.name : player.display),
			text
		}));
