import type { Message } from '../message.ts';

const HOUR_MS = 3_600_000;
export const PER_HOUR = 20;
const NAMED_MAX = 5;

/** At most so many messages an hour for one channel; what is too much becomes one summary. Times in milliseconds. */
export interface Budget {
	/** What may be sent now: the message, or nothing. */
	offer(message: Message, now: number): Message[];
	/** The summary, once there is room for it. */
	tick(now: number): Message[];
	nextAt(): number | null;
}

export function createBudget(): Budget {
	let sent: number[] = [];
	let held: Message[] = [];
	let count = 0;

	const room = (now: number) => {
		// A clock that was set back must not silence the channel.
		sent = sent.filter((at) => at <= now && now - at < HOUR_MS);
		return sent.length < PER_HOUR;
	};

	function tick(now: number): Message[] {
		if (!count || !room(now)) return [];
		sent.push(now);
		const summary = summaryOf(held, count, now);
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
			count++;
			// The urgent ones are named.
			held = [...held, message]
				.sort((a, b) => Number(b.level === 'bad') - Number(a.level === 'bad'))
				.slice(0, NAMED_MAX);
			return before;
		},
		tick,
		nextAt: () => (count && sent[0] !== undefined ? sent[0] + HOUR_MS : null)
	};
}

function summaryOf(held: Message[], count: number, now: number): Message {
	const rest = count - held.length;
	const names = held.map(({ title }) => `• ${title}`);
	return {
		id: `summary-${held
			.map(({ id }) => id)
			.join('-')
			.slice(0, 40)}-${now}`,
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
		data: { count }
	};
}
