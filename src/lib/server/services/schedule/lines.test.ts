import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandBuilder, quoted } from './command.ts';
import {
	fromLine,
	LINE_MAX_BYTES,
	parseTable,
	toLine,
	withLine,
	withNewLine,
	type TaskLine
} from './lines.ts';

const build = commandBuilder("/srv/it's here/scripts/task", '/srv/data 100%');
const ID = '0123456789abcdef';
const say: TaskLine = {
	id: ID,
	type: 'say',
	schedule: '0 4 * * *',
	message: 'Save 50% today $(id) #1 · naïve ☃',
	enabled: true
};
const backup: TaskLine = {
	id: 'fedcba9876543210',
	type: 'backup',
	schedule: '*/5 * * * *',
	enabled: true
};
const prune: TaskLine = {
	id: 'aaaaaaaaaaaaaaaa',
	type: 'snapshot-prune',
	schedule: '0 0 * * 0',
	keep: 7,
	enabled: false
};

const once: TaskLine = { ...say, schedule: '0 23 26 11 *', on: '2026-11-26' };

test.each([say, backup, prune, once, { ...say, enabled: false }])(
	'a line is read back as it was written: %o',
	(task) => {
		const line = toLine(task, build);
		expect(fromLine(line, build)).toEqual(task);
		expect(line.startsWith('#DISABLED ')).toBe(!task.enabled);
		expect(line).not.toMatch(/[\n\r]|(?<!\\)%/);
		expect([...line].every((byte) => byte.charCodeAt(0) < 256)).toBe(true);
	}
);

test('the marker is base64 of JSON with exactly the fields of the task', () => {
	const base64 = / # svc-task:([A-Za-z0-9+/=]+)$/.exec(toLine(prune, build))?.[1] ?? '';
	expect(JSON.parse(Buffer.from(base64, 'base64').toString())).toEqual({
		v: 1,
		id: prune.id,
		type: 'snapshot-prune',
		schedule: '0 0 * * 0',
		keep: 7
	});
});

test('a shell passes every word on unchanged', () => {
	for (const word of ["it's", '$(id)', '`id`', '"x"', '\\', '* ?', '-n', '', 'a\nb', '%', '#', '!'])
		expect(execFileSync('/bin/sh', ['-c', `printf '%s' ${quoted(word)}`]).toString()).toBe(word);
});

test('the line’s own fields take precedence over the marker’s schedule', () => {
	const line = toLine(say, build).replace('0 4 * * *', '15\t6  * * 1');
	expect(fromLine(line, build)).toEqual({ ...say, schedule: '15 6 * * 1' });
});

