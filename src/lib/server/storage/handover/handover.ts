import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '#core/clock';
import { AppError, errno } from '#core/errors';
import { ensureDir, exists, PRIVATE_FILE, readTextIfExists, writeAtomic } from '#core/files';
import { ownProcessId, processLives } from '#core/process';

/**
 * Work that a short-lived process hands over to the dashboard of the same data directory, as files in a folder:
 * `NAME.order` is offered, `NAME.taken` is in progress, `NAME.answer` is the result. Whoever renames the order owns it,
 * so nothing is done twice. The process in it tells whether its owner has died; removing `taken` withdraws the order.
 */
export interface Handover<Order, Answer> {
	/**
	 * Null when no dashboard has taken it; an error when the dashboard has exited before it was done. After an abort the
	 * dashboard is told to stop, and this rejects.
	 */
	offer(order: Order, signal: AbortSignal): Promise<Answer | null>;
	/** Takes offered orders from now on; `perform` never rejects. */
	serve(perform: (order: Order, signal: AbortSignal) => Promise<Answer>): Promise<void>;
	/** Takes no more orders, and waits for those in progress. */
	close(): Promise<void>;
}

type Options<Order, Answer> = {
	dir: string;
	order: z.ZodType<Order>;
	answer: z.ZodType<Answer>;
	clock: Clock;
	warn: (message: string, facts?: Record<string, unknown>) => void;
};

const LOOK_EVERY_MS = 500;
const TAKEN_WITHIN_MS = 5000;
/** The dashboard's process, for as long as it serves. */
const SERVER = 'server';

export function createHandover<Order, Answer>(options: Options<Order, Answer>) {
	const { dir, clock, warn } = options;
	const closing = new AbortController();
	const running = new Map<string, { stop: AbortController; ended: Promise<void> }>();
	let loop: Promise<void> | null = null;
	const file = (name: string) => path.join(dir, name);
	const Offered = z.object({ by: z.string(), order: options.order });
	const remove = (name: string) => rm(file(name), { force: true });
	const write = (name: string, data: unknown) =>
		writeAtomic(file(name), JSON.stringify(data), PRIVATE_FILE);

	async function read<T>(name: string, schema: z.ZodType<T>): Promise<T | null> {
		const text = await readTextIfExists(file(name));
		if (text === null) return null;
		try {
			return schema.parse(JSON.parse(text));
		} catch (cause) {
			warn('A handed-over task cannot be read', { file: name, cause });
			return null;
		}
	}

	/** Whoever renames it owns it. */
	const claim = (from: string, to: string) =>
		rename(file(from), file(to)).then(
			() => true,
			(error) => {
				if (errno(error) === 'ENOENT') return false;
				throw error;
			}
		);

	async function isServed() {
		const server = await readTextIfExists(file(SERVER));
		return server !== null && processLives(server);
	}

	async function take(id: string, perform: (order: Order, signal: AbortSignal) => Promise<Answer>) {
		const offered = await read(`${id}.order`, Offered);
		// Offered by a process that is gone: nobody wants it any more.
		if (!offered || !processLives(offered.by)) return remove(`${id}.order`);
		if (!(await claim(`${id}.order`, `${id}.taken`))) return;
		const stop = new AbortController();
		const ended = perform(offered.order, stop.signal)
			.then(async (answer) => {
				if (await exists(file(`${id}.taken`))) await write(`${id}.answer`, answer);
			})
			.catch((cause) => warn('A handed-over task has no answer', { cause }))
			.finally(async () => {
				running.delete(id);
				await remove(`${id}.taken`).catch(() => {}); // its process tells as well
			});
		running.set(id, { stop, ended });
	}

	async function look(perform: (order: Order, signal: AbortSignal) => Promise<Answer>) {
		const names = await readdir(dir);
		for (const [id, { stop }] of running) if (!names.includes(`${id}.taken`)) stop.abort();
		for (const name of names)
			if (name.endsWith('.order')) await take(name.slice(0, -'.order'.length), perform);
	}

	async function serve(perform: (order: Order, signal: AbortSignal) => Promise<Answer>) {
		await ensureDir(dir);
		for (const name of await readdir(dir)) if (/\.(taken|answer)$/.test(name)) await remove(name);
		await writeAtomic(file(SERVER), ownProcessId(), PRIVATE_FILE);
		loop = watch(perform);
	}

	async function watch(perform: (order: Order, signal: AbortSignal) => Promise<Answer>) {
		while (!closing.signal.aborted) {
			await look(perform).catch((cause) => warn('Handed-over tasks cannot be seen', { cause }));
			await clock.sleep(LOOK_EVERY_MS, closing.signal).catch(() => {}); // closing
		}
	}

	/** Returns false when it was withdrawn. */
	async function isTaken(id: string, signal: AbortSignal): Promise<boolean> {
		const deadlineMs = clock.monotonicMs() + TAKEN_WITHIN_MS;
		while (await exists(file(`${id}.order`))) {
			const late = clock.monotonicMs() >= deadlineMs || signal.aborted || !(await isServed());
			if (late && (await claim(`${id}.order`, `${id}.back`))) {
				await remove(`${id}.back`);
				return false;
			}
			if (!late) await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {}); // withdrawn above
		}
		return true;
	}

	async function answerOf(id: string, signal: AbortSignal): Promise<Answer> {
		for (;;) {
			const over = !(await exists(file(`${id}.taken`))) || !(await isServed());
			const answer = await read(`${id}.answer`, options.answer);
			if (answer !== null) {
				await remove(`${id}.answer`);
				return answer;
			}
			if (over) throw new AppError('upstream', 'The dashboard ended before this was done.');
			await clock.sleep(LOOK_EVERY_MS, signal);
		}
	}

	async function offer(order: Order, signal: AbortSignal): Promise<Answer | null> {
		if (!(await isServed())) return null;
		const id = randomBytes(8).toString('hex');
		await write(`${id}.order`, { by: ownProcessId(), order });
		if (!(await isTaken(id, signal))) {
			signal.throwIfAborted();
			return null;
		}
		try {
			return await answerOf(id, signal);
		} finally {
			await remove(`${id}.taken`);
		}
	}

	return {
		offer,
		serve,
		async close() {
			closing.abort();
			await loop;
			await Promise.all([...running.values()].map(({ ended }) => ended));
			if (loop) await remove(SERVER);
		}
	} satisfies Handover<Order, Answer>;
}
