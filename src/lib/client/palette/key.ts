export type KeyPress = Pick<
	KeyboardEvent,
	| 'key'
	| 'code'
	| 'ctrlKey'
	| 'metaKey'
	| 'altKey'
	| 'shiftKey'
	| 'repeat'
	| 'isComposing'
	| 'defaultPrevented'
>;

/** What is typed before the palette's field can take it; null while the palette is not being opened. */
export const ahead: { text: string | null } = { text: null };

/** For `keydown` of the window, before anything else hears of it: nothing behind the palette is typed into or pressed. */
export function typeAhead(press: KeyboardEvent) {
	if (ahead.text === null || press.isComposing || press.ctrlKey || press.metaKey || press.altKey)
		return;
	if (press.key === 'Escape') return void (ahead.text = null);
	if (press.key.length === 1) ahead.text += press.key;
	else if (press.key === 'Backspace') ahead.text = ahead.text.slice(0, -1);
	else if (press.key !== 'Enter') return;
	press.preventDefault();
	press.stopImmediatePropagation();
}

/** Ctrl+K, or Cmd+K on a Mac; a keyboard for another script has a different letter on that key. */
export const opensPalette = (press: KeyPress) =>
	press.ctrlKey !== press.metaKey &&
	!(press.altKey || press.shiftKey || press.repeat || press.defaultPrevented) &&
	(press.key === 'k' || press.key === 'K' || (press.key > '\x7f' && press.code === 'KeyK'));
