import { spawnSync } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { LogPageQuery } from '#schemas/log';
import { systemClock } from '#core/clock';
import { createLogFiles } from '#minecraft/log-files';
import { createLogReader } from '#minecraft/logs';
import { createLogMask } from '#minecraft/mask';
import { stripCodes } from '#minecraft/text';
import { createLogs } from '#services/logs';
import { median, row, sleep, type Row } from './measure.ts';
import { idle, outside } from './outside.ts';
import type { Bench } from './bench.ts';

const BYTES = 1e9;
/** As people with the page open ask; the first ones find code that V8 has not compiled yet. */
const RUNS = 100;
const LINES_A_SECOND = 3;

/** A log of 1 GB, read and searched as the logs page does, beside the system's own tools on the same file. */
export async function benchLogs(bench: Bench): Promise<Row[]> {
	let gameDir = '';
	const { ask, waits, end } = await outside(bench, async (dashboard) => {
		gameDir = dashboard.gameDir;
		await mkdir(path.join(gameDir, 'logs'), { recursive: true });
		await fill(path.join(gameDir, 'logs', 'latest.log'));
	});
	try {
		const file = path.join(gameDir, 'logs', 'latest.log');
		// Each asks for something else: the last 16 answers are kept for two seconds.
		let asked = 0;
		const lines = () => ask(`/api/logs?lines=${500 + (asked++ % 20)}`);
		const search = () => ask(`/api/logs?lines=500&q=nowhere-${asked++}`);
		const first = await lines();
		const last: number[] = [];
		for (let i = 0; i < RUNS; i++) last.push(await lines());
		const searches = await waits(async () => [await search(), await search(), await search()]);
		const reading = await benchReading(gameDir);
		const tail = await times(RUNS, () => run('tail', ['-n', '500', file]));
		const grep = await times(3, () => run('grep', ['-cF', 'nowhere-at-all', file]));
		return [
			row(
				'last 500 lines of 1 GB over HTTP',
				median(last),
				'ms',
				5,
				`${first.toFixed(0)} ms when they are asked for the first time`
			),
			row('… inside', reading.lastMs, 'ms', null, `${median(tail).toFixed(1)} ms tail`),
			row(
				'search through 1 GB over HTTP',
				median(searches.result),
				'ms',
				1500,
				`${median(grep).toFixed(0)} ms grep -F`
			),
			row('… another request meanwhile, longest', searches.ms, 'ms', 50, idle(searches.beforeMs)),
			row('… inside', reading.searchMs, 'ms', null),
			row('… event loop held by it, longest', reading.heldMs, 'ms', 20)
		];
	} finally {
		await end();
	}
}

/** What the logs page asks its service for, of a file that is not in its cache; the event loop is this process's own. */
async function benchReading(serverDir: string) {
	const logs = createLogs({
		reader: createLogReader({ files: createLogFiles({ serverDir }), clock: systemClock }),
		mask: createLogMask,
		secrets: async () => ['correct horse battery staple', 'rcon password 1'],
		follower: { subscribe: () => () => {} },
		plain: stripCodes,
		blamedLines: () => [],
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

/** What a modded server writes: many kinds of lines, of which hardly two are equal. */
const KINDS: ((i: number) => string)[] = [
	(i) => `[Server thread/INFO]: <Player_${i % 97}> word ${i} and é🙂 ${i * 7}`,
	(i) =>
		`[Server thread/INFO]: Player_${i % 89}[/203.0.113.${i % 250}:${40_000 + (i % 9999)}] logged in`,
	(i) => `[Worker-Main-${i % 8}/INFO] [net.minecraft.server.MinecraftServer/]: Saved ${i} chunks`,
	(i) => `[Server thread/WARN]: Can't keep up! Running ${i % 9000}ms or ${i % 180} ticks behind`,
	(i) => `[modloading-worker-${i % 4}/DEBUG] [mod_${i % 313}/CONFIG]: §aloaded §r{"entries":${i}}`,
	(i) => `[Netty Epoll Server IO #${i % 6}/ERROR]: Packet ${i} of ${i % 41} could not be read`,
	(i) => `java.lang.IllegalStateException: ${i} is not ready`,
	(i) => `\tat org.example.mod${i % 313}.Main.tick(Main.java:${i % 1999}) ~[mod-${i % 313}.jar:?]`
];

function lineOf(i: number): string {
	const text = KINDS[(i * 5 + (i >> 3)) % KINDS.length]!(i);
	if (!text.startsWith('[')) return `${text}\n`;
	const second = new Date(Math.floor(i / LINES_A_SECOND) * 1000).toISOString().slice(11, 19);
	return `[${second}] ${text}\n`;
}

async function fill(file: string) {
	const block = Array.from({ length: 200_000 }, (_, i) => lineOf(i)).join('');
	const handle = await open(file, 'w');
	for (let written = 0; written < BYTES; written += block.length) await handle.write(block);
	await handle.sync(); // or the disk would be busy with it for all that follows
	await handle.close();
}
