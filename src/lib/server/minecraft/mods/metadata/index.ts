export { describe, METADATA } from './metadata.ts';
export type { JarFacts, JarMod, JarDependency } from './model.ts';
