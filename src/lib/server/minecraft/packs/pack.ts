import type { ServerLoader } from '#schemas/software/software';
import type { LeftOut } from './files.ts';

/** A file that the pack only names. */
export type PackDownload = {
	path: string;
	/** Tried in this order. */
	urls: string[];
	size: number;
	sha512: string;
};

/** A file that lies in the pack: there it is `from`, in the server's folder `path`. */
export type PackPut = { from: string; path: string; size: number };

/** What a pack makes of an empty folder. */
export type Pack = {
	/** `a Modrinth pack`, in a sentence. */
	kind: string;
	/** Null where it does not say. */
	name: string | null;
	version: string | null;
	loader: ServerLoader;
	/** Null where it does not say. */
	loaderVersion: string | null;
	gameVersion: string;
	/** What it was made for, in MB. */
	memoryMb: number | null;
	downloads: PackDownload[];
	puts: PackPut[];
	leftOut: LeftOut[];
	/** In sentences: what is missing, what is optional. */
	notes: string[];
};

/** What of the pack's own files is put where, by the rules that hold for all packs. */
export function sortOut<T extends { path: string }>(
	files: T[],
	ruled: (path: string) => LeftOut | null
) {
	const kept: T[] = [];
	const leftOut = new Map<string, LeftOut>();
	for (const file of files) {
		const out = ruled(file.path);
		if (out) leftOut.set(out.fileName, out);
		else kept.push(file);
	}
	return { kept, leftOut: [...leftOut.values()] };
}
