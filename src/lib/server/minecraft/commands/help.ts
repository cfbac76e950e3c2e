import type { KnownCommand } from '#schemas/console';
import { helpLines } from '#schemas/plain/words/help-lines';

const COMMANDS_MAX = 500;
const USAGE_MAX = 300;
const NAME = /^[a-z0-9_:.-]{1,64}$/i;

/** What an answer to `help` says of each command, in the alphabet's order. Mods write there too: anything else is left out. */
export function parseHelp(answer: string): KnownCommand[] {
	const found = new Map<string, string>();
	for (const line of helpLines(answer).split('\n')) {
		const [, name, usage] = /^\/(\S+)(.*)$/.exec(line.trim()) ?? [];
		if (!name || !NAME.test(name) || found.has(name)) continue;
		found.set(name, usage!.trim().slice(0, USAGE_MAX).toWellFormed());
		if (found.size === COMMANDS_MAX) break;
	}
	return [...found]
		.map(([name, usage]) => ({ name, usage }))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}
