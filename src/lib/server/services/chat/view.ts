import type { ChatByRole, ChatMessage, ChatSend } from '#schemas/chat';
import type { Role } from '#schemas/common';
import type { Actor } from '#core/actor';
import { createSerial } from '#core/serial';
import type { LogMask } from '#minecraft/mask';

/** The chat as people may see it: without the secrets that are known, for admins without IP addresses. */
export interface ChatView {
	/** The last messages, oldest first, after the log was read. */
	list(limit: number, viewer: Role): Promise<ChatMessage[]>;
	/** Reads the same, as far as the log has been read, at once whenever it is called. */
	recentFor(viewer: Role): Promise<(count: number) => ChatMessage[]>;
	/** As `Chat.subscribe`. */
	subscribe(listener: (messages: ChatByRole) => void): () => void;
	/** As `Chat.say`. */
	say(message: ChatSend, by: Actor): Promise<ChatMessage>;
}

/** The chat as it is. */
type Source = {
	recent(count: number): ChatMessage[];
	list(limit: number): Promise<ChatMessage[]>;
	subscribe(listener: (messages: ChatMessage[]) => void): () => void;
	say(message: ChatSend, by: Actor): Promise<ChatMessage>;
};
type Masks = () => Promise<Record<Role, LogMask>>;
type Deps = { masks: Masks; log: { error(message: string, facts: { cause: unknown }): void } };

export function createChatView(chat: Source, { masks, log }: Deps): ChatView {
	/** Messages are sent in the order in which they came. */
	const telling = createSerial();
	const shown = async (messages: ChatMessage[], viewer: Role) =>
		maskedWith((await masks())[viewer], messages);

	return {
		list: async (limit, viewer) => shown(await chat.list(limit), viewer),
		async recentFor(viewer) {
			const mask = (await masks())[viewer];
			return (count) => maskedWith(mask, chat.recent(count));
		},
		subscribe(listener) {
			let held = true;
			const tell = async (messages: ChatMessage[]) => {
				const { admin, superadmin } = await masks();
				if (!held) return;
				listener({
					admin: maskedWith(admin, messages),
					superadmin: maskedWith(superadmin, messages)
				});
			};
			const release = chat.subscribe((messages) => {
				telling
					.run(() => tell(messages))
					.catch((cause) => log.error('The chat could not be passed on', { cause }));
			});
			return () => {
				held = false;
				release();
			};
		},
		async say(message, by) {
			const sent = await chat.say(message, by);
			return (await shown([sent], by.role ?? 'admin'))[0]!;
		}
	};
}

const maskedWith = (mask: LogMask, messages: ChatMessage[]): ChatMessage[] =>
	messages.map((message) => ({
		...message,
		player: message.player && mask.text(message.player),
		...(message.to !== undefined && { to: mask.text(message.to) }),
		...(message.who && { who: { ...message.who, name: mask.text(message.who.name) } }),
		text: mask.text(message.text)
	}));
