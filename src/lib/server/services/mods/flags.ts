import { z } from 'zod';
import type { StateFile } from '#storage/state-file';

/** What people have said about files, whatever the files are called. */
export const FlagsState = z.object({
	/** A lock goes with the mod through its updates: by its id, or by content where it has none. */
	locked: z.array(z.string()),
	/** One jar only: the next version of a private mod is not shared unasked. */
	shareable: z.array(z.string())
});
export type FlagsState = z.infer<typeof FlagsState>;
export const FLAGS_VERSION = 1;
export const FLAGS_DEFAULTS: FlagsState = { locked: [], shareable: [] };

export type Flagged = { modId: string | null; sha512: string | null };
export type Flag = keyof FlagsState;
export type Flags = { locked(mod: Flagged): boolean; shareable(mod: Flagged): boolean };

export interface FlagStore {
	read(): Promise<Flags>;
	/** Returns false when nothing changed. */
	set(mod: Flagged, flag: Flag, on: boolean): Promise<boolean>;
}

const FLAGGED_MAX = 5000;

export function createFlags(state: StateFile<FlagsState>): FlagStore {
	return {
		async read() {
			const { locked, shareable } = await state.read();
			const [locks, shares] = [new Set(locked), new Set(shareable)];
			return {
				locked: (mod) => names(mod, 'locked').some((name) => locks.has(name)),
				shareable: (mod) => names(mod, 'shareable').some((name) => shares.has(name))
			};
		},
		async set(mod, flag, on) {
			const all = names(mod, flag);
			let changed = false;
			await state.update((old) => {
				const is = old[flag].some((name) => all.includes(name));
				changed = is !== on;
				if (!changed) return old;
				const others = old[flag].filter((name) => !all.includes(name));
				return {
					...old,
					[flag]: [...(on ? all.slice(0, 1) : []), ...others].slice(0, FLAGGED_MAX)
				};
			});
			return changed;
		}
	};
}

/** The name to write comes first; all of them count when reading. */
const names = ({ modId, sha512 }: Flagged, flag: Flag) => [
	...(flag === 'locked' && modId ? [`id:${modId}`] : []),
	...(sha512 ? [`sha512:${sha512}`] : [])
];
