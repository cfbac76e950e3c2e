import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Attention, AttentionReport } from '$lib/schemas/overview/attention';
import type { ServerState } from '$lib/schemas/status';
import type { OperationRow } from '$lib/schemas/operation';
import AttentionPanel from './AttentionPanel.svelte';

const { live } = vi.hoisted(() => ({ live: { lostAt: null as Date | null } }));
vi.mock('$app/forms', () => ({ enhance: () => {} }));
vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));
vi.mock('$lib/client/stream/live.svelte.ts', () => ({ getLive: () => live }));

const panel = (
	items: Attention[],
	isElsewhere: boolean,
	operations: OperationRow[] = [],
	state: ServerState = 'running',
	open: Pick<AttentionReport, 'unasked' | 'pending' | 'heldBack'> = { unasked: [], pending: false },
	isLed = false,
	noBackup: string | null = null
) =>
	render(AttentionPanel, {
		props: {
			report: { items, crash: null, ...open },
			...{ items, operations, isElsewhere, isLed, startable: false, state, noBackup }
		}
	}).body;
const headingOf = (body: string) => body.match(/<h2[^>]*>([^<]*)/)?.[1];
const heading = (items: Attention[], isElsewhere = false) => headingOf(panel(items, isElsewhere));
const item = (code: Attention['code']): Attention => ({
	...{ code, key: code, title: '5 updates are waiting', detail: 'Look at them.' },
	...{ advice: null, since: null, action: null, further: [] }
});

test('the heading says nothing that the list below it denies', () => {
	expect(heading([])).toBe('Nothing needs your attention');
	expect(heading([item('updates')])).toBe('Not urgent');
	expect(heading([item('updates')], true)).toBe('Not urgent');
	// Players notice it.
	expect(heading([item('slow'), item('updates')])).toBe('Needs attention');
	expect(heading([item('updates'), item('backup-old')])).toBe('Needs attention');
	expect(heading([item('backup-old')], true)).toBe('Needs attention');
	expect(heading([{ ...item('backup-old'), canWait: true }])).toBe('Not urgent');
});

test('what the time beside a title is stands with it', () => {
	const since = '2026-01-02T03:04:05.000Z';
	const words = (facts: Partial<Attention>) =>
		panel([{ ...item('world'), title: 'There is no backup yet', since, ...facts }], false)
			.replaceAll(/<[^>]*>/g, '')
			.replaceAll(/\s+/g, ' ');
	expect(words({ noticed: true })).toMatch(/There is no backup yet · noticed .*ago/);
	expect(words({ code: 'backup-old' })).toMatch(/yet · made .*ago/);
	expect(words({ code: 'updates' })).toMatch(/yet · checked .*ago/);
	expect(words({ code: 'change-failed' })).toMatch(/yet · \d+ \w+ ago/);
});

test('a backup is begun by a plain form, from the list itself', () => {
	const action = {
		label: 'Back up now',
		href: '/admin/backups',
		seen: null,
		backUp: true
	} as const;
	const form = panel([{ ...item('backup-old'), action }], false);
	expect(form).toMatch(/<form method="POST" action="\/admin\/backups\?\/create"[^]*Back up now/);
});

test('a backup that cannot be made now is switched off, says why, and leads nowhere', () => {
	const action = {
		...{ label: 'Back up now', href: '/admin/backups', seen: null },
		...({ helps: true, backUp: true } as const)
	};
	const shown = (noBackup: string | null) =>
		panel([{ ...item('backup-old'), action }], false, [], 'starting', undefined, false, noBackup);
	const why = 'The server is starting.';
	expect(shown(why)).toContain(why);
	expect(shown(why)).toMatch(
		/<button[^>]*class="button secondary blocked[^>]*aria-disabled="true"/
	);
	expect(shown(null)).toMatch(/<button[^>]*class="button primary/);
	expect(shown(null)).not.toContain('aria-disabled');
});

test('what is not urgent has no button that is the first to press', () => {
	const action = {
		...{ label: 'Back up now', href: '/admin/backups', seen: null },
		...({ helps: true, backUp: true } as const)
	};
	const calm = panel([{ ...item('backup-old'), canWait: true, action }], false);
	expect(calm).toMatch(/<button[^>]*class="button secondary[^]*Back up now/);
	expect(calm).not.toContain('button primary');
});

test('updates that wait stand under a heading of their own, with when they were checked', () => {
	const since = new Date().toISOString();
	const both = panel([item('backup-old'), { ...item('updates'), since }], false);
	expect([...both.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, words]) => words)).toEqual([
		'Needs attention',
		'Not urgent'
	]);
	expect(both).toMatch(/Not urgent[^]*5 updates are waiting[^]*checked/);
	expect(panel([item('updates')], false).match(/<h2/g)).toHaveLength(1);
});

