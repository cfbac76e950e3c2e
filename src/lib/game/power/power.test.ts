import { expect, test } from 'vitest';
import type { OperationRow } from '$lib/schemas/operation';
import {
	afterKill,
	confirmLabel,
	backupBefore,
	announced,
	cannot,
	current,
	consequence,
	delayFor,
	DELAYS,
	delaysWith,
	holder,
	obstacles,
	soon,
	suggestedDelay
} from './power.ts';
import { countdown } from './countdown.ts';

test('a running server can be stopped and restarted, not started', () => {
	const blocked = obstacles({ state: 'running', operation: null, unready: null });
	expect(blocked).toMatchObject({ stop: null, restart: null, kill: null });
	expect(cannot('start', blocked.start!)).toBe('Cannot start: the server is running.');
});

test('an operation in progress blocks everything but a kill', () => {
	const operation = { kind: 'start', subject: null } as const;
	const busy = obstacles({ state: 'starting', operation, unready: null });
	expect(busy).toMatchObject({ start: busy.stop, restart: busy.stop, kill: null });
	expect(cannot('stop', busy.stop!)).toBe('Cannot stop: the server is being started.');
});

test('a start that waits for the server can be stopped, which cancels it', () => {
	const operation = { kind: 'start', subject: null, cancellable: true } as const;
	const busy = obstacles({ state: 'starting', operation, unready: null });
	expect(busy).toMatchObject({ stop: null, kill: null, restart: 'The server is being started.' });
	expect(consequence('stop', null, 'starting')).toBe(
		'Stops the server, which is still starting: nobody can be playing yet.'
	);
});

test('what only works on copies is in the way of nothing', () => {
	const search = { state: 'running', leavesServer: true } as OperationRow;
	const backup = { state: 'running', leavesServer: false } as OperationRow;
	expect(holder([search])).toBeNull();
	expect(holder([search, backup])).toBe(backup);
	expect(holder(undefined)).toBeNull();
});

test('what ended last is shown, not what began last, unless something runs', () => {
	const of = (kind: string, from: string, to: string | null) =>
		({
			kind,
			state: to ? 'succeeded' : 'running',
			startedAt: from,
			finishedAt: to
		}) as OperationRow;
	const backup = of('backup', '03:01', '03:02');
	const update = of('update', '03:00', '03:03');
	expect(current([backup, update])).toBe(update);
	const running = of('modpack', '02:00', null);
	expect(current([backup, update, running])).toBe(running);
	expect(current([])).toBeNull();
});

test('while players are told of a change, nothing but a kill gets in its way', () => {
	const told = { state: 'running', leavesServer: true, countsDown: true, kind: 'update' } as const;
	const operation = { ...told, subject: '5 mods' } as OperationRow;
	expect(holder([operation])).toBe(operation);
	const blocked = obstacles({ state: 'running', operation, unready: null });
	expect(blocked).toMatchObject({ kill: null, restart: blocked.stop });
	expect(cannot('stop', blocked.stop!)).toBe(
		'Cannot stop: the server is about to restart for “Update 5 mods”. Wait for it, or cancel it.'
	);
});

test('a countdown is told in the same words everywhere: what happens, when, and what for', () => {
	const countsDownTo = '2026-01-02T03:04:05.678Z';
	const restart = { kind: 'restart', subject: null, countsDownTo } as const;
	expect(countdown(restart)).toBe('Restarts at 03:04:05 UTC');
	expect(announced(restart)).toBe('Restarts at 03:04:05 UTC');
	expect(announced({ ...restart, kind: 'stop' })).toBe('Stops at 03:04:05 UTC');
	const update = { ...restart, kind: 'update', subject: '5 mods' } as const;
	expect(countdown(update)).toBe('Restarts at 03:04:05 UTC');
	expect(announced(update)).toBe('Restarts at 03:04:05 UTC: Update 5 mods');
});

test('a server that is not set up cannot be started, and one that is not there not be stopped either', () => {
	const stopped = { state: 'stopped', operation: null } as const;
	const unready = { server: true, why: 'The EULA is not accepted.' };
	const blocked = obstacles({ ...stopped, unready });
	expect(blocked).toMatchObject({ start: unready.why, stop: 'The server is not running.' });
	const why = 'There is no server in the folder yet.';
	expect(obstacles({ ...stopped, unready: { server: false, why } })).toEqual({
		start: why,
		restart: why,
		stop: why,
		kill: why
	});
});

test('a stopped server can be started, and one that is being started can be killed', () => {
	const blocked = obstacles({ state: 'stopped', operation: null, unready: null });
	expect(blocked).toMatchObject({ start: null, stop: 'The server is not running.' });
});

