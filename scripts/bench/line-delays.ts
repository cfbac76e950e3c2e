import { mkdtempSync, rmSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#core/clock';
import { createFollower, POLL_MS } from '#minecraft/follow';
import { signedIn, type Dashboard } from '../../tests/harness.ts';
import { median, quantile, row, sleep, type Row } from './measure.ts';

const LINES = 20;
const POLLED_LINES = 10;
/** At other moments of a poll each time. */
const pauseMs = (i: number) => 300 + ((i * 337) % POLL_MS);

/** From the write of a chat line to its event at a browser, beside a reader that has nothing but the poll. */
export async function benchLines(dashboard: Dashboard): Promise<Row[]> {
	const [onStream, polled] = await Promise.all([streamed(dashboard), pollAlone()]);
	const base = `${median(polled).toFixed(0)} ms by the poll alone`;
	return [
		row('a log line on the stream, median', median(onStream), 'ms', 10, base),
		row('… p95', quantile(onStream, 0.95), 'ms', null)
	];
}

async function streamed(dashboard: Dashboard): Promise<number[]> {
	const { cookie } = await signedIn(dashboard);
	const file = path.join(dashboard.gameDir, 'logs', 'latest.log');
	await mkdir(path.dirname(file), { recursive: true });
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
	const delays = await delaysOf(file, LINES, heard);
	await reader.cancel();
	return delays;
}

async function pollAlone(): Promise<number[]> {
	const dir = mkdtempSync(path.join(tmpdir(), 'bench-lines-'));
	const file = path.join(dir, 'latest.log');
	await appendFile(file, '');
	const watch = () => ({ on() {}, close() {} });
	const follower = createFollower({ file, pollMs: POLL_MS, clock: systemClock, watch });
	let arrived = (_line: string) => {};
	follower.subscribe((lines) => lines.forEach((line) => arrived(line)));
	const heard = (word: string) =>
		new Promise<void>((resolve) => (arrived = (line) => line.includes(word) && resolve()));
	try {
		return await delaysOf(file, POLLED_LINES, heard);
	} finally {
		follower.close();
		rmSync(dir, { recursive: true });
	}
}

async function delaysOf(file: string, lines: number, heard: (word: string) => Promise<void>) {
	const delays: number[] = [];
	for (let i = 0; i < lines; i++) {
		await sleep(pauseMs(i));
		const word = `hello-${i}-`;
		const arrival = heard(word);
		const from = performance.now();
		await appendFile(file, `[12:00:${10 + i}] [Server thread/INFO]: <Steve> ${word}\n`);
		await arrival;
		delays.push(performance.now() - from);
	}
	return delays;
}
