import { z } from 'zod';
import { ChatMessage, ChatQuery, ChatSend } from '#schemas/chat';
import { action, json, page } from './define.ts';

export const chat = {
	'page /admin/chat': page({
		role: 'admin',
		actions: { send: action({ role: 'admin', body: ChatSend }) }
	}),
	'GET /api/chat': json({
		role: 'admin',
		summary: 'The last messages, oldest first',
		query: ChatQuery,
		answers: { 200: z.object({ messages: z.array(ChatMessage) }) }
	}),
	'POST /api/chat': json({
		role: 'admin',
		summary: 'Speak in the game',
		body: ChatSend,
		answers: { 200: z.object({ message: ChatMessage }) }
	})
};
