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

/** Ctrl+K, or Cmd+K on a Mac; a keyboard of another script has its own letter on that key. */
export const opensPalette = (press: KeyPress) =>
	press.ctrlKey !== press.metaKey &&
	!(press.altKey || press.shiftKey || press.repeat || press.defaultPrevented) &&
	(press.key === 'k' || press.key === 'K' || (press.key > '\x7f' && press.code === 'KeyK'));
