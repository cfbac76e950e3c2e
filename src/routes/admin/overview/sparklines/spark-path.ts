const WIDTH = 100;
const HEIGHT = 28;

/** A line of an SVG path in a box of 100 by 28, from 0 at its foot; nulls break it, and one value alone is none. */
export function sparkPath(values: (number | null)[], least: number): string {
	// As a dot in an empty box it looks like a flaw of the screen.
	if (values.filter((value) => value !== null).length < 2) return '';
	const top = values.reduce((top: number, value) => Math.max(top, value ?? 0), least) || 1;
	const width = WIDTH / Math.max(1, values.length - 1);
	let path = '';
	let broken = true;
	values.forEach((value, i) => {
		if (value === null) return void (broken = true);
		const at = `${round(i * width)} ${round(HEIGHT - (value / top) * HEIGHT)}`;
		// A line from a lone value to itself is drawn as a dot.
		path += broken ? `M${at}L${at}` : `L${at}`;
		broken = false;
	});
	return path;
}

const round = (value: number) => Math.round(value * 10) / 10;
