import { afterEach, beforeEach } from 'vitest';
import { createLogFolder, logLine, type LogFolder } from './log-folder.ts';

/** The folder of the current test, in test files that call `folderForEach`. */
export let folder: LogFolder;

/** Prepares a fresh folder for each test of the calling file. */
export function folderForEach() {
	beforeEach(() => {
		folder = createLogFolder();
	});
	afterEach(() => folder.remove());
}

export const numbered = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => logLine(`message ${from + i}`, from + i)).join('');
