export {
	openCrashEvidence,
	type CrashEvidence,
	type LogMark,
	type ServerRun
} from './crash-evidence.ts';
export { diagnose, READY_LINE, type Diagnosis } from './diagnosis.ts';
export { blamedLines } from './crash-report.ts';
