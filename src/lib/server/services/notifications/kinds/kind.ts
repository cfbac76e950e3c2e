import type { z } from 'zod';
import type { Message } from '../message.ts';

/** The result of one attempt. */
export type Answer = {
	/**
	 * `later`: try the same again. `refused`: this message never, others yes. `gone`: the channel no longer accepts
	 * anything, or does not know us.
	 */
	outcome: 'delivered' | 'later' | 'refused' | 'gone';
	/** In a sentence, for people; no secret. */
	words: string;
	/** Not before that; null when the service did not say. */
	retryAfterMs: number | null;
	status: number | null;
	/** The service's own words. */
	answer: string | null;
};

/** JSON, unless `headers` says otherwise. */
export type Post = {
	url: string;
	headers?: Record<string, string>;
	body: string | Buffer;
	/** What the answer must not show, should the service say it back. */
	secrets?: string[];
};

/** One mail; its texts are plain. */
export type Mail = {
	host: string;
	port: number;
	login: { username: string; password: string } | null;
	from: string;
	/** Addresses, with commas between them. */
	to: string;
	subject: string;
	text: string;
	/** The event's id: the same mail again has the same one. */
	id: string;
	/** ISO 8601. */
	at: string;
};

/** What a kind may use to reach its service. */
export type Outbound = {
	/** One POST; redirects are not followed. Never rejects. */
	post(request: Post): Promise<Answer>;
	/** One mail by SMTP. Never rejects. */
	mail(mail: Mail): Promise<Answer>;
	/** The demo's page of what would have arrived. */
	inbox(message: Message): Promise<Answer>;
	nowS(): number;
};

export type Config = Record<string, string>;
type Field = {
	label: string;
	hint?: string;
	placeholder?: string;
	value?: string;
	secret?: boolean;
	required?: boolean;
};

/** One service that can receive notifications: one object in one file, and a line in `index.ts`. */
export interface ChannelKind<C extends Config = Config> {
	kind: string;
	label: string;
	/** How to get the values that the form asks for. */
	hint: string;
	/** Chosen events, or everything said in the game. */
	takes: 'events' | 'chat';
	/** One address of the world, the service's own: nobody is asked whether it is in their network. */
	worldly?: boolean;
	/** Only there in demo mode. */
	demo?: boolean;
	/** Its configuration; `fields` says how it is asked for, and which of it is secret. */
	config: z.ZodType<C>;
	fields: { [K in keyof C]-?: Field };
	/** Where to, for people; nothing secret. */
	target(config: C): string;
	send(config: C, message: Message, outbound: Outbound): Promise<Answer>;
}

/** Gives each kind its own configuration type, and the list the common one. */
export const channelKind = <C extends Config>(kind: ChannelKind<C>) =>
	kind as unknown as ChannelKind;
