import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const LIST = 'svelte/src/internal/client/index.js';
const ENDING = '?first';
const LINE = /export\s*\{[^}]*\}\s*from\s*'([^']+)';/g;

/**
 * Svelte's runtime is one list of all its parts, and whoever imports the list into a chunk has all parts there that the
 * app uses anywhere. Modules that `isFirst` names get a list without the `seldom` ones, which can then stand elsewhere.
 */
export const svelteParts = (isFirst: (id: string) => boolean, seldom: RegExp): Plugin => ({
	name: 'craftwarden-svelte-parts',
	enforce: 'pre',
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'client',
	resolveId: {
		filter: { id: /internal\/client(\/index\.js)?$/ },
		async handler(source, importer, options) {
			if (!importer || !isFirst(importer)) return;
			const found = await this.resolve(source, importer, { ...options, skipSelf: true });
			return found?.id.endsWith(LIST) ? { ...found, id: found.id + ENDING } : found;
		}
	},
	load: {
		filter: { id: /internal\/client\/index\.js\?first$/ },
		async handler(id) {
			const file = id.slice(0, -ENDING.length);
			const list = await readFile(file, 'utf8');
			const code = list.replace(LINE, (line, from: string) =>
				seldom.test(path.join(path.dirname(file), from))
					? ''
					: line.replace(`'${from}'`, `'${path.join(path.dirname(file), from)}'`)
			);
			return { code, moduleSideEffects: false };
		}
	},
	onLog(_, { code, message }) {
		// A part that is seldom no more.
		if (/^(IMPORT_IS_UNDEFINED|MISSING_EXPORT)$/.test(code ?? '') && message.includes(ENDING))
			this.error(message);
	}
});
