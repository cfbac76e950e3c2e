/** What the addresses of the pages about mods may contain, and how a change is named. */
export const MOD_TABS = ['installed', 'find', 'modpack', 'upload'] as const;
export type ModTab = (typeof MOD_TABS)[number];

/** New mods in one plan: each is looked up in the registry. */
export const INSTALLS_PER_REQUEST_MAX = 50;

export const MOD_CHOICES = [
	'updates',
	'problems',
	'failed',
	'disabled',
	'unlisted',
	'client',
	'locked'
] as const;
export type ModChoice = (typeof MOD_CHOICES)[number];

/** How the installed ones are sorted; the first when nothing else is asked for. */
export const MOD_ORDERS = ['updates', 'name', 'newest', 'size'] as const;
export type ModOrder = (typeof MOD_ORDERS)[number];

/** The registry's categories of mods; they change once in years. */
export const MOD_CATEGORIES = [
	'adventure',
	'cursed',
	'decoration',
	'economy',
	'equipment',
	'food',
	'game-mechanics',
	'library',
	'magic',
	'management',
	'minigame',
	'mobs',
	'optimization',
	'social',
	'storage',
	'technology',
	'transportation',
	'utility',
	'worldgen'
] as const;

export type ModAction = 'install' | 'update' | 'enable' | 'disable' | 'remove';
export const MOD_ACTIONS: Record<ModAction, string> = {
	install: 'Install',
	update: 'Update',
	enable: 'Enable',
	disable: 'Disable',
	remove: 'Remove'
};

export const modsWord = (count: number) => `${count} ${count === 1 ? 'mod' : 'mods'}`;
