import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	truncateSync,
	utimesSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { soon } from '../../../../../tests/soon.ts';
import { systemClock } from '#core/clock';
import { createFollower, type Follower } from './follow.ts';

let dir: string;
let file: string;
const open: Follower[] = [];
beforeEach(() => {
	dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-follow-'));
	file = path.join(dir, 'latest.log');
});
afterEach(() => {
	for (const follower of open.splice(0)) follower.close();
	rmSync(dir, { recursive: true, force: true });
});

function follow(from?: 'end' | 'start') {
	const follower = createFollower({ file, pollMs: 2, clock: systemClock, ...(from && { from }) });
	open.push(follower);
	const lines: string[] = [];
	const unsubscribe = follower.subscribe((more) => lines.push(...more));
	return { follower, lines, unsubscribe };
}
const append = (text: string | Buffer) => appendFileSync(file, text);
/** All of it at once: no reader sees half. */
const appearWith = (text: string) => {
	writeFileSync(`${file}.new`, text);
	renameSync(`${file}.new`, file);
};
const arrive = (lines: string[], wanted: string[]) => soon(() => expect(lines).toEqual(wanted));

describe('a growing file', () => {
	test('only what is written after the subscription is delivered, in whole lines', async () => {
		append('old\n');
		const { lines } = follow();
		append('new\nunfini');
		await arrive(lines, ['new']);
		append('shed\n');
		await arrive(lines, ['new', 'unfinished']);
	});

	test('a line begun before the subscription is delivered whole', async () => {
		append('old\nhalf a ');
		const { lines } = follow();
		append('line\n');
		await arrive(lines, ['half a line']);
	});

	test('from the start, existing content is delivered too', async () => {
		append('one\ntwo\n');
		const { lines } = follow('start');
		await arrive(lines, ['one', 'two']);
	});

	test('a file that does not exist yet is waited for and read from its start', async () => {
		const { lines } = follow();
		append('first\n');
		await arrive(lines, ['first']);
	});

	test('so is one whose folder does not exist yet', async () => {
		file = path.join(dir, 'logs', 'latest.log');
		const { lines } = follow();
		mkdirSync(path.dirname(file));
		append('first\n');
		await arrive(lines, ['first']);
	});

	test('a file of which only the modification time changes is not delivered again', async () => {
		const { lines } = follow();
		append('one\n');
		await arrive(lines, ['one']);
		utimesSync(file, 1, 1);
		append('two\n');
		await arrive(lines, ['one', 'two']);
	});
});

