import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { CrashCard } from '$lib/schemas/overview/attention';
import type { ServerState } from '$lib/schemas/status';
import CrashPanel from './CrashPanel.svelte';

vi.mock('$app/forms', () => ({ enhance: () => {} }));
vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));
vi.mock('$lib/client/session.svelte.ts', () => ({ getSession: () => ({ isSuperadmin: true }) }));

const at = '2026-01-02T03:04:05.000Z';
const mod = (name: string, newer: string | null = null) => ({
	...{ fileName: `${name.toLowerCase()}.jar`, name, locked: false, newer }
});
const panel = (inset: boolean, facts: Partial<CrashCard> = {}, state?: ServerState) =>
	render(CrashPanel, {
		props: {
			crash: {
				...{ at, key: `crash:${at}`, lasts: inset, message: 'Exception ticking world.' },
				...{ mods: [mod('Lithium', '0.14.0')], change: null, advice: null, fault: 'Lithium' },
				...{ lines: [], report: 'crash.txt', log: '/admin/logs', seen: false },
				...facts
			},
			...{ inset, status: { state: state ?? (inset ? 'crashed' : 'running') }, startable: false }
		}
	}).body;
const buttons = (body: string) =>
	[
		...body.replaceAll(/<!--.*?-->/g, '').matchAll(/class="button ([a-z-]+)[^]*?>([A-Z][^<]*)</g)
	].map(([, variant, words]) => `${words!.trim()}: ${variant}`);

test('under the state the time is said to be that of the crash', () => {
	const words = panel(true)
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/\s+/g, ' ');
	expect(words).toMatch(/Probably because of Lithium · crashed .*202/);
});

test('a later crash, with what was taken back, is told by the change that had tried it', () => {
	const again = { at, operationId: 'x', kind: 'update', subject: '5 mods' } as const;
	const words = panel(true, { again })
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/\s+/g, ' ');
	expect(words).toMatch(/It crashed again .*202.*, during Update 5 mods, which was taken back\./);
	expect(panel(true)).not.toContain('crashed again');
});

test('beside what helps it says that a start alone may end the same way, until something was done', () => {
	const warning = 'Started as it is, it may crash again.';
	expect(panel(true)).toContain(warning);
	expect(panel(false)).not.toContain(warning);
	expect(panel(true, { mended: 'update' })).not.toContain(warning);
	expect(panel(true, { changing: true })).not.toContain(warning);
});

test('one button leads, one stands beside it, and what only shows more reads as links', () => {
	expect(buttons(panel(true))).toEqual([
		'Update Lithium: primary',
		'Disable Lithium: secondary',
		'Crash report: quiet',
		'Show the log: quiet',
		'Mark as seen: secondary'
	]);
	expect(buttons(panel(true, { seen: true })).at(-1)).toBe('Show the log: quiet');
});

test('the mods that it names are links where they are named', () => {
	const mods = ['A', 'B', 'C', 'D'].map((name) => mod(name));
	const heading = (count: number) =>
		/<h2[^]*?<\/h2>/
			.exec(panel(true, { mods: mods.slice(0, count) }))![0]
			.replaceAll(/<span[^]*/g, '')
			.replaceAll(/<[^>]*>/g, '')
			.replaceAll(/\s+/g, ' ')
			.trim();
	expect(heading(1)).toBe('Probably because of A');
	expect(heading(2)).toBe('Probably because of A and B');
	expect(heading(3)).toBe('Probably because of A, B and C');
	expect(heading(4)).toBe('Probably because of A, B, C and 1 more');
	expect(panel(true)).toMatch(/<h2[^]*href="\/admin\/mods\?mod=lithium\.jar"[^]*<\/h2>/);
	const over = panel(false)
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/\s+/g, ' ');
	expect(over).toMatch(/crashed .*202.*, probably because of Lithium, and was started again/);
	expect(panel(false)).toMatch(/<h2[^]*href="\/admin\/mods\?mod=lithium\.jar"[^]*<\/h2>/);
});

test('what names the mod stands below its name, and its report opens there', () => {
	const named = 'at me.jellysquid.lithium.Tick(Tick.java:7)';
	const body = panel(true, { named });
	expect(body).toMatch(new RegExp(`Probably because of[^]*${named.replace(/[()]/g, '\\$&')}`));
	expect(body).toContain('value="/admin/logs?file=crash.txt#suspect"');
	expect(panel(true)).not.toContain('<code');
});

test('the line that names a mod is not said twice', () => {
	const message = 'Mod Lithium 0.13.0 requires version 1.21.4 of ‘Minecraft’ (minecraft)!';
	const named = "- Mod 'Lithium' 0.13.0 requires version 1.21.4 of 'Minecraft' (minecraft)!";
	expect(panel(true, { message, named })).not.toContain('<code');
	expect(panel(true, { message, named: `${named} It is lithium.jar` })).toContain('<code');
});

test('once it was started again what helps stays in sight, and what it was about is folded', () => {
	const folded = (body: string) => body.slice(body.indexOf('<details'));
	const facts = { advice: 'Give it more memory.', lines: ['a line'] };
	expect(folded(panel(false, facts))).toMatch(/About the crash[^]*Give it more memory/);
	expect(folded(panel(false, facts))).not.toContain('Disable Lithium');
	for (const state of ['starting', 'stopping', 'stopped'] as const)
		expect(panel(false, facts, state)).toContain('About the crash');
	expect(folded(panel(true, facts))).not.toContain('Give it more memory');
});
