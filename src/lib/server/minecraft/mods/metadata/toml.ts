import { parse } from 'smol-toml';
import type { JsonObject } from './text.ts';
import { parseLooseToml } from './toml-loose.ts';

/** TOML as mods write it: what the standard forbids and Forge's reader accepts is read as far as it makes sense. */
export function parseToml(text: string): JsonObject | null {
	const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
	try {
		return parse(plain, { maxDepth: 32 });
	} catch {
		return parseLooseToml(plain);
	}
}
