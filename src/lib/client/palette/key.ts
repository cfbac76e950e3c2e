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

/** Ctrl+K, or Cmd+K on a Mac; a keyboard for another script has a different letter on that key. */
export const opensPalette = (press: KeyPress) =>
	press.ctrlKey !== press.metaKey &&
	!(press.altKey || press.shiftKey || press.repeat || press.defaultPrevented) &&
	(press.key === 'k' || press.key === 'K' || (press.key > '\x7f' && press.code === 'KeyK'));
