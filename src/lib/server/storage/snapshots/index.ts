export {
	createSnapshotStore,
	type About,
	type Changes,
	type SnapshotStore,
	type Stored,
	type StoredJar
} from './snapshots.ts';
