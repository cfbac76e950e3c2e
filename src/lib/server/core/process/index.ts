export {
	bootId,
	markOf,
	ownProcessId,
	ProcessId,
	processId,
	processLives,
	statOf,
	type ProcessMark
} from './process-id.ts';
export { ifVisible, readProc, readStat, TICK_MS, type ProcStat } from './proc-stat.ts';
