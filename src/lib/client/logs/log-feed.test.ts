import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../../tests/fakes/browser.ts';
import type { LogHit, LogPage } from '$lib/schemas/log.ts';
import { LogFeed, logQuery, type LogFilter } from './log-feed.svelte.ts';

const ALL: LogFilter = { file: 'latest.log', level: [], q: '' };
const entry = (id: string, more: Partial<LogHit> = {}): LogHit => ({
	...{ id, file: 'latest.log', at: null, level: 'INFO', thread: null, logger: null },
	...{ message: `line ${id}`, continuation: [] },
	...more
});
const page = (entries: LogHit[], next: string | null = null): LogPage => ({
	...{ file: 'latest.log', entries, truncated: next !== null, next, notes: [] }
});
const ids = (feed: LogFeed) => feed.entries.map(({ id }) => id).join(' ');

test('new entries are added at the end, an entry that grew replaces itself', () => {
	const feed = new LogFeed();
	feed.begin(ALL, page([entry('a'), entry('b')]));
	const before = feed.entries;
	expect(feed.hear([entry('a'), entry('b')])).toBe(true);
	expect(feed.entries).toBe(before);
	const grown = entry('b', { continuation: ['at x'] });
	expect(feed.hear([grown, entry('c')])).toBe(true);
	expect(ids(feed)).toBe('a b c');
	expect(feed.entries[1]!.continuation).toEqual(['at x']);
});

test('entries that the filter excludes are not added', () => {
	const feed = new LogFeed();
	feed.begin({ ...ALL, level: ['WARN'], q: 'LAG' }, page([]));
	feed.hear([
		entry('a', { message: 'lag' }),
		entry('b', { level: 'WARN' }),
		entry('c', { level: 'WARN', continuation: ['a Lag spike'] })
	]);
	expect(ids(feed)).toBe('c');
});

test('missed entries are announced', () => {
	const feed = new LogFeed();
	feed.begin(ALL, page([entry('a')]));
	expect(feed.hear([entry('a'), entry('b')])).toBe(true);
	expect(feed.hear([entry('x'), entry('y')])).toBe(false);
	expect(ids(feed)).toBe('a b');
});

test('the first entry of an empty log is new, not missed', () => {
	const feed = new LogFeed();
	feed.begin(ALL, page([]));
	expect(feed.hear([])).toBe(true);
	expect(feed.hear([entry('a')])).toBe(true);
	expect(ids(feed)).toBe('a');
});

test('older entries are prepended, with the same filter', async () => {
	const tab = fakeBrowser();
	const feed = new LogFeed(tab.env);
	feed.begin({ ...ALL, q: 'a b' }, page([entry('c')], 'place'));
	tab.answer(() => Response.json(page([entry('a'), entry('b')])));
	await feed.older();
	expect(ids(feed)).toBe('a b c');
	expect(feed.next).toBeNull();
	expect(tab.requests).toEqual(['/api/logs?file=latest.log&before=place&lines=1000&q=a+b']);
});

test('a refusal is shown in the server’s words and can be retried', async () => {
	const tab = fakeBrowser();
	const feed = new LogFeed(tab.env);
	feed.begin(ALL, page([entry('c')], 'place'));
	tab.answer(() => Response.json({ detail: 'That line is gone.' }, { status: 404 }));
	await feed.older();
	expect(feed.error).toBe('That line is gone.');
	expect(feed.next).toBe('place');
	expect(feed.loading).toBe(false);
});

test('the query includes levels and text only when they are set', () => {
	expect(String(logQuery(ALL))).toBe('file=latest.log');
	expect(String(logQuery({ ...ALL, level: ['WARN', 'ERROR'], q: '&' }))).toBe(
		'file=latest.log&level=WARN%2CERROR&q=%26'
	);
});
