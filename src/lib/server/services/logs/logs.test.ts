import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
	createLogFolder,
	logLine,
	messagesOf,
	type LogFolder
} from '../../../../../tests/fakes/game/log-folder.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { soon } from '../../../../../tests/soon.ts';
import { LogPageQuery, type LogHit } from '#schemas/log';
import { systemClock, type Clock } from '#core/clock';
import { blamedLines } from '#minecraft/diagnosis';
import { createFollower, type Follower } from '#minecraft/follow';
import { createLogMask } from '#minecraft/mask';
import { stripCodes } from '#minecraft/text';
import { disposition } from '#core/net';
import { createLogs, type Logs } from './index.ts';

const SECRET = 'hunter2-rcon';
const LINE = `Steve[/203.0.113.7:1] said ${SECRET}`;

let folder: LogFolder;
const open: { close(): void }[] = [];
beforeEach(() => {
	folder = createLogFolder();
});
afterEach(() => {
	for (const one of open.splice(0)) one.close();
	folder.remove();
});

function setup({ clock = systemClock as Clock, secrets = [SECRET] } = {}) {
	const follower: Follower = createFollower({ file: folder.at('latest.log'), pollMs: 2, clock });
	const errors: unknown[] = [];
	const logs: Logs = createLogs({
		reader: folder.reader,
		mask: createLogMask,
		secrets: async () => secrets,
		follower,
		plain: stripCodes,
		blamedLines,
		about: async () => ['Minecraft 1.21.1', 'Fabric 0.16.9', 'Craftwarden 0.1.0'],
		log: { error: (_, { cause }) => void errors.push(cause) },
		clock
	});
	open.push(logs, follower);
	return { logs, errors, secrets };
}
const query = (fields: Record<string, string> = {}) => LogPageQuery.parse(fields);
describe('reading', () => {
	test('hides secrets from everybody and addresses from admins', async () => {
		folder.write('latest.log', logLine(LINE));
		const { logs } = setup();
		expect(messagesOf(await logs.read(query(), 'admin'))).toEqual(['Steve[/***] said ***']);
		expect(messagesOf(await logs.read(query(), 'superadmin'))).toEqual([
			'Steve[/203.0.113.7:1] said ***'
		]);
	});

	test('a secret that is changed stays hidden, and the new one is hidden too', async () => {
		folder.write('latest.log', logLine('old-secret new-secret'));
		const { logs, secrets } = setup({ clock: createManualClock(), secrets: ['old-secret'] });
		await logs.read(query(), 'superadmin');
		secrets.splice(0, 1, 'new-secret');
		expect(messagesOf(await logs.read(query({ lines: '9' }), 'superadmin'))).toEqual(['*** ***']);
	});

	test('when the secrets are unknown, nothing is shown', async () => {
		folder.write('latest.log', logLine(LINE));
		const { logs } = setup();
		const failing = createLogs({
			...{ reader: folder.reader, mask: createLogMask, plain: stripCodes, clock: systemClock },
			secrets: () => Promise.reject(new Error('no')),
			follower: { subscribe: () => () => {} },
			blamedLines,
			about: async () => [],
			log: { error: () => {} }
		});
		await expect(failing.read(query(), 'superadmin')).rejects.toThrow('no');
		failing.close();
		expect((await logs.read(query(), 'admin')).entries).toHaveLength(1);
	});

	test('the same search within two seconds gets the same answer, for the same role only', async () => {
		const clock = createManualClock();
		folder.write('latest.log', logLine('a1'));
		const { logs } = setup({ clock });
		const search = query({ q: 'a' });
		const first = await logs.read(search, 'admin');
		folder.append('latest.log', logLine('a2'));
		expect(await logs.read(search, 'admin')).toBe(first);
		expect((await logs.read(search, 'superadmin')).entries).toHaveLength(2);
		expect((await logs.read(query({ q: 'a2' }), 'admin')).entries).toHaveLength(1);
		await clock.advance(2_000);
		expect((await logs.read(search, 'admin')).entries).toHaveLength(2);
	});

	test('the end of the current log is what it is now, and read once for all who ask at once', async () => {
		folder.write('latest.log', logLine('a'));
		const { logs } = setup();
		const [first, same] = await Promise.all([
			logs.read(query(), 'admin'),
			logs.read(query(), 'admin')
		]);
		expect(same).toBe(first);
		folder.append('latest.log', logLine('b'));
		await vi.waitFor(async () =>
			expect((await logs.read(query(), 'admin')).entries).toHaveLength(2)
		);
	});

	test('a failure is not cached', async () => {
		const { logs } = setup({ clock: createManualClock() });
		await expect(logs.read(query({ file: 'x.log' }), 'admin')).rejects.toMatchObject({
			kind: 'not-found'
		});
		folder.write('x.log', logLine('a'));
		expect((await logs.read(query({ file: 'x.log' }), 'admin')).entries).toHaveLength(1);
	});

	test('levels and text are parsed from the query as people type it', async () => {
		folder.write(
			'latest.log',
			logLine('one', 1, 'WARN') + logLine('two', 2, 'ERROR') + logLine('three')
		);
		const { logs } = setup();
		const read = async (fields: Record<string, string>) =>
			messagesOf(await logs.read(query(fields), 'admin'));
		expect(await read({ level: 'warn,error' })).toEqual(['one', 'two']);
		expect(await read({ level: '', q: 'T' })).toEqual(['two', 'three']);
	});
});

