import { isObject } from './value.ts';

/** What an advancements file says. */
export type FileAdvancements = {
	/** Completed, without those that unlock recipes. */
	done: number;
	recipes: number;
	/** Has been in the Nether, in the End. */
	nether: boolean;
	end: boolean;
};

const RECIPE = /^[^:]+:recipes\//;
const NETHER = ['minecraft:story/enter_the_nether', 'minecraft:nether/root'];
const END = ['minecraft:story/enter_the_end', 'minecraft:end/root'];

/** For a player who has done nothing. */
export const NO_ADVANCEMENTS: FileAdvancements = { done: 0, recipes: 0, nether: false, end: false };

/**
 * Reads the parsed content of an advancements file. Returns `unknown` for another server's format, or null when it is
 * not one.
 */
export function readAdvancements(root: unknown): FileAdvancements | 'unknown' | null {
	if (!isObject(root)) return null;
	const entries = Object.entries(root).filter(([key]) => key !== 'DataVersion');
	const isEntry = (one: unknown) => isObject(one) && typeof one['done'] === 'boolean';
	if (entries.length > 0 && !entries.some(([, one]) => isEntry(one))) return 'unknown';
	const isDone = (id: string) => {
		const one = Object.hasOwn(root, id) ? root[id] : null;
		return isObject(one) && one['done'] === true;
	};
	let done = 0;
	let recipes = 0;
	for (const id of Object.keys(root)) {
		if (!isDone(id)) continue;
		if (RECIPE.test(id)) recipes++;
		else done++;
	}
	return { done, recipes, nether: NETHER.some(isDone), end: END.some(isDone) };
}
