import { stat } from 'node:fs/promises';
import { CHAT_LIMIT_MAX, ChatMessage } from '#schemas/chat';
import { linesBackwards, appendLine, openRegular, writeAtomic } from '#core/files';
import { createSerial } from '#core/serial';

/** Room for several thousand messages; beyond that only the last ones are kept. */
const FILE_MAX_BYTES = 1024 * 1024;
const LINE_MAX_BYTES = 64 * 1024;

/** What was sent into the game from here: the game does not log it. A torn line costs one message. */
export interface SentFile {
	/** Oldest first, at most 500. */
	read(): Promise<ChatMessage[]>;
	append(message: ChatMessage): Promise<void>;
}

export function createSentFile(file: string, maxBytes = FILE_MAX_BYTES): SentFile {
	/** One after the other: a line must not be added to a file that is being replaced. */
	const queue = createSerial();

	async function last(): Promise<ChatMessage[]> {
		const handle = await openRegular(file);
		if (!handle) return [];
		try {
			const messages: ChatMessage[] = [];
			for await (const { bytes, cut } of linesBackwards(handle, { keepBytes: LINE_MAX_BYTES })) {
				const message = cut ? null : parse(bytes.toString());
				if (message && messages.push(message) === CHAT_LIMIT_MAX) break;
			}
			return messages.reverse();
		} finally {
			await handle.close();
		}
	}

	async function shorten() {
		if ((await stat(file)).size <= maxBytes) return;
		const kept = await last();
		await writeAtomic(file, kept.map((message) => `${JSON.stringify(message)}\n`).join(''));
	}

	return {
		read: () => queue.run(last),
		append: (message) =>
			queue.run(async () => {
				await appendLine(file, JSON.stringify(message), { sync: true });
				await shorten();
			})
	};
}

function parse(text: string): ChatMessage | null {
	try {
		return ChatMessage.parse(JSON.parse(text));
	} catch {
		return null; // torn by a crash, or not ours
	}
}
