export { entriesOf, shownName, type Entry } from './entries.ts';
export { installedMods, type RegistryFact, type Satisfies } from './installed.ts';
