import { afterEach, beforeEach } from 'vitest';
import { createLogFolder, logLine, type LogFolder } from './log-folder.ts';

/** That of the current test, where `folderForEach` is called. */
export let folder: LogFolder;

/** A fresh folder for each test of the file that calls it. */
export function folderForEach() {
	beforeEach(() => {
		folder = createLogFolder();
	});
	afterEach(() => folder.remove());
}

export const numbered = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => logLine(`message ${from + i}`, from + i)).join('');
