/** Where this much is free below a bar, what is put there does not lie on it. */
const FREE_PX = 120;
const NAME = '--sticky-room';

/**
 * Attached to a bar that stays at the bottom of the window: tells the page, as `--sticky-room`, how much of the window it
 * takes with what is below it. A toast stands above it.
 */
export function stickyRoom(bar: HTMLElement): () => void {
	const { style } = document.documentElement;
	const measure = () => {
		// Where only the last of what is in it stays, the bar has no box of its own.
		const box = bar.getClientRects().length ? bar : (bar.lastElementChild ?? bar);
		const { top, bottom, height } = box.getBoundingClientRect();
		const taken = height && top < innerHeight && innerHeight - bottom < FREE_PX;
		style.setProperty(NAME, taken ? `${Math.ceil(innerHeight - top)}px` : '0px');
	};
	bar.dataset['atBottom'] = '';
	const sizes = new ResizeObserver(measure);
	for (const one of [bar, ...bar.children]) sizes.observe(one);
	addEventListener('scroll', measure, { passive: true });
	addEventListener('resize', measure);
	return () => {
		sizes.disconnect();
		removeEventListener('scroll', measure);
		removeEventListener('resize', measure);
		style.removeProperty(NAME);
	};
}
