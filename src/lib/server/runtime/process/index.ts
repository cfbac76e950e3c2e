export { createProcessRuntime } from './runtime.ts';
