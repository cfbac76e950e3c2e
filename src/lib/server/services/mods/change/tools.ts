import { createDownloads } from './downloads.ts';
import { createPacks } from './packs.ts';
import type { Deps } from './types.ts';

/** What the steps need besides the outside world. */
export type Tools = Deps & { downloads: ReturnType<typeof createDownloads> } & ReturnType<
		typeof createPacks
	>;

export const createTools = (deps: Deps): Tools => ({
	...deps,
	downloads: createDownloads(deps),
	...createPacks(deps)
});
