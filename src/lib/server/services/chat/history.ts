import { CHAT_LIMIT_MAX, type ChatMessage } from '#schemas/chat';

/** What was said in the game, according to its log, and from here: at most 500 messages, each once. */
export interface History {
	/** Takes the next lines of the log; returns those that are new. */
	add(messages: ChatMessage[]): ChatMessage[];
	/** Takes the last part of the log, read afresh; returns what is newer than everything known so far. */
	renew(messages: ChatMessage[]): ChatMessage[];
	/** Takes what was sent from here, which few games log; returns what was not in the log by then. */
	addSent(...messages: ChatMessage[]): ChatMessage[];
	/** Oldest first. */
	last(count: number): ChatMessage[];
}

/** The log has whole seconds, and its lines come a moment late. */
const ECHO_MS = 5000;
/** Some games log what is sent to them: the same words at the same time are the same message. */
const echoes = (said: ChatMessage, ours: ChatMessage) =>
	said.kind === 'say' &&
	said.text === ours.text &&
	Math.abs(Date.parse(ours.at) - Date.parse(said.at)) <= ECHO_MS;

export function createHistory(): History {
	/** In the order of the log, whatever the times: clocks can be set back. */
	let logged: ChatMessage[] = [];
	let sent: ChatMessage[] = [];
	let ids = new Set<string>();

	const keep = (messages: ChatMessage[]) => {
		logged = messages.slice(-CHAT_LIMIT_MAX);
		ids = new Set(logged.map(({ id }) => id));
	};

	const isEcho = (said: ChatMessage) => sent.some((ours) => echoes(said, ours));

	return {
		add(messages) {
			const fresh = messages.filter(({ id }) => !ids.has(id));
			if (fresh.length) keep([...logged, ...fresh]);
			return fresh.filter((one) => !isEcho(one));
		},
		renew(messages) {
			const again = new Set(messages.map(({ id }) => id));
			const first = logged.findIndex(({ id }) => again.has(id));
			const last = messages.findLastIndex(({ id }) => ids.has(id));
			// The log may have been started afresh since: what is no longer in it came before.
			keep([...(first < 0 ? logged : logged.slice(0, first)), ...messages]);
			return messages
				.slice(last + 1)
				.slice(-CHAT_LIMIT_MAX)
				.filter((one) => !isEcho(one));
		},
		addSent(...messages) {
			sent = [...sent, ...messages].slice(-CHAT_LIMIT_MAX);
			return messages.filter((ours) => !logged.some((said) => echoes(said, ours)));
		},
		last(count) {
			const merged: ChatMessage[] = [];
			let [i, j] = [logged.length - 1, sent.length - 1];
			while (merged.length < count) {
				const [said, ours] = [logged[i], sent[j]];
				if (!said && !ours) break;
				// The log records whole seconds: within the same second, an answer comes after what it answers.
				const pick = !said || (ours && ours.at > said.at) ? ours! : said;
				if (pick === ours) j--;
				else i--;
				if (pick === ours || !isEcho(pick)) merged.push(pick);
			}
			return merged.reverse();
		}
	};
}
