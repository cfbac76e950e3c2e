export {
	isBackupRestore,
	createRestores,
	type RestoreInput,
	type RestoreDeps,
	type Restores
} from './restore.ts';
export { worldOf } from './units.ts';
