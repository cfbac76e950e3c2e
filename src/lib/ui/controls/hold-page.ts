/** Keeps the page behind a modal where it is, scrollbar and all. Returns a function that undoes it. */
export function holdPage(): () => void {
	const { clientWidth, style } = document.documentElement;
	if (innerWidth > clientWidth) style.scrollbarGutter = 'stable';
	style.overflowY = 'hidden';
	return () => {
		style.scrollbarGutter = '';
		style.overflowY = '';
	};
}
