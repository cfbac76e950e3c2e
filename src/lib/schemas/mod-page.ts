/** What the addresses of the pages about mods may contain, and how a change is named. */
export const MOD_TABS = ['installed', 'find'] as const;
export type ModTab = (typeof MOD_TABS)[number];

export const MOD_CHOICES = ['updates', 'problems', 'disabled', 'client', 'locked'] as const;
export type ModChoice = (typeof MOD_CHOICES)[number];

export type ModAction = 'install' | 'update' | 'enable' | 'disable' | 'remove';
export const MOD_ACTIONS: Record<ModAction, string> = {
	install: 'Install',
	update: 'Update',
	enable: 'Enable',
	disable: 'Disable',
	remove: 'Remove'
};

export const modsWord = (count: number) => `${count} ${count === 1 ? 'mod' : 'mods'}`;
