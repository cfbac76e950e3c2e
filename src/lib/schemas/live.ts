import { z } from 'zod';
import { BackupVerify } from './backup.ts';
import { ChatMessage } from './chat.ts';
import { Time } from './common.ts';
import { OperationSummary } from './operation.ts';
import { Status } from './status.ts';

export const OnlinePlayer = z.object({
	name: z.string(),
	uuid: z.string().nullable(),
	since: Time.nullable()
});
export type OnlinePlayer = z.infer<typeof OnlinePlayer>;

/** Everything the live stream pushes: the SSE event's name and the payload of its `data:` line. */
export const LiveEvents = {
	status: Status,
	chat: z.object({ messages: z.array(ChatMessage) }),
	players: z.object({ online: z.array(OnlinePlayer) }),
	operation: OperationSummary,
	backup: BackupVerify,
	heartbeat: z.object({ at: Time })
};
export type LiveEvent = {
	[K in keyof typeof LiveEvents]: { event: K; data: z.infer<(typeof LiveEvents)[K]> };
}[keyof typeof LiveEvents];
