import type { Span } from '$lib/schemas/console';

/** A command of a session and its outcome. */
export type Answered = {
	id: number;
	/** ISO 8601. */
	at: string;
	command: string;
	spans: Span[];
	/** Why there is no answer. */
	problem: string | null;
};

const SESSIONS_MAX = 16;
const KEPT_MAX = 30;
/** The size of all answers of a session: a screen to look back at, not a store. */
const CHARS_MAX = 300_000;

/**
 * The last commands of each session, in memory alone: a page that is loaded again shows what was answered instead of
 * running it again, also without JavaScript.
 */
export class Answers {
	readonly #sessions = new Map<string, Answered[]>();
	#next = 1;

	/** Oldest first. */
	of(session: string): Answered[] {
		return this.#sessions.get(session) ?? [];
	}

	add(session: string, answered: Omit<Answered, 'id'>) {
		const kept = [...this.of(session), { ...answered, id: this.#next++ }].slice(-KEPT_MAX);
		let chars = 0;
		const from = kept.findLastIndex((one) => (chars += charsOf(one)) > CHARS_MAX);
		this.#sessions.delete(session);
		this.#sessions.set(session, kept.slice(Math.min(from + 1, kept.length - 1)));
		if (this.#sessions.size > SESSIONS_MAX)
			this.#sessions.delete(this.#sessions.keys().next().value!);
	}

	clear(session: string) {
		this.#sessions.delete(session);
	}
}

const charsOf = ({ command, spans }: Answered) =>
	spans.reduce((sum, { text }) => sum + text.length, command.length);
