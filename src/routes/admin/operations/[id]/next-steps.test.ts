import { expect, test } from 'vitest';
import { Operation, type OperationKind, type Step } from '$lib/schemas/operation';
import type { Blame } from '$lib/schemas/overview/attention';
import type { Mod } from '$lib/schemas/mod';
import { upgradeWithout } from '$lib/schemas/software/without';
import { addressAgain } from './again';
import { nextSteps } from './next-steps';

const AT = '2026-01-02T03:04:05.000Z';
const step = (id: string, status: Step['status']): Step => ({
	...{ id, label: id, status, detail: null, progress: null, at: AT }
});
const failed = (kind: OperationKind, facts: Partial<Operation> = {}): Operation => ({
	...{ id: '20260102T030405000Z-1a2b', kind, subject: null, by: 'ada', state: 'failed' },
	...{ startedAt: AT, finishedAt: AT, steps: [], cause: { message: 'No.', log: [], mods: [] } },
	...facts
});
const DOWN = { start: true, restart: false, stop: false, backup: true };
const UP = { start: false, restart: true, stop: true, backup: true };
const labels = (
	operation: Operation,
	{
		again = null,
		possible = DOWN,
		isLoading = false,
		isSuperadmin = true,
		back = '',
		blame = null,
		world = null
	}: Partial<Parameters<typeof nextSteps>[2]> & {
		again?: string | null;
		blame?: Blame | null;
		world?: string | null;
	} = {}
) =>
	nextSteps(
		operation,
		{ backup: null, again, blame, world },
		{ possible, isLoading, isSuperadmin, back }
	).map(({ label }) => label);

test('what failed can be tried again where that may help', () => {
	expect(labels(failed('backup'))).toEqual(['Back up again', 'To the backups']);
	expect(labels(failed('backup'), { possible: { ...UP, backup: false } })).toEqual([
		'To the backups'
	]);
	expect(labels(failed('backup', { by: 'schedule' }))).toContain('To the schedule');
	expect(labels(failed('start'))).toEqual(['Start again']);
	expect(labels(failed('start'), { possible: UP })).not.toContain('Start again');
	expect(labels(failed('restart'))).toEqual(['Start again']);
	expect(labels(failed('restart'), { possible: UP })).toEqual(['Restart again…']);
	expect(labels(failed('stop'))).toEqual([]);
	expect(labels(failed('stop'), { possible: UP })).toEqual(['Stop again…']);
	expect(labels({ ...failed('stop'), killedBy: 'ada' }, { possible: UP })).toEqual([]);
	expect(labels(failed('modpack'))[0]).toBe('Build it again');
	expect(labels(failed('backup', { state: 'succeeded', cause: null }))).toEqual(['To the backups']);
});

test('a start that goes on loading can be stopped, after a look at its log', () => {
	const cause = { message: 'Still loading.', log: ['x'], mods: [], loading: true as const };
	const late = failed('start', { cause });
	expect(labels(late, { possible: UP, isLoading: true })).toEqual(['Read the log', 'Stop it…']);
	expect(labels(late, { possible: UP })).toEqual(['Read the log']);
});

test('every kind that failed leads somewhere', () => {
	for (const kind of Operation.shape.kind.options)
		for (const possible of [DOWN, UP])
			if (kind !== 'stop' && !(kind === 'start' && possible === UP))
				expect(labels(failed(kind), { possible }), kind).not.toEqual([]);
});

test('who may not, is not shown it', () => {
	const again = '/admin/backups/restore?backup=x';
	expect(labels(failed('restore'), { again })[0]).toBe('Restore again…');
	expect(labels(failed('restore'), { again, isSuperadmin: false })).toEqual(['To the backups']);
	expect(labels(failed('upgrade'), { isSuperadmin: false })).toEqual(['To the game versions']);
});

test('going back is offered again with its page, unless the server of then did not come up', () => {
	const kept = '20260102T030405678Z-0123';
	const again = addressAgain('go-back', { kept, backupFirst: true, by: 'ada' });
	expect(again).toBe(`/admin/server/back?kept=${kept}`);
	const offered = (failing: string) =>
		labels(failed('go-back', { steps: [step(failing, 'failed')] }), { again });
	expect(offered('backup')).toEqual(['Go back again…', 'To the game versions']);
	expect(offered('verify')).toEqual(['To the game versions']);
});

test('the same plan is offered again, unless the mods themselves were refuted', () => {
	const again = '/admin/mods/plan?do=update&file=a.jar';
	const offered = (steps: Step[]) => labels(failed('update', { steps }), { again, back: again });
	expect(offered([step('download', 'failed')])).toEqual(['Plan again', 'To the mods']);
	expect(offered([step('trial', 'failed')])).toEqual(['To the mods']);
	const snapshot = (failing: string) =>
		labels(failed('restore', { steps: [step('snapshot', 'done'), step(failing, 'failed')] }), {
			again
		});
	expect(snapshot('swap')).toEqual(['Restore again…', 'To the mods']);
	expect(snapshot('verify')).toEqual(['To the mods']);
});

