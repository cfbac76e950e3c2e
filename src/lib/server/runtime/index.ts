export { causeOfExit } from './exit.ts';
export type { Exit, ExitStatus, Phase, Run, Runtime, RuntimeState, Usage } from './runtime.ts';
export { watchByAsking } from './watch.ts';
