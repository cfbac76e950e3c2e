export { showBoot, type BootDeps } from './show.ts';
export { createBootTimes, type BootTimes } from './times.ts';
