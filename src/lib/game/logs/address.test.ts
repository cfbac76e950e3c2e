import { expect, test } from 'vitest';
import { logsAddress, permalink } from './address.ts';

test('an address contains only what differs from the defaults', () => {
	expect(logsAddress({})).toBe('/admin/logs');
	expect(logsAddress({ file: 'latest.log', level: ['WARN', 'ERROR'], q: 'a&b' })).toBe(
		'/admin/logs?level=WARN%2CERROR&q=a%26b'
	);
	expect(logsAddress({ file: '2026-01-01-1.log.gz', before: 'x-1-2' })).toBe(
		'/admin/logs?file=2026-01-01-1.log.gz&before=x-1-2'
	);
});

test('a permalink leads to the exact entry', () => {
	const at = { file: 'latest.log', id: 'x-1-2' } as Parameters<typeof permalink>[0];
	expect(permalink(at)).toBe('/admin/logs?at=x-1-2#line-x-1-2');
});
