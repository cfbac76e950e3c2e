export { createTrials, type BootHow, type Trials, type TrialsDeps } from './trials.ts';
export type { TrialJar } from './copy.ts';
export type { TrialVerdict } from './verdict.ts';
