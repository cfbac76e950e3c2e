import { HARDLY_ENDS } from '$lib/schemas/plain/words/kill-words';
import { expect, test } from 'vitest';
import type { Attention } from '$lib/schemas/overview/attention';
import { isBeforeUrgent, isLed, isOf, partFaults, variantOf } from './faults';

const hanging: Attention = {
	...{ code: 'hanging', key: 'hanging', since: null },
	...{ title: 'The server has not answered', detail: 'For long.' },
	...{ advice: 'Restart the server.', action: null, further: [] }
};

test('what is not urgent has no sign of a warning', () => {
	expect(variantOf({ code: 'backup-old' }).tone).toBe('changing');
	expect(variantOf({ code: 'backup-old', canWait: true }).tone).toBe('off');
	expect(variantOf({ code: 'updates' }).tone).toBe('off');
});

test('what was advised before something was begun is not said beside it', () => {
	expect(partFaults([hanging], 'unknown').faults).toEqual([hanging]);
	const old = { old: true, isSuperadmin: true };
	const unknown: Attention = { ...hanging, code: 'unknown' };
	expect(partFaults([hanging], 'unknown', old).faults).toEqual([{ ...hanging, advice: null }]);
	expect(partFaults([unknown], 'unknown', old).faults).toEqual([{ ...unknown, advice: null }]);
});

test('a crash stands below what has gone wrong since, and above what was before or can wait', () => {
	const failed = (since: string | null): Attention => ({
		...hanging,
		code: 'change-failed',
		since
	});
	const crash = { at: '2026-01-02T10:00:00.000Z' };
	const [before, after] = [failed('2026-01-02T09:00:00.000Z'), failed('2026-01-02T11:00:00.000Z')];
	expect(isBeforeUrgent(crash, [before, after])).toBe(true);
	expect(isBeforeUrgent(crash, [before, failed(null)])).toBe(false);
	expect(isBeforeUrgent(crash, [{ ...after, canWait: true }])).toBe(false);
	expect(isBeforeUrgent(null, [after])).toBe(false);
});

test('of a new crash nothing is told by what is known of the one before', () => {
	const [before, now] = ['2026-01-02T09:00:00.000Z', '2026-01-02T11:00:00.000Z'];
	expect(isOf({ at: now, lasts: true }, { crashedAt: now })).toBe(true);
	expect(isOf({ at: before, lasts: true }, { crashedAt: now })).toBe(false);
	expect(isOf({ at: before, lasts: false }, { crashedAt: now })).toBe(false);
	const again = { at: now, operationId: 'x', kind: 'update', subject: null } as const;
	expect(isOf({ at: before, lasts: true, again }, { crashedAt: now })).toBe(true);
	expect(isOf({ at: before, lasts: true }, {})).toBe(true);
});

test('while a server that hangs is restarted, it says what is likely, and no longer what is being done', () => {
	const look = { label: 'Look at the log', href: '/admin/logs', seen: null };
	const restart = { label: 'Restart', href: '/admin/confirm?do=restart', seen: null, helps: true };
	const kill = { ...restart, label: 'Kill', danger: true };
	const after = (action: object) =>
		partFaults([{ ...hanging, action, further: [look] } as Attention], 'stopping', {
			...{ old: true, isEnding: true }
		}).faults[0]!;
	expect(after(restart)).toMatchObject({
		...{ detail: HARDLY_ENDS, advice: null, action: null, further: [look] }
	});
	expect(after(look).action).toEqual(look);
	expect(after(kill).action).toEqual(kill);
});

test('what to press first is one thing: above the list, where the server can be started, crashed or hangs', () => {
	const nothing = { canStart: false, isCrash: false, faults: [] };
	const helps = { label: 'Restart', href: '/admin/confirm?do=restart', seen: null, helps: true };
	expect(isLed(nothing)).toBe(false);
	expect(isLed({ ...nothing, canStart: true })).toBe(true);
	expect(isLed({ ...nothing, isCrash: true })).toBe(true);
	expect(isLed({ ...nothing, faults: [hanging] })).toBe(false);
	expect(isLed({ ...nothing, faults: [{ ...hanging, action: helps } as Attention] })).toBe(true);
});
