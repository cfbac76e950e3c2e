import { describe, expect, test } from 'vitest';
import {
	FILE_DATE,
	said,
	feed,
	events,
	START
} from '../../../../../tests/fakes/game/game-log-lines.ts';
import { createGameLog } from './game-log.ts';
import { parseLogLine } from '#minecraft/log-format';

describe('the prefixes of all platforms', () => {
	const LINES: [
		string,
		Partial<{ level: string; thread: string | null; logger: string | null }>
	][] = [
		['[12:00:00] [Server thread/INFO]: hi', { thread: 'Server thread', logger: null }],
		['[12:00:00] [Server thread/INFO] (Minecraft) hi', { logger: 'Minecraft' }],
		['[12:00:00 INFO]: hi', { thread: null, logger: null }],
		['[12:00:00] [Server thread/WARN] [net.minecraft.Foo]: hi', { level: 'WARN' }],
		[
			'[26Feb2025 12:00:00.123] [Worker-Main-3/ERROR] [net.minecraft.Foo/BAR]: hi',
			{ level: 'ERROR', thread: 'Worker-Main-3', logger: 'net.minecraft.Foo/BAR' }
		],
		['[12:00:00] [main/INFO] [minecraft/Main]: hi', { logger: 'minecraft/Main' }],
		['[12:00:00] [RCON Client /0:0:0:0:0:0:0:1 #8/INFO]: hi', { logger: null }],
		['[12:00:00] [main/STDERR]: hi', { level: 'ERROR' }],
		['[12:00:00] [Server Watchdog/FATAL]: hi', { level: 'FATAL' }]
	];
	test.each(LINES)('%s', (line, facts) => {
		const { entries } = feed([line]);
		expect(entries).toMatchObject([{ message: 'hi', continuation: [], ...facts }]);
		expect(entries[0]!.at).not.toBeNull();
		expect(parseLogLine(line.replace(/^\u001b.*m(?=\[)/, ''))?.message).toBe('hi'); // eslint-disable-line no-control-regex
	});

	test('brackets after the level of a plain line are part of its message', () => {
		expect(feed(said('[bclib] loaded')).entries).toMatchObject([
			{ logger: null, message: '[bclib] loaded' }
		]);
	});

	test('a byte order mark, carriage returns and escape sequences are tolerated', () => {
		const lines = [
			`\ufeff${said(START)[0]}\r`,
			`${said('\u001b[33mAna joined the game\u001b[m')[0]}\r`
		];
		expect(events(...lines)).toEqual([
			['start', null, '1.20.1'],
			['join', 'Ana', 'joined the game']
		]);
	});
});

describe('entries', () => {
	test('no line is lost: a line without a prefix belongs to the entry before it', () => {
		const lines = ['\tat of.a.trace', '', ...said('one', 'two'), '| table |', '', ...said('three')];
		const { entries, continued } = feed(lines);
		expect(entries.map(({ message, continuation }) => [message, continuation])).toEqual([
			['\tat of.a.trace', ['']],
			['one', []],
			['two', ['| table |', '']],
			['three', []]
		]);
		expect(entries[0]).toMatchObject({ at: null, thread: null, level: 'INFO' });
		expect(continued).toEqual([]);
	});

	test('a message that continues in the next batch stays one message', () => {
		const log = createGameLog();
		log.feed([...said('Exception'), '\tat one'], { fileDate: FILE_DATE });
		const { entries, continued } = log.feed(['\tat two', ...said('next')], { fileDate: FILE_DATE });
		expect(continued).toEqual(['\tat two']);
		expect(entries.map(({ message }) => message)).toEqual(['next']);
	});

	test('a trace keeps its first 500 lines and counts the rest', () => {
		const trace = Array.from({ length: 1234 }, (_, i) => `\tat frame.${i}`);
		const [entry] = feed([...said('Exception'), ...trace, ...said('next')]).entries;
		expect(entry!.continuation).toHaveLength(501);
		expect(entry!.continuation.at(-1)).toBe('… 734 more lines');

		const log = createGameLog();
		log.feed([...said('Exception'), ...trace.slice(0, 499)], { fileDate: FILE_DATE });
		expect(log.feed(trace.slice(499), { fileDate: FILE_DATE }).continued).toEqual([
			'\tat frame.499',
			'… 734 more lines'
		]);
	});
});
