import path from 'node:path';
import { serverFolder } from './server-folder.ts';

const ARGUMENTS_MAX_BYTES = 64 * 1024;
const OPTION = /^-(?:Xmx|XX:MaxHeapSize=)(\d{1,12})([kmgt]?)$/i;
const UNITS = ['', 'k', 'm', 'g', 't'];

/** How much memory Java was told to give the game's objects, and in which words. */
export type HeapLimit = { bytes: number; option: string };

/** Reads the argument files that the command names (`@user_jvm_args.txt`). Null when it says nothing. */
export async function readHeapLimit(dir: string, argv: string[]): Promise<HeapLimit | null> {
	const folder = serverFolder(path.resolve(dir));
	let found: HeapLimit | null = null;
	for (const word of argv) {
		const words = word.startsWith('@')
			? wordsOf(await folder.bytes(word.slice(1), ARGUMENTS_MAX_BYTES).catch(() => null))
			: [word];
		// The last one wins, as in Java.
		for (const one of words) found = parse(one) ?? found;
	}
	return found;
}

const wordsOf = (bytes: Buffer | null) =>
	(bytes?.toString('utf8') ?? '')
		.split('\n')
		.flatMap((line) => line.replace(/#.*/, '').split(/\s+/).filter(Boolean));

function parse(option: string): HeapLimit | null {
	const [, digits, unit] = OPTION.exec(option) ?? [];
	if (!digits) return null;
	const bytes = Number(digits) * 1024 ** UNITS.indexOf(unit!.toLowerCase());
	return bytes > 0 && Number.isSafeInteger(bytes) ? { bytes, option } : null;
}
