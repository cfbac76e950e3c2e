import { expect, test, vi } from 'vitest';
import { render } from 'svelte/server';
import type { Attention } from '$lib/schemas/overview/attention';
import type { ServerState, Status } from '$lib/schemas/status';
import { createRawSnippet } from 'svelte';
import type { Counting } from '$lib/game/power/countdown';
import { partFaults } from './attention/faults';
import StatusCard from './StatusCard.svelte';

vi.mock('$app/state', () => ({ page: { data: {} } }));
const { live } = vi.hoisted(() => ({
	live: { lostAt: null, asOf: null as number | null }
}));
vi.mock('$lib/client/stream/live.svelte.ts', () => ({ getLive: () => live }));

vi.mock('$lib/client/toasts.svelte.ts', () => ({ getToasts: () => ({}) }));

const item = (code: Attention['code']): Attention => ({
	...{ code, key: code, title: `It is ${code}`, detail: 'In detail.', advice: 'Do this.' },
	...{ since: null, action: null, further: [] }
});
const NOTHING = createRawSnippet(() => ({ render: () => '<i></i>' }));

function card(
	state: ServerState,
	online: boolean,
	items: Attention[],
	more: {
		addressIsGuess?: true;
		hanging?: true;
		isSuperadmin?: boolean;
		reason?: string;
		silentSince?: string;
		lastRun?: Status['lastRun'];
		counting?: Counting;
		undoing?: string;
	} = {}
) {
	const { isSuperadmin = true, counting, undoing, ...guess } = more;
	const status: Status = {
		...{ name: 'Emberfall', state, online, address: 'localhost' },
		...{ version: null, software: null, motd: null, via: null },
		reason: state === 'running' ? null : 'Why it is so.',
		...{ tps: null, latencyMs: null, startedAt: null, checkedAt: '2026-01-02T03:04:05.678Z' },
		players: { online: online ? 0 : null, max: null, names: null },
		...guess
	};
	const { faults, others } = partFaults(items, state);
	const props = {
		status,
		isSuperadmin,
		online: [],
		faults,
		counting: counting ?? null,
		undoing: undoing ?? null,
		crash: undefined,
		children: NOTHING
	};
	return { body: render(StatusCard, { props }).body, others: others.map(({ code }) => code) };
}