describe('searching', () => {
	const many = () => folder.write('latest.log', logLine('x'.repeat(80)).repeat(200_000));

	test('stops when everybody who asked has gone, and the next one starts over', async () => {
		many();
		const { logs } = setup();
		const [first, second] = [new AbortController(), new AbortController()];
		const search = query({ q: 'no such text' });
		const asked = [first, second].map(({ signal }) => logs.read(search, 'admin', signal));
		first.abort(new Error('left'));
		await expect(asked[0]).rejects.toThrow('left');
		expect((await asked[1])!.entries).toEqual([]);

		const third = new AbortController();
		const alone = logs.read(query({ q: 'nor this one' }), 'admin', third.signal);
		third.abort(new Error('left too'));
		await expect(alone).rejects.toThrow('left too');
		expect((await logs.read(query({ q: 'nor this one' }), 'admin')).truncated).toBe(false);
	});

	test('that was aborted reads no further', async () => {
		many();
		const { logs } = setup();
		const leave = new AbortController();
		const asked = logs.read(query({ q: 'no such text' }), 'admin', leave.signal);
		leave.abort(new Error('left'));
		await expect(asked).rejects.toThrow('left');
		await soon(() => expect(handlesOf(folder.at('latest.log'))).toBe(0));
	});

	test('too many at once are refused, and a plain page is not held up by them', async () => {
		many();
		const { logs } = setup();
		const asked = Array.from({ length: 12 }, (_, i) =>
			logs.read(query({ q: `no such text ${i}` }), 'admin').then(
				() => 'done',
				({ kind }) => kind
			)
		);
		expect((await logs.read(query({ lines: '3' }), 'admin')).entries).toHaveLength(3);
		const ends = await Promise.all(asked);
		expect(ends.filter((end) => end === 'busy').length).toBeGreaterThan(0);
		expect(ends.slice(0, 8)).toEqual(Array(8).fill('done'));
	});

	test('stops at its time limit, says where, and continues from there', async () => {
		folder.remove();
		let nowMs = 0;
		const clock: Clock = { ...systemClock, monotonicMs: () => (nowMs += 2) };
		folder = createLogFolder({ clock, budgetMs: 300 });
		folder.write('latest.log', logLine('needle') + logLine('x'.repeat(80)).repeat(100_000));
		folder.write('2026-01-01-1.log.gz', logLine('needle of old'));
		const { logs } = setup();
		const first = await logs.read(query({ q: 'needle' }), 'admin');
		expect(first).toMatchObject({ entries: [], truncated: true });
		expect(first.notes).toEqual([
			'The search stopped in latest.log after 0.3 s. Older lines were not looked at.'
		]);
		const found: string[] = [];
		let page = first;
		for (let i = 0; page.next && i < 1_000; i++) {
			page = await logs.read(query({ q: 'needle', before: page.next }), 'admin');
			found.unshift(...messagesOf(page));
		}
		expect(found).toEqual(['needle of old', 'needle']);
	});

	test('lets the rest of the program run in between', async () => {
		folder.write('latest.log', logLine('Needle x'.repeat(10)).repeat(100_000));
		const { logs } = setup();
		let turns = 0;
		const counting = setInterval(() => turns++, 0);
		await logs.read(query({ q: 'needle y' }), 'admin');
		clearInterval(counting);
		expect(turns).toBeGreaterThan(5);
	});
});

