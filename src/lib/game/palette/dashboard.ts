import Keyboard from '@lucide/svelte/icons/keyboard';
import LogOut from '@lucide/svelte/icons/log-out';
import MonitorDown from '@lucide/svelte/icons/monitor-down';
import SunMoon from '@lucide/svelte/icons/sun-moon';
import type { Entry } from './entries';

type Doing = {
	theme: { next: string; change: () => void };
	singleKeys: { on: boolean; change: () => void };
	/** Null where there is nothing to show or to install. */
	help: (() => void) | null;
	install: (() => void) | null;
	logOut: () => void;
};

/** What is done to the dashboard rather than to the server: before the pages, and at the end. */
export function dashboardOf({ theme, singleKeys, help, install, logOut }: Doing) {
	const kind = 'Dashboard';
	const before: Entry[] = [
		{
			...{ id: 'theme', label: `Theme: change to ${theme.next}`, kind, icon: SunMoon },
			words: [
				'dark',
				'light',
				'dark mode',
				'switch to dark mode',
				'light mode',
				'dark theme',
				'light theme',
				'night mode',
				'change theme',
				'look',
				'appearance',
				'colours',
				'colors'
			],
			to: theme.change
		},
		...(help
			? [
					{
						...{ id: 'keys', label: 'Show the keyboard shortcuts', kind, icon: Keyboard },
						...{
							words: ['help', 'keys', 'hotkeys', 'keybindings', 'shortcuts', 'keyboard shortcuts'],
							to: help
						}
					}
				]
			: []),
		{
			id: 'single-keys',
			label: singleKeys.on ? 'Switch single-key shortcuts off' : 'Switch single-key shortcuts on',
			...{ kind, icon: Keyboard, words: ['keyboard'], to: singleKeys.change }
		},
		...(install
			? [
					{
						...{ id: 'install', label: 'Install as an app', kind, icon: MonitorDown },
						...{ words: ['app', 'install app', 'phone app', 'home screen'], to: install }
					}
				]
			: [])
	];
	const last: Entry = {
		...{ id: 'logout', label: 'Log out', kind, icon: LogOut, risky: true },
		...{ words: ['sign out', 'logout', 'log off', 'exit', 'quit'], to: logOut }
	};
	return { before, last };
}
