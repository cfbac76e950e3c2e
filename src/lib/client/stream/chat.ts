import type { ChatMessage } from '$lib/schemas/chat';

export const CHAT_KEPT = 500;

/**
 * Merges known and new messages, each once, ordered by time: a reconnect repeats known messages, and what
 * we send is known before the log's lines of the same moment.
 */
export function joinChat(old: ChatMessage[], heard: ChatMessage[]): ChatMessage[] {
	const known = new Set(old.map(({ id }) => id));
	const added = heard.filter(({ id }) => !known.has(id));
	if (!added.length) return old;
	const times = new Map([...old, ...added].map((one) => [one, Date.parse(one.at) || 0]));
	return [...times.keys()].sort((a, b) => times.get(a)! - times.get(b)!).slice(-CHAT_KEPT);
}
