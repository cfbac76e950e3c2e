const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** For sentences: `1.2 GB`. */
export function size(bytes: number): string {
	let [value, unit] = [bytes, 0];
	while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
	return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
