import type { Shell } from '$lib/client/install.svelte.ts';
import type { User } from '$lib/schemas/session';
import type { Component } from 'svelte';

/** What the palette shows; another one for those who are signed in. */
export type PaletteView = Component<{
	user: User | null;
	shell: Shell;
}>;
