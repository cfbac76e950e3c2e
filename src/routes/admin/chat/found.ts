import type { ChatMessage } from '$lib/schemas/chat';
import { hasWords } from '$lib/schemas/plain/words/has-words';

/** Every word is a part of who said it, of to whom, or of what was said. */
export const found = (messages: ChatMessage[], search: string): ChatMessage[] =>
	messages.filter(({ player, who, to, text }) => hasWords([player, who?.name, to, text], search));
