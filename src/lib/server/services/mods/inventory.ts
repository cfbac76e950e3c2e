import type { Registry } from '#registry';
import type { StateFile } from '#storage/state-file';
import { createFacts, type RegistryFacts } from './facts.ts';
import type { FactsState } from './facts-state.ts';
import {
	createFailedVersions,
	type FailedVersions,
	type FailedVersionsState
} from './failures/index.ts';
import { createFlags, type FlagsState, type FlagStore } from './flags.ts';
import type { Satisfies } from './installed/index.ts';
import { createJoin } from './join.ts';
import { createReader, type Reader, type ReaderDeps } from './reader.ts';

/** What is in `mods/`, what is known of it, and what people have marked. */
export type Inventory = Reader & {
	facts: RegistryFacts;
	flags: FlagStore;
	failures: FailedVersions;
};

type Deps = Omit<ReaderDeps, 'facts' | 'flags' | 'failures' | 'join'> & {
	registry: Registry;
	/** `DATA_DIR/registry-facts.json`. */
	factsFile: StateFile<FactsState>;
	/** `DATA_DIR/mod-flags.json`. */
	flagsFile: StateFile<FlagsState>;
	/** `DATA_DIR/failed-versions.json`. */
	failedFile: StateFile<FailedVersionsState>;
	/** Whether the registry may be asked about jars that did not come from it. */
	askAboutAll: () => Promise<boolean>;
	satisfies: Satisfies;
};

export function createInventory(deps: Deps): Inventory {
	const { registry, askAboutAll, clock } = deps;
	const facts = createFacts({ registry, state: deps.factsFile, askAboutAll, clock });
	const flags = createFlags(deps.flagsFile);
	const failures = createFailedVersions(deps.failedFile);
	const join = createJoin(deps.satisfies);
	return { facts, flags, failures, ...createReader({ ...deps, facts, flags, failures, join }) };
}
