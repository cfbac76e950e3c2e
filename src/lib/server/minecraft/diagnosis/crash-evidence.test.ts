import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCrashEvidence, type CrashEvidence } from './crash-evidence.ts';

const START = '2026-01-02T10:00:00.000Z';
const RUN = { since: START, mark: null };
const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1000);

let dir: string;
let evidence: CrashEvidence;
const printed = new Map([[START, ['printed']]]);
beforeEach(() => {
	dir = mkdtempSync(path.join(tmpdir(), 'craftwarden-evidence-'));
	mkdirSync(path.join(dir, 'logs'));
	evidence = openCrashEvidence({
		serverDir: dir,
		output: async (since) => printed.get(since) ?? []
	});
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text: string, seconds: number) {
	const file = path.join(dir, name);
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, text);
	utimesSync(file, at(seconds), at(seconds));
}

test('without any file there is no evidence', async () => {
	rmSync(path.join(dir, 'logs'), { recursive: true });
	expect(await evidence.mark()).toBeNull();
	expect(await evidence.log(RUN)).toEqual([]);
	expect(await evidence.crashReport(RUN)).toBeNull();
});

test('what was written before the run does not count', async () => {
	write('logs/latest.log', 'old\n', -1);
	write('crash-reports/crash-1.txt', 'old', -1);
	expect(await evidence.log(RUN)).toEqual([]);
	expect(await evidence.crashReport(RUN)).toBeNull();
});

test('the end of the log, of the output, and the newest crash report', async () => {
	write('logs/latest.log', 'one\ntwo\n', 5);
	write('crash-reports/crash-1.txt', 'first', 1);
	write('crash-reports/crash-3.txt', 'third', 3);
	write('crash-reports/crash-2.txt', 'second', 2);
	write('crash-reports/notes.txt', 'no report', 9);
	expect(await evidence.log(RUN)).toEqual(['one', 'two']);
	expect(await evidence.output(RUN)).toEqual(['printed']);
	expect(await evidence.crashReport(RUN)).toBe('third');
});

test("Java's own report counts when the game left none", async () => {
	write('hs_err_pid42.log', '# A fatal error', 2);
	expect(await evidence.crashReport(RUN)).toBe('# A fatal error');
});

test('in a log that continues in the same file, the run begins at the mark', async () => {
	const file = path.join(dir, 'logs/latest.log');
	writeFileSync(file, 'of the run before\n');
	const mark = await evidence.mark();
	appendFileSync(file, 'of this run\n');
	expect(await evidence.log({ since: START, mark })).toEqual(['of this run']);
	renameSync(file, `${file}.1`);
	writeFileSync(file, 'a new file that is longer than the mark says\n');
	expect(await evidence.log({ since: START, mark })).toHaveLength(1);
});

const isDone = (line: string) => line === 'Done';
const noise = (lines: number) => 'x\n'.repeat(lines);

test('a line is found however far back it is in the log, from the mark on', async () => {
	const file = path.join(dir, 'logs/latest.log');
	writeFileSync(file, `Done\n${noise(200_000)}`);
	const run = async (mark = null as Awaited<ReturnType<CrashEvidence['mark']>>) =>
		evidence.has({ since: START, mark }, 'Done', isDone);
	expect(await run()).toBe(true);
	const mark = await evidence.mark();
	expect(await run(mark)).toBe(false);
	appendFileSync(file, 'Nothing is Done\nDo');
	expect(await run(mark)).toBe(false);
	// The place is in the middle of the line.
	const middle = await evidence.mark();
	appendFileSync(file, 'ne\n');
	expect(await run(middle)).toBe(true);
	expect(await evidence.has(RUN, 'Gone', isDone)).toBe(false);
});

test('after midnight a line is found in the logs archived since, never in those of earlier runs', async () => {
	write('logs/latest.log', noise(3), 90_000);
	const has = () => evidence.has(RUN, 'Done', isDone);
	expect(await has()).toBe(false);
	// Put away when this run began.
	write('logs/2026-01-02-1.log', 'Done\n', 5);
	expect(await has()).toBe(false);
	write('logs/2026-01-02-2.log.gz', 'no gzip', 50_000);
	expect(await has()).toBe(false);
	writeFileSync(path.join(dir, 'logs/2026-01-02-2.log.gz'), gzipSync(`Done\n${noise(9)}`));
	utimesSync(path.join(dir, 'logs/2026-01-02-2.log.gz'), at(50_000), at(50_000));
	expect(await has()).toBe(true);
	// Once that is known, only what was added is looked at.
	const mark = await evidence.mark();
	expect(await evidence.has({ since: START, mark }, 'Done', isDone)).toBe(false);
});

test('links are not followed', async () => {
	symlinkSync('/etc/hostname', path.join(dir, 'logs/latest.log'));
	mkdirSync(path.join(dir, 'crash-reports'));
	symlinkSync('/etc/hostname', path.join(dir, 'crash-reports/crash-1.txt'));
	const run = { since: '1970-01-01T00:00:00.000Z', mark: null };
	expect(await evidence.log(run)).toEqual([]);
	expect(await evidence.has(run, '', () => true)).toBe(false);
	expect(await evidence.crashReport(run)).toBeNull();
});

test('of a huge report only the beginning is read', async () => {
	write('crash-reports/crash-1.txt', 'x'.repeat(1_000_000), 2);
	expect(await evidence.crashReport(RUN)).toHaveLength(256 * 1024);
});