test('the world can be put back where the new mods had opened it, by those who may', () => {
	const back = failed('update', { state: 'rolled-back', steps: [step('verify', 'failed')] });
	expect(labels(back, { world: 'x' })).toEqual(['Restore the world…', 'To the mods']);
	expect(labels(back, { world: 'x', isSuperadmin: false })).toEqual(['To the mods']);
	const fresh = { ...back, finishedAt: new Date().toISOString() };
	expect(labels(fresh, { world: 'x', possible: UP })[0]).toBe('Restore the world…');
	// What has been played since would be lost.
	expect(labels(back, { world: 'x', possible: UP })[0]).toBe('To the mods');
});

test('restoring the world is not what to press first while the server runs', () => {
	const now = { finishedAt: new Date().toISOString() };
	const back = failed('update', {
		state: 'rolled-back',
		steps: [step('verify', 'failed')],
		...now
	});
	const outcome = { backup: null, again: null, blame: null, world: 'x' };
	const first = (possible: typeof UP) =>
		nextSteps(back, outcome, { possible, isSuperadmin: true, back: '' })[0];
	expect(first(UP)).toMatchObject({ label: 'Restore the world…', drastic: true });
	expect(first(DOWN)).toMatchObject({ label: 'Restore the world…', drastic: false });
});

test('after a restore the server can be started, or is looked at', () => {
	const done = failed('restore', { state: 'succeeded', cause: null });
	expect(labels(done)).toEqual(['Start the server', 'To the backups']);
	expect(labels(done, { possible: UP })).toEqual(['To the overview', 'To the backups']);
	expect(labels(done, { possible: UP, back: '/admin/backups' })).toEqual(['To the overview']);
	expect(labels(done, { possible: UP, back: '/admin' })).toEqual(['To the backups']);
});

test('what has changed the server, or its mods, leads to the overview', () => {
	const of = (kind: OperationKind, back: string) =>
		labels(failed(kind, { state: 'succeeded', cause: null }), { possible: UP, back });
	for (const kind of ['install', 'update', 'enable', 'disable', 'remove'] as const) {
		expect(of(kind, '/admin/mods'), kind).toEqual(['To the overview']);
		expect(of(kind, '/admin'), kind).toEqual(['To the mods']);
	}
	for (const kind of ['start', 'stop', 'restart'] as const) {
		expect(of(kind, '/admin/logs'), kind).toEqual(['To the overview']);
		expect(of(kind, '/admin'), kind).toEqual([]);
	}
});

test('the log is that of the failure, where it is known', () => {
	const operation = failed('start', { cause: { message: 'No.', log: ['x'], mods: [] } });
	const now = { possible: DOWN, isSuperadmin: true, back: '' };
	const hrefs = (log: string | null) =>
		nextSteps(operation, { backup: null, again: null, blame: null, world: null, log }, now).flatMap(
			(one) => ('href' in one ? one.href : [])
		);
	expect(hrefs('/admin/logs?at=a-1-x#line-a-1-x')).toEqual(['/admin/logs?at=a-1-x#line-a-1-x']);
	expect(hrefs(null)).toEqual(['/admin/logs']);
});

test('named mods come before another start, which they would end again', () => {
	const cause = { message: 'No.', log: ['x'], mods: ['lithium'] };
	expect(labels(failed('start', { cause }))).toEqual([
		'To the mods',
		'Start again',
		'Read the log'
	]);
});

const LITHIUM = { fileName: 'lithium.jar', name: 'Lithium', locked: false, newer: null };
const CHANGE = {
	title: 'Update 5 mods',
	at: '2026-01-02T02:04:05.000Z',
	operationId: 'x',
	snapshotId: 'before'
};
const BLAME: Blame = { at: AT, mods: [LITHIUM], change: CHANGE };

