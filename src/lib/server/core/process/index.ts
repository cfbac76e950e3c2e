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
export { pids, readArgv, readEnviron } from './processes.ts';
export { ifVisible, readProc, readStat, TICK_MS, type ProcStat } from './proc-stat.ts';
