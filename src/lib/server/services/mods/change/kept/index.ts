export { orKeep, wasEnded } from './kept.ts';
export { failingNow, isOutside, type Changed } from './verdict.ts';
