import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { LiveEvents } from '#schemas/live';
import { Operation, Step } from '#schemas/operation';
import { startFakePing } from '../fakes/game/ping.ts';
import { startFakeRcon } from '../fakes/game/rcon.ts';
import { readSse } from '../fakes/sse-reader.ts';
import {
	ADMIN,
	SUPERADMIN,
	eventually,
	processesIn,
	seedDemo,
	signedIn,
	type Dashboard,
	type Visitor
} from '../harness.ts';
import { dashboardWith, opened } from './kit/opened.ts';
import {
	ask,
	bareSocket,
	largeOperation,
	newHome,
	runProgram,
	socketsOf,
	soundEnv
} from './kit/program.ts';

vi.setConfig({ testTimeout: 60_000 });

const UNKNOWN_ID = '20200101T000000000Z-0000';

type Opened = ReturnType<typeof readSse> & { response: Response };
async function open(visitor: Visitor, target = '/api/events', headers = {}): Promise<Opened> {
	const response = await visitor.fetch(target, { headers });
	if (response.status !== 200) throw new Error(`${target} answered ${await response.text()}`);
	return Object.assign(readSse(response), { response });
}
/** Any of the states that a stream passes through; awaited by looking, as nothing else tells of them. */
const until = (what: () => boolean, limitMs?: number) =>
	eventually(
		async () => what(),
		(yes) => yes,
		limitMs
	);
const kinds = (stream: Opened) => stream.events.map(({ event }) => event);

let dashboard: Dashboard;
let admin: Visitor;
beforeAll(async () => {
	dashboard = await dashboardWith();
	admin = await signedIn(dashboard, ADMIN);
});

describe('before the first byte', () => {
	const streams = ['/api/events', `/api/operations/${UNKNOWN_ID}/events`];

	test.each(streams)('%s answers a client that is not logged in with a problem', async (target) => {
		const [name] = /craftwarden_session_\w+/.exec(admin.cookie)!;
		const cookies = ['', `${name}=x`, `${name}=${'a.'.repeat(4)}a`];
		for (const cookie of cookies) {
			const headers = { accept: 'text/event-stream', ...(cookie && { cookie }) };
			const answer = await ask(dashboard.url, target, { headers });
			expect(answer.status, cookie).toBe(401);
			expect(answer.headers['content-type']).toBe('application/problem+json');
			expect(JSON.parse(answer.body)).toMatchObject({ status: 401, code: 'unauthorized' });
		}
	});

	test.each(streams)('%s answers nothing but GET', async (target) => {
		for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
			const answer = await admin.fetch(target, { method });
			expect(answer.status, method).toBe(405);
			expect(answer.headers.get('allow')).toBe('GET');
		}
	});

	test.each([UNKNOWN_ID, 'x', 'x%2fy', `${UNKNOWN_ID}%0a`, '__proto__', 'x'.repeat(3000)])(
		'there is no stream of the operation %s',
		async (id) => {
			const { status, body } = await admin.json(`/api/operations/${id}/events`);
			expect([status, body.status]).toEqual([404, 404]);
		}
	);
});

test('whatever a client claims to have seen last, it gets everything again', async () => {
	const claims = ['', 'garbage', '-1', '1e30', '0', '\u00ff\u00fe', 'x'.repeat(8000), '{"a":1}'];
	for (const claim of claims) {
		const stream = await open(admin, '/api/events', { 'last-event-id': claim });
		await until(() => stream.events.length >= 3);
		expect(kinds(stream).slice(0, 3)).toEqual(['status', 'players', 'chat']);
		await stream.leave();
	}
});

test('readers that lose the stream together are told different times to reconnect', async () => {
	const streams = await Promise.all(Array.from({ length: 12 }, () => open(admin)));
	await until(() => streams.every(({ state }) => state.retry !== null));
	expect(new Set(streams.map(({ state }) => state.retry)).size).toBeGreaterThan(3);
	await Promise.all(streams.map((stream) => stream.leave()));
});

