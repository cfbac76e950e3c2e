export { createRuntime } from './create.ts';
export { createProcessRuntime } from './process/index.ts';
export type {
	Exit,
	ExitStatus,
	Phase,
	Run,
	Runtime,
	RuntimeState,
	Startable,
	Usage
} from './runtime.ts';
