const KEY = 'craftwarden.chat-read';

/** The id of the last message read in this browser. Without storage every message counts as unread. */
export const readMark = {
	get(): string | null {
		try {
			return localStorage.getItem(KEY);
		} catch {
			return null;
		}
	},
	set(id: string) {
		try {
			localStorage.setItem(KEY, id);
		} catch {
			// Private windows may refuse; the mark is only a convenience.
		}
	}
};
