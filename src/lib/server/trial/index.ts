export {
	createTrials,
	type BootHow,
	type Launcher,
	type Trials,
	type TrialsDeps
} from './trials.ts';
export type { TrialGame, TrialJar } from './copy.ts';
export type { TrialVerdict } from './verdict.ts';
