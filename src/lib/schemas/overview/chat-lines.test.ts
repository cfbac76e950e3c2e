import { expect, test } from 'vitest';
import type { ChatMessage } from '../chat.ts';
import { chatLines } from './chat-lines.ts';

const line = (player: string, text: string, kind: ChatMessage['kind'] = 'say') =>
	({ id: text, kind, player, text }) as ChatMessage;
const shown = (...messages: ChatMessage[]) => chatLines(messages).map(({ text }) => text);

test('of a countdown only the last announcement takes a line from what is said', () => {
	const left = (seconds: number) => line('Dashboard', `in ${seconds} seconds`);
	const hi = line('Ana', 'hi', 'chat');
	expect(shown(hi, left(4), left(3), left(2), left(1))).toEqual(['hi', 'in 1 seconds']);
	expect(shown(left(4), left(3), hi, left(2), left(1))).toEqual([
		...['in 3 seconds', 'hi', 'in 1 seconds']
	]);
});

test('what people say in a row stays, also under the same name, and four lines are shown', () => {
	const said = ['a', 'b', 'c', 'd', 'e'];
	for (const kind of ['say', 'chat'] as const)
		expect(shown(...said.map((text) => line('Admin', text, kind)))).toEqual(said.slice(1));
	// A player of that name.
	expect(shown(line('Dashboard', 'a', 'chat'), line('Dashboard', 'b', 'chat'))).toEqual(['a', 'b']);
});
