import type { FileAdvancements } from './advancements.ts';
import type { FileKind, FileRead } from './file.ts';
import { emptyStats, type Counted, type FileStats } from './stats.ts';

/** What was read from some files, in a form that passes between threads ten times faster than the objects do. */
export type Packed = {
	/** One after the other; the kind gives the length of each. */
	numbers: Float64Array<ArrayBuffer>;
	/** Ids that earlier batches did not have; numbers refer to them by their index among all ids. */
	ids: string[];
};

const [GONE, UNREADABLE, LOST, READ, UNKNOWN] = [0, 1, 2, 3, 4] as const;
const NUMBERS = Object.entries(emptyStats()).flatMap(([name, value]) =>
	typeof value === 'number' ? [name as keyof FileStats & string] : []
);
const FAVOURITES = ['blocks', 'items', 'mobs'] as const;

export function createPacker() {
	const known = new Map<string, number>();

	function putBest(best: Counted[], numbers: number[], ids: string[]) {
		numbers.push(best.length);
		for (const { id, count } of best) {
			let place = known.get(id);
			if (place === undefined) {
				known.set(id, (place = known.size));
				ids.push(id);
			}
			numbers.push(place, count);
		}
	}

	return {
		pack(reads: FileRead[]): Packed {
			const numbers: number[] = [];
			const ids: string[] = [];
			for (const read of reads) {
				const { identity } = read.state === 'gone' ? { identity: null } : read;
				numbers.push(read.state === 'unreadable' && !identity ? LOST : CODES[read.state]);
				if (identity) numbers.push(identity.size, identity.mtimeMs, identity.ino);
				if (read.state !== 'read') continue;
				const { value } = read;
				if ('blocks' in value) {
					for (const name of NUMBERS) numbers.push(value[name] as number);
					for (const name of FAVOURITES) putBest(value[name], numbers, ids);
				} else numbers.push(value.done, value.recipes, Number(value.nether), Number(value.end));
			}
			return { numbers: Float64Array.from(numbers), ids };
		}
	};
}
const CODES = { gone: GONE, unreadable: UNREADABLE, read: READ, unknown: UNKNOWN };

/** The other end: unpacks what one packer makes, in the same order. */
export function createUnpacker() {
	const known: string[] = [];

	return {
		unpack({ numbers, ids }: Packed, kinds: FileKind[]): FileRead[] {
			for (const id of ids) known.push(id);
			let at = 0;
			const next = () => numbers[at++]!;
			const best = () =>
				Array.from({ length: next() }, () => ({ id: known[next()]!, count: next() }));
			const stats = (): FileStats => {
				const value: Record<string, unknown> = emptyStats();
				for (const name of NUMBERS) value[name] = next();
				for (const name of FAVOURITES) value[name] = best();
				return value as FileStats;
			};
			const advancements = (): FileAdvancements => ({
				...{ done: next(), recipes: next(), nether: next() === 1, end: next() === 1 }
			});
			return kinds.map((kind): FileRead => {
				const code = next();
				if (code === GONE) return { state: 'gone' };
				if (code === LOST) return { state: 'unreadable', identity: null };
				const identity = { size: next(), mtimeMs: next(), ino: next() };
				if (code === UNREADABLE) return { state: 'unreadable', identity };
				if (code === UNKNOWN) return { state: 'unknown', identity };
				return { state: 'read', identity, value: kind === 'stats' ? stats() : advancements() };
			});
		}
	};
}
