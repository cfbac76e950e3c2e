const SHOWN_LINES = 40;

/** Passes on the newest lines with each new one, and at once that there are none yet. */
export function newestLines(show: (lines: string[]) => void): (line: string) => void {
	let lines: string[] = [];
	show(lines); // no longer those of the boot before
	return (line) => show((lines = [...lines, line].slice(-SHOWN_LINES)));
}
