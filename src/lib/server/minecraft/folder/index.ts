export { editFile } from './edit-file.ts';
export { editProperties } from './properties.ts';
export { acceptEula } from './eula.ts';
export { worldVersion } from './game-version.ts';
export { readHeapLimit, type HeapLimit } from './heap-limit.ts';
export { createInstallationReader, type Installation } from './installation.ts';
export { readLastSeen } from './last-seen.ts';
export { checkWorld, type WorldCheck } from './world-check.ts';
export type { Properties } from './properties.ts';
export {
	createPropertiesReader,
	editServerProperties,
	readServerProperties
} from './server-properties.ts';
export { gameOfNeoForge } from './server-files.ts';
export { compareVersions } from './server-jar.ts';
export type { StartCommand } from './start-command.ts';
