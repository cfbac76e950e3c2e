export { createArchiver, type Archiver, type RunningJob } from './archiver.ts';
export { flushDisk } from './flush-disk.ts';
export { createBackupFolder, type Stored, type Sidecar, type BackupFolder } from './folder.ts';
export type { Created, Measured, Root, Selection } from './jobs.ts';
