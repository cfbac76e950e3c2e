import { expect, test } from 'vitest';
import { logAt, logsAddress, permalink, reportAddress } from './log-at.ts';

test('the log of a moment is the first one archived later', () => {
	const file = (name: string, hour: number) => ({
		...{ name, kind: 'archive' as const, bytes: 1 },
		modifiedAt: `2026-01-02T0${hour}:00:00.000Z`
	});
	const files = [file('c', 5), file('b', 3), file('a', 1)];
	expect(logAt('2026-01-02T02:00:00.000Z', files)).toBe('b');
	expect(logAt('2026-01-02T03:00:30.000Z', files)).toBe('b');
	expect(logAt('2026-01-02T06:00:00.000Z', files)).toBeNull();
});

test('an address contains only what differs from the defaults', () => {
	expect(logsAddress({})).toBe('/admin/logs');
	expect(logsAddress({ file: 'latest.log', level: ['WARN', 'ERROR'], q: 'a&b' })).toBe(
		'/admin/logs?level=WARN%2CERROR&q=a%26b'
	);
	expect(logsAddress({ file: '2026-01-01-1.log.gz', before: 'x-1-2' })).toBe(
		'/admin/logs?file=2026-01-01-1.log.gz&before=x-1-2'
	);
});

test('a link to a crash report leads to the suspect', () => {
	expect(reportAddress('crash-1.txt')).toBe('/admin/logs?file=crash-1.txt#suspect');
});

test('a permalink leads to the exact entry', () => {
	const at = { file: 'latest.log', id: 'x-1-2' } as Parameters<typeof permalink>[0];
	expect(permalink(at)).toBe('/admin/logs?at=x-1-2#line-x-1-2');
});
