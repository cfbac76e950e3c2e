import { z } from 'zod';
import { channelKind } from './kind.ts';

export const inbox = channelKind<Record<string, never>>({
	kind: 'inbox',
	label: 'Demo inbox',
	hint: 'Shows on this page what would have arrived. Nothing leaves this machine.',
	takes: 'events',
	demo: true,
	config: z.object({}) as z.ZodType<Record<string, never>>,
	fields: {},
	target: () => 'This page',
	send: (_, message, outbound) => outbound.inbox(message)
});