describe('rotation', () => {
	test('rename and create: the rest of the old file comes first, then the new one from its start', async () => {
		const { lines } = follow();
		append('1\n');
		await arrive(lines, ['1']);
		append('2\n3 without an end');
		renameSync(file, `${file}.1`);
		append('4\n');
		await arrive(lines, ['1', '2', '3 without an end', '4']);
	});

	test('lines still written to the renamed file before the new one exists are not lost', async () => {
		const { lines } = follow();
		append('1\n');
		await arrive(lines, ['1']);
		renameSync(file, `${file}.1`);
		appendFileSync(`${file}.1`, '2\n');
		await arrive(lines, ['1', '2']);
		appendFileSync(`${file}.1`, '3\n');
		append('4\n');
		await arrive(lines, ['1', '2', '3', '4']);
	});

	test('a file that is moved away and back continues where it was', async () => {
		const { lines } = follow();
		append('1\n');
		await arrive(lines, ['1']);
		renameSync(file, `${file}.1`);
		appendFileSync(`${file}.1`, '2\n');
		await arrive(lines, ['1', '2']);
		renameSync(`${file}.1`, file);
		append('3\n');
		await arrive(lines, ['1', '2', '3']);
	});

	test('copy and truncate: continues from the start', async () => {
		const { lines } = follow();
		append('1\n2\n3\n');
		await arrive(lines, ['1', '2', '3']);
		copyFileSync(file, `${file}.1`);
		truncateSync(file);
		append('4\n');
		await arrive(lines, ['1', '2', '3', '4']);
	});

	test.each([
		['the same size', 'eins\nzwei\n'],
		['a greater size', 'eins\nzwei\ndrei\n'],
		['a smaller size', 'eins\n']
	])('truncated and rewritten to %s: everything new is delivered once', async (_, text) => {
		const { lines } = follow();
		append('one1\ntwo2\n');
		await arrive(lines, ['one1', 'two2']);
		writeFileSync(file, text); // the same inode
		await arrive(lines, ['one1', 'two2', ...text.trimEnd().split('\n')]);
	});

	test('delete and recreate, even when the file system reuses the inode', async () => {
		const { lines } = follow();
		append('1\n2\n');
		await arrive(lines, ['1', '2']);
		for (let round = 3; round < 30; round++) {
			rmSync(file);
			append(`${round}\n`);
			await arrive(
				lines,
				Array.from({ length: round }, (_, i) => String(i + 1))
			);
		}
	});

	test('many rotations under steady writing lose and repeat nothing', async () => {
		const { lines } = follow('start');
		const wanted: string[] = [];
		for (let round = 0; round < 20; round++) {
			for (let n = 0; n < 50; n++) {
				wanted.push(`${round}-${n}`);
				append(`${round}-${n}\n`);
			}
			if (round % 2) await arrive(lines, wanted);
			else await soon(() => expect(lines.length).toBeGreaterThan(wanted.length - 50));
			renameSync(file, `${file}.${round}`);
			writeFileSync(file, '');
		}
		await arrive(lines, wanted);
	});
});

