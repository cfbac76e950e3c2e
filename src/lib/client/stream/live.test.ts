import { expect, test } from 'vitest';
import { fakeBrowser } from '../../../../tests/fakes/browser.ts';
import { settle } from '../../../../tests/fakes/manual-clock.ts';
import { Live } from './live.svelte.ts';
import { BACKUPS } from '../sources.ts';
import { Queries } from '../queries.svelte.ts';

const STATUS = { state: 'running', players: { online: 1, max: 20, names: ['Ana'] } };

function setup() {
	const tab = fakeBrowser();
	const queries = new Queries(tab.env);
	const live = new Live(queries, tab.env);
	const stop = live.start();
	return { tab, queries, live, stop };
}

test('opens one stream and writes what it receives into the query cache', () => {
	const { tab, queries, live } = setup();
	expect(tab.sources.map(({ url }) => url)).toEqual(['/api/events']);
	expect(live.connected).toBe(false);
	tab.source.emit('open');
	expect(live.connected).toBe(true);
	expect(live.lastAt).toBe(1000);
	queries.seed(['players'], { online: [], ops: ['ana'] });
	tab.source.emit('status', STATUS);
	tab.source.emit('players', { online: [{ name: 'Ana' }] });
	tab.source.emit('chat', { messages: [{ id: '1' }, { id: '2' }] });
	tab.source.emit('chat', { messages: [{ id: '2' }, { id: '3' }] });
	tab.source.emit('operation', { id: 'a', state: 'running', step: 'Boot' });
	expect(queries.read(['status'])).toEqual(STATUS);
	expect(queries.read(['players'])).toEqual({ online: [{ name: 'Ana' }], ops: ['ana'] });
	expect(queries.read(['chat'])).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
	expect(queries.read(['operations'])).toEqual([{ id: 'a', state: 'running', step: 'Boot' }]);
	expect(live.lastAt).toBe(1000);
});

test('an operation’s updates merge into its list entry, a new one comes first', () => {
	const { tab, queries } = setup();
	queries.seed(
		['operations'],
		[
			{ id: 'b', state: 'running', steps: [1] },
			{ id: 'a', state: 'failed' }
		]
	);
	tab.source.emit('operation', { id: 'b', state: 'succeeded', step: null });
	tab.source.emit('operation', { id: 'c', state: 'running', step: 'Boot' });
	expect(queries.read(['operations'])).toEqual([
		{ id: 'c', state: 'running', step: 'Boot' },
		{ id: 'b', state: 'succeeded', step: null, steps: [1] },
		{ id: 'a', state: 'failed' }
	]);
});

test('how a verify goes on shows in the list, and its end is final', async () => {
	const { tab, queries } = setup();
	const verify = { id: 'b', state: 'complete', problem: null, verifyProblem: null };
	const going = { ...verify, verifiedAt: null, verifying: true, verifyProgress: null };
	tab.source.emit('backup', going);
	expect(queries.read(['backups'])).toBe(undefined);
	queries.seed(['backups'], [{ id: 'b', note: 'x' }, { id: 'a' }]);
	tab.source.emit('backup', going);
	expect(queries.read(['backups'])).toEqual([{ note: 'x', ...going }, { id: 'a' }]);

	const over = { ...verify, verifiedAt: 'now', verifying: false, verifyProgress: null };
	tab.answer(() => Response.json({ backups: [{ id: 'b', note: 'y', verifiedAt: 'now' }] }));
	queries.define(['backups'], BACKUPS);
	tab.source.emit('backup', over);
	expect(queries.read(['backups'])).toEqual([{ note: 'x', ...over }, { id: 'a' }]);
	// What was asked for before the end arrives after it.
	queries.seed(['backups'], [{ id: 'b', verifying: true }]);
	await settle();
	expect(queries.read(['backups'])).toEqual([{ id: 'b', note: 'y', verifiedAt: 'now' }]);
});

