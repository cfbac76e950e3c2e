import { isObject } from './value.ts';

/** What an advancements file tells. */
export type FileAdvancements = {
	/** Done, without those that unlock recipes. */
	done: number;
	recipes: number;
	/** Has been in the Nether, in the End. */
	nether: boolean;
	end: boolean;
};

const RECIPE = /^[^:]+:recipes\//;
const NETHER = ['minecraft:story/enter_the_nether', 'minecraft:nether/root'];
const END = ['minecraft:story/enter_the_end', 'minecraft:end/root'];

/** Reads the parsed content of an advancements file; null for what is none. */
export function readAdvancements(root: unknown): FileAdvancements | null {
	if (!isObject(root)) return null;
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
