import { describe, expect, test } from 'vitest';
import {
	FILE_DATE,
	ID,
	said,
	feed,
	short,
	events,
	START,
	join,
	RUN
} from '../../../../../tests/fakes/game/game-log-lines.ts';
import { createGameLog } from './game-log.ts';

describe('the server itself', () => {
	test('start, ready, lag, crash and stop are reported once per run', () => {
		const at = (level: string, thread: string, m: string) =>
			`[12:00:00] [${thread}/${level}]: ${m}`;
		const run = [
			at('INFO', 'Server thread', START),
			at('INFO', 'Server thread', 'Done preparing level "world" (6.3s)'),
			at('INFO', 'Server thread', 'Done (12,345s)! For help, type "help" or "?"'),
			at(
				'WARN',
				'Server thread',
				"Can't keep up! Is the server overloaded? Running 2024ms or 40 ticks behind"
			),
			at(
				'WARN',
				'Server thread',
				"Can't keep up! Did the system time change, or is the server overloaded? Running 2676ms behind, skipping 53 tick(s)"
			),
			at(
				'FATAL',
				'Server Watchdog',
				'Considering it to be crashed, server will forcibly shutdown.'
			),
			at(
				'ERROR',
				'Server Watchdog',
				'This crash report has been saved to: /srv/crash-reports/x.txt'
			),
			at('INFO', 'Server Shutdown Thread', 'Stopping server'),
			at('INFO', 'Server thread', 'Stopping server')
		];
		const kinds = ['start', 'ready', 'lag', 'lag', 'crash', 'stop'];
		expect(events(...run, ...run).map(([kind]) => kind)).toEqual([...kinds, ...kinds]);
	});

	test('those who were not logged as leaving are gone when it stops, and forgotten at the next start', () => {
		const log = createGameLog();
		log.feed(said(...RUN, 'Stopping server'), { fileDate: FILE_DATE });
		expect(log.online()).toEqual([]);
		const { events } = log.feed(
			said(
				'Ana lost connection: Server closed',
				'Ana left the game',
				START,
				'Bo was slain by Zombie'
			),
			{ fileDate: FILE_DATE }
		);
		expect(events.map(({ kind }) => kind)).toEqual(['leave', 'start']);
		expect(log.online()).toEqual([]);
	});
});

describe('reading that begins in the middle', () => {
	const MIDDLE = said(
		'Ana was slain by Blaze',
		'<Ana> l',
		'Bo fell off a ladder',
		'Bo lost connection: Disconnected',
		'Bo left the game',
		'Cy was slain by Blaze',
		...join('Cy'),
		'Cy was slain by Blaze',
		'Vex was slain by Ana',
		'Di died',
		'lost and found lost connection: x',
		'[VIP] Dora died',
		'di lost connection: Disconnected',
		'[VIP] Dora left the game'
	);

	test('someone mentioned without having joined was there before, and can die', () => {
		const log = createGameLog();
		const { events } = log.feed(MIDDLE, { fileDate: FILE_DATE });
		expect(events.filter(({ kind }) => kind === 'death').map(short)).toEqual([
			['death', 'Ana', 'was slain by Blaze'],
			['death', 'Bo', 'fell off a ladder'],
			['death', 'Cy', 'was slain by Blaze'],
			['death', '[VIP] Dora', 'died']
		]);
		expect(events.at(-1)).toMatchObject({
			kind: 'leave',
			player: { name: 'di', display: '[VIP] Dora' }
		});
		// Since when Ana is there is not known.
		expect(log.online().map(({ name, since }) => [name, since !== null])).toEqual([
			['Ana', false],
			['Cy', true]
		]);
	});

	test('the same lines give the same events, wherever reading begins and however they are split', () => {
		const lines = [
			...said(...RUN, '<Ana> hi', '<Ana> hi', '* Bo waves'),
			...said('<Ana> hi', 'Bo drowned')
		];
		const whole = feed(lines).events;
		expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
		expect(feed(lines).events).toEqual(whole);

		const log = createGameLog();
		const single = lines.flatMap((line) => log.feed([line], { fileDate: FILE_DATE }).events);
		expect(single).toEqual(whole);

		const tail = createGameLog().feed(lines.slice(5), { fileDate: FILE_DATE }).events;
		expect(whole.map(({ id }) => id)).toEqual(expect.arrayContaining(tail.map(({ id }) => id)));
	});
});

describe('hostile input', () => {
	test('lines of 100 kB of anything take no time', () => {
		const KB100 = 100_000;
		const many = (text: string) => text.repeat(KB100 / text.length);
		const evil = [
			...[
				'<',
				'<a>',
				'> ',
				'[',
				'[a] ',
				'* ',
				' ',
				'a ',
				'(/',
				'\u001b]',
				'\u001b[',
				'§',
				'{[(',
				'>'
			],
			...[' joined the game', ' left the game', ' lost connection: ', ' logged in with entity id '],
			...['a (formerly known as ', ' has made the advancement [', ' was slain by ', '[Not Secure] ']
		].map(many);
		const shapes = evil.flatMap((text) => [
			text,
			`[${text}`,
			`[12:00:00] [${text}`,
			`[12:00:00] [Server thread/INFO] [${text}`,
			...said(text, `<${text}`, `[Not Secure] [${text}`, `Ana ${text}`, `Ana was slain by ${text}`)
		]);
		const log = createGameLog();
		log.feed(said(...RUN), { fileDate: FILE_DATE });
		const begin = performance.now();
		for (const line of [...shapes, ...shapes.map((line) => line.slice(0, 3900))])
			log.feed([line], { fileDate: FILE_DATE });
		// Some 25 µs a line on a quiet machine; quadratic time would be minutes.
		expect(performance.now() - begin).toBeLessThan(10_000);
		expect(log.online()).toHaveLength(2);
	});

	test('a flood of names uses bounded memory', () => {
		const log = createGameLog();
		for (let i = 0; i < 30; i++) {
			const names = Array.from({ length: 500 }, (_, n) => `P${i}_${n}`);
			log.feed(
				[
					...names.map(
						(n) => `[12:00:00] [User Authenticator #1/INFO]: UUID of player ${n} is ${ID}`
					),
					...said(...names.flatMap(join), ...names.map((n) => `<[x] ${n}> hi`))
				],
				{ fileDate: FILE_DATE }
			);
		}
		expect(log.online().length).toBeLessThanOrEqual(2000);
	});

	test('random bytes in place of lines break nothing', () => {
		let seed = 7;
		const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
		const pieces = [
			'[',
			']',
			'<',
			'>',
			' ',
			':',
			'12:00:00',
			'Server thread',
			'/INFO',
			'Ana',
			'\ufffd'
		];
		const more = [
			' joined the game',
			' left the game',
			'[Not Secure] ',
			'§',
			'\u001b[',
			'\ud800',
			'999'
		];
		const log = createGameLog();
		for (let i = 0; i < 5000; i++) {
			const line = Array.from(
				{ length: random(12) },
				() => [...pieces, ...more][random(pieces.length + more.length)]
			).join('');
			const { entries, continued } = log.feed([line, `[12:00:00] [Server thread/INFO]: ${line}`], {
				fileDate: FILE_DATE
			});
			expect(entries.length + continued.length).toBeGreaterThan(0);
		}
	});
});
