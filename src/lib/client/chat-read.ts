const KEY = 'craftwarden.chat-read';

/** The id of the last message that was read in this browser. Without storage everything is as if never read. */
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
			// Private windows may refuse: the mark is a comfort, no more.
		}
	}
};
