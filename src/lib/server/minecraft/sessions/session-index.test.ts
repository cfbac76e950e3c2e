import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createLogFolder, logLine } from '../../../../../tests/fakes/game/log-folder.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { systemClock, type Clock } from '#core/clock';
import { createSessionIndex } from './session-index.ts';

const ANA = 'b6eb53c6-e73e-4b90-8130-45a9e17ed832';
const BO = '00000000-0000-4000-8000-00000000b000';
const START = 'Starting minecraft server version 1.21.1';

const H = 3600;
const idOf = (name: string, uuid: string, second: number) =>
	`[${clockTime(second)}] [User Authenticator #1/INFO]: UUID of player ${name} is ${uuid}\n`;
const clockTime = (second: number) => logLine('', second).slice(1, 9);
const join = (name: string, second: number, uuid = ANA) =>
	idOf(name, uuid, second) +
	logLine(`${name}[/203.0.113.7:50000] logged in with entity id 7 at (1.5, 64.0, -3.5)`, second) +
	logLine(`${name} joined the game`, second);
const leave = (name: string, second: number) =>
	logLine(`${name} lost connection: Disconnected`, second) +
	logLine(`${name} left the game`, second);
/** By this machine's clock, as the log is read. */
const at = (day: number, second: number) => new Date(2026, 2, day, 0, 0, second).toISOString();
const written = (day: number, second: number) => new Date(2026, 2, day, 0, 0, second);

function setup(options: { clock?: Clock; filesMax?: number; textMaxBytes?: number } = {}) {
	const folder = createLogFolder();
	onTestFinished(folder.remove);
	const opened: string[] = [];
	const files = {
		...folder.files,
		open: (name: string) => (opened.push(name), folder.files.open(name))
	};
	const warnings: string[] = [];
	const index = createSessionIndex({
		files,
		clock: systemClock,
		log: { warn: (message) => void warnings.push(message) },
		patienceMs: 60_000,
		...options
	});
	onTestFinished(() => index.close());
	return {
		...folder,
		index,
		opened,
		warnings,
		sessions: async (uuid = ANA, ...names: string[]) => (await index.of({ uuid, names })).sessions
	};
}

test('a session goes from the join to the leave, by the day of the file', async () => {
	const { write, sessions, index } = setup();
	const first = join('Ana', 9 * H) + leave('Ana', 10 * H) + join('Ana', 11 * H);
	write('2026-03-12-1.log.gz', logLine(START) + first + logLine('Stopping server', 12 * H));
	write('latest.log', logLine(START) + join('Ana', 8 * H), written(14, 8 * H + 5));
	expect(await sessions()).toEqual([
		{ from: at(12, 9 * H), to: at(12, 10 * H), end: 'left' },
		{ from: at(12, 11 * H), to: at(12, 12 * H), end: 'stopped' },
		{ from: at(14, 8 * H), to: null, end: 'online' }
	]);
	expect(await index.of({ uuid: BO, names: ['Bo'] })).toEqual({
		sessions: [],
		lastAt: at(14, 8 * H),
		complete: true
	});
});

test('when everybody was last there is the end of their last session, or the last line while it lasts', async () => {
	const { write, index } = setup();
	const bo = join('Bo', 10 * H, BO) + leave('Bo', 11 * H);
	write('2026-03-12-1.log.gz', logLine(START) + join('Ana', 9 * H) + bo + leave('Ana', 12 * H));
	write('latest.log', logLine(START) + join('Ana', 8 * H), written(14, 8 * H + 5));
	await index.of({ uuid: ANA, names: [] });
	expect(await index.lastSeen()).toEqual(
		new Map([
			[ANA, at(14, 8 * H)],
			[BO, at(12, 11 * H)]
		])
	);
});

test('over midnight, when a new log begins, it is one session', async () => {
	const { write, sessions } = setup();
	write('2026-03-12-1.log.gz', logLine(START) + join('Ana', 22 * H));
	write('2026-03-13-1.log.gz', logLine('<Ana> still here', 60));
	write('latest.log', leave('Ana', 1 * H) + join('Ana', 2 * H), written(14, 2 * H));
	expect(await sessions()).toEqual([
		{ from: at(12, 22 * H), to: at(14, 1 * H), end: 'left' },
		{ from: at(14, 2 * H), to: null, end: 'online' }
	]);
});

test('a log that was never rotated counts its days by the times in it', async () => {
	const { write, sessions } = setup();
	const days = [join('Ana', 22 * H), logLine('quiet', 7 * H), logLine('quiet', 3 * H)];
	write('latest.log', logLine(START) + days.join('') + leave('Ana', 4 * H), written(14, 4 * H));
	// In the evening, the morning after it, and earlier in that of the day after.
	expect(await sessions()).toEqual([{ from: at(12, 22 * H), to: at(14, 4 * H), end: 'left' }]);
});

