import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import type { KeptServer } from '$lib/schemas/software/kept';
import KeptPanel from './KeptPanel.svelte';

const KEPT = {
	operationId: '20260102T030405678Z-0123',
	title: 'Minecraft 1.20.6',
	instead: 'Minecraft 1.21.1',
	at: '2026-01-02T03:04:05.678Z',
	until: '2026-01-09T03:04:05.678Z',
	bytes: 1_288_490_188,
	refusal: null
} as KeptServer;
const linksOf = (kept: Partial<KeptServer>, mayGoBack: boolean) =>
	[
		...render(KeptPanel, { props: { kept: [{ ...KEPT, ...kept }], mayGoBack } }).body.matchAll(
			/<a [^>]*class="button[^>]*>.*?<\/a>/gs
		)
	].map(([link]) => link.replace(/<[^>]*>/g, '').trim());

test('going back comes before removing, as buttons of one size', () => {
	expect(linksOf({}, true)).toEqual([
		'Go back to Minecraft 1.20.6',
		'Remove Minecraft 1.20.6 now…'
	]);
});

test('what cannot be gone back to can still be removed', () => {
	expect(linksOf({ refusal: 'Its files are damaged.' }, true)).toEqual([
		'Remove Minecraft 1.20.6 now…'
	]);
	expect(linksOf({}, false)).toEqual([]);
});
