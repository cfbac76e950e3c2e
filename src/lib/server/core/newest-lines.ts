const SHOWN_LINES = 40;

/** Passes on the newest lines with each new line; shows none at first. */
export function newestLines(show: (lines: string[]) => void): (line: string) => void {
	let lines: string[] = [];
	show(lines); // replaces those of the previous boot
	return (line) => show((lines = [...lines, line].slice(-SHOWN_LINES)));
}