test('an operation is sent from its beginning, then live, and its end ends the stream', async () => {
	const live = await open(admin);
	const { body } = await admin.json('/api/server/start', {});
	const target = `/api/operations/${body.operation.id}/events`;
	const watchers = await Promise.all([open(admin, target), open(admin, target)]);
	const leaver = await open(admin, target);
	await leaver.leave();
	await Promise.all(watchers.map(({ done }) => done));

	for (const watcher of watchers) {
		expect(watcher.state.ended).toBe(true);
		expect(kinds(watcher)[0]).toBe('operation');
		expect(kinds(watcher).slice(1, -1).join()).toMatch(/^(step|log)(,(step|log))*$/);
		expect(kinds(watcher).at(-1)).toBe('end');
		const [first, last] = [watcher.of('operation')[0], watcher.of('end')[0]];
		expect(Operation.parse(first).state).toBe('running');
		const end = Operation.parse(last);
		expect(end).toMatchObject({ id: body.operation.id, state: 'succeeded' });
		expect(end.steps.map(({ status }) => status)).toEqual(['done', 'done']);
		for (const step of watcher.of('step')) Step.parse(step);
	}
	const late = await open(admin, target);
	await late.done;
	expect(kinds(late)).toEqual(['operation', 'end']);
	expect(late.of('end')).toEqual(watchers[0]!.of('end'));

	// The live stream has told the same in short, and that the server runs.
	const lastOf = (event: string) =>
		live.of(event).at(-1) as { id?: string; state: string } | undefined;
	await until(() => lastOf('status')?.state === 'running');
	await until(() => lastOf('operation')?.state === 'succeeded');
	expect(lastOf('operation')?.id).toBe(body.operation.id);
	await live.leave();
});

describe('a few streams for each account', () => {
	let own: Dashboard;
	beforeAll(async () => {
		own = await dashboardWith({ STREAMS_PER_ACCOUNT: '3' });
	});
	/** As many streams at once, or none. */
	const full = async (count: number, visitor: Visitor) => {
		const tries = await Promise.allSettled(Array.from({ length: count }, () => open(visitor)));
		const streams = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
		if (streams.length === count) return streams;
		await Promise.all(streams.map((stream) => stream.leave()));
		throw new Error(`Only ${streams.length} of ${count} streams were opened`);
	};

	test('the fourth is refused and told when to retry, until one leaves', async () => {
		const bob = await signedIn(own, ADMIN);
		const streams = await full(3, bob);
		const refused = await bob.json('/api/events');
		expect(refused.status).toBe(503);
		expect(refused.headers.get('content-type')).toBe('application/problem+json');
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(refused.body.detail).toMatch(/3 live streams/);
		// Also over another session of the account, and for the streams of operations; nobody else is affected.
		expect((await (await signedIn(own, ADMIN)).json('/api/events')).status).toBe(503);
		const ada = await signedIn(own, SUPERADMIN);
		const other = await open(ada);
		expect(streams.every(({ state }) => !state.ended)).toBe(true);

		await streams[0]!.leave();
		await eventually(
			() => bob.fetch('/api/events'),
			({ status, body }) => (void body?.cancel(), status === 200)
		);
		await Promise.all([...streams, other].map((stream) => stream.leave()));
	});

	test('clients that disconnect free their slots, and nothing else happens', async () => {
		const bob = await signedIn(own, ADMIN);
		const get = `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${bob.cookie}\r\n\r\n`;
		for (let round = 0; round < 10; round++) {
			const sockets = await Promise.all([0, 1, 2].map(() => bareSocket(own.url, get)));
			if (round % 2) await Promise.all(sockets.map(firstBytes));
			for (const socket of sockets) socket.resetAndDestroy();
		}
		const streams = await eventually(
			() => full(3, bob).catch(() => null),
			(opened) => opened !== null
		);
		await Promise.all(streams!.map((stream) => stream.leave()));
		expect(own.output()).not.toMatch(/error/i);
	});

	test('logging out ends the streams of that session, `everywhere` those of the account', async () => {
		const [one, two] = [await signedIn(own, ADMIN), await signedIn(own, ADMIN)];
		const ada = await signedIn(own, SUPERADMIN);
		const [first, second, third] = [await open(one), await open(two), await open(ada)];
		await until(() => [first, second, third].every(({ events }) => events.length >= 3));

		await one.form('/logout');
		await until(() => first.state.ended, 2000);
		expect([second.state.ended, third.state.ended]).toEqual([false, false]);
		const again = await signedIn(own, ADMIN);
		const fourth = await open(again);
		await again.form('/logout', { everywhere: '1' });
		await until(() => second.state.ended && fourth.state.ended, 2000);
		expect(third.state.ended).toBe(false);
		expect((await two.json('/api/events')).status).toBe(401);
		await third.leave();
	});
});

