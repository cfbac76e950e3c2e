export { createSnapshotStore, type About, type SnapshotStore, type Stored } from './snapshots.ts';