test('invalid events are counted and change nothing', () => {
	const { tab, queries, live } = setup();
	const bad: [string, unknown][] = [
		['status', '{not json'],
		['status', 'null'],
		['status', { state: 1 }],
		['players', { online: [null] }],
		['chat', { messages: 'x' }],
		['operation', []],
		['backup', { id: 1 }]
	];
	for (const [event, data] of bad) tab.source.emit(event, data);
	tab.source.emit('a-newer-event', { x: 1 });
	expect(live.skipped).toBe(bad.length);
	for (const key of ['status', 'players', 'chat', 'operations'])
		expect(queries.read([key])).toBe(undefined);
});

test('the regular end of the stream is not shown as a loss, a failed reconnect is', async () => {
	const { tab, live } = setup();
	tab.source.emit('open');
	tab.source.break();
	await tab.advance(4000);
	expect(live.connected).toBe(true);
	tab.source.emit('open');
	await tab.advance(10_000);
	expect(live.connected).toBe(true);

	tab.source.break();
	await tab.advance(1000);
	tab.source.break();
	expect(live.connected).toBe(false);
	tab.source.emit('open');
	expect(live.connected).toBe(true);

	tab.source.break();
	await tab.advance(5000);
	expect(live.connected).toBe(false);
	expect(tab.sources).toHaveLength(1);
});

test('when the browser gives up, it retries with growing pauses, with one stream at a time', async () => {
	const { tab, live } = setup();
	tab.answer(() => Response.json({}, { status: 200 }));
	const waits: number[] = [];
	for (let i = 0; i < 7; i++) {
		const before = tab.state.nowMs;
		const count = tab.sources.length;
		tab.source.refuse();
		while (tab.sources.length === count) await tab.advance(250);
		waits.push(tab.state.nowMs - before);
		expect(tab.open).toHaveLength(1);
	}
	expect(waits).toEqual([1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500]);
	expect(live.connected).toBe(false);
	expect(new Set(tab.requests)).toEqual(new Set(['/api/operations?limit=1', '/healthz']));
	// Only the stream is refused: the dashboard answers.
	expect(live.lostAt).toBe(null);
	tab.source.emit('open');
	const count = tab.sources.length;
	tab.answer(() => Promise.reject(new TypeError('Failed to fetch')));
	tab.source.refuse();
	await tab.advance(1500);
	expect(tab.sources).toHaveLength(count + 1);
	expect(tab.state.signIns).toBe(0);
});

test('a page whose stream never came is lost once nothing answers, as of when it was loaded', async () => {
	const { tab, live } = setup();
	tab.answer(() => Promise.reject(new TypeError('Failed to fetch')));
	await tab.advance(2000);
	expect(live.lostAt).toBe(null);
	tab.source.break();
	await tab.advance(10);
	expect(live.lostAt).toBe(1000);
	tab.source.emit('open');
	expect(live.lostAt).toBe(null);
});

test('an expired session leads to the sign-in page instead of another try', async () => {
	const { tab } = setup();
	tab.answer(() => Response.json({}, { status: 401 }));
	tab.source.emit('open');
	tab.source.refuse();
	await tab.advance(300_000);
	expect(tab.state.signIns).toBe(1);
	expect(tab.sources).toHaveLength(1);
});

test('a stream that only looks open is replaced', async () => {
	const { tab } = setup();
	tab.source.emit('open');
	for (let i = 0; i < 10; i++) {
		await tab.advance(15_000);
		tab.source.emit('heartbeat', { at: 'now' });
	}
	expect(tab.sources).toHaveLength(1);
	await tab.advance(40_000);
	expect(tab.sources).toHaveLength(2);
	expect(tab.open).toHaveLength(1);
});

