import { z } from 'zod';
import { Time } from './common.ts';

export const ChatMessage = z.object({
	id: z.string(),
	at: Time,
	kind: z.enum(['chat', 'say', 'me', 'join', 'leave', 'death', 'advancement']),
	player: z.string().nullable(),
	text: z.string()
});
export type ChatMessage = z.infer<typeof ChatMessage>;
