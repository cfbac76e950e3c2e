import { ChatMessage } from '#schemas/chat';
import type { GameEvent } from '#minecraft/game-log';

const KINDS: readonly string[] = ChatMessage.shape.kind.options;
/** What is left of a name that was written in another charset. */
const UNREADABLE = '\ufffd';

/** As long as a name can be, in one word: what a mod calls somebody finds nobody on a list. */
const NAME = /^\S{1,16}$/;
/** The console and command blocks speak in the same words as players do. */
const SPOKEN_BY_OTHERS: readonly string[] = ['say', 'me'];

function whoIs({ kind, player }: GameEvent): Pick<ChatMessage, 'who'> {
	if (!player) return {};
	const { name, uuid } = player;
	const isPlayer = uuid !== null || (NAME.test(name) && !SPOKEN_BY_OTHERS.includes(kind));
	return isPlayer && !name.includes(UNREADABLE) ? { who: { name, uuid } } : {};
}

/** What people see in the game's chat, as messages. `now` is used where no time is given. */
export const messagesOf = (events: GameEvent[], now: Date): ChatMessage[] =>
	events
		.filter((event): event is GameEvent & Pick<ChatMessage, 'kind'> => KINDS.includes(event.kind))
		.map((event) => {
			const { id, at, kind, player, text } = event;
			return {
				id,
				at: at ?? now.toISOString(),
				kind,
				player: player && (player.display.includes(UNREADABLE) ? player.name : player.display),
				...whoIs(event),
				text
			};
		});
