export { showBoot, type BootDeps } from './show.ts';
export { BootHistory, createBootTimes, type BootTimes } from './times.ts';
