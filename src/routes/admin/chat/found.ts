import type { ChatMessage } from '$lib/schemas/chat';

/** Part of who said it, of to whom, or of what was said. */
export function found(messages: ChatMessage[], search: string): ChatMessage[] {
	const wanted = search.trim().toLowerCase();
	if (!wanted) return messages;
	return messages.filter(({ player, who, to, text }) =>
		[player, who?.name, to, text].some((part) => part?.toLowerCase().includes(wanted))
	);
}