test('what could not be asked is neither called urgent nor in order', () => {
	const updates = { source: 'updates', what: 'whether updates are waiting', why: 'No.' } as const;
	const asked = (pending: boolean, items: Attention[] = []) =>
		headingOf(
			panel(items, false, [], 'running', {
				...{ pending, unasked: [{ ...updates, why: pending ? null : 'No.' }] }
			})
		);
	expect(asked(true)).toBe('Finding out what needs attention');
	expect(asked(false)).toBe('Not everything is known');
	expect(asked(false, [item('backup-old')])).toBe('Needs attention');
	live.lostAt = new Date();
	expect(asked(true)).toBe('Not everything is known');
	live.lostAt = null;
});

test('what is still being found out is a quiet line at the end, and no point that needs attention', () => {
	const what = 'whether updates are waiting';
	const open = { pending: true, unasked: [{ source: 'updates' as const, what, why: null }] };
	const body = (items: Attention[]) => panel(items, false, [], 'running', open);
	const listed = body([item('backup-old')]);
	expect(listed).toMatch(/<h3[^]*<p class="muted break[^>]*>Still finding out whether updates/);
	expect(listed).not.toContain('It takes a moment');
	const parted = body([item('backup-old'), { ...item('backup-old'), key: 'b', canWait: true }]);
	expect(parted).toMatch(/Not urgent[^]*Still finding out/);
	expect(parted.match(/Still finding out/g)).toHaveLength(1);
	expect(body([])).toMatch(/<h3[^>]*>Still finding out<[^]*It takes a moment to see whether/);
});

test('nothing is called in order while the mods or the server are being changed', () => {
	const running = (kind: OperationRow['kind']) =>
		[{ id: 'x', kind, subject: 'Ruin Keeper', state: 'running' }] as OperationRow[];
	const body = panel([], false, running('install'));
	expect(headingOf(body)).toBe('Not known yet');
	// Its own line above tells what it is.
	expect(body).not.toContain('Ruin Keeper');
	expect(body).toContain('shows when what is under way has ended');
	expect(body).not.toContain('Everything is in order');
	for (const harmless of [[], running('backup'), [{ ...running('install')[0]!, state: 'failed' }]])
		expect(panel([], false, harmless as OperationRow[])).toContain('Everything is in order');
	expect(headingOf(panel([item('backup-old')], false, running('install')))).toBe('Needs attention');
});

test('a countdown is told by its own line alone: nothing has changed yet', () => {
	const counting = { id: 'x', kind: 'update', subject: '2 mods', state: 'running' };
	const operations = [{ ...counting, countsDown: true }] as OperationRow[];
	expect(headingOf(panel([], false, operations))).toBe('Nothing needs your attention');
	expect(panel([], false, operations)).not.toContain('2 mods');
	expect(headingOf(panel([item('backup-old')], false, operations))).toBe('Needs attention');
	expect(headingOf(panel([], false, [{ ...operations[0]!, countsDown: false }]))).toBe(
		'Not known yet'
	);
});

test('nothing is called in order while something is told only when what is under way has ended', () => {
	const update = { id: 'x', kind: 'update', subject: '5 mods', state: 'running' };
	const during = (running: object[]) =>
		panel([], false, running as OperationRow[], 'running', {
			...{ unasked: [], pending: false, heldBack: true }
		});
	for (const one of [
		{ ...update, countsDown: true },
		update,
		{ ...update, kind: 'backup', subject: null }
	]) {
		const body = during([{ id: 'p', kind: 'modpack', state: 'running' }, one]);
		expect(headingOf(body), one.kind).toBe('Not known yet');
		expect(body).toContain('when what is under way has ended');
		expect(body).not.toContain('in order');
	}
	expect(during([{ ...update, countsDown: true }])).not.toContain('being changed');
	for (const ended of [[], [{ ...update, state: 'succeeded' }]]) {
		expect(headingOf(during(ended))).toBe('Finding out what needs attention');
		expect(during(ended)).not.toContain('in order');
	}
});

test('it claims nothing about what is not known yet, or not any more', () => {
	const search = [{ id: 'x', kind: 'culprit', state: 'running', subject: '5 mods' }];
	expect(headingOf(panel([item('updates')], false, search as OperationRow[]))).toBe('Not urgent');
	for (const state of ['starting', 'stopping', 'crashed', 'unknown'] as const) {
		expect(headingOf(panel([], false, [], state)), state).toMatch(/^Not known yet|^Finding out/);
		expect(panel([], false, [], state), state).not.toContain('in order');
	}
	expect(panel([], false, [], 'stopped')).toContain('Everything is in order');
	live.lostAt = new Date();
	expect(panel([], false)).toContain('Everything was in order');
	expect(heading([])).toBe('Nothing needed your attention');
	live.lostAt = null;
});

test('what helps is what to press first, once on the list, and marking it as seen is quiet', () => {
	const help = { label: 'Update the other 4', href: '/admin/mods/plan', seen: null, helps: true };
	const seen = { label: 'Mark as seen', href: '/admin', seen: 'operation:x' };
	const failed: Attention = {
		...item('change-failed'),
		action: help as Attention['action'],
		further: [{ label: 'What happened', href: '/admin/operations/x', seen: null }, seen]
	};
	const old: Attention = {
		...item('backup-old'),
		action: { ...help, label: 'Back up' } as Attention['action']
	};
	const body = panel([failed, old], false);
	const buttons = [...body.matchAll(/class="button ([a-z-]+)[^]*?class="clip[^>]*>(.*?)<span/g)];
	expect(
		buttons.map(([, variant, words]) => `${words!.replace(/<.*?>/g, '')}: ${variant}`)
	).toEqual([
		'Update the other 4: primary',
		'What happened: secondary',
		'Mark as seen: quiet',
		'Back up: secondary'
	]);
	const below = panel([failed], true, [], 'crashed', undefined, true);
	expect(below).not.toContain('button primary');
});

test('of several changes that failed each is listed', () => {
	const failed = (title: string) => ({
		...item('change-failed'),
		key: `operation:${title}`,
		title
	});
	const body = panel([failed('Veinminer failed'), failed('Quiet Villagers failed')], false);
	expect([...body.matchAll(/<h3[^>]*>[^]*?<\/h3>/g)]).toHaveLength(2);
	expect(body).toMatch(/Veinminer failed[^]*Quiet Villagers failed/);
});

test('an upgrade is planned without a mod by a plain form, from the list itself', () => {
	const upgrade = { gameVersion: '1.21.5', park: ['quiet.jar'] };
	const plan = { label: 'Plan without Quiet', href: '/admin/operations/x', seen: null, upgrade };
	const body = panel([{ ...item('change-failed'), action: { ...plan, helps: true } }], false);
	const form = /<form[^]*?<\/form>/.exec(body)?.[0];
	expect(form).toContain('method="POST" action="/admin/server/upgrade?/plan"');
	expect(form).toMatch(/name="gameVersion" value="1\.21\.5"[^]*name="park" value="quiet\.jar"/);
	expect(form).toMatch(/button primary[^]*Plan without Quiet/);
});
