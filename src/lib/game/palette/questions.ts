import { preloadData } from '$app/navigation';
import type { Lent } from '$lib/client/palette/palette.svelte.ts';
import type { Component } from 'svelte';

/** What an address asks, by the dialog that asks it over the page one is on. */
export type Question = {
	View: Component<{ data: never; lent: Lent }>;
	data: never;
};

/**
 * Each stands in for a page, which is there without JavaScript. What they import has to be of the overview's chunk or their
 * own: SvelteKit takes styles that it first meets behind a dynamic import for late ones, and links them in no page.
 */
const DIALOGS: Record<string, () => Promise<{ default: Question['View'] }>> = {
	'/admin/confirm': () => import('./AskPower.svelte'),
	'/admin/players/confirm': () => import('./AskPlayer.svelte')
};

const dialogAt = (to: string) => DIALOGS[to.split('?', 1)[0]!];
export const isQuestion = (to: string) => dialogAt(to) !== undefined;

/** Null where it is a page to go to, which then also says what is wrong. */
export async function questionAt(to: string): Promise<Question | null> {
	const dialog = dialogAt(to);
	if (!dialog) return null;
	try {
		const [page, { default: View }] = await Promise.all([preloadData(to), dialog()]);
		if (page.type !== 'loaded' || page.status !== 200 || page.data['wrong']) return null;
		return { View, data: page.data as never };
	} catch {
		return null;
	}
}
