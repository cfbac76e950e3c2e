export type Box = { top: number; bottom: number; left: number; right: number };

/** What a person may be about to press, and what the page is headed with. */
const NEEDED = 'button, a.button, input, select, textarea, summary, h1';
/** Between a toast and what it must not lie on. */
const GAP_PX = 8;
/** Higher up in the window it would be taken for a part of the page. */
const HIGHEST = 0.35;

const touches = (a: Box, b: Box) =>
	a.top < b.bottom + GAP_PX && a.bottom > b.top - GAP_PX && a.left < b.right && a.right > b.left;

/** How far a toast has to be lifted so that it lies on none of these; null when it would get above `highest`. */
export function liftOver(toast: Box, needed: Box[], highest: number): number | null {
	let lift = 0;
	while (toast.top - lift >= highest) {
		const lifted = { ...toast, top: toast.top - lift, bottom: toast.bottom - lift };
		const hit = needed.filter((one) => touches(lifted, one));
		if (!hit.length) return lift;
		lift = Math.ceil(toast.bottom + GAP_PX - Math.min(...hit.map(({ top }) => top)));
	}
	return null;
}

export type Place = { lift: number; centred: boolean };

/**
 * Where the toasts that are shown cover nothing that is needed: above their place at `now`, or in the middle of a wide
 * window. Null while there are none.
 */
export function freePlace(now: Place): Place | null {
	const toaster = document.querySelector('[data-sonner-toaster]');
	const toast = toaster?.querySelector<HTMLElement>('[data-sonner-toast][data-front="true"]');
	if (!toaster || !toast) return null;
	const { left, width, bottom } = toaster.getBoundingClientRect();
	const floor = bottom + now.lift;
	const upright = { top: floor - toast.offsetHeight, bottom: floor };
	const needed = [...document.querySelectorAll(`main :is(${NEEDED})`)].map((one) =>
		one.getBoundingClientRect()
	);
	const over = (x: number) =>
		liftOver({ ...upright, left: x, right: x + width }, needed, innerHeight * HIGHEST);
	const here = over(left);
	if (here !== null) return { ...now, lift: here };
	const centre = over((innerWidth - width) / 2);
	return centre === null ? { ...now, lift: 0 } : { lift: centre, centred: true };
}
