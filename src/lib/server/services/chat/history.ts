import { CHAT_LIMIT_MAX, type ChatMessage } from '#schemas/chat';

/** What was said in the game, by its log, and from here: at most 500 messages, each once. */
export interface History {
	/** What the log says next; answers what of it is new. */
	add(messages: ChatMessage[]): ChatMessage[];
	/** The last part of the log, read anew; answers what of it is newer than all that was known. */
	renew(messages: ChatMessage[]): ChatMessage[];
	/** What was sent from here, which the log does not hold. */
	addSent(...messages: ChatMessage[]): void;
	/** Oldest first. */
	last(count: number): ChatMessage[];
}

export function createHistory(): History {
	/** In the order of the log, whatever the times: clocks are set back. */
	let logged: ChatMessage[] = [];
	let sent: ChatMessage[] = [];
	let ids = new Set<string>();

	const keep = (messages: ChatMessage[]) => {
		logged = messages.slice(-CHAT_LIMIT_MAX);
		ids = new Set(logged.map(({ id }) => id));
	};

	return {
		add(messages) {
			const fresh = messages.filter(({ id }) => !ids.has(id));
			if (fresh.length) keep([...logged, ...fresh]);
			return fresh;
		},
		renew(messages) {
			const again = new Set(messages.map(({ id }) => id));
			const first = logged.findIndex(({ id }) => again.has(id));
			const last = messages.findLastIndex(({ id }) => ids.has(id));
			// The log may have begun anew since: what is not in it any more was before.
			keep([...(first < 0 ? logged : logged.slice(0, first)), ...messages]);
			return messages.slice(last + 1).slice(-CHAT_LIMIT_MAX);
		},
		addSent(...messages) {
			sent = [...sent, ...messages].slice(-CHAT_LIMIT_MAX);
		},
		last(count) {
			const merged: ChatMessage[] = [];
			let [i, j] = [logged.length - 1, sent.length - 1];
			while (merged.length < count) {
				const [said, ours] = [logged[i], sent[j]];
				if (!said && !ours) break;
				// The log knows whole seconds: in the same one an answer follows what it answers.
				const pick = !said || (ours && ours.at > said.at) ? ours! : said;
				if (pick === ours) j--;
				else i--;
				merged.push(pick);
			}
			return merged.reverse();
		}
	};
}
