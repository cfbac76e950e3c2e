/** How many tokens `--player-1` … app.css has. */
const COLOURS = 8;
const SIDE = 5;
const HALF = 3;

/** FNV-1a: spreads short names well. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
	// The lowest bits alone are not random enough.
	return (value ^ (value >>> 15)) >>> 0;
}

/** The same for a name wherever it stands. */
export const playerColour = (name: string) => `var(--player-${(hash(name) % COLOURS) + 1})`;

/** A path of squares in a 5 × 5 grid, the same on the left and on the right. */
export function playerMark(name: string): string {
	const bits = hash(`${name} mark`);
	const squares: string[] = [];
	for (let y = 0; y < SIDE; y++)
		for (let x = 0; x < HALF; x++) {
			if (!((bits >>> (y * HALF + x)) & 1)) continue;
			squares.push(square(x, y));
			if (x < HALF - 1) squares.push(square(SIDE - 1 - x, y));
		}
	return squares.join('') || square(2, 2);
}

const square = (x: number, y: number) => `M${x} ${y}h1v1h-1z`;
