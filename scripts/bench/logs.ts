import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, open, rm } from 'node:fs/promises';
import { get } from 'node:http';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LogPageQuery } from '#schemas/log';
import { systemClock } from '#core/clock';
import { createLogFiles } from '#minecraft/log-files';
import { createLogReader } from '#minecraft/logs';
import { createLogMask } from '#minecraft/mask';
import { stripCodes } from '#minecraft/text';
import { createLogs } from '#services/logs';
import { signedIn, type Dashboard, type Visitor } from '../../tests/harness.ts';
import { median, row, sleep, type Row } from './measure.ts';
import type { Bench } from './bench.ts';

const BYTES = 1e9;
/** As people with the page open ask; the first ones find code that V8 has not compiled yet. */
const RUNS = 100;
const LINES_ON_STREAM = 5;
const POLL_MS = 1500;
const LINES_A_SECOND = 3;

/** A log of 1 GB, read and searched as the logs page does, beside the system's own tools on the same file. */
export async function benchLogs({ start }: Bench): Promise<Row[]> {
	const dashboard = await start();
	const admin = await signedIn(dashboard);
	const file = path.join(dashboard.gameDir, 'logs', 'latest.log');
	await mkdir(path.dirname(file), { recursive: true });
	const onStream = await streamDelays(dashboard, admin, file);
	await fill(file);
	const reading = await benchReading(dashboard.gameDir);
	let asked = 0;
	const ask = () =>
		answered(`${dashboard.url}/api/logs?lines=${500 + (asked++ % 20)}`, admin.cookie);
	const [first] = await times(1, ask);
	const answers = await times(RUNS, ask);
	const tail = await times(RUNS, () => run('tail', ['-n', '500', file]));
	const grep = await times(3, () => run('grep', ['-cF', 'nowhere-at-all', file]));
	await rm(file);
	await dashboard.dispose();
	return [
		row('a log line on the stream', Math.max(...onStream), 'ms', POLL_MS + 5, 'one poll: 1500 ms'),
		row('last 500 lines of 1 GB', reading.lastMs, 'ms', 5, `${median(tail).toFixed(1)} ms tail`),
		row(
			'… as a whole answer over HTTP, packed',
			median(answers),
			'ms',
			null,
			`${first!.toFixed(0)} ms when it is asked for the first time`
		),
		row(
			'search through 1 GB',
			reading.searchMs,
			'ms',
			1500,
			`${median(grep).toFixed(0)} ms grep -F`
		),
		row('… event loop held by it, longest', reading.heldMs, 'ms', 20)
	];
}

/** What the logs page asks its service for, of a file that is not in its cache; the event loop is this process's own. */
async function benchReading(serverDir: string) {
	const logs = createLogs({
		reader: createLogReader({ files: createLogFiles({ serverDir }), clock: systemClock }),
		mask: createLogMask,
		secrets: async () => ['correct horse battery staple', 'rcon password 1'],
		follower: { subscribe: () => () => {} },
		plain: stripCodes,
		about: async () => [],
		log: { error: console.error },
		clock: systemClock
	});
	// Each asks for something else: the last 16 answers are kept for two seconds.
	let asked = 0;
	const read = (q?: string) => () => {
		const lines = String(500 + (asked++ % 20));
		return logs.read(LogPageQuery.parse({ lines, q: q && `${q}-${asked}` }), 'admin');
	};
	await times(10, read()); // the first ones find code that V8 has not compiled yet
	const last = await times(RUNS, read());
	await sleep(50);
	const loop = monitorEventLoopDelay({ resolution: 1 });
	loop.enable();
	const search = await times(3, read('nowhere-at-all'));
	loop.disable();
	logs.close();
	return { lastMs: median(last), searchMs: median(search), heldMs: loop.max / 1e6 };
}

/** Packed, as browsers ask for it, to its last byte; what they do with it then is not ours. */
const answered = (url: string, cookie: string) =>
	new Promise<void>((resolve, reject) => {
		const asked = get(url, { headers: { cookie, 'accept-encoding': 'gzip' } }, (answer) => {
			if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
			answer.on('end', resolve).resume();
		});
		asked.on('error', reject);
	});

async function times(count: number, work: () => unknown): Promise<number[]> {
	const found: number[] = [];
	for (let i = 0; i < count; i++) {
		const from = performance.now();
		await work();
		found.push(performance.now() - from);
	}
	return found;
}

const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'ignore' });

/** Whole lines, as the game writes them: some each second. */
async function fill(file: string) {
	const time = (i: number) =>
		new Date(Math.floor(i / LINES_A_SECOND) * 1000).toISOString().slice(11, 19);
	const line = (i: number) =>
		`[${time(i)}] [Server thread/INFO]: Line ${i} of a log that says nothing of any interest at all\n`;
	const block = Array.from({ length: 40_000 }, (_, i) => line(i)).join('');
	const handle = await open(file, 'w');
	for (let written = 0; written < BYTES; written += block.length) await handle.write(block);
	await handle.sync(); // or the disk would be busy with it for all that follows
	await handle.close();
}

/** From a chat line's write to its event. */
async function streamDelays(dashboard: Dashboard, { cookie }: Visitor, file: string) {
	const stream = await fetch(`${dashboard.url}/api/events`, { headers: { cookie } });
	const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
	const heard = async (word: string) => {
		for (let text = ''; !text.includes(word);) {
			const { value, done } = await reader.read();
			if (done) throw new Error('The stream has ended.');
			text = (text + value).slice(-4000);
		}
	};
	await heard('event: chat');
	const delays: number[] = [];
	for (let i = 0; i < LINES_ON_STREAM; i++) {
		await sleep(POLL_MS + 200 * i); // at different moments of a poll
		const word = `hello-${i}`;
		await appendFile(file, `[12:00:0${i}] [Server thread/INFO]: <Steve> ${word}\n`);
		const from = performance.now();
		await heard(word);
		delays.push(performance.now() - from);
	}
	await reader.cancel();
	return delays;
}
