import { renameSync, rmSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
	createLogFolder,
	logLine,
	OPEN,
	type LogFolder
} from '../../../../../tests/fakes/game/log-folder.ts';
import type { LogTail } from './tail.ts';
import { createLogMask } from '#minecraft/mask';

let folder: LogFolder;
let tail: LogTail;
beforeEach(() => {
	folder = createLogFolder();
	folder.write('latest.log', logLine('old', 1));
	tail = folder.reader.tail();
});
afterEach(async () => {
	await tail.close();
	folder.remove();
});

const added = async () => (await tail.read([OPEN]))[0]!;
const texts = async () => (await added()).map(({ message }) => message);

test('returns what was added since, once, including what came before the first reading', async () => {
	folder.append('latest.log', logLine('a', 2));
	expect(await texts()).toEqual(['a']);
	expect(await texts()).toEqual([]);
	folder.append('latest.log', logLine('b', 3) + logLine('c', 4));
	expect(await texts()).toEqual(['b', 'c']);
});

test('an entry has the same id as on a page', async () => {
	folder.append('latest.log', logLine('a', 2) + logLine('b', 3));
	const entries = await added();
	expect(entries).toEqual((await folder.page({ lines: 2 })).entries);
});

test('an entry that gets more lines is sent again, whole, and replaces the first', async () => {
	folder.append('latest.log', logLine('boom', 2, 'ERROR'));
	const [first] = await added();
	folder.append('latest.log', 'java.lang.Error\n\tat x\n');
	const [again] = await added();
	expect(again).toEqual({ ...first, continuation: ['java.lang.Error', '\tat x'] });
	folder.append('latest.log', '\tat y\n' + logLine('next', 3));
	expect((await added()).map(({ message, continuation }) => [message, continuation])).toEqual([
		['boom', ['java.lang.Error', '\tat x', '\tat y']],
		['next', []]
	]);
});

test('including the last one that was there before', async () => {
	folder.append('latest.log', '\tat x\n');
	expect(await added()).toMatchObject([{ message: 'old', continuation: ['\tat x'] }]);
});

test('a line is sent when it is complete', async () => {
	folder.append('latest.log', '[00:00:02] [main/INFO]: ha');
	expect(await texts()).toEqual([]);
	folder.append('latest.log', 'lf\n');
	expect(await texts()).toEqual(['half']);
});

test('after a rotation the rest of the old file comes first, then all of the new one', async () => {
	await added();
	folder.append('latest.log', logLine('last of the old', 2));
	renameSync(folder.at('latest.log'), folder.at('2026-03-09-1.log'));
	folder.write('latest.log', logLine('first of the new', 3));
	expect(await texts()).toEqual(['last of the old', 'first of the new']);
	folder.append('latest.log', logLine('second', 4));
	expect(await texts()).toEqual(['second']);
});

test('a file that is truncated, or deleted and recreated, is read from its start', async () => {
	await added();
	truncateSync(folder.at('latest.log'));
	folder.append('latest.log', logLine('a'));
	expect(await texts()).toEqual(['a']);
	rmSync(folder.at('latest.log'));
	expect(await texts()).toEqual([]);
	folder.write('latest.log', logLine('b'));
	expect(await texts()).toEqual(['b']);
});

test('more than can be shown is skipped, with a notice', async () => {
	await added();
	folder.append('latest.log', logLine('x'.repeat(60), 2).repeat(30_000) + logLine('last', 3));
	const entries = await added();
	expect(entries[0]!.message).toMatch(/^… \d+ kB of the log skipped/);
	expect(entries.at(-1)!.message).toBe('last');
	expect(entries.length).toBeLessThan(10_000);
	folder.append('latest.log', logLine('next', 4));
	expect(await texts()).toEqual(['next']);
});

test('each viewer gets what they may see', async () => {
	folder.append('latest.log', logLine('Steve[/203.0.113.7:1] logged in', 2));
	const hidden = createLogMask({ secrets: [], addresses: true });
	const [all, less] = await tail.read([OPEN, hidden]);
	expect(all!.map(({ message }) => message)).toEqual(['Steve[/203.0.113.7:1] logged in']);
	expect(less!.map(({ message }) => message)).toEqual(['Steve[/***] logged in']);
	expect(less![0]!.id).toBe(all![0]!.id);
});
