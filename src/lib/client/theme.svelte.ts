import { createContext } from 'svelte';

export type ThemeChoice = 'system' | 'light' | 'dark';
const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

/** app.html reads the same key before the first paint. */
const STORAGE_KEY = 'craftwarden.theme';

/** Light, dark or as the system says. Without JavaScript the system's preference holds. */
export class Theme {
	choice = $state<ThemeChoice>('system');
	readonly next = $derived(NEXT[this.choice]);

	/** Call once, in the browser: adopts what the script in the head has set. */
	adopt() {
		const { theme } = document.documentElement.dataset;
		if (theme === 'light' || theme === 'dark') this.choice = theme;
	}

	set(choice: ThemeChoice) {
		this.choice = choice;
		if (choice === 'system') delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = choice;
		try {
			if (choice === 'system') localStorage.removeItem(STORAGE_KEY);
			else localStorage.setItem(STORAGE_KEY, choice);
		} catch {
			// Storage is blocked: the choice holds until the page is left.
		}
	}
}

export const [getTheme, setTheme] = createContext<Theme>();
