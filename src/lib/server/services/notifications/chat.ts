import { randomBytes } from 'node:crypto';
import type { ChatMessage } from '#schemas/chat';
import type { Clock } from '#core/clock';
import type { Message } from './message.ts';
import { plainLine } from './text.ts';

const BUNDLE_MS = 1000;
const LINE_MAX = 300;
/** Escaping may double it; Discord takes 2000. */
const BUNDLE_MAX_CHARS = 950;
const LINES_MAX = 200;

/** Lines said within a second are one message; of a flood what fits, and how much was left out. */
export function createChatBundles(deps: {
	clock: Clock;
	send: (message: Message) => void;
	closing: AbortSignal;
}) {
	let lines: string[] = [];
	let left = 0;
	let waiting = false;

	function flush() {
		waiting = false;
		const parts: string[] = [];
		let size = 0;
		for (const line of lines) {
			if (size + line.length > BUNDLE_MAX_CHARS) break;
			size += line.length + 1;
			parts.push(line);
		}
		left += lines.length - parts.length;
		if (left) parts.push(`(${left} more ${left === 1 ? 'line' : 'lines'} left out)`);
		lines = [];
		left = 0;
		deps.send(bundle(parts.join('\n'), deps.clock.now()));
	}

	return (messages: ChatMessage[]) => {
		for (const message of messages)
			if (lines.length < LINES_MAX) lines.push(lineOf(message));
			else left++;
		if (waiting || !lines.length) return;
		waiting = true;
		deps.clock.sleep(BUNDLE_MS, deps.closing).then(flush, () => {}); // closed
	};
}

const bundle = (text: string, at: Date): Message => ({
	...{ id: `chat ${randomBytes(8).toString('hex')}`, event: 'chat', at: at.toISOString() },
	...{ level: 'info', title: 'Chat', text, url: null, picture: null, path: '/admin/chat', data: {} }
});

function lineOf({ kind, player, text }: ChatMessage): string {
	const who = player ?? 'Server';
	const words: Record<ChatMessage['kind'], string> = {
		chat: `<${who}> ${text}`,
		say: `[${who}] ${text}`,
		me: `* ${who} ${text}`,
		join: `${who} joined`,
		leave: `${who} left`,
		death: `${who} ${text}`,
		advancement: `${who} ${text}`
	};
	return plainLine(words[kind], LINE_MAX);
}
