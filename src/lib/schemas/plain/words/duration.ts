/** How long something took: `450 ms`, `4.2 s`, `2 min 5 s`, `1 h 10 min`, `3 d 4 h`. */
export function duration(ms: number | null | undefined): string {
	if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) return '–';
	if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
	if (ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`;
	const seconds = Math.round(ms / 1000);
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3600) return both(Math.floor(seconds / 60), 'min', seconds % 60, 's');
	const minutes = Math.round(seconds / 60);
	if (minutes < 24 * 60) return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
	const hours = Math.round(minutes / 60);
	return both(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** The smaller unit only where there is any of it. */
const both = (large: number, unit: string, small: number, smallUnit: string) =>
	`${large} ${unit}${small ? ` ${small} ${smallUnit}` : ''}`;

/** How long something has lasted that still does: in whole seconds, as tenths would only flicker. */
export const elapsed = (ms: number) => duration(Math.max(1, Math.floor(ms / 1000)) * 1000);