test('what helps against named mods comes first, and another start, which fails again, last', () => {
	const cause = { message: 'No.', log: ['x'], mods: ['lithium'] };
	const offered = (blame: Blame, more = {}) =>
		labels(failed('restart', { cause }), { blame, ...more });
	expect(offered(BLAME)).toEqual([
		...['Disable Lithium', 'Put the old mods back', 'Read the log', 'Start again']
	]);
	expect(offered(BLAME, { isSuperadmin: false })).toEqual([
		...['Disable Lithium', 'Read the log', 'Start again']
	]);
	const newer = { ...BLAME, mods: [{ ...LITHIUM, newer: '0.13' }] };
	expect(offered(newer).slice(0, 3)).toEqual([
		...['Update Lithium', 'Disable Lithium', 'Put the old mods back']
	]);
	expect(offered({ ...BLAME, change: null })).not.toContain('Put the old mods back');
	const long = { ...BLAME, at: '2026-03-02T03:04:05.000Z' };
	expect(offered(long)).not.toContain('Put the old mods back');
	const locked = { ...BLAME, mods: [{ ...LITHIUM, locked: true }], change: null };
	expect(offered(locked, { isSuperadmin: false })[0]).toBe('To the mods');
	expect(offered({ ...BLAME, mods: [] })[0]).toBe('Put the old mods back');
	const rightAfter = { ...BLAME, change: { ...CHANGE, at: '2026-01-02T03:04:03.000Z' } };
	expect(offered(rightAfter).slice(0, 2)).toEqual(['Put the old mods back', 'Disable Lithium']);
	const upgraded = {
		...rightAfter.change,
		...{ snapshotId: null, back: { label: 'Go back to Minecraft 1.21.1', href: '/x' } }
	};
	expect(offered({ ...BLAME, change: upgraded })[0]).toBe('Go back to Minecraft 1.21.1');
	expect(offered({ ...BLAME, change: upgraded }, { isSuperadmin: false })[0]).toBe(
		'Disable Lithium'
	);
	expect(offered(BLAME, { possible: UP })).not.toContain('Disable Lithium');
});

test('a change that did not help a crashed server leads to what does', () => {
	const tried = failed('update', { state: 'rolled-back', steps: [step('verify', 'failed')] });
	const blame = { ...BLAME, change: null };
	expect(labels(tried, { blame })[0]).toBe('Disable Lithium');
	expect(labels(tried, { blame, possible: UP })).toEqual(['To the mods']);
});

test('an upgrade that failed because of a mod can be planned without it', () => {
	const mod = (fileName: string, name: string, enabled = true) =>
		({ fileName, name, modId: null, enabled }) as Mod;
	const installed = [
		mod('waymarks-1.jar', 'Waymarks'),
		mod('late-1.jar', 'Late'),
		mod('gone-1.jar.disabled', 'Gone', false),
		mod('other.jar', 'Other')
	];
	const input = {
		target: { gameVersion: '1.21.5' },
		change: {
			rename: ['late-1.jar', 'gone-1.jar'].map((from) => ({ from, to: `${from}.disabled` }))
		}
	};
	const cause = { message: 'No.', log: [], mods: ['waymarks-2.jar'] };
	const titles = { 'waymarks-2.jar': 'Waymarks' };
	const back = failed('upgrade', {
		state: 'rolled-back',
		steps: [step('verify', 'failed')],
		cause
	});
	expect(upgradeWithout(back, input, { installed, titles })).toEqual({
		...{ gameVersion: '1.21.5', title: 'Waymarks' },
		park: ['late-1.jar', 'waymarks-1.jar']
	});
	expect(upgradeWithout(back, input, { installed: [], titles })).toBeNull();
	expect(upgradeWithout({ ...back, steps: [] }, input, { installed, titles })).toBeNull();
	expect(upgradeWithout({ ...back, cause: null }, input, { installed, titles })).toBeNull();
	expect(upgradeWithout(back, null, { installed, titles })).toBeNull();
});

test('what was asked for leads to the page that says what it would do now', () => {
	const id = '20260102T030405Z-1a2b';
	expect(
		addressAgain('restore', { what: 'backup', id, by: 'ada', scope: 'world', world: 'a b' })
	).toBe(`/admin/backups/restore?backup=${id}&scope=world&world=a+b&uuid=`);
	expect(addressAgain('restore', { snapshot: id, by: 'ada' })).toBe(
		`/admin/backups/confirm?snapshot=${id}&do=restore`
	);
	expect(addressAgain('remove', { take: [{ fileName: 'a.jar' }, { fileName: 'b.jar' }] })).toBe(
		'/admin/mods/plan?do=remove&file=a.jar&file=b.jar'
	);
	expect(addressAgain('enable', { rename: [{ from: 'a.jar.disabled', to: 'a.jar' }] })).toBe(
		'/admin/mods/plan?do=enable&file=a.jar.disabled'
	);
	for (const kind of ['restore', 'update', 'culprit', 'backup'] as const)
		expect(addressAgain(kind, null)).toBeNull();
});

test('after a change that stays, what helps is what helps a server that does not start', () => {
	const kept = failed('remove', { kept: 'Removed Deco.', steps: [step('verify', 'failed')] });
	const again = '/admin/mods/plan?do=remove&file=deco.jar';
	expect(labels(kept, { again })).toEqual(['Start again']);
	expect(labels(kept, { again, possible: UP })).toEqual([]);
	const log = { message: 'No.', log: ['no'], mods: [] };
	expect(labels({ ...kept, cause: log })).toEqual(['Start again', 'Read the log']);
	const blame: Blame = {
		...{ at: AT, change: null },
		mods: [{ fileName: 'other.jar', name: 'Other', locked: false, newer: null }]
	};
	const named = { ...kept, cause: { ...log, mods: ['other'] } };
	expect(labels(named, { blame })[0]).toBe('Disable Other');
});
