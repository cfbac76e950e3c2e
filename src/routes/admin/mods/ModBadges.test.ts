import { expect, test } from 'vitest';
import { render } from 'svelte/server';
import { entries } from '$lib/game/mods';
import type { Mod } from '$lib/schemas/mod';
import ModBadges from './ModBadges.svelte';

const lithium = { fileName: 'lithium.jar.disabled', problems: [], side: 'both' } as unknown as Mod;
const why = { fileName: lithium.fileName, at: '2026-01-02T12:00:00Z', href: null, isReport: false };
const badges = (mod: Mod) =>
	render(ModBadges, { props: { mod: entries([mod], [], { disabledAfter: [why] })[0]! } }).body;

test('a mod that is disabled since a crash says so, for as long as it is disabled', () => {
	expect(badges({ ...lithium, enabled: false })).toContain(
		'Disabled after the crash of 2 Jan 2026'
	);
	expect(badges({ ...lithium, enabled: true })).not.toContain('isabled');
});