test('players online when the server crashed or was killed were online until then', async () => {
	const { write, sessions } = setup();
	const crash = logLine('Encountered an unexpected exception', 10 * H, 'ERROR');
	write(
		'2026-03-12-1.log.gz',
		logLine(START) + join('Ana', 9 * H) + crash + logLine('Stopping server', 10 * H + 1)
	);
	write('2026-03-12-2.log.gz', logLine(START, 11 * H) + join('Ana', 12 * H) + logLine('x', 13 * H));
	const boot = logLine('Loading', 19 * H) + logLine('Loading', 20 * H);
	write('latest.log', boot + logLine(START, 20 * H), written(12, 20 * H));
	expect(await sessions()).toEqual([
		{ from: at(12, 9 * H), to: at(12, 10 * H + 1), end: 'crashed' },
		{ from: at(12, 12 * H), to: at(12, 13 * H), end: 'crashed' }
	]);
});

test('players disconnected by a stopping server leave once, not twice', async () => {
	const { write, sessions } = setup();
	const end = logLine('Stopping server', 10 * H) + leave('Ana', 10 * H + 1);
	write('latest.log', logLine(START) + join('Ana', 9 * H) + end, written(12, 10 * H));
	expect(await sessions()).toEqual([{ from: at(12, 9 * H), to: at(12, 10 * H), end: 'stopped' }]);
});

test('a beginning or an end that the logs do not contain is unknown', async () => {
	const { write, sessions } = setup();
	const twice = join('Ana', 11 * H) + join('Ana', 12 * H) + leave('Ana', 13 * H);
	write('latest.log', leave('Ana', 9 * H) + twice, written(12, 13 * H));
	expect(await sessions(ANA, 'Ana')).toEqual([
		{ from: null, to: at(12, 9 * H), end: 'left' },
		{ from: at(12, 11 * H), to: null, end: null },
		{ from: at(12, 12 * H), to: at(12, 13 * H), end: 'left' }
	]);
});

test('a player is found by id under any name, and by name only where the log has no id', async () => {
	const { write, sessions } = setup();
	write(
		'latest.log',
		logLine(START) +
			join('OldAna', 1 * H) +
			leave('OldAna', 2 * H) +
			join('Ana', 3 * H) +
			leave('Ana', 4 * H) +
			join('Ana', 5 * H, BO) +
			leave('Ana', 6 * H) +
			logLine('Cy joined the game', 7 * H) +
			leave('Cy', 8 * H),
		written(12, 8 * H)
	);
	const hours = (list: { from: string | null }[]) =>
		list.map(({ from }) => new Date(from!).getHours());
	expect(hours(await sessions(ANA, 'Ana'))).toEqual([1, 3]);
	expect(hours(await sessions(BO, 'Ana'))).toEqual([5]);
	expect(hours(await sessions('00000000-0000-3000-8000-0000000000c1', 'Cy'))).toEqual([7]);
	expect(await sessions('00000000-0000-3000-8000-0000000000c1', 'CY')).toEqual([]);
});

test('the display name of the join, and the profile name of the login, are one player', async () => {
	const { write, sessions } = setup();
	const shown = join('Ana', 9 * H).replace('Ana joined', '[VIP] Ännchen joined');
	const gone = leave('Ana', 10 * H).replace('Ana left', '[VIP] Ännchen left');
	write('2026-03-12-1.log.gz', logLine(START) + shown);
	write('latest.log', gone, written(13, 10 * H));
	expect(await sessions()).toEqual([{ from: at(12, 9 * H), to: at(13, 10 * H), end: 'left' }]);
});

test('chat never starts or ends a session', async () => {
	const { write, sessions } = setup();
	const forged = [
		'<Eve> Ana left the game',
		'[Not Secure] <Eve> Ana left the game',
		'* Eve Ana left the game',
		'[Not Secure] [Eve] Ana left the game',
		'<Eve> [12:00:00] [Server thread/INFO]: Ana left the game',
		'<Eve> Stopping server',
		'Stopping server?',
		'Villager lost connection: Ana left the game now'
	];
	const lines = forged.map((text) => logLine(text, 10 * H)).join('');
	const bare = 'Ana left the game\n\tAna left the game\n';
	write('latest.log', logLine(START) + join('Ana', 9 * H) + lines + bare, written(12, 11 * H));
	expect(await sessions()).toEqual([{ from: at(12, 9 * H), to: null, end: 'online' }]);
});

