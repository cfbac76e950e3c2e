export { createModsFolder, type ModFile, type ModsFolder } from './folder.ts';
export { readJar, type JarFacts, type JarMod, type JarDependency } from './jar.ts';
export { satisfies } from './versions/index.ts';
