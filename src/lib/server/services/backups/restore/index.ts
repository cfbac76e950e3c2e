export {
	isBackupRestore,
	createRestores,
	type RestoreInput,
	type RestoreDeps,
	type Restores
} from './restore.ts';
export { there, type Unit } from './swap.ts';
