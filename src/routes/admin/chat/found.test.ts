import { expect, test } from 'vitest';
import type { ChatMessage } from '$lib/schemas/chat';
import { found } from './found';

const message = (id: string, facts: Partial<ChatMessage>): ChatMessage => ({
	...{ id, at: '2026-01-02T03:04:05.000Z', kind: 'chat', player: null, text: '' },
	...facts
});
const ALL = [
	message('said', { player: '[Red] Mossfeather', text: 'Who has seen my horse?' }),
	message('told', { kind: 'say', player: 'Superadmin', to: 'mossfeather', text: 'At spawn' }),
	message('about', { kind: 'death', player: 'quietfox', text: 'was slain by Mossfeather' }),
	message('other', { kind: 'join', player: 'quietfox', text: 'joined the game' }),
	message('nick', { player: '~Q', who: { name: 'quietfox', uuid: null }, text: 'hi' })
];
const ids = (search: string) => found(ALL, search).map(({ id }) => id);

test('what somebody says, is told, and what is said of them', () => {
	expect(ids('mossfeather')).toEqual(['said', 'told', 'about']);
	expect(ids(' HORSE ')).toEqual(['said']);
	expect(ids('quietfox')).toEqual(['about', 'other', 'nick']);
	expect(ids('moss horse')).toEqual(['said']);
	expect(ids('nobody')).toEqual([]);
});

test('no search finds everything', () => expect(found(ALL, '  ')).toEqual(ALL));
