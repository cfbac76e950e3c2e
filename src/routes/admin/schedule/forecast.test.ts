import { expect, test } from 'vitest';
import { forecast, inWords } from './forecast.ts';

const NOON = new Date('2026-11-26T12:00:00Z');
const NOTHING = { on: '', time: '04:00', hours: '6', day: '1', cron: '' };
const of = (fields: Partial<Parameters<typeof forecast>[0]>) => {
	const { times, fault } = forecast({ ...NOTHING, preset: 'daily', ...fields }, NOON, 'UTC');
	return fault ?? times.map((time) => time.toISOString().slice(5, 16)).join();
};

test('the next runs are told, or the one', () => {
	expect(of({})).toBe('11-27T04:00,11-28T04:00,11-29T04:00');
	expect(of({ preset: 'hours' })).toBe('11-26T18:00,11-27T00:00,11-27T06:00');
	expect(of({ preset: 'once', on: '2026-11-27' })).toBe('11-27T04:00');
});

test('or why it does not run; nothing while there is nothing to say', () => {
	expect(of({ preset: 'once', on: '2026-11-26' })).toBe('That time has passed.');
	expect(of({ preset: 'cron', cron: '0 0 31 2 *' })).toContain('never run');
	expect(of({ preset: 'cron', cron: '0 4 * * 8' })).toContain('from 0 to 7');
	expect(of({ preset: 'once' })).toBe('');
	expect(of({ preset: 'cron' })).toBe('');
});

test('the next one is told by its day, by the clock of the server', () => {
	const told = (at: string, timeZone = 'UTC') => inWords(new Date(at), NOON, timeZone);
	expect(told('2026-11-26T13:00:00Z')).toBe('today at 13:00');
	expect(told('2026-11-27T04:00:00Z')).toBe('tomorrow at 04:00');
	expect(told('2026-11-30T04:00:00Z')).toBe('on Mon 30 Nov at 04:00');
	expect(told('2026-11-26T16:00:00Z', 'Asia/Tokyo')).toBe('tomorrow at 01:00');
});
