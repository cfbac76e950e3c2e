export { entriesOf, shownName, type Entry } from './entries.ts';
export { installedMods } from './installed.ts';
export type { ModServer, RegistryFact, Satisfies } from './types.ts';
