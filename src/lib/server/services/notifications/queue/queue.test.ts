import { mkdtemp, readdir, rename, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock, settle } from '../../../../../../tests/fakes/manual-clock.ts';
import type { Answer } from '../kinds/index.ts';
import type { Message } from '../message.ts';
import { createQueue } from './index.ts';

const [A, B] = ['a'.repeat(16), 'b'.repeat(16)];
const HOUR = 3_600_000;
const message = (id: string): Message => ({
	...{ id, event: 'test', at: '2026-01-02T03:04:05.000Z', level: 'info' },
	...{ title: id, text: '', url: null, picture: null, path: '/admin', data: {} }
});
const answer = (outcome: Answer['outcome'], retryAfterMs: number | null = null): Answer => ({
	...{ outcome, words: `It says ${outcome}.`, retryAfterMs, status: null, answer: null }
});
type Behave = (channel: string, id: string, signal: AbortSignal) => Answer | Promise<Answer>;

async function setup() {
	const dir = await mkdtemp(path.join(tmpdir(), 'queue-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true }));
	const clock = createManualClock();
	const sent: string[] = [];
	const gone: string[] = [];
	const warnings: string[] = [];
	let behave: Behave = () => answer('delivered');
	const open = async (channels = [A, B], time = clock) => {
		const queue = createQueue({
			...{ dir, clock: time, random: () => 0 },
			send: async (channel, { id }, signal) => {
				sent.push(`${channel[0]}${id}`);
				return behave(channel, id, signal);
			},
			gone: async (channel) => void gone.push(channel),
			log: {
				info: () => {},
				warn: (text) => warnings.push(text),
				error: (text) => warnings.push(text)
			}
		});
		await queue.open(channels.map((id) => ({ id, enabled: true })));
		onTestFinished(() => queue.close());
		return queue;
	};
	const onDisk = async () => {
		const files = await readdir(dir, { recursive: true });
		return files.filter((name) => name.endsWith('.json')).length;
	};
	const until = (check: () => unknown, value: unknown) =>
		expect.poll(async () => (await settle(), check())).toEqual(value);
	return {
		...{ dir, clock, sent, gone, warnings, open, onDisk, until },
		behave: (next: Behave) => void (behave = next)
	};
}

test('delivered messages are removed from the disk, in the order in which they came', async () => {
	const { open, sent, onDisk, until } = await setup();
	const queue = await open();
	for (const id of ['1', '2', '3']) await queue.add(A, message(id));
	await until(() => sent, ['a1', 'a2', 'a3']);
	await until(onDisk, 0);
	expect(queue.stateOf(A)).toMatchObject({ waiting: 0, problem: null });
	expect(queue.stateOf(A).lastSentAt).not.toBeNull();
});

test('one that fails is retried with growing pauses and holds up only its own channel', async () => {
	const { open, clock, sent, behave, until } = await setup();
	behave((channel) => answer(channel === A ? 'later' : 'delivered'));
	const queue = await open();
	await queue.add(A, message('1'));
	await queue.add(A, message('2'));
	await queue.add(B, message('3'));
	await until(() => sent, ['a1', 'b3']);
	expect(queue.stateOf(A)).toMatchObject({ waiting: 2, problem: 'It says later.' });
	await clock.advance(5000);
	await until(() => sent.length, 3);
	await clock.advance(14_000);
	expect(sent).toHaveLength(3);
	behave(() => answer('delivered'));
	await clock.advance(1000);
	await until(() => sent, ['a1', 'b3', 'a1', 'a1', 'a2']);
});

test('the service says how long to wait', async () => {
	const { open, clock, sent, behave, until } = await setup();
	behave(() => answer('later', 10 * 60_000));
	const queue = await open();
	await queue.add(A, message('1'));
	await until(() => sent.length, 1);
	await clock.advance(10 * 60_000 - 1);
	expect(sent).toHaveLength(1);
	await clock.advance(1);
	await until(() => sent.length, 2);
});

test('a dead channel for a day: given up after 24 hours, reported, and the next one is tried', async () => {
	const { open, clock, sent, behave, until, onDisk } = await setup();
	behave(() => answer('later'));
	const queue = await open();
	await queue.add(A, message('1'));
	await until(() => sent.length, 1);
	await clock.advance(23 * HOUR);
	expect(await onDisk()).toBe(1);
	const tries = sent.length;
	expect(tries).toBeGreaterThan(40);
	expect(tries).toBeLessThan(60);
	behave((_, id) => answer(id === '1' ? 'later' : 'delivered'));
	await queue.add(A, message('2'));
	await clock.advance(2 * HOUR);
	await until(() => sent.at(-1), 'a2');
	await until(onDisk, 0);
});

test('however many messages are dropped, the problem says so once', async () => {
	const { open, clock, behave, until } = await setup();
	behave(() => answer('later'));
	const queue = await open();
	for (const id of ['1', '2', '3']) await queue.add(A, message(id));
	await clock.advance(25 * HOUR);
	await until(() => queue.stateOf(A).waiting, 0);
	expect(queue.stateOf(A).problem).toBe(
		'It says later. Messages that had waited too long were dropped.'
	);
});

test('a message that the service rejects is skipped, the next one is not', async () => {
	const { open, sent, behave, until, onDisk } = await setup();
	behave((_, id) => answer(id === '1' ? 'refused' : 'delivered'));
	const queue = await open();
	await queue.add(A, message('1'));
	await queue.add(A, message('2'));
	await until(() => sent, ['a1', 'a2']);
	await until(onDisk, 0);
});

test('a missing channel is reported once and keeps its queue until it is fixed', async () => {
	const { open, sent, gone, behave, until, onDisk } = await setup();
	behave(() => answer('gone'));
	const queue = await open();
	await queue.add(A, message('1'));
	await queue.add(A, message('2'));
	await until(() => gone, [A]);
	expect(sent).toEqual(['a1']);
	expect(await onDisk()).toBe(2);
	behave(() => answer('delivered'));
	await queue.reset(A, true);
	await until(() => sent, ['a1', 'a1', 'a2']);
});

test('waiting messages are delivered by the next start, and delivered ones are not', async () => {
	const { open, sent, behave, until } = await setup();
	behave((_, id) => answer(id === '1' ? 'delivered' : 'later'));
	const first = await open();
	for (const id of ['1', '2', '3']) await first.add(A, message(id));
	await until(() => sent, ['a1', 'a2']);
	await first.close();
	behave(() => answer('delivered'));
	sent.length = 0;
	await open();
	await until(() => sent, ['a2', 'a3']);
});

test('a torn file is set aside, an orphaned one is removed', async () => {
	const { dir, open, sent, warnings, behave, until } = await setup();
	behave(() => answer('later'));
	const first = await open();
	await first.add(A, message('1'));
	await first.add(B, message('2'));
	await until(() => sent.length, 2);
	await first.close();
	await writeFile(path.join(dir, A, '0000000000000001.json'), '{"version":1,"mess');
	await mkdir(path.join(dir, 'not-a-channel'));
	sent.length = 0;
	await open([A]);
	await until(() => sent, ['a1']);
	expect(warnings).toEqual([expect.stringContaining('0000000000000001.json.broken')]);
	expect((await readdir(dir)).sort()).toEqual([A, 'not-a-channel']);
});

test('the same message is not added twice while it waits', async () => {
	const { open, behave, until } = await setup();
	behave(() => answer('later'));
	const queue = await open();
	for (let i = 0; i < 2; i++) await queue.add(A, message('1'));
	await until(() => queue.stateOf(A).waiting, 1);
});

test('a message that was just delivered is not added again, even after a restart; old ones are forgotten', async () => {
	const { dir, open, sent, until } = await setup();
	const first = await open();
	for (let i = 0; i < 40; i++) await first.add(A, message(`${i}`));
	await until(() => sent.length, 40);
	await first.add(A, message('39'));
	await first.close();
	expect((await readdir(path.join(dir, A))).length).toBeLessThanOrEqual(25);
	const next = await open();
	for (const id of ['39', '38', 'new']) await next.add(A, message(id));
	await until(() => sent.slice(40), ['anew']);
});

test('a message that was accepted while the dashboard exited is not sent by the next start', async () => {
	const { open, sent, behave, onDisk } = await setup();
	const taking = Promise.withResolvers<Answer>();
	behave(() => taking.promise);
	const first = await open();
	await first.add(A, message('1'));
	await settle();
	const closed = first.close();
	taking.resolve(answer('delivered'));
	await closed;
	await (await open()).close();
	expect(sent).toEqual(['a1']);
	expect(await onDisk()).toBe(0);
});

test('a clock that was set back an hour does not change the order', async () => {
	const { open, sent, behave, until } = await setup();
	behave(() => answer('later'));
	const first = await open();
	for (const id of ['1', '2']) await first.add(A, message(id));
	await first.close();
	const next = await open([A, B], createManualClock('2026-01-02T02:04:05.000Z'));
	sent.length = 0;
	behave(() => answer('delivered'));
	await next.add(A, message('3'));
	await next.reset(A, true);
	await until(() => [...new Set(sent)], ['a1', 'a2', 'a3']);
});

test('a delivery that breaks is retried later, and holds nothing up', async () => {
	const { open, clock, sent, warnings, behave, until } = await setup();
	behave(() => Promise.reject(new Error('nobody thought of that')));
	const queue = await open();
	await queue.add(A, message('1'));
	await until(() => queue.stateOf(A).problem, 'Something went wrong here. The log says what.');
	expect(sent).toEqual(['a1']);
	behave(() => answer('delivered'));
	await clock.advance(6000);
	await until(() => sent, ['a1', 'a1']);
	expect(warnings).toEqual(['A notification could not be sent']);
});

test('a message kept only in memory survives a change of its channel', async () => {
	const { dir, open, sent, behave, until } = await setup();
	await writeFile(path.join(dir, A), 'a file in the place of the folder');
	behave(() => answer('later'));
	const queue = await open();
	await queue.add(A, message('1'));
	await until(() => sent, ['a1']);
	behave(() => answer('delivered'));
	await queue.reset(A, true);
	await until(() => sent, ['a1', 'a1']);
});

test('a disk that refuses writes costs only durability: messages are delivered from memory', async () => {
	const { dir, open, sent, warnings, until } = await setup();
	const queue = await open();
	await writeFile(path.join(dir, A), 'a file in the place of the folder');
	await queue.add(A, message('1'));
	await until(() => sent, ['a1']);
	expect(warnings[0]).toContain('cannot be written to disk');
});

test('a message that the disk keeps in the queue is logged once, not once for each that waits behind it', async () => {
	const { dir, open, sent, warnings, behave, until } = await setup();
	const taking = Promise.withResolvers<Answer>();
	behave(() => taking.promise);
	const queue = await open([A]);
	for (const id of ['1', '2', '3']) await queue.add(A, message(id));
	await rename(path.join(dir, A), path.join(dir, 'elsewhere'));
	await writeFile(path.join(dir, A), 'a file in the place of the folder');
	taking.resolve(answer('delivered'));
	await until(() => sent, ['a1', 'a2', 'a3']);
	await until(() => warnings.length, 3);
	await settle();
	expect(warnings).toHaveLength(3);
});
