import { z } from 'zod';
import { Message } from '../message.ts';

const HOUR_MS = 3_600_000;
export const PER_HOUR = 20;
const NAMED_MAX = 5;

/** What is remembered of one channel; times in milliseconds. */
export const BudgetState = z.object({
	/** When something was sent, within the last hour. */
	sent: z.array(z.number()),
	/** The most urgent ones that were held back. */
	held: z.array(Message),
	/** How many were. */
	count: z.int(),
	/** Since when. */
	since: z.number()
});
export type BudgetState = z.infer<typeof BudgetState>;

/** At most so many messages an hour for one channel; what is too much becomes one summary. Times in milliseconds. */
export interface Budget {
	/** What may be sent now: the message, or nothing. */
	offer(message: Message, now: number): Message[];
	/** The summary, once there is room for it. */
	tick(now: number): Message[];
	nextAt(): number | null;
	state(): BudgetState;
}

export function createBudget(start?: BudgetState): Budget {
	let { sent, held, count, since } = start ?? { sent: [], held: [], count: 0, since: 0 };

	const room = (now: number) => {
		// A clock that was set back must not silence the channel.
		sent = sent.filter((at) => at <= now && now - at < HOUR_MS);
		return sent.length < PER_HOUR;
	};

	function tick(now: number): Message[] {
		if (!count || !room(now)) return [];
		sent.push(now);
		const summary = summaryOf({ sent, held, count, since }, now);
		held = [];
		count = 0;
		return [summary];
	}

	return {
		offer(message, now) {
			const before = tick(now);
			if (room(now)) {
				sent.push(now);
				return [...before, message];
			}
			if (!count) since = now;
			count++;
			// The urgent ones are named.
			held = [...held, message]
				.sort((a, b) => Number(b.level === 'bad') - Number(a.level === 'bad'))
				.slice(0, NAMED_MAX);
			return before;
		},
		tick,
		nextAt: () => (count && sent[0] !== undefined ? sent[0] + HOUR_MS : null),
		state: () => structuredClone({ sent, held, count, since })
	};
}

/** Its id says since when it gathers: it is the same when it is told again after a kill. */
function summaryOf({ held, count, since }: BudgetState, now: number): Message {
	const rest = count - held.length;
	const names = held.map(({ title }) => `• ${title}`);
	return {
		id: `summary ${since}`,
		event: 'summary',
		at: new Date(now).toISOString(),
		level: held[0]?.level ?? 'info',
		title: count === 1 ? '1 more message was held back' : `${count} more messages were held back`,
		text: [
			`More than ${PER_HOUR} within an hour. The most urgent:`,
			...names,
			...(rest > 0 ? [`and ${rest} more.`] : []),
			'Activity in the dashboard has all of them.'
		].join('\n'),
		url: held[0]?.url ?? null,
		picture: held[0]?.picture ?? null,
		path: held[0]?.path ?? '/admin',
		data: { count }
	};
}