const firstBytes = (socket: Socket) => new Promise((resolve) => socket.once('data', resolve));

const lists = (commands: string[]) => commands.filter((line) => line.startsWith('list')).length;

describe.concurrent('with a dashboard for each', () => {
	test('it begins with the current state and continues in its rhythm', async () => {
		const own = await dashboardWith();
		const stream = await open(await signedIn(own, ADMIN));
		const { headers } = stream.response;
		expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
		expect(headers.get('cache-control')).toContain('no-store');
		expect(headers.get('x-accel-buffering')).toBe('no');
		expect(headers.get('content-encoding')).toBeNull();

		await until(() => stream.of('heartbeat').length > 0, 30_000);
		expect(kinds(stream).slice(0, 3)).toEqual(['status', 'players', 'chat']);
		expect(stream.of('chat')[0]).toEqual({ messages: [] });
		// One tick in 5 s, one heartbeat in 15 s: beside the first there are three, or one fewer when they cross.
		const ticks = kinds(stream).filter((kind) => kind === 'status').length - 1;
		expect(ticks).toBeGreaterThanOrEqual(2);
		expect(ticks).toBeLessThanOrEqual(4);
		for (const { event, data } of stream.events) {
			expect(Object.keys(LiveEvents)).toContain(event);
			LiveEvents[event as keyof typeof LiveEvents].parse(data);
		}
		expect(stream.state.retry).toBeGreaterThanOrEqual(1000);
		const blocks = stream.state.text.split('\n\n').filter(Boolean);
		for (const block of blocks) expect(block).toMatch(/^(retry: \d+|event: [a-z]+\ndata: .+)$/);
		await stream.leave();
	});

	test('a reader that reads nothing is dropped, and the others continue', async () => {
		const own = await dashboardWith({ STREAMS_PER_ACCOUNT: '2' });
		const id = await largeOperation(own.dataDir);
		const bob = await signedIn(own, ADMIN);
		const base = await socketsOf(own.pid);
		const get = (target: string) =>
			`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${bob.cookie}\r\n\r\n`;
		// The answer before it fills the connection, so that not a byte of the stream can leave.
		const stuck = await bareSocket(own.url);
		stuck.pause();
		stuck.write(get(`/api/operations/${id}`) + get('/api/events'));
		const good = await open(bob);
		await eventually(
			() => bob.fetch('/api/events'),
			({ status, body }) => (void body?.cancel(), status === 503)
		);
		// It counts as one of the two until it is hung up on.
		const next = await eventually(
			() => open(bob).catch(() => null),
			(opened) => opened !== null,
			30_000
		);
		const ticks = good.of('status').length;
		await until(() => good.of('status').length > ticks);
		expect([good.state.ended, next!.state.ended]).toEqual([false, false]);
		await Promise.all([good.leave(), next!.leave()]);
		stuck.destroy();

		// An ended stream that nobody fetches does not linger either.
		const lazy = await bareSocket(own.url);
		lazy.pause();
		lazy.write(get(`/api/operations/${id}/events`));
		await eventually(
			() => socketsOf(own.pid),
			(count) => count <= base
		);
		lazy.destroy();
	});

	test('three hundred clients are served by one probe', async () => {
		const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-server-'));
		const hostile = 'A\n\nevent: admin\ndata: {}\r\u2028<img src=x onerror=alert(1)>';
		const ping = await startFakePing({
			fault: 'rst-on-connect',
			status: {
				description: hostile,
				players: { max: 20, online: 1 },
				version: { name: '1.21.1', protocol: 767 }
			}
		});
		const rcon = await startFakeRcon({ connect: 'close' });
		const properties = [
			...['enable-status=true', 'enable-rcon=true', `server-port=${ping.port}`],
			...[`rcon.port=${rcon.address.port}`, `rcon.password=${rcon.address.password}`]
		];
		await writeFile(path.join(dir, 'server.properties'), properties.join('\n'));
		opened.push(() => Promise.all([ping.close(), rcon.close(), rm(dir, { recursive: true })]));
		const own = await dashboardWith({
			SERVER_DIR: dir,
			SERVER_COMMAND: JSON.stringify([process.execPath, '-e', 'setInterval(() => {}, 1000)']),
			STREAMS_PER_ACCOUNT: '300'
		});
		const bob = await signedIn(own, ADMIN);
		expect((await bob.json('/api/server/start', {})).status).toBe(202);
		ping.script.fault = undefined;
		rcon.script.connect = 'accept';
		await eventually(
			async () => (await bob.json('/api/status')).body.state,
			(state) => state === 'running'
		);

		const streams = await Promise.all(Array.from({ length: 300 }, () => open(bob)));
		await until(() => streams.every(({ events }) => events.length >= 3));
		expect((await bob.json('/api/events')).status).toBe(503);
		const before = { pings: ping.handshakes.length, lists: lists(rcon.commands) };
		const seen = streams.map((stream) => stream.of('status').length);
		await until(() => streams.every((one, i) => one.of('status').length >= seen[i]! + 2), 30_000);
		// One for each tick, and what else happens to be asked meanwhile; one for each client would be 300 times that.
		const ticks = streams[0]!.of('status').length - seen[0]!;
		expect(ping.handshakes.length - before.pings).toBeLessThanOrEqual(2 * ticks + 4);
		expect(lists(rcon.commands) - before.lists).toBeLessThanOrEqual(2 * ticks + 4);
		expect(ping.handshakes.length).toBeGreaterThan(before.pings);
		for (const { events, state } of streams) {
			expect(events.every(({ event }) => Object.hasOwn(LiveEvents, event))).toBe(true);
			expect(state.text).not.toMatch(/^event: admin|\u2028/m);
		}

		// All their places are free again; that nobody asks the server then is held beside the live service.
		await Promise.all(streams.map((stream) => stream.leave()));
		const free = () => bob.fetch('/api/events');
		const taken = streams.map(() => eventually(free, ({ status }) => status === 200));
		await Promise.all((await Promise.all(taken)).map(({ body }) => body?.cancel()));
	});

	test('SIGTERM ends a hundred streams and everything else still open, with exit code 0', async () => {
		const home = await newHome();
		const env = { ...soundEnv(home), STREAMS_PER_ACCOUNT: '200', DEMO_BOOT_MS: '60000' };
		const gameDir = path.join(env.DATA_DIR, 'demo');
		await seedDemo(env.DATA_DIR);
		const program = runProgram(home, env);
		opened.push(async () => {
			program.kill('SIGKILL');
			await program.ended;
			for (const pid of await processesIn(gameDir)) process.kill(pid, 'SIGKILL');
			await rm(home, { recursive: true, force: true, maxRetries: 5 });
		});
		const url = await program.listening;
		if (!url) throw new Error(program.output());
		const id = await largeOperation(env.DATA_DIR);
		const bob = await signedIn({ url }, ADMIN);
		const { body } = await bob.json('/api/server/start', {});
		const target = `/api/operations/${body.operation.id}/events`;
		const streams = await Promise.all(
			Array.from({ length: 100 }, (_, i) => open(bob, i % 10 ? '/api/events' : target))
		);
		await until(() => streams.every(({ events }) => events.length > 0));
		const head = `Host: 127.0.0.1\r\nCookie: ${bob.cookie}\r\n`;
		const hangers = await Promise.all([
			bareSocket(url, `GET / HTTP/1.1\r\n${head}X-Half: `),
			bareSocket(url, `GET /healthz HTTP/1.1\r\n${head}\r\n`),
			bareSocket(url, `GET /api/operations/${id}/events HTTP/1.1\r\n${head}\r\n`)
		]);
		for (const socket of hangers) socket.pause();

		program.kill('SIGTERM');
		// A forced end, after four seconds, would have another code.
		expect(await program.ended).toEqual({ code: 0, signal: null });
		await Promise.all(streams.map(({ done }) => done));
		expect(streams.filter(({ state }) => !state.ended)).toEqual([]);
		expect(await processesIn(gameDir)).toHaveLength(1);
		for (const socket of hangers) socket.destroy();
	});
});
