import { createContext } from 'svelte';

export type ThemeChoice = 'system' | 'light' | 'dark';

const LIGHT_FIRST = ['light', 'dark'] as const;
const DARK_FIRST = ['dark', 'light'] as const;

/** app.html reads the same key before the first paint. */
const STORAGE_KEY = 'craftwarden.theme';

/** Light, dark or as the system says. Without JavaScript the system's preference holds. */
export class Theme {
	choice = $state<ThemeChoice>('system');
	#systemIsDark = $state(false);
	/** First the other look than the system's, then the system's own, then whatever the system says. */
	readonly next = $derived.by((): ThemeChoice => {
		const [own, other] = this.#systemIsDark ? DARK_FIRST : LIGHT_FIRST;
		return this.choice === 'system' ? other : this.choice === other ? own : 'system';
	});

	/** Call once, in the browser: adopts what the script in the head has set, and what the system says. */
	adopt() {
		const dark = matchMedia('(prefers-color-scheme: dark)');
		this.#systemIsDark = dark.matches;
		dark.addEventListener('change', ({ matches }) => (this.#systemIsDark = matches));
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
