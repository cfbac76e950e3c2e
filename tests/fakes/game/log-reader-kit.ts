import { afterEach, beforeEach } from 'vitest';
import { createLogFolder, logLine, type LogFolder } from './log-folder.ts';

/** Of the test that runs: a fresh one for each. */
export let folder: LogFolder;
beforeEach(() => {
	folder = createLogFolder();
});

afterEach(() => folder.remove());

export const numbered = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => logLine(`message ${from + i}`, from + i)).join('');