test('a server that runs with a fault is not shown as well, and the fault is told here alone', () => {
	const well = card('running', true, [item('updates')]);
	expect(well.body).toMatch(/class="card good/);
	expect(well.others).toEqual(['updates']);
	const action = { label: 'Restart it', href: '/admin/confirm?do=restart', seen: null };
	const refused = { ...item('rcon-refused'), detail: 'Why it is so.', action };
	const ill = card('running', true, [refused, item('updates')]);
	expect(ill.body).toMatch(/class="card changing/);
	expect(ill.body).not.toMatch(/class="badge l good/);
	expect(ill.body).toContain('It is rcon-refused');
	expect(ill.body).toContain('Restart it');
	expect(ill.body.match(/Why it is so/g)).toHaveLength(1);
	expect(ill.others).toEqual(['updates']);
});

test('what players are being told of is said with the state, unless that has something else to say', () => {
	const counting = {
		kind: 'stop',
		subject: null,
		countsDownTo: '2026-01-02T03:05:04.000Z'
	} as const;
	const of = (more: object) => card('running', true, [], { counting, ...more }).body;
	expect(of({ reason: null })).toContain('Stops at ');
	expect(of({ reason: null })).not.toContain('Checked');
	const unwell = of({ reason: 'It missed one answer.' });
	expect(unwell).toContain('It missed one answer.');
	expect(unwell).not.toContain('Stops at ');
	// As in the bar at the top.
	expect(unwell).toMatch(/class="card changing/);
	expect(of({ reason: null })).toMatch(/class="card good/);
});

test('while a change is being taken back that is said with the state, whatever the state is', () => {
	const undoing = 'Rolling back “Install Ruin Keeper”.';
	for (const state of ['starting', 'running'] as const)
		expect(card(state, state === 'running', [], { undoing }).body).toContain(undoing);
	expect(card('running', true, []).body).not.toContain('Rolling back');
});

test('whoever can set the address is told that players may not know it', () => {
	const isTold = (more: Parameters<typeof card>[3]) =>
		card('running', true, [], more).body.includes('SERVER_ADDRESS');
	expect(isTold({ addressIsGuess: true })).toBe(true);
	expect(isTold({ addressIsGuess: true, isSuperadmin: false })).toBe(false);
	expect(isTold({})).toBe(false);
});

test('what takes too long to get ready is told once', () => {
	const { body } = card('starting', false, [item('slow-start')]);
	expect(body).toContain('It is slow-start');
	expect(body).not.toContain('Why it is so.');
	expect(body).toContain('Nobody can play until it is ready.');
});

test('without an answer there are no empty figures, and why is said once', () => {
	const { body, others } = card('unknown', false, [item('unknown')]);
	expect(body).not.toContain('>TPS<');
	expect(body).toContain('Why it is so.');
	expect(body).toContain('Do this.');
	expect(body).not.toContain('It is unknown');
	expect(others).toEqual([]);
	expect(card('unknown', true, [item('unknown')]).body).toContain('>TPS<');
});

test('a server that hangs is told so in red, also before what to do about it is known, and one that is stopping is amber', () => {
	const { body } = card('unknown', false, [item('unknown')], { hanging: true });
	expect(body).toMatch(/class="card bad/);
	expect(body).toMatch(/class="badge l bad[^]*Not responding/);
	const told = card('stopping', false, [item('hanging')], { hanging: true }).body;
	expect(told).toMatch(/class="badge l changing[^]*Stopping/);
	expect(told).toMatch(/class="card changing/);
	// Whether it is up is the question.
	for (const said of [body, told]) expect(said).not.toMatch(/Up for|can join/);
	expect(card('stopping', false, []).body).toContain('Up for');
});

test.each([
	['It runs, but has not answered for 7 min.', ''],
	['It runs, but has not answered for 7 min. ada told it to stop 6 min ago.', 'ada told it to'],
	['ada told it to stop, but it has not answered for 7 min and may not end by itself.', 'ada told']
])('for how long a server has not answered is counted once (%s)', (reason, rest) => {
	const since = new Date(Date.now() - 485_000).toISOString();
	const { body } = card('unknown', false, [{ ...item('hanging'), since }], {
		hanging: true,
		reason
	});
	expect(body).toContain('for 8 min 5 s');
	expect(body).not.toContain('7 min');
	expect(body).toContain(rest);
});

test('what was found before the state changed is not said of the new one', () => {
	const { body, others } = card('running', true, [item('unknown')]);
	expect(body).toMatch(/class="card good/);
	expect(others).toEqual([]);
});

test('what answers players is said to, also where its process is not visible', () => {
	const { body } = card('unknown', true, [item('unseen')]);
	expect(body).toContain('Answers players, but its process is not visible');
	// What is to be done has a headline, and says why.
	expect(body).not.toContain('Why it is so.');
	expect(body).toMatch(/<h3[^]*It is unseen[^]*In detail\./);
	expect(body).toContain('Do this.');
	expect(body).toContain('>TPS<');
});

test('a stopped server has no numbers to measure, and says since when and how long it ran', () => {
	const lastRun = { startedAt: '2026-01-02T01:00:00.000Z', endedAt: '2026-01-02T03:30:00.000Z' };
	const { body } = card('stopped', false, [], { lastRun });
	const labels = [...body.matchAll(/<dt[^>]*>([^<]*)/g)].map(([, label]) => label);
	expect(labels).toEqual(['Stopped for', 'Ran for']);
	expect(body).toContain('2 h 30 min');
	expect(body).not.toMatch(/>\s*–\s*</);
	// Where none is known, that stands in the same room.
	expect(card('stopped', false, []).body).toMatch(/<dt[^>]*>Last run<[^]*Not known/);
	expect(card('running', true, [], { lastRun }).body).toContain('Latency');
});

test('of a run of seconds, such as a trial, it does not say how long it was', () => {
	const startedAt = '2026-01-02T01:00:00.000Z';
	const ran = (endedAt: string) =>
		card('stopped', false, [], { lastRun: { startedAt, endedAt } }).body.includes('Ran for');
	expect(ran('2026-01-02T01:00:05.000Z')).toBe(false);
	expect(ran('2026-01-02T01:01:00.000Z')).toBe(true);
});

test('when nothing has been heard for a moment it does not claim to have been checked just now', () => {
	expect(card('running', true, []).body).toContain('Checked');
	live.asOf = Date.now() - 7000;
	const { body } = card('running', true, []);
	live.asOf = null;
	expect(body).toMatch(/No news for [78] s/);
	expect(body).not.toContain('Checked');
});

test('for how long there was no answer is counted while it is shown', () => {
	const reason = 'It runs, but has not answered for 14 s.';
	const silentSince = new Date(Date.now() - 20_000).toISOString();
	const { body } = card('unknown', false, [item('unknown')], { reason, silentSince });
	expect(body).toMatch(/It runs, but has not answered for 2\d s\./);
	expect(body).not.toContain('14 s');
	const asked = 'ada is stopping it, but it has not answered for 2 min 5 s. It may not end.';
	expect(card('stopping', false, [], { reason: asked, silentSince }).body).toMatch(
		/but it has not answered for 2\d s\. It may not end\./
	);
});
