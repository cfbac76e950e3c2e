export { installedMods } from './installed.ts';
export type { RegistryFact, Satisfies } from './types.ts';