test('a line of another installation, or one that was tampered with, is not ours', () => {
	const line = toLine(say, build);
	const other = commandBuilder('/opt/other/scripts/task', '/srv/data 100%');
	expect(fromLine(toLine(say, other), build)).toBeNull();
	for (const changed of [
		line.replace("'say'", "'say' && rm -rf /"),
		line.replace('0 4 * * *', '@reboot'),
		line.replace('0 4 * * *', '99 4 * * *'),
		line.replace(/svc-task:.*/, 'svc-task:!!!'),
		line.replace(/svc-task:.*/, `svc-task:${Buffer.from('{"v":2}').toString('base64')}`),
		line.replace(/svc-task:.*/, `svc-task:${Buffer.from('[]').toString('base64')}`),
		`${line} x`,
		`# ${line}`,
		line.replace(/ # svc-task.*/, '')
	])
		expect(fromLine(changed, build), changed).toBeNull();
});

test('a task whose line cron would refuse is rejected with its size', () => {
	const long = { ...say, message: '☃'.repeat(120) };
	expect(() => toLine(long, build)).toThrow(/bytes, and cron takes 998/);
	expect(toLine({ ...say, message: 'x'.repeat(120) }, build).length).toBeLessThan(LINE_MAX_BYTES);
});

const FOREIGN =
	'# m h  dom mon dow   command\r\nMAILTO=""\n\t0 5 * * 1\ttar -zcf /var/b.tgz /home/ \xff\xfe\n\n#DISABLED 0 1 * * * echo\n  \n@reboot x';

test('foreign lines keep every byte through add, replace and remove', () => {
	const added = withNewLine(FOREIGN, toLine(say, build));
	expect(added.startsWith(`${FOREIGN}\n`)).toBe(true);
	const table = parseTable(`${FOREIGN}\n${toLine(say, build)}\n# after\n`, build);
	expect(table.lines.map(({ text }) => text).join('')).toBe(
		`${FOREIGN}\n${toLine(say, build)}\n# after\n`
	);
	expect(table.tasks).toEqual([say]);
	expect(withLine(table, ID, null)).toBe(`${FOREIGN}\n# after\n`);
	const off = toLine({ ...say, enabled: false }, build);
	expect(withLine(table, ID, off)).toBe(`${FOREIGN}\n${off}\n# after\n`);
	expect(withNewLine('', 'x')).toBe('x\n');
});

test('a table that contains a task twice says so', () => {
	const line = toLine(say, build);
	expect(parseTable(`${line}\n${line}\n`, build).damage).toMatch(/twice/);
	expect(parseTable(`${line}\n`, build).damage).toBeNull();
	expect(parseTable(`${line}x\n`, build).problems).toHaveLength(1);
});

test('lines of running installations are ours byte for byte, even with words that are rejected today', () => {
	const here = commandBuilder('/srv/craftwarden/scripts/task', '/srv/data');
	const command = (type: string, id: string) =>
		`'/srv/craftwarden/scripts/task' '${type}' '--data' '/srv/data' '--id' '${id}'`;
	const lines = [
		`0 4 * * * ${command('say', ID)} '--message' '-50\\% off @ spawn, naïve ☃' # svc-task:eyJ2IjoxLCJpZCI6IjAxMjM0NTY3ODlhYmNkZWYiLCJ0eXBlIjoic2F5Iiwic2NoZWR1bGUiOiIwIDQgKiAqICoiLCJtZXNzYWdlIjoiLTUwJSBvZmYgQCBzcGF3biwgbmHDr3ZlIOKYgyJ9`,
		`*/5 * * * * ${command('backup', backup.id)} # svc-task:eyJ2IjoxLCJpZCI6ImZlZGNiYTk4NzY1NDMyMTAiLCJ0eXBlIjoiYmFja3VwIiwic2NoZWR1bGUiOiIqLzUgKiAqICogKiJ9`,
		`#DISABLED 0 0 * * 0 ${command('snapshot-prune', prune.id)} '--keep' '7' # svc-task:eyJ2IjoxLCJpZCI6ImFhYWFhYWFhYWFhYWFhYWEiLCJ0eXBlIjoic25hcHNob3QtcHJ1bmUiLCJzY2hlZHVsZSI6IjAgMCAqICogMCIsImtlZXAiOjd9`
	].map((line) => Buffer.from(line).toString('latin1'));
	const tasks = lines.map((line) => fromLine(line, here));
	expect(tasks).toEqual([{ ...say, message: '-50% off @ spawn, naïve ☃' }, backup, prune]);
	expect(tasks.map((task) => toLine(task!, here))).toEqual(lines);
});

test('a task for one day says so in its command and in its marker; moved by hand it is not ours', () => {
	const line = toLine(once, build);
	expect(line).toContain(`'--on' '2026-11-26' '--message'`);
	const base64 = / # svc-task:(.*)$/.exec(line)?.[1] ?? '';
	expect(JSON.parse(Buffer.from(base64, 'base64').toString())).toMatchObject({ on: '2026-11-26' });
	const moved = (schedule: string) => fromLine(line.replace('0 23 26 11 *', schedule), build);
	expect(moved('30 22 26 11 *')).toEqual({ ...once, schedule: '30 22 26 11 *' });
	for (const other of ['0 23 27 11 *', '0 23 * * *']) expect(moved(other)).toBeNull();
	expect(fromLine(line.replace(`'--on' '2026-11-26' `, ''), build)).toBeNull();
});
