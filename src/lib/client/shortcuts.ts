import { opensPalette, type KeyPress } from './palette/key.ts';

export type ShortcutId = 'palette' | 'refresh' | 'find' | 'go' | 'help';
export type Shortcut = {
	id: ShortcutId;
	/** As on the key: `K` is pressed without Shift. */
	key: string;
	/** With Ctrl, or Cmd on a Mac: works on every page, also while typing (`opensPalette`). */
	ctrl?: true;
	words: string;
};

/** Every shortcut that works on all pages; the cheat sheet shows this same list. */
export const SHORTCUTS: Shortcut[] = [
	{ id: 'palette', key: 'K', ctrl: true, words: 'Open the command palette' },
	{ id: 'refresh', key: 'R', words: 'Load this page’s data again' },
	{ id: 'find', key: '/', words: 'Go to the first field of this page' },
	{ id: 'go', key: 'G', words: 'Then a letter: go to a page' },
	{ id: 'help', key: '?', words: 'Show these keys' }
];

/** The letters that lead to a page after `G`. */
type PageKey = { key: string; page: string; href: string; superadmin?: true };
const PAGE_KEYS: PageKey[] = [
	{ key: 'O', page: 'Overview', href: '/admin' },
	{ key: 'P', page: 'Players', href: '/admin/players' },
	{ key: 'C', page: 'Chat', href: '/admin/chat' },
	{ key: 'M', page: 'Mods', href: '/admin/mods' },
	{ key: 'B', page: 'Backups', href: '/admin/backups' },
	{ key: 'A', page: 'Analytics', href: '/admin/analytics' },
	{ key: 'T', page: 'Stats', href: '/admin/stats' },
	{ key: 'L', page: 'Logs', href: '/admin/logs' },
	{ key: 'S', page: 'Schedule', href: '/admin/schedule' },
	{ key: 'Y', page: 'Activity', href: '/admin/activity' },
	{ key: 'W', page: 'Software', href: '/admin/server' },
	{ key: 'X', page: 'Console', href: '/admin/console', superadmin: true },
	{ key: 'N', page: 'Notifications', href: '/admin/notifications', superadmin: true },
	{ key: 'E', page: 'Settings', href: '/admin/settings', superadmin: true }
];
const pageKeys = (isSuperadmin: boolean) =>
	PAGE_KEYS.filter(({ superadmin }) => isSuperadmin || !superadmin);
/** The second key comes within this time, or means what it means alone. */
const SECOND_KEY_MS = 1500;

type KeysSomewhere = { where: string; keys: { keys: string[]; words: string }[] };
/** What the keyboard can do beside that, by where; for the sheet of all shortcuts. */
export const furtherKeys = (isSuperadmin: boolean): KeysSomewhere[] => [
	{
		where: 'In the command palette',
		keys: [
			{ keys: ['↑', '↓'], words: 'Choose' },
			{ keys: ['Enter'], words: 'Do it, or go there' },
			{ keys: ['Esc'], words: 'Close' }
		]
	},
	{
		where: 'One after the other',
		keys: pageKeys(isSuperadmin).map(({ key, page }) => ({ keys: ['G', key], words: page }))
	},
	{
		where: 'In the console',
		keys: [
			{ keys: ['Tab'], words: 'Complete what is typed, or take the next suggestion' },
			{ keys: ['↑', '↓'], words: 'Bring back earlier commands' }
		]
	},
	{
		where: 'Everywhere',
		keys: [
			{ keys: ['Tab'], words: 'Go to the next link, button or field' },
			{
				keys: ['Esc'],
				words: 'Close a dialog, the menu, the details beside a list or the list of shortcuts'
			}
		]
	}
];

/** Keys without Ctrl can be switched off: speech input and slips of the finger trigger them too. */
const OFF_KEY = 'craftwarden.keys';
/** Fields that take no letters. */
const PRESSED = /^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** Returns what a key press asks for. `busy`: somebody is typing, or a dialog is open. */
export function shortcutOf(press: KeyPress, busy: boolean): ShortcutId | null {
	if (press.defaultPrevented) return null;
	if (opensPalette(press)) return 'palette';
	const key = busy ? null : bareKey(press);
	return SHORTCUTS.find((one) => one.key === key && !one.ctrl)?.id ?? null;
}

/** Where the letter after `G` leads; null when it leads nowhere, or comes too late. Times in ms. */
export function pageAfterG(
	press: KeyPress,
	pressedAt: number | null,
	{ now, isSuperadmin }: { now: number; isSuperadmin: boolean }
): string | null {
	if (pressedAt === null || now - pressedAt > SECOND_KEY_MS) return null;
	const key = bareKey(press);
	return pageKeys(isSuperadmin).find((one) => one.key === key)?.href ?? null;
}

/** A key pressed by itself, a letter in capitals; null when it is held, or with others. */
function bareKey(press: KeyPress): string | null {
	if (press.defaultPrevented || press.repeat || press.isComposing) return null;
	if (press.altKey || press.ctrlKey || press.metaKey) return null;
	const key = letterOf(press);
	return /[A-Z]/.test(key) && press.shiftKey ? null : key;
}

/** A keyboard for another script has a different letter on the same key. */
const letterOf = ({ key, code }: KeyPress) =>
	key.length === 1 && key > '\x7f' && code.startsWith('Key') ? code.slice(3) : key.toUpperCase();

export function isTyping(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	if (target instanceof HTMLInputElement) return !PRESSED.test(target.type);
	return target.isContentEditable || target.matches('textarea, select, [role="textbox"]');
}

export const dialogIsOpen = () =>
	document.querySelector('dialog:modal, [role="dialog"][data-state="open"]') !== null;

export function singleKeysOn(): boolean {
	try {
		return localStorage.getItem(OFF_KEY) !== 'off';
	} catch {
		return true; // storage is blocked
	}
}

export function setSingleKeys(on: boolean) {
	try {
		if (on) localStorage.removeItem(OFF_KEY);
		else localStorage.setItem(OFF_KEY, 'off');
	} catch {
		// Storage is blocked: they stay on.
	}
}

/** Focuses the first visible field of the main part; returns false when there is none. */
export function focusFirstField(): boolean {
	const fields = document
		.getElementById('main')
		?.querySelectorAll<HTMLElement>(
			'input:not([type="hidden"]), textarea, [contenteditable]:not([contenteditable="false"])'
		);
	const seen = [...(fields ?? [])].filter(
		(field) => !field.matches(':disabled') && field.checkVisibility({ visibilityProperty: true })
	);
	const field = seen.find(isTyping) ?? seen[0];
	field?.focus();
	if (field instanceof HTMLInputElement && isTyping(field)) field.select();
	return field !== undefined;
}
