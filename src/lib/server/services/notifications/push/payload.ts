import { tagOf, type Message } from '../message.ts';
import { shorten, shortenBytes } from '../text.ts';
import { PAYLOAD_MAX_BYTES } from './encrypt.ts';

const TITLE_MAX = 150;
const TEXT_MAX_BYTES = 2000;

/** What the service worker shows; `path` is one of its own pages. */
export function payloadOf(message: Message): Buffer {
	const { title, text, path, at } = message;
	const fixed = { title: shorten(title, TITLE_MAX), path, at, tag: tagOf(message) };
	for (let max = TEXT_MAX_BYTES; ; max = Math.floor(max / 2)) {
		const payload = Buffer.from(JSON.stringify({ ...fixed, text: shortenBytes(text, max) }));
		if (payload.length <= PAYLOAD_MAX_BYTES) return payload;
	}
}
