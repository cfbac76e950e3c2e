/** Whether a key is Escape and is for the page: what lies above closes first, and a field keeps what is typed in it. */
export function isEscape({ key, target, defaultPrevented }: KeyboardEvent): boolean {
	if (key !== 'Escape' || defaultPrevented || document.querySelector(':modal')) return false;
	const typing = 'input:not([type="checkbox"]), textarea, select';
	return !(target instanceof Element && target.matches(typing));
}
