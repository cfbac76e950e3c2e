/** The link of the row that this stands in. */
export function focusRow(inside: Element) {
	inside.closest('li, tr')?.querySelector<HTMLElement>('a[href]')?.focus({ preventScroll: true });
}

/** To where it was; what has been switched off meanwhile cannot have it, but its row can. */
export function giveFocus(to: HTMLElement) {
	if (to.matches(':disabled')) focusRow(to);
	else to.focus({ preventScroll: true });
}
