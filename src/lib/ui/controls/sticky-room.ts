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
		const { top, bottom, height } = bar.getBoundingClientRect();
		const taken = height && top < innerHeight && innerHeight - bottom < FREE_PX;
		style.setProperty(NAME, taken ? `${Math.ceil(innerHeight - top)}px` : '0px');
	};
	bar.dataset['atBottom'] = '';
	const sizes = new ResizeObserver(measure);
	sizes.observe(bar);
	addEventListener('scroll', measure, { passive: true });
	addEventListener('resize', measure);
	return () => {
		sizes.disconnect();
		removeEventListener('scroll', measure);
		removeEventListener('resize', measure);
		style.removeProperty(NAME);
	};
}
