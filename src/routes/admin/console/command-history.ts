/** Goes through earlier commands as a shell does; what was being typed comes back at the end. */
export class CommandHistory {
	#at: number | null = null;
	#draft = '';

	/** Returns the command before (-1) or after (1) the one shown, or null when there is none. `commands`: oldest first. */
	move(by: -1 | 1, shown: string, commands: string[]): string | null {
		const past = commands.filter((command, i) => command !== commands[i - 1]);
		if (this.#at === null) this.#draft = shown;
		const next = (this.#at ?? past.length) + by;
		if (next < 0 || next > past.length) return null;
		this.#at = next === past.length ? null : next;
		return past[next] ?? this.#draft;
	}

	/** The next move starts at the newest again. */
	reset() {
		this.#at = null;
	}
}
