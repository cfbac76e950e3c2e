import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const WIDE = /[^\u0000-\u00ff]/g; // eslint-disable-line no-control-regex
/** An escape where an escape stands already would be another text. */
const AFTER_BACKSLASH = /\\[^\u0000-\u00ff]|String\.raw`[^`]*[^\u0000-\u00ff]/; // eslint-disable-line no-control-regex

/**
 * After the adapter has built the server: characters beyond Latin-1 are written as escapes. One “…” in a file makes V8
 * keep its whole text in two bytes per character, which costs memory and time at every start.
 * @param {import('@sveltejs/kit').Adapter} adapter
 * @returns {import('@sveltejs/kit').Adapter}
 */
export const oneByte = (adapter) => ({
	...adapter,
	async adapt(builder) {
		await adapter.adapt(builder);
		for (const name of await readdir('build/server', { recursive: true })) {
			if (!name.endsWith('.js')) continue;
			const file = path.join('build/server', name);
			const text = await readFile(file, 'utf8');
			if (AFTER_BACKSLASH.test(text)) continue;
			const narrow = text.replace(WIDE, escaped);
			if (narrow !== text) await writeFile(file, narrow);
		}
	}
});

/** @param {string} unit One half of a pair at a time, as strings and patterns read them, too. */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
