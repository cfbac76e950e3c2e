export type { JavaArchive, JavaSource } from './adoptium.ts';
export { hasSandbox, runInstaller } from './installer.ts';
export type { Artifact, Source } from './source.ts';
export {
	createSources,
	SOURCE_ADDRESSES,
	type Sources,
	type SourcesDeps,
	type SourceSetting
} from './sources.ts';