test('a server that does not answer is not started a second time, but can be killed', () => {
	const blocked = obstacles({ state: 'unknown', operation: null, unready: null });
	expect(blocked.start).not.toBeNull();
	expect(blocked).toMatchObject({ stop: null, kill: null });
});

test('a server that answers without a visible process can be neither started nor stopped from here', () => {
	const unseen = 'Its process is not visible from here.';
	const blocked = obstacles({ state: 'unknown', unseen, operation: null, unready: null });
	expect(blocked).toEqual({ start: unseen, restart: unseen, stop: unseen, kill: unseen });
});

test('the confirmation names how many are playing, and does not guess', () => {
	expect(consequence('stop', 3)).toContain('Stops the server for 3 players.');
	expect(consequence('stop', 1)).toContain('for 1 player.');
	expect(consequence('stop', 0)).toContain('Nobody is playing.');
	expect(consequence('stop', 3)).toContain('The world is saved first.');
	expect(consequence('stop', null, 'unknown')).not.toContain('saved first');
	expect(consequence('restart', 3, 'unknown')).toContain('may end without saving the world');
	expect(consequence('restart', null)).not.toMatch(/\d/);
	expect(consequence('kill', 2)).toContain('with 2 players on it');
});

test.each([
	['restart', 'stopping', 'It goes on: the server is started again right after the kill.'],
	['restart', 'starting', 'It then ends as failed, and the server stays down.'],
	['stop', 'stopping', 'It then ends as failed, and the server stays down.'],
	['backup', 'running', 'It goes on, without what the game has not saved yet.'],
	['modpack', 'running', 'It goes on anyway.'],
	['update', 'stopping', 'It goes on, and starts the server again when it is done.'],
	['update', 'starting', 'It then ends as failed, and what it has changed is rolled back.'],
	['update', 'running', 'Once it has started the server again, a kill makes it end as failed']
] as const)('a kill during a %s, %s, says what follows', (kind, state, follows) => {
	const words = afterKill({ kind, subject: null }, state);
	expect(words).toMatch(/^“.*” is in progress\. /);
	expect(words).toContain(follows);
});

test('a kill is called what it does: a restart that waits for the end goes on', () => {
	const restart = { kind: 'restart', subject: null } as const;
	expect(confirmLabel('kill', restart, 'stopping')).toBe('Kill and start again');
	expect(confirmLabel('kill', restart, 'starting')).toBe('Kill');
	expect(confirmLabel('kill', { kind: 'stop', subject: null }, 'stopping')).toBe('Kill');
	expect(confirmLabel('kill', null, 'running')).toBe('Kill');
	expect(confirmLabel('stop', null, 'running')).toBe('Stop');
});

test('whoever plays is given a minute, unless somebody decides otherwise', () => {
	expect(suggestedDelay(3)).toBe('60');
	expect(suggestedDelay(0)).toBe('0');
	expect(suggestedDelay(null)).toBe('0');
});

test('a countdown is as long as somebody has asked for, and has its place among those on offer', () => {
	expect([0, 20, 300, 3600, 86_400].map(delayFor)).toEqual(['0', '20', '300', '3600', '3600']);
	expect([undefined, 0, 60, 900].map(delaysWith)).toEqual([DELAYS, DELAYS, DELAYS, DELAYS]);
	const asked = (seconds: number) => delaysWith(seconds).filter((one) => !DELAYS.includes(one));
	expect([1, 90, 600, 7200].map(asked)).toEqual([
		[{ value: '1', label: 'In 1 second', short: 'in 1 s' }],
		[{ value: '90', label: 'In 90 seconds', short: 'in 1 min 30 s' }],
		[{ value: '600', label: 'In 10 minutes', short: 'in 10 min' }],
		[{ value: '3600', label: 'In 60 minutes', short: 'in 1 h' }]
	]);
	expect(delaysWith(600).map(({ value }) => value)).toEqual([
		...['0', '30', '60', '300', '600', '900']
	]);
});

test('a backup is said to be made before a countdown only where there is one', () => {
	expect(backupBefore(true, '60', true)).toBe('Made before the countdown begins.');
	expect(backupBefore(true, '0', true)).toBe(null);
	expect(backupBefore(false, '60', true)).toBe(null);
	expect(backupBefore(false, '0', false)).toBe(null);
	for (const delay of ['0', '60'])
		expect(backupBefore(true, delay, false)).toMatch(/^If there is a countdown, /);
});

test('the button of a change says when, once that is known', () => {
	expect(soon(true, '60', true)).toBe(' · in 1 min');
	expect(soon(true, '0', true)).toBe(' · now');
	expect([soon(true, '60', false), soon(false, '60', true)]).toEqual(['', '']);
});
