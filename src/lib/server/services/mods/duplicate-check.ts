import { duplicateOf, type ModChange } from './change/index.ts';
import type { Reader } from './reader.ts';
import { factsOf, type ReadJar } from './upload.ts';

/** Which mod would be there twice after a change, in a sentence; `fileOf` is where each of `put` lies now. */
export const createDuplicateCheck =
	({ inventory, readJar }: { inventory: Reader; readJar: ReadJar }) =>
	async (change: ModChange, fileOf: (index: number) => string): Promise<string | null> => {
		const facts = await Promise.all(change.put.map((_, i) => factsOf(fileOf(i), readJar)));
		return duplicateOf(await inventory.read({ ask: false }), change, facts);
	};
