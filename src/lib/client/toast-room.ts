export type Box = { top: number; bottom: number; left: number; right: number };

/** What a person may be about to press, and what the page is headed with. */
const NEEDED = 'button, a.button, input, select, textarea, summary, h1';
/** Between a toast and what it must not lie on. */
const GAP_PX = 8;
/** Higher up in the window it would be taken for a part of the page. */
const HIGHEST = 0.6;

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

/**
 * How far above its place a toast covers nothing that is needed, when it is lifted by `now`; 0 where there is no such place,
 * and while there is none.
 */
export function freeLift(now: number): number {
	const toaster = document.querySelector('[data-sonner-toaster]');
	const toast = toaster?.querySelector<HTMLElement>('[data-sonner-toast][data-front="true"]');
	if (!toaster || !toast) return 0;
	const { left, right, bottom } = toaster.getBoundingClientRect();
	const floor = bottom + now;
	const needed = [...document.querySelectorAll(`main :is(${NEEDED})`)].map((one) =>
		one.getBoundingClientRect()
	);
	const place = { left, right, top: floor - toast.offsetHeight, bottom: floor };
	return liftOver(place, needed, innerHeight * HIGHEST) ?? 0;
}