describe('files', () => {
	test('are listed with a note about those that are not shown', async () => {
		folder.write('latest.log', 'x\n');
		folder.write('bidi\u202e.log', 'x\n');
		const { files, note } = await setup().logs.files();
		expect(files.map(({ name }) => name)).toEqual(['latest.log']);
		expect(note).toMatch(/^1 file is not shown/);
	});

	test('are downloaded masked, under a name that any browser accepts', async () => {
		folder.write('2026-03-08-1.log.gz', logLine(LINE).repeat(20_000));
		const { logs } = setup();
		const { name, stream, disposition } = await logs.download('2026-03-08-1.log.gz', 'admin');
		expect([name, disposition]).toEqual([
			'2026-03-08-1.log',
			`attachment; filename="2026-03-08-1.log"; filename*=UTF-8''2026-03-08-1.log`
		]);
		const text = await new Response(stream).text();
		expect(text).toBe(logLine('Steve[/***] said ***').repeat(20_000));
	});

	test('leave no file open when a download is aborted, or never started', async () => {
		folder.write('latest.log', logLine('x').repeat(300_000));
		const { logs } = setup();
		const begun = (await logs.download('latest.log', 'admin')).stream.getReader();
		await begun.read();
		await begun.cancel();
		await (await logs.download('latest.log', 'admin')).stream.cancel();
		await soon(() => expect(handlesOf(folder.at('latest.log'))).toBe(0));
	});

	test('that do not exist are refused before the first byte', async () => {
		const { logs } = setup();
		for (const name of ['../latest.log', 'x.log', 'latest.log'])
			await expect(logs.download(name, 'superadmin')).rejects.toMatchObject({ kind: 'not-found' });
	});

	test.each([
		['plain.log', 'plain.log', 'plain.log'],
		['a "b"\\c.log', 'a _b__c.log', 'a%20%22b%22%5Cc.log'],
		["it's (1)*!.log", 'it_s (1)__.log', 'it%27s%20%281%29%2A%21.log'],
		['日本\r\nX: y.log', '____X_ y.log', '%E6%97%A5%E6%9C%AC%0D%0AX%3A%20y.log']
	])('the name %j is written for old and for new programs', (name, simple, real) => {
		expect(disposition(name)).toBe(`attachment; filename="${simple}"; filename*=UTF-8''${real}`);
	});
});

describe('the tail', () => {
	test('gives each viewer what they may see, until they have gone', async () => {
		folder.write('latest.log', logLine('old'));
		const { logs, errors } = setup();
		const seen: Record<string, string[]> = { admin: [], superadmin: [] };
		const listen = (role: 'admin' | 'superadmin') =>
			logs.tail(role, (entries: LogHit[]) =>
				seen[role]!.push(...entries.map((one) => one.message))
			);
		const stop = listen('admin');
		const stopToo = listen('superadmin');
		folder.append('latest.log', logLine(LINE));
		await soon(() => expect(seen.superadmin).toEqual(['Steve[/203.0.113.7:1] said ***']));
		expect(seen.admin).toEqual(['Steve[/***] said ***']);

		stop();
		stop();
		folder.append('latest.log', logLine('second'));
		await soon(() => expect(seen.superadmin).toHaveLength(2));
		expect(seen.admin).toHaveLength(1);
		stopToo();
		await soon(() => expect(handlesOf(folder.at('latest.log'))).toBe(0));

		folder.append('latest.log', logLine('while nobody looked'));
		listen('admin');
		folder.append('latest.log', logLine('third'));
		await soon(() => expect(seen.admin).toEqual(['Steve[/***] said ***', 'third']));
		expect(errors).toEqual([]);
	});

	test('and a page read after it began make one log without a gap', async () => {
		folder.write('latest.log', logLine('0'));
		const { logs } = setup();
		const entries = new Map<string, string>();
		logs.tail('admin', (more) => more.forEach(({ id, message }) => entries.set(id, message)));
		let written = 1;
		const writing = setInterval(() => {
			if (written < 200) folder.append('latest.log', logLine(`${written}`, written++));
		}, 1);
		const page = await logs.read(query(), 'admin');
		for (const { id, message } of page.entries) entries.set(id, message);
		await soon(() => expect(entries.size).toBe(200));
		clearInterval(writing);
		expect(new Set(entries.values()).size).toBe(200);
	});
});

