import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { PublicModpack } from '$lib/schemas/mod';
import type { Status } from '$lib/schemas/status';
import { forPlayers, outlook } from './for-players';
import JoinSteps from './JoinSteps.svelte';
import PublicStatus from './PublicStatus.svelte';

vi.mock('$app/state', () => ({ page: { data: {} } }));

const status = (more: Partial<Status>): Status => ({
	...{ name: 'Emberfall', state: 'running', online: true, address: 'mc.example.org' },
	...{ version: '1.21.1', software: 'Fabric 0.16.9', motd: null, via: null, reason: null },
	...{ tps: null, latencyMs: null, startedAt: null, checkedAt: '2026-01-02T03:04:05.678Z' },
	players: { online: 3, max: 20, names: null },
	...more
});
const pack = (names: string[]): PublicModpack => ({
	...{ fileName: 'Emberfall.mrpack', bytes: 1000, builtAt: '2026-01-02T03:04:05.678Z' },
	...{ mods: 2, names, warnings: [], missing: 0 }
});
const steps = (one: PublicModpack | null, software = 'Fabric 0.16.9') =>
	render(JoinSteps, { props: { status: status({ software }), pack: one, demo: false } }).body;

test('whether one can join is always said', () => {
	expect(outlook(status({}), false)).toBe('You can join now.');
	for (const state of ['running', 'starting', 'stopping', 'stopped', 'crashed', 'unknown'] as const)
		expect(outlook(status({ state }), true)).toBe('This is the demo, which nobody can join.');
	const full = { online: 20, max: 20, names: null };
	expect(outlook(status({ players: full }), false)).toMatch(/^It is full/);
	expect(outlook(status({ state: 'stopping' }), false)).toMatch(/nobody can join now/);
	const seen = forPlayers(status({ state: 'unknown' }));
	expect([seen.state, outlook(seen, false)]).toEqual(['running', 'You can join now.']);
	expect(forPlayers(status({ state: 'unknown', online: false })).state).toBe('unknown');
});

test('while it starts it is said since when, and “in a moment” only as long as that is likely', () => {
	const said = (seconds: number, usualMs: number | null, demo = false) => {
		const startedAt = '2026-01-02T03:04:05.678Z';
		const now = () => Date.parse(startedAt) + seconds * 1000;
		return outlook(status({ state: 'starting', startedAt }), demo, { now, usualMs });
	};
	expect(said(20, 45_000, true)).toBe(
		'It has been starting for 20 s. This is the demo, which nobody can join.'
	);
	expect(said(20, 45_000)).toBe('It has been starting for 20 s: join in a moment.');
	expect(said(100, 45_000)).toBe('It has been starting for 1 min: join in a moment.');
	expect(said(13 * 60, 45_000)).toBe(
		'It has been starting for 13 min, longer than usual. You can join once it runs.'
	);
	expect(said(13 * 60, 12 * 60_000)).toMatch(/13 min: join in a moment/);
	expect(said(60, null)).toMatch(/join in a moment/);
	expect(said(13 * 60, null)).toBe('It has been starting for 13 min. You can join once it runs.');
	expect(outlook(status({ state: 'starting' }), false)).toMatch(/join in a moment/);
});

test('while it is down it is said since when, where that is known', () => {
	const lastRun = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-02T03:04:05.678Z' };
	const now = () => Date.parse(lastRun.endedAt) + 135 * 60_000 + 30_000;
	for (const state of ['stopped', 'crashed'] as const) {
		expect(outlook(status({ state, lastRun }), false, { now, usualMs: null })).toBe(
			'It has been down for 2 h 15 min. You can join once it runs again, and get ready meanwhile.'
		);
		expect(outlook(status({ state, lastRun }), true, { now, usualMs: null })).toBe(
			'It has been down for 2 h 15 min. This is the demo, which nobody can join.'
		);
		expect(outlook(status({ state }), false)).toMatch(/^Nobody can join now\. You can join once/);
	}
	expect(outlook(status({ lastRun }), false, { now, usualMs: null })).toBe('You can join now.');
});

test('an address that is only the machine’s name is not promised to work', () => {
	const shown = (more: Partial<Status>) =>
		render(PublicStatus, {
			props: { status: status(more), isThere: true, isLoggedIn: false, demo: false, lost: false }
		}).body;
	expect(shown({ address: 'vm:25599', addressIsGuess: true })).toContain('If it does not work');
	expect(shown({})).not.toContain('If it does not work');
});

test('what could not be checked again does not look well', () => {
	const said = (lost: boolean) =>
		render(PublicStatus, {
			props: { status: status({}), isThere: true, isLoggedIn: false, demo: false, lost }
		}).body;
	expect(said(false)).toMatch(/class="badge m good/);
	expect(said(true)).not.toMatch(/class="badge m good/);
	expect(said(true)).not.toContain('You can join now.');
});

test('the mods of the pack are named where they are known', () => {
	expect(steps(pack(['Lithium', 'Quiet Villagers']))).toContain('Quiet Villagers');
	expect(steps(pack([]))).not.toContain('<details');
});

test('without a pack it is said that mods may be needed, and of the plain game it is not', () => {
	expect(steps(null)).toContain('whether you need mods');
	expect(steps(null, 'Paper 1.21.1')).not.toContain('whether you need mods');
});
