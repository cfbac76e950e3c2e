export { javaOf } from './java-of-game.ts';
export type { JavaArchive, JavaSource } from './adoptium.ts';
export type { Artifact, Source } from './source.ts';
export { createSources, SOURCE_ADDRESSES, type Sources, type SourceSetting } from './sources.ts';