test('of a crash report the frames are known that name whom the diagnosis suspects', async () => {
	const name = 'crash-2026-01-02_03.04.05-server.txt';
	const frame = '\tat dev.Ticker.tick(Ticker.java:41) ~[lithium-fabric-0.13.0.jar:?]';
	const report = (trace: string) =>
		`---- Minecraft Crash Report ----\n\nDescription: Ticking entity\n\njava.lang.Error: x\n\tat net.minecraft.A.b(A.java:1) ~[server-intermediary.jar:?]\n${trace}\n\nA detailed walkthrough\n${frame}\n-- Head --\nSuspected Mods: `;
	const marked = async (text: string) => {
		folder.write(name, text);
		const { logs } = setup();
		const page = await logs.read(query({ file: name, lines: '1000' }), 'admin');
		const ids = await logs.blamed(page);
		return page.entries.filter(({ id }) => ids.includes(id)).map(({ message }) => message.trim());
	};
	expect(await marked(`${report(frame)}NONE`)).toEqual([frame.trim()]);
	expect(await marked(`${report('')}Lithium (lithium)`)).toEqual([]);
	expect(await marked(`${report(frame)}Lithium (lithium)`)).toEqual([frame.trim()]);
});

test('an excerpt hides everything that is hidden from anybody, with the versions on top', async () => {
	folder.write(
		'latest.log',
		logLine(`§c${LINE}\u001b[31m`, 1, 'ERROR') + 'java.lang.Error\n\tat x\n'
	);
	const { logs } = setup();
	const text = await logs.excerpt(query());
	expect(text.split('\n')).toEqual([
		'Minecraft 1.21.1',
		'Fabric 0.16.9',
		'Craftwarden 0.1.0',
		'File: latest.log',
		'-'.repeat(32),
		expect.stringMatching(
			/^\[\d{4}-.*Z\] \[Server thread\/ERROR\]: Steve\[\/\*\*\*\] said \*\*\*$/
		),
		'java.lang.Error',
		' at x',
		''
	]);
});

test('an excerpt of a search that finds nothing says so, and has the lines without it', async () => {
	folder.write('latest.log', logLine('first') + logLine('last'));
	const { logs } = setup();
	const nothing: Record<string, string>[] = [{ q: 'nowhere' }, { level: 'ERROR' }];
	for (const fields of nothing) {
		const text = await logs.excerpt(query(fields));
		expect(text).toMatch(/No line matches the search: these are the lines without it\.\n-+\n/);
		expect(text).toMatch(/first\n.*last\n$/);
	}
	const found = await logs.excerpt(query({ q: 'last' }));
	expect(found).not.toMatch(/first|No line matches/);
});

test('an excerpt is bounded, and contains the newest lines', async () => {
	folder.write('latest.log', logLine('x'.repeat(8_000)).repeat(200) + logLine('last'));
	const text = await setup().logs.excerpt(query());
	expect(text.length).toBeLessThan(300_000);
	expect(text).toMatch(/the lines before are left out\n/);
	expect(text.trimEnd()).toMatch(/last$/);
});

/** How often this process has the file open. */
const handlesOf = (file: string) =>
	readdirSync('/proc/self/fd').filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`) === file;
		} catch {
			return false;
		}
	}).length;
