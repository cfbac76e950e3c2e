export { installedMods, type RegistryFact, type Satisfies } from './installed.ts';
