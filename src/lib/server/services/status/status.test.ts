import { expect, test, vi } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import type { AppEvent } from '#events';
import { parseList, parseTickQuery } from '#minecraft/commands';
import type { Installation } from '#minecraft/folder';
import { plainText } from '#minecraft/text';
import { createStatus, publicView } from './index.ts';
import type { Observed } from './probe.ts';

type Deps = Parameters<typeof createStatus>[0];

const RUN = { id: 'one', startedAt: '2026-01-02T03:00:00.000Z' };
const PONG = {
	version: '1.21.1',
	protocol: 767,
	motd: 'A Minecraft Server\nsecond line',
	online: 2,
	max: 20,
	latencyMs: 1.4
};
const FILES: Installation = {
	loader: 'fabric',
	loaderVersion: '0.16.9',
	gameVersion: '1.21.1',
	software: 'Fabric 0.16.9',
	found: true,
	eula: true,
	worldDir: '/srv/world',
	motd: 'From the file',
	maxPlayers: 10,
	game: { host: '127.0.0.1', port: 25565, statusEnabled: true },
	rcon: { enabled: true, host: '127.0.0.1', port: 25575, password: 'secret' },
	command: null,
	problem: null
};
const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-${digit.repeat(12)}`;
const listOf = (...players: [string, string][]) =>
	`There are ${players.length} of a max of 20 players online: ` +
	players.map(([name, digit]) => `${name} (${uuid(digit)})`).join(', ');
const LIST = listOf(['Ana', 'a'], ['Bo', 'b']);
const TICK =
	'The game is running normallyTarget tick rate: 20.0 per second.\n' +
	'Average time per tick: 50.1ms (Target: 50.0ms)Percentiles: P50: 3.3ms P95: 5.1ms P99: 6.0ms, sample: 100';
const never = () => new Promise<never>(() => {});
const offline = () => Promise.reject(new AppError('offline', 'Nobody there.'));

function setup(over: Partial<Deps> = {}) {
	const clock = createManualClock();
	const world = {
		seen: { state: 'running', run: RUN, reason: null, readyAt: null } as Observed,
		files: FILES,
		ping: (async () => PONG) as Deps['ping'],
		list: async () => LIST,
		tick: async () => TICK,
		refused: false
	};
	const calls = { ping: 0, list: 0, tick: 0, probed: [] as boolean[] };
	const facts: AppEvent[] = [];
	const errors: unknown[] = [];
	const service = createStatus({
		observe: async () => world.seen,
		installation: () => world.files,
		probed: (ok) => void calls.probed.push(ok),
		ping: (target) => (calls.ping++, world.ping(target)),
		rcon: {
			command: (line) => {
				expect(line).toBe('list uuids');
				calls.list++;
				return world.list();
			}
		},
		ticks: async () => (calls.tick++, parseTickQuery(await world.tick())),
		parse: { text: plainText, list: parseList },
		names: { server: null, address: null, page: null, host: 'box' },
		rconRefused: () => world.refused,
		publish: (fact) => facts.push(fact),
		log: { error: (_, facts) => errors.push(facts?.cause) },
		clock,
		...over
	});
	return { service, clock, world, calls, facts, errors };
}

test('one answer contains what ping, RCON, process and files know', async () => {
	const { service } = setup();
	expect(await service.get()).toEqual({
		name: 'A Minecraft Server',
		state: 'running',
		online: true,
		address: 'box',
		addressIsGuess: true,
		version: '1.21.1',
		software: 'Fabric 0.16.9',
		motd: 'A Minecraft Server\nsecond line',
		players: { online: 2, max: 20, names: ['Ana', 'Bo'] },
		tps: 20,
		latencyMs: 1,
		via: 'ping',
		startedAt: RUN.startedAt,
		checkedAt: '2026-01-02T03:04:05.000Z',
		reason: null
	});
});

test('a server that cannot be told to pause its saving says so, to those who are signed in, while it runs', async () => {
	const { service, world } = setup();
	const answer = async () => {
		service.invalidate();
		return service.get();
	};
	expect((await answer()).noBackup).toBeUndefined();
	world.refused = true;
	expect((await answer()).noBackup).toContain('refuses the password for RCON');
	world.files = { ...FILES, rcon: { ...FILES.rcon, enabled: false } };
	const off = await answer();
	expect(off.noBackup).toContain('RCON is off');
	expect(publicView(off)).not.toHaveProperty('noBackup');
	world.seen = { state: 'stopped', run: null, reason: null, readyAt: null } as Observed;
	world.ping = offline;
	expect((await answer()).noBackup).toBeUndefined();
});

test('a thousand simultaneous requests cause one probe, and those in the next three seconds none', async () => {
	const { service, clock, calls, facts } = setup();
	const answers = await Promise.all(Array.from({ length: 1000 }, () => service.get()));
	expect(new Set(answers).size).toBe(1);
	await clock.advance(2999);
	await service.get();
	await service.publicJson();
	expect(calls).toMatchObject({ ping: 1, list: 1 });
	expect(facts).toEqual([{ type: 'status', status: answers[0] }]);
	await clock.advance(1);
	await service.get();
	expect(calls).toMatchObject({ ping: 2, list: 2 });
});

test('the first success decides, the slower one still fills fields of the answer', async () => {
	const { service, clock, world, facts } = setup();
	const late = Promise.withResolvers<string>();
	world.list = () => late.promise;
	const asked = service.get();
	await clock.advance(200);
	expect(await asked).toMatchObject({
		online: true,
		via: 'ping',
		players: { online: 2, names: null },
		tps: null
	});
	late.resolve(LIST);
	await settle();
	expect(await service.get()).toMatchObject({
		via: 'ping',
		players: { online: 2, names: ['Ana', 'Bo'] },
		tps: 20
	});
	expect(facts).toHaveLength(2);
	expect(clock.sleeping).toBe(0);
});

test('RCON decides when the ping is slow, and a hanging ping ends after its limit', async () => {
	const { service, clock, world } = setup();
	world.ping = never;
	const asked = service.get();
	await clock.advance(200);
	expect(await asked).toMatchObject({ online: true, via: 'rcon', latencyMs: null });
	await clock.advance(4800);
	expect(clock.sleeping).toBe(0);
});

test('when nobody answers the result comes after 5 s at most, and says so', async () => {
	const { service, clock, world, calls } = setup();
	world.ping = never;
	world.list = never;
	const asked = service.get();
	let settled = false;
	void asked.then(() => (settled = true));
	await clock.advance(4999);
	expect(settled).toBe(false);
	await clock.advance(1);
	expect(await asked).toMatchObject({
		state: 'running',
		online: false,
		via: null,
		players: { online: null, max: 10, names: null },
		reason: 'It did not answer just now (ping and RCON). It is asked again.'
	});
	expect(calls.probed).toEqual([false]);
});

test('while the game hangs the last answer is used, with its age', async () => {
	const { service, clock, world } = setup();
	const before = await service.get();
	[world.ping, world.list] = [never, never];
	await clock.advance(3000);
	const asked = Promise.all([service.get(), service.publicJson()]);
	await clock.advance(300);
	const [answer, json] = await asked;
	expect(answer).toEqual(before);
	expect(JSON.parse(json).checkedAt).toBe(before.checkedAt);
	expect(await service.get()).toEqual(before);
	await clock.advance(4700);
	expect(await service.get()).toMatchObject({ online: false });
	expect(clock.sleeping).toBe(0);
});

test('a server that needs four seconds is slow, not silent', async () => {
	const { service, clock, world, calls } = setup();
	world.files = { ...FILES, rcon: { ...FILES.rcon, enabled: false } };
	world.ping = ({ timeoutMs }) =>
		timeoutMs > 4000 ? clock.sleep(4000).then(() => PONG) : offline();
	const asked = service.get();
	await clock.advance(4200);
	expect(await asked).toMatchObject({ state: 'running', online: true });
	expect(calls.probed).toEqual([true]);
});

test('queries to a hanging server do not pile up', async () => {
	const { service, clock, world } = setup();
	let open = 0;
	let most = 0;
	world.list = () => {
		most = Math.max(most, ++open);
		return never();
	};
	const ended = vi.fn();
	world.ping = ({ signal }) => {
		signal?.addEventListener('abort', ended);
		return Promise.resolve(PONG);
	};
	for (let i = 0; i < 4; i++) {
		const asked = service.get();
		await clock.advance(200);
		expect((await asked).online).toBe(true);
		await clock.advance(1000);
		service.invalidate();
	}
	expect(most).toBe(1);
});

test.each(['stopped', 'crashed'] as const)(
	'only the files are used when it is %s and nothing answers',
	async (state) => {
		const { service, world, calls } = setup();
		[world.ping, world.list] = [offline, offline];
		world.seen = { state, run: null, reason: 'The mod x stopped it.', readyAt: null };
		expect(await service.get()).toMatchObject({
			state,
			online: false,
			name: 'From the file',
			version: '1.21.1',
			players: { online: null, max: 10, names: null },
			tps: null,
			startedAt: null,
			reason: 'The mod x stopped it.'
		});
		expect(calls).toMatchObject({ tick: 0, probed: [] });
	}
);

test('the last run is told while there is none, to visitors too', async () => {
	const { service, world } = setup();
	[world.ping, world.list] = [offline, offline];
	const endedAt = '2026-01-02T03:30:00.000Z';
	const lastRun = { startedAt: RUN.startedAt, endedAt };
	world.seen = { ...NOBODY, endedAt, lastRun };
	expect((await service.get()).lastRun).toEqual(lastRun);
	expect(await service.get()).not.toHaveProperty('crashedAt');
	expect(JSON.parse(await service.publicJson())).toHaveProperty('lastRun.endedAt', endedAt);
	// What answers may be a later run.
	const seen = setup();
	seen.world.seen = world.seen;
	expect(await seen.service.get()).not.toHaveProperty('lastRun');
});

const NOBODY: Observed = { state: 'stopped', run: null, reason: null, readyAt: null };

test.each<[string, (world: ReturnType<typeof setup>['world']) => void, 'ping' | 'rcon']>([
	['the ping', (world) => (world.list = offline), 'ping'],
	['RCON', (world) => (world.ping = offline), 'rcon']
])('a server without a process that answers %s is unknown, not stopped', async (_, lose, via) => {
	const { service, world, calls, clock } = setup();
	lose(world);
	for (const state of ['stopped', 'crashed'] as const) {
		world.seen = { ...NOBODY, state, reason: 'It ended.' };
		expect(await service.get()).toMatchObject({
			...{ state: 'unknown', online: true, via, startedAt: null, players: { online: 2 } },
			reason: 'Something answers at the server’s address, but its process is not visible from here.'
		});
		await clock.advance(3000);
	}
	expect(calls).toMatchObject({ tick: 0, probed: [] });
	[world.ping, world.list] = [offline, offline];
	await clock.advance(3000);
	expect(await service.get()).toMatchObject({ state: 'crashed', online: false, via: null });
	expect(service.players()).toEqual([]);
});

test('what answers where an empty folder would have its server is not ours, and nothing of it is shown', async () => {
	const { service, world, clock, calls } = setup();
	world.seen = NOBODY;
	world.files = { ...FILES, ...{ found: false, command: null, motd: null, software: null } };
	const nothing = {
		state: 'stopped',
		online: false,
		via: null,
		name: 'A Minecraft server',
		motd: null
	};
	expect(await service.get()).toMatchObject({
		...nothing,
		players: { online: null, names: null },
		latencyMs: null,
		reason: expect.stringMatching(/^Something else answers on port 25565\./)
	});
	expect(service.players()).toEqual([]);
	expect(calls.probed).toEqual([]);
	// A server of ours in the folder: it may be this one.
	world.files = FILES;
	await clock.advance(3000);
	expect(await service.get()).toMatchObject({ state: 'unknown', players: { online: 2 } });
	world.files = { ...FILES, found: false, command: null, motd: null };
	[world.ping, world.list] = [offline, offline];
	await clock.advance(3000);
	expect(await service.get()).toMatchObject({ ...nothing, reason: null });
});

test('what answers on a port that ours found taken, and refuses its password, is not ours either', async () => {
	const { service, world, clock } = setup();
	const reason = 'Port 25565 is already in use.';
	world.seen = { ...NOBODY, state: 'crashed', reason, diagnosis: { code: 'port' } };
	// One that takes the password was left over from ours.
	expect(await service.get()).toMatchObject({ state: 'unknown', players: { online: 2 } });
	world.refused = true;
	await clock.advance(3000);
	const other = { state: 'crashed', online: false, reason, players: { online: null } };
	expect(await service.get()).toMatchObject(other);
	expect(service.players()).toEqual([]);
	world.seen = { ...NOBODY, state: 'crashed', reason, diagnosis: { code: 'memory' } };
	await clock.advance(3000);
	expect(await service.get()).toMatchObject({ state: 'unknown', online: true });
});

test('a stopped server is probed once for all, and a silent port delays nobody', async () => {
	const { service, world, calls, clock, facts } = setup();
	world.seen = NOBODY;
	[world.ping, world.list] = [offline, offline];
	const answers = await Promise.all(Array.from({ length: 100 }, () => service.get()));
	expect(new Set(answers).size).toBe(1);
	expect(answers[0]).toMatchObject({ state: 'stopped', online: false });
	expect(calls).toMatchObject({ ping: 1, list: 1 });
	expect(clock.sleeping).toBe(0);
	await clock.advance(3000);
	const late = Promise.withResolvers<typeof PONG>();
	world.ping = () => late.promise;
	world.list = never;
	service.invalidate();
	const asked = service.get();
	await clock.advance(300);
	expect(await asked).toMatchObject({ state: 'stopped' });
	late.resolve(PONG);
	await clock.advance(5000);
	expect(facts.at(-1)).toMatchObject({ status: { state: 'unknown', via: 'ping' } });
});

test('an answer turns starting and unknown into running, but a stopping server stays stopping', async () => {
	for (const [seen, shown] of [
		['starting', 'running'],
		['unknown', 'running'],
		['stopping', 'stopping']
	] as const) {
		const { service, world, calls } = setup();
		world.seen = { ...world.seen, state: seen, reason: `It is ${seen}.` };
		const status = await service.get();
		expect(status.state).toBe(shown);
		expect(status.reason).toBe(shown === 'running' ? null : 'It is stopping.');
		expect(calls.probed).toEqual([true]);
	}
	const { service, world } = setup();
	world.seen = { ...world.seen, state: 'starting' };
	world.ping = offline;
	world.list = offline;
	expect(await service.get()).toMatchObject({ state: 'starting', online: false, reason: null });
});

test('only what server.properties enables is queried', async () => {
	const { service, world, calls } = setup();
	world.files = {
		...FILES,
		game: { ...FILES.game, statusEnabled: false },
		rcon: { ...FILES.rcon, enabled: false }
	};
	expect(await service.get()).toMatchObject({
		state: 'running',
		online: false,
		reason: expect.stringMatching(/both off/)
	});
	expect(calls).toEqual({ ping: 0, list: 0, tick: 0, probed: [] });
});

test('fields are kept for this run of the server, and forgotten with it', async () => {
	const { service, clock, world } = setup();
	await service.get();
	world.ping = offline;
	world.list = offline;
	world.files = { ...FILES, software: 'Fabric 0.17.0', gameVersion: '1.21.4' };
	await clock.advance(60_000);
	expect(await service.get()).toMatchObject({
		online: false,
		version: '1.21.1',
		software: 'Fabric 0.16.9',
		motd: PONG.motd,
		players: { online: null, max: 20, names: null },
		tps: null
	});
	world.seen = { ...world.seen, run: { ...RUN, id: 'two' } };
	await clock.advance(3000);
	expect(await service.get()).toMatchObject({
		version: '1.21.4',
		software: 'Fabric 0.17.0',
		motd: 'From the file',
		players: { max: 10 }
	});
});

test('pending queries of one run are not sent to the next one', async () => {
	const { service, world, calls, clock } = setup();
	world.list = never;
	const asked: Promise<unknown>[] = [];
	for (const id of ['one', 'one', 'one', 'two']) {
		world.seen = { ...world.seen, run: { ...RUN, id } };
		service.invalidate();
		asked.push(service.get());
		await settle();
	}
	expect(calls.list).toBe(2);
	await clock.advance(10_000);
	await Promise.all(asked);
	expect(calls.list).toBe(2);
});

test('the tick rate is queried once RCON has answered, and nobody waits for it', async () => {
	const { service, clock, world, calls } = setup();
	world.tick = never;
	const first = service.get();
	await clock.advance(200);
	expect(await first).toMatchObject({ players: { online: 2 }, tps: null, via: 'ping' });
	await clock.advance(5000);

	world.tick = async () => TICK;
	expect((await service.get()).tps).toBe(20);
	world.list = offline;
	const asked = calls.tick;
	await clock.advance(3000);
	await service.get();
	expect(calls.tick).toBe(asked);
});

test('names and nonsense from the game do no harm', async () => {
	const { service, world } = setup();
	world.ping = async () => ({
		...PONG,
		version: 'Paper 1.21.8',
		motd: '§4Hi\u202eevil\u0007\n\n<b>x</b>',
		online: -5,
		max: NaN
	});
	world.list = async () =>
		listOf(
			['\u202eAna\u0000', 'a'],
			['\u200d', 'b'],
			['x'.repeat(60), 'c'],
			['<img onerror=1>', 'd']
		);
	expect(await service.get()).toMatchObject({
		name: 'Hievil',
		version: '1.21.8',
		motd: 'Hievil\n<b>x</b>',
		players: { online: 4, max: 20, names: ['Ana', `${'x'.repeat(47)}…`, '<img onerror=1>'] }
	});
});

test('an answer to list that cannot be parsed keeps the ping’s numbers', async () => {
	const { service, world } = setup();
	world.list = async () => 'Es sind 2 Spieler online';
	expect(await service.get()).toMatchObject({ players: { online: 2, names: null } });
	world.list = offline;
});

test('an online player has a since only when the arrival was seen', async () => {
	const { service, clock, world } = setup();
	await service.get();
	expect(service.players()).toEqual([
		{ name: 'Ana', uuid: uuid('a'), since: null },
		{ name: 'Bo', uuid: uuid('b'), since: null }
	]);
	world.list = async () => listOf(['Ana', 'a'], ['Cy', 'c']);
	await clock.advance(5000);
	await service.get();
	const since = '2026-01-02T03:04:10.000Z';
	expect(service.players()).toEqual([
		{ name: 'Ana', uuid: uuid('a'), since: null },
		{ name: 'Cy', uuid: uuid('c'), since }
	]);
	await clock.advance(5000);
	await service.get();
	expect(service.players()[1]!.since).toBe(since);
});

test('a wrong RCON password is reported, a server that is not up yet is not', async () => {
	const { service, world } = setup();
	world.list = () =>
		Promise.reject(new AppError('offline', 'RCON refuses the password.', { code: 'rcon-auth' }));
	expect(await service.get()).toMatchObject({
		online: true,
		reason: 'RCON refuses the password.'
	});
});

test('a bug is logged and yields unknown instead of failing', async () => {
	const bug = new Error('bug');
	const { service, errors, clock } = setup({ observe: () => Promise.reject(bug) });
	expect(await service.get()).toMatchObject({
		state: 'unknown',
		online: false,
		name: 'A Minecraft server'
	});
	expect(JSON.parse(await service.publicJson())).toMatchObject({ state: 'unknown', reason: null });
	expect(errors).toEqual([bug]);
	expect(clock.sleeping).toBe(0);
});

test('a change of state invalidates the answer, and is published at once while somebody watches', async () => {
	const { service, clock, world, facts } = setup();
	service.invalidate();
	await settle();
	expect(facts).toEqual([]);

	await service.get();
	world.seen = { state: 'crashed', run: null, reason: 'Out of memory.', readyAt: null };
	[world.ping, world.list] = [offline, offline];
	service.invalidate();
	await settle();
	expect(facts.at(-1)).toMatchObject({ status: { state: 'crashed' } });
	expect((await service.get()).state).toBe('crashed');

	await clock.advance(11_000);
	const before = facts.length;
	service.invalidate();
	await settle();
	expect(facts).toHaveLength(before);
});

test('an answer from before a change is never cached after it', async () => {
	const { service, world } = setup();
	const slow = Promise.withResolvers<Observed>();
	let first = true;
	const { service: racing, world: other } = setup({
		observe: () =>
			first
				? ((first = false), slow.promise)
				: Promise.resolve({ ...world.seen, run: null, state: 'stopped' })
	});
	[other.ping, other.list] = [offline, offline];
	const early = racing.get();
	await settle();
	racing.invalidate();
	const late = racing.get();
	expect((await late).state).toBe('stopped');
	slow.resolve(world.seen);
	expect((await early).state).toBe('running');
	expect((await racing.get()).state).toBe('stopped');
	service.close();
});

test('nobody is shown online by an answer requested before they were kicked', async () => {
	const { service, clock, world } = setup();
	const [list, tick] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
	world.list = () => list.promise;
	world.tick = () => tick.promise;
	const early = service.get();
	await settle();
	service.invalidate();
	world.list = async () => listOf(['Ana', 'a']);
	const late = service.get();
	list.resolve(LIST);
	await clock.advance(200);
	expect((await late).players.names).toEqual(['Ana']);
	await early;
	// Now the whole of the early answer is there too.
	tick.resolve(TICK);
	await settle();
	expect((await service.get()).players).toMatchObject({ names: ['Ana'] });
	expect(service.players().map(({ name }) => name)).toEqual(['Ana']);
});

/** Ana and Bo were there; the ping counts so many now, and the list is on its way. */
async function counted(online: number) {
	const { service, clock, world } = setup();
	await service.get();
	world.ping = async () => ({ ...PONG, online });
	world.list = never;
	await clock.advance(3000);
	const asked = service.get();
	await clock.advance(200);
	return { service, clock, players: (await asked).players };
}

test('somebody who joins takes nobody off the list while it is on its way', async () => {
	const { service, clock, players } = await counted(3);
	expect(players).toMatchObject({ online: 3, names: null });
	expect(service.players().map(({ name }) => name)).toEqual(['Ana', 'Bo']);
	// Nobody has said so for too long.
	await clock.advance(15_000);
	expect(service.players()).toEqual([]);
});

test('whoever counts nobody takes all off the list, which is on its way', async () => {
	const { service, players } = await counted(0);
	expect(players).toMatchObject({ online: 0, names: [] });
	expect(service.players()).toEqual([]);
});

test('nobody is listed as online while the server does not answer', async () => {
	const { service, clock, world } = setup();
	await service.get();
	expect(service.players()).toHaveLength(2);
	world.seen = { ...world.seen, state: 'unknown', reason: 'It does not answer.' };
	world.ping = offline;
	world.list = offline;
	await clock.advance(3000);
	expect((await service.get()).players).toMatchObject({ online: null, names: null });
	expect(service.players()).toEqual([]);
});

test('a probe that makes the server ready does not start another by itself', async () => {
	const { service, calls } = setup({
		probed: () => service.invalidate()
	});
	await service.get();
	await settle();
	await service.get();
	expect(calls.ping).toBe(1);
});

test('a probe that finds a hung server is followed by an answer that says so', async () => {
	const all = setup({
		probed(ok) {
			if (ok || all.world.seen.state === 'unknown') return;
			all.world.seen = { ...all.world.seen, state: 'unknown', reason: 'It hangs.' };
			all.service.invalidate();
		}
	});
	all.world.ping = offline;
	all.world.list = offline;
	await all.service.get();
	await settle();
	expect(all.facts.at(-1)).toMatchObject({ status: { state: 'unknown', reason: 'It hangs.' } });
	expect(all.calls.ping).toBe(2);
});

test('an unresponsive server is announced before it is probed once more', async () => {
	const { service, clock, world, facts, calls } = setup();
	world.ping = never;
	world.list = never;
	world.seen = { ...world.seen, state: 'unknown', reason: 'It hangs.' };
	const first = service.get();
	await settle();
	const told = { state: 'unknown', online: false, reason: 'It hangs.' };
	expect(facts).toMatchObject([{ status: told }]);
	expect(await service.get()).toMatchObject(told);
	await clock.advance(5000);
	expect(await first).toMatchObject(told);
	expect(calls).toMatchObject({ ping: 1, list: 1, probed: [false] });
});

test('of a server that hangs the next state is told at once, and whoever waits gets it too', async () => {
	const { service, clock, world, facts } = setup();
	world.ping = never;
	world.list = never;
	world.seen = { ...world.seen, state: 'unknown', hanging: true };
	const first = service.get();
	await settle();
	await clock.advance(5000);
	await first;
	world.seen = { ...world.seen, state: 'stopping', reason: 'ada is restarting it.' };
	service.invalidate();
	const asked = service.get();
	await settle();
	const told = { state: 'stopping', hanging: true, reason: 'ada is restarting it.' };
	expect(facts.at(-1)).toMatchObject({ status: told });
	await clock.advance(300);
	expect(await asked).toMatchObject(told);
	await clock.advance(5000);
});

test('a server that hangs is said to only to people who are signed in, and not while it answers', async () => {
	const { service, world } = setup();
	world.ping = offline;
	world.list = offline;
	world.seen = { ...world.seen, state: 'unknown', hanging: true };
	expect(await service.get()).toMatchObject({ state: 'unknown', hanging: true });
	expect(JSON.parse(await service.publicJson())).not.toHaveProperty('hanging');

	const answering = setup();
	answering.world.seen = { ...answering.world.seen, state: 'unknown', hanging: true };
	expect(await answering.service.get()).not.toMatchObject({ state: 'unknown' });
	await settle();
	expect(await answering.service.get()).not.toHaveProperty('hanging');
});

test('the address comes from the configuration, else from server-ip, PUBLIC_URL and the host name', async () => {
	const at = async (
		host: string,
		port: number,
		address: string | null = null,
		more: { page?: string; host?: string } = {}
	) => {
		const { service, world } = setup({
			names: { server: 'Home', address, page: null, host: 'box', ...more }
		});
		world.files = { ...FILES, game: { ...FILES.game, host, port } };
		const status = await service.get();
		expect(status.name).toBe('Home');
		return status.addressIsGuess ? `perhaps ${status.address}` : status.address;
	};
	expect(await at('127.0.0.1', 25565)).toBe('perhaps box');
	expect(await at('0.0.0.0', 25570)).toBe('perhaps box:25570');
	expect(await at('203.0.113.7', 25565)).toBe('203.0.113.7');
	expect(await at('2001:db8::1', 25570)).toBe('[2001:db8::1]:25570');
	expect(await at('203.0.113.7', 25570, 'play.example.org')).toBe('play.example.org');
	expect(await at('169.254.1.1', 25565)).toBe('perhaps 169.254.1.1');
	const page = 'mc.example.org';
	expect(await at('127.0.0.1', 25570, null, { page })).toBe('mc.example.org:25570');
	expect(await at('203.0.113.7', 25565, null, { page })).toBe('203.0.113.7');
	expect(await at('127.0.0.1', 25565, 'play.example.org', { page })).toBe('play.example.org');
	expect(await at('127.0.0.1', 25570, null, { page: '2001:db8::1' })).toBe('[2001:db8::1]:25570');
	expect(await at('127.0.0.1', 25565, null, { page: 'localhost' })).toBe('perhaps box');
	expect(await at('127.0.0.1', 25565, null, { host: 'box.example.org' })).toBe('box.example.org');
	expect(await at('127.0.0.1', 25565, null, { host: 'localhost' })).toBe('localhost');
});

test('anonymous visitors get no names, tick rate or reason', async () => {
	const { service, world } = setup();
	world.seen = { ...world.seen, reason: 'private' };
	const body = JSON.parse(await service.publicJson());
	expect(body).toEqual(publicView(await service.get()));
	expect(body).toMatchObject({ players: { online: 2, names: null }, tps: null, reason: null });
	expect(await service.publicJson()).toBe(await service.publicJson());
});
