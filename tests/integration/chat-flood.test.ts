import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ChatMessage } from '#schemas/chat';
import { readSse } from '../fakes/sse-reader.ts';
import { ADMIN, eventually, signedIn, startDashboard, type Dashboard } from '../harness.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Chat events of one client are at least this far apart. */
const GAP_MS = 200;
const LINES = 2_500;
const BATCH = 100;
const SAID = 60;

let dashboard: Dashboard;
beforeAll(async () => {
	dashboard = await startDashboard();
});
afterAll(() => dashboard.dispose());

const until = (what: () => boolean) =>
	eventually(
		async () => what(),
		(yes) => yes,
		30_000
	);

test('a thousand chat lines a second, and people who answer, are at most five events a second', async () => {
	const admin = await signedIn(dashboard, ADMIN);
	await admin.json('/api/server/start', {});
	await eventually(
		async () => (await admin.json('/api/status')).body.state,
		(state) => state === 'running'
	);
	const streams = await Promise.all(
		[0, 1].map(async () => readSse(await admin.fetch('/api/events')))
	);
	const messages = (stream: (typeof streams)[number]) =>
		(stream.of('chat') as { messages: ChatMessage[] }[]).flatMap((one) => one.messages);
	await until(() => streams.every((stream) => stream.of('chat').length > 0));
	const before = streams.map((stream) => stream.of('chat').length);
	const startedMs = performance.now();

	const log = path.join(dashboard.gameDir, 'logs/latest.log');
	const stamp = () => new Date().toTimeString().slice(0, 8);
	const flood = async () => {
		for (let from = 0; from < LINES; from += BATCH) {
			const lines = Array.from(
				{ length: BATCH },
				(_, i) => `[${stamp()}] [Server thread/INFO]: <Flooder> line ${from + i}\n`
			);
			await appendFile(log, lines.join(''));
			// The rhythm of the flood, not something that is waited for: slower changes nothing below.
			await new Promise((resolve) => setTimeout(resolve, BATCH));
		}
	};
	// What is sent from here is on the stream at once, not only at the next look into the log.
	const speak = async () => {
		for (let i = 0; i < SAID; i++) {
			const { status } = await admin.json('/api/chat', { message: `answer ${i}` });
			expect(status).toBe(200);
		}
	};
	await Promise.all([flood(), speak()]);
	// What a failure prints must tell a stream that has ended from a line that was left out.
	const hear = (text: string) =>
		eventually(
			async () =>
				streams.map((stream) => ({
					ended: stream.state.ended || stream.state.failed,
					heard: messages(stream).some((message) => message.text === text),
					newest: messages(stream)
						.slice(-3)
						.map((message) => message.text)
				})),
			(seen) => seen.every(({ heard }) => heard),
			30_000
		);
	await hear(`line ${LINES - 1}`);
	// Not before: what is said amid the flood may be among what nobody could have read.
	expect(await admin.json('/api/chat', { message: 'the end' })).toMatchObject({ status: 200 });
	await hear('the end');
	const elapsedMs = performance.now() - startedMs;

	for (const [i, stream] of streams.entries()) {
		const events = stream.of('chat').length - before[i]!;
		expect(events).toBeLessThanOrEqual(1 + Math.floor(elapsedMs / GAP_MS));
		expect(events).toBeLessThan(SAID);
		const told = messages(stream);
		expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
		const numbers = told
			.filter(({ player }) => player === 'Flooder')
			.map(({ text }) => Number(text.slice('line '.length)));
		expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
		// Of a flood that nobody can read the newest are told.
		for (const { messages } of stream.of('chat') as { messages: ChatMessage[] }[])
			expect(messages.length).toBeLessThanOrEqual(100);
		await stream.leave();
	}
	// Everybody has received the same, and a page opened now shows the end of it.
	expect(streams[0]!.of('chat').at(-1)).toEqual(streams[1]!.of('chat').at(-1));
	const { body } = await admin.json('/api/chat?limit=500');
	expect(body.messages).toHaveLength(500);
	expect(body.messages.some(({ text }: ChatMessage) => text === `line ${LINES - 1}`)).toBe(true);
});