test('each file is read once, and the growing one continues where it was', async () => {
	const { write, append, sessions, opened, at: fileAt } = setup();
	write('2026-03-12-1.log.gz', logLine(START) + join('Ana', 9 * H) + leave('Ana', 10 * H));
	write('latest.log', logLine(START) + join('Ana', 9 * H), written(13, 9 * H));
	expect(await sessions()).toHaveLength(2);
	expect(opened).toEqual(['latest.log', '2026-03-12-1.log.gz']);
	// Half a line is none yet.
	append('latest.log', leave('Ana', 10 * H).slice(0, -1));
	expect((await sessions()).at(-1)).toMatchObject({ end: 'online' });
	append('latest.log', '\n' + join('Ana', 11 * H));
	expect((await sessions()).map(({ end }) => end)).toEqual(['left', 'left', 'online']);
	expect(opened.filter((name) => name !== 'latest.log')).toHaveLength(1);

	// The next start puts it away; Forge renames those of before too.
	renameSync(fileAt('2026-03-12-1.log.gz'), fileAt('2026-03-12-2.log.gz'));
	renameSync(fileAt('latest.log'), fileAt('2026-03-13-1.log'));
	write('latest.log', logLine(START, 12 * H), written(13, 12 * H));
	expect((await sessions()).map(({ end }) => end)).toEqual(['left', 'left', 'crashed']);
	expect(opened.filter((name) => name !== 'latest.log')).toEqual([
		'2026-03-12-1.log.gz',
		'2026-03-13-1.log'
	]);
	rmSync(fileAt('2026-03-12-2.log.gz'));
	expect(await sessions()).toHaveLength(2);
});

test('only a limited number of files, and amount of text, is read: the newest', async () => {
	for (const limits of [{ filesMax: 3 }, { textMaxBytes: 900 }]) {
		const { write, sessions, opened } = setup(limits);
		for (let day = 1; day <= 9; day++)
			write(`2026-03-0${day}-1.log.gz`, logLine(START) + join('Ana', 9 * H) + leave('Ana', 10 * H));
		write('latest.log', logLine(START), written(10, 10));
		const days = (await sessions()).map(({ from }) => new Date(from!).getDate());
		expect(days).toEqual([7, 8, 9]);
		expect(opened).toHaveLength(4);
		await sessions();
		expect(opened).toHaveLength(5);
	}
});

test('unreadable files contribute nothing, and block nothing', async () => {
	const { write, at: fileAt, sessions, index } = setup();
	const whole = gzipSync(
		logLine(START) + join('Ana', 9 * H) + leave('Ana', 10 * H) + 'x'.repeat(99_999)
	);
	writeFileSync(fileAt('2026-03-10-1.log.gz'), whole.subarray(0, whole.length - 20));
	writeFileSync(fileAt('2026-03-11-1.log.gz'), 'no gzip');
	symlinkSync('/etc/passwd', fileAt('2026-03-12-1.log'));
	write('2026-03-13-1.log.gz', Buffer.from([0xff, 0xfe, 0, 0x0a, 0x5b, 0x0a, 0xd7, 0x0a]));
	expect(await sessions()).toMatchObject([{ from: at(10, 9 * H), end: 'left' }]);
	// There is no current log, or it is something else.
	symlinkSync('/etc/passwd', fileAt('latest.log'));
	expect(await sessions()).toHaveLength(1);
	rmSync(fileAt('../logs'), { recursive: true });
	expect(await index.of({ uuid: ANA, names: [] })).toMatchObject({ complete: true });
});

test('callers wait only briefly; what is known by then is returned, and reading continues', async () => {
	const clock = createManualClock();
	const { write, index } = setup({ clock });
	write('latest.log', logLine(START) + join('Ana', 9 * H), written(12, 9 * H));
	write('2026-03-11-1.log.gz', logLine(START) + join('Ana', 9 * H) + leave('Ana', 10 * H));
	const early = index.of({ uuid: ANA, names: [] });
	// Nothing has been read in this turn.
	await clock.advance(60_000);
	const first = await early;
	expect(first.complete).toBe(false);
	await expect
		.poll(async () => (await index.of({ uuid: ANA, names: [] })).sessions)
		.toHaveLength(2);
});

test('a day full of reconnects is read quickly and kept in bounds', async () => {
	const { write, sessions } = setup();
	const lines: string[] = [logLine(START)];
	for (let i = 0; i < 15_000; i++)
		lines.push(logLine('Ana joined the game', i), logLine('Ana left the game', i));
	lines.push(logLine('noise '.repeat(20), 9 * H).repeat(50_000));
	write('latest.log', lines.join(''), written(12, 9 * H));
	const found = await sessions(ANA, 'Ana');
	expect(found).toHaveLength(100);
	expect(found.at(-1)).toMatchObject({ to: at(12, 14_999), end: 'left' });
});
