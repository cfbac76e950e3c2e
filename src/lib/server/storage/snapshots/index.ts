export {
	createSnapshotStore,
	type About,
	type SnapshotStore,
	type Stored,
	type StoredJar
} from './snapshots.ts';
