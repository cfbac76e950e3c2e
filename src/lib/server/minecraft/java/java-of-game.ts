/** The first game versions that need a newer Java, newest first: by number, and by week for snapshots. */
const SINCE: { number: [number, number, number]; week: number; java: number }[] = [
	{ number: [26, 1, 0], week: Infinity, java: 25 },
	{ number: [1, 20, 5], week: 2414, java: 21 },
	{ number: [1, 18, 0], week: 2144, java: 17 },
	{ number: [1, 17, 0], week: 2119, java: 16 }
];
const OLDEST_JAVA = 8;

/**
 * The major version of Java that a game version needs, judged by its name; null for a name of another kind. Mojang's own
 * data takes precedence where it is at hand.
 */
export function javaOf(game: string): number | null {
	const snapshot = /^(\d\d)w(\d\d)[a-z]/.exec(game);
	if (snapshot) {
		const week = Number(snapshot[1]) * 100 + Number(snapshot[2]);
		return SINCE.find((since) => week >= since.week)?.java ?? OLDEST_JAVA;
	}
	const number = /^(\d+)\.(\d+)(?:\.(\d+))?(?![\d.])/.exec(game);
	if (!number) return null;
	const parts = [number[1], number[2], number[3] ?? 0].map(Number);
	return SINCE.find((since) => !isBefore(parts, since.number))?.java ?? OLDEST_JAVA;
}

function isBefore(a: number[], b: number[]): boolean {
	const at = a.findIndex((part, i) => part !== b[i]);
	return at >= 0 && a[at]! < b[at]!;
}
