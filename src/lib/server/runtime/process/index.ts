export {
	createProcessControl,
	type ProcessExit,
	type ServerProcess,
	type ProcessControl
} from './process.ts';
export { createUsage, type UsageReading } from './usage.ts';