describe('hostile content', () => {
	test('invalid bytes affect only their own line', async () => {
		const { lines } = follow();
		append(
			Buffer.concat([
				Buffer.from('a\r\n'),
				Buffer.from([0xff, 0xc3, 0x0a]),
				Buffer.from('lone\rreturn\nnul\0\n'),
				Buffer.from('ﾃﾞd\n'),
				Buffer.from('utf-16\n', 'utf16le')
			])
		);
		append('\nend\n');
		await soon(() => expect(lines.at(-1)).toBe('end'));
		expect(lines.slice(0, 5)).toEqual(['a', '\ufffd\ufffd', 'lone\rreturn', 'nul\0', 'ﾃﾞd']);
	});

	test('a character split at a read boundary is reassembled', async () => {
		const { lines } = follow();
		const bytes = Buffer.from('né🙂\n');
		for (let i = 0; i < bytes.length; i++) {
			append(bytes.subarray(i, i + 1));
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		await arrive(lines, ['né🙂']);
	});

	test('a byte order mark at the start is dropped', async () => {
		const { lines } = follow('start');
		append('\ufeffone\n');
		await arrive(lines, ['one']);
	});

	test('a very long line is cut at 8 kB, not inside a character, and the next one is whole', async () => {
		const { lines } = follow();
		append(`${'é'.repeat(1_000_000)}x\nnext\n`);
		await soon(() => expect(lines).toHaveLength(2));
		expect(lines[0]).toBe(`${'é'.repeat(4096)} … cut`);
		expect(lines[1]).toBe('next');
	});

	test('a line of exactly 8 kB is not cut', async () => {
		const { lines } = follow();
		append(`${'x'.repeat(8192)}\n`);
		await arrive(lines, ['x'.repeat(8192)]);
	});

	test('lines that come faster than they can be read are skipped and counted', async () => {
		const { lines } = follow();
		appearWith(('x'.repeat(99) + '\n').repeat(80_000) + 'last\n'); // 8 MB
		await soon(() => expect(lines.at(-1)).toBe('last'));
		const skipped = Number(/^… (\d+) lines skipped$/.exec(lines[0]!)?.[1]);
		expect(skipped + lines.length - 1).toBe(80_001);
		expect(lines.length).toBeLessThan(42_000);
		append('after\n');
		await soon(() => expect(lines.at(-1)).toBe('after'));
	});

	test('however much comes, four megabytes of it are kept, in chunks that let other work run in between', async () => {
		let turns = 0;
		let ended = false;
		const turn = () => void (turns++, ended || setImmediate(turn));
		setImmediate(turn);
		const batches: { bytes: number; turn: number }[] = [];
		const follower = createFollower({ file, pollMs: 2, clock: systemClock });
		open.push(follower);
		const ends: string[] = [];
		follower.subscribe((lines) => {
			batches.push({ bytes: lines.join('\n').length, turn: turns });
			ends.push(...lines.filter((line) => line.startsWith('end')));
		});
		for (const end of ['end 1', 'end 2', 'end 3']) {
			const before = batches.length;
			appearWith(('x'.repeat(999) + '\n').repeat(8_000) + 'y\n'.repeat(2000) + `${end}\n`);
			await soon(() => expect(ends.at(-1)).toBe(end));
			const given = batches.slice(before);
			expect(Math.max(...given.map(({ bytes }) => bytes))).toBeLessThanOrEqual(264 * 1024);
			expect(given.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(4 * 1024 * 1024);
			expect(new Set(given.map(({ turn }) => turn)).size).toBe(given.length);
		}
		ended = true;
	});

	test('a line of many megabytes without a line break is skipped until it ends', async () => {
		const { lines } = follow();
		appearWith('x'.repeat(9_000_000));
		append('x\nnext\n');
		await arrive(lines, ['… 1 line skipped', 'next']);
	});

	test.each([
		['a FIFO', () => void spawnSync('mkfifo', [file])],
		['a symlink', () => symlinkSync('/etc/hostname', file)],
		['a device', () => symlinkSync('/dev/zero', file)],
		['a folder', () => void spawnSync('mkdir', [file])]
	])('%s is never opened, and a real file in its place is followed', async (_, make) => {
		make();
		const { lines } = follow('start');
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(lines).toEqual([]);
		rmSync(file, { recursive: true });
		append('real\n');
		await arrive(lines, ['real']);
	});
});

describe('subscribers', () => {
	test('the file is read once for all, and not at all when nobody listens', async () => {
		const { follower, lines, unsubscribe } = follow();
		const second: string[] = [];
		const stopSecond = follower.subscribe((more) => second.push(...more));
		append('1\n');
		await arrive(lines, ['1']);
		expect(second).toEqual(['1']);
		unsubscribe();
		unsubscribe(); // twice is once
		append('2\n');
		await arrive(second, ['1', '2']);
		stopSecond();
		append('3\n');
		const third: string[] = [];
		follower.subscribe((more) => third.push(...more));
		append('4\n');
		await arrive(third, ['4']);
		expect(lines).toEqual(['1']);
		expect(second).toEqual(['1', '2']);
	});

	test('no timer is left after the last subscriber has gone, or after close', async () => {
		const clock = createManualClock();
		const follower = createFollower({ file, pollMs: 1500, clock });
		const unsubscribe = follower.subscribe(() => {});
		await soon(() => expect(clock.sleeping).toBe(1));
		unsubscribe();
		await settle();
		expect(clock.sleeping).toBe(0);
		follower.subscribe(() => {});
		await soon(() => expect(clock.sleeping).toBe(1));
		follower.close();
		await settle();
		expect(clock.sleeping).toBe(0);
	});

	test('nothing is read again while neither size nor time have changed', async () => {
		const clock = createManualClock();
		append('old\n');
		const follower = createFollower({ file, pollMs: 1500, clock });
		open.push(follower);
		const lines: string[] = [];
		follower.subscribe((more) => lines.push(...more));
		await soon(() => expect(clock.sleeping).toBe(1));
		const { atimeNs } = statSync(file, { bigint: true });
		for (let i = 0; i < 5; i++) await clock.advance(1500);
		expect(statSync(file, { bigint: true }).atimeNs).toBe(atimeNs);
		append('new\n');
		await clock.advance(1500);
		await arrive(lines, ['new']);
	});
});
