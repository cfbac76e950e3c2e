import { expect, test } from 'vitest';
import type { ChatMessage } from '$lib/schemas/chat.ts';
import { CHAT_KEPT, joinChat } from './chat.ts';

const message = (id: string, at: string): ChatMessage => ({
	...{ id, at, kind: 'chat', player: 'Ada', text: id }
});
const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();

test('repeated messages appear once, and late ones are put in their place', () => {
	const old = [message('a', second(1)), message('c', second(3))];
	const joined = joinChat(old, [message('c', second(3)), message('b', second(2))]);
	expect(joined.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
	expect(joinChat(joined, old)).toBe(joined);
});

test('no more than the last five hundred are kept', () => {
	const many = Array.from({ length: CHAT_KEPT + 7 }, (_, i) => message(`${i}`, second(i)));
	const joined = joinChat([], many);
	expect(joined).toHaveLength(CHAT_KEPT);
	expect(joined[0]!.id).toBe('7');
});
