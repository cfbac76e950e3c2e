const SHOWN_LINES = 40;

/** Passes on the newest lines with each new one. */
export function newestLines(show: (lines: string[]) => void): (line: string) => void {
	let lines: string[] = [];
	return (line) => show((lines = [...lines, line].slice(-SHOWN_LINES)));
}