test('a dashboard that has frozen is noticed within some fifteen seconds, and again when it goes on', async () => {
	const { tab, live } = setup();
	tab.source.emit('open');
	tab.answer(() => Promise.reject(new DOMException('', 'TimeoutError')));
	await tab.advance(11_000);
	tab.source.emit('status', STATUS);
	await tab.advance(11_999);
	expect(tab.requests).toEqual([]);
	expect(live.connected).toBe(true);
	await tab.advance(1);
	expect(tab.requests).toEqual(['/healthz']);
	expect(live.connected).toBe(false);
	expect(live.lostAt).toBe(tab.state.nowMs - 12_000);
	expect(tab.open).toHaveLength(1);
	tab.source.emit('open');
	expect(live.connected).toBe(true);
});

test('after eight seconds without a sign of life the page is as of the last one, and what counts stops there', async () => {
	const { tab, live } = setup();
	tab.source.emit('open');
	await tab.advance(5000);
	tab.source.emit('status', STATUS);
	const heardAt = tab.state.nowMs;
	await tab.advance(7999);
	expect([live.quiet, live.asOf]).toEqual([false, null]);
	await tab.advance(1);
	expect([live.quiet, live.asOf, live.connected]).toEqual([true, heardAt, true]);
	tab.source.emit('status', STATUS);
	expect([live.quiet, live.asOf]).toEqual([false, null]);
	// Nobody sees a hidden tab, whose stream is closed on purpose.
	tab.show(false);
	await tab.advance(60_000);
	tab.show(true);
	tab.source.emit('open');
	expect(live.quiet).toBe(false);
});

test('what is heard while a silent dashboard is being asked ends the doubt', async () => {
	const { tab, live } = setup();
	tab.source.emit('open');
	let fail = () => {};
	tab.answer(() => new Promise((_, reject) => (fail = () => reject(new TypeError()))));
	await tab.advance(12_000);
	tab.source.emit('heartbeat', { at: 'now' });
	fail();
	await tab.advance(5000);
	expect(live.connected).toBe(true);
	expect(tab.sources).toHaveLength(1);
});

test('a tab hidden for a minute closes its stream and reopens it when it becomes visible', async () => {
	const { tab, live } = setup();
	tab.source.emit('open');
	tab.show(false);
	await tab.advance(59_000);
	tab.show(true);
	tab.show(false);
	await tab.advance(59_000);
	expect(tab.open).toHaveLength(1);
	await tab.advance(1000);
	expect(tab.open).toHaveLength(0);
	await tab.advance(3_600_000);
	expect(tab.timers).toBe(0);
	tab.show(true);
	expect(tab.open).toHaveLength(1);
	tab.source.emit('open');
	expect(live.connected).toBe(true);
});

test('leaving a page closes its stream, and coming back opens it again', () => {
	const { tab } = setup();
	tab.leave(true);
	expect(tab.open).toHaveLength(0);
	tab.leave(false);
	expect(tab.open).toHaveLength(1);
	tab.leave(false);
	expect(tab.sources).toHaveLength(2);
});

test('after a reconnect an operation that seemed to be running is fetched again', async () => {
	const { tab, queries } = setup();
	tab.source.emit('open');
	tab.source.emit('operation', { id: 'a', state: 'running', step: 'Boot' });
	tab.answer(() => Response.json({ operations: [{ id: 'a', state: 'succeeded', steps: [] }] }));
	tab.source.break();
	tab.source.emit('open');
	await settle();
	expect(tab.requests).toEqual(['/api/operations']);
	expect(queries.read(['operations'])).toMatchObject([{ id: 'a', state: 'succeeded' }]);
	tab.source.emit('open');
	await settle();
	expect(tab.requests).toHaveLength(1);
});

test('stopping ends everything, and late events change nothing', async () => {
	const { tab, queries, live, stop } = setup();
	tab.source.emit('open');
	stop();
	stop();
	tab.source.emit('status', STATUS);
	tab.source.refuse();
	await tab.advance(300_000);
	expect(queries.read(['status'])).toBe(undefined);
	expect(live.connected).toBe(false);
	expect(tab.sources).toHaveLength(1);
	expect([tab.timers, tab.watchers]).toEqual([0, 0]);
});
