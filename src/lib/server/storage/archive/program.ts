// A process of its own for one job, with its own memory, threads and low priority. Whoever asked for it ends it when the
// job is done; it ends itself when that process is gone.
import { readdirSync, writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { errno } from '#core/errors';
import type { Job, Message, Order } from './jobs.ts';
import { failureOf, runHere } from './run-here.ts';

const TELL_EVERY_MS = 200;

// An orderly exit can hang in Node (nothing here needs one).
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (job: Job) => {
	process.on('message', ({ ms }: Order) => void (restUntil = performance.now() + ms));
	void perform(job);
});

let restUntil = 0;

async function perform(job: Job) {
	yieldToTheGame();
	let message: Message;
	try {
		message = { type: 'done', result: await runHere(job, tell()) };
	} catch (error) {
		message = failureOf(error);
	}
	flushCompileCache();
	process.send!(message);
}

function tell() {
	let last = performance.now();
	return (done: number) => {
		const now = performance.now();
		if (now - last >= TELL_EVERY_MS) {
			last = now;
			process.send!({ type: 'progress', done } satisfies Message);
		}
		return now < restUntil ? delay(restUntil - now) : undefined;
	};
}

const NICE = constants.priority.PRIORITY_BELOW_NORMAL;
/** Only root may do it more than ten times a second, all processes together. */
const GROUP_TRIES = 20;
const GROUP_PAUSE_MS = 150;

/**
 * Linux keeps the priority by thread, and new ones inherit it; the disk's scheduler follows it. Where sessions share
 * the CPU before threads do (autogroup), it has no effect on a game in another session: there this session, which is
 * our own, must be lowered as a whole. To a tenth of the game's share, not less: while a backup starves, the game
 * does not save.
 */
function yieldToTheGame() {
	for (const thread of readdirSync('/proc/self/task')) {
		try {
			setPriority(Number(thread), NICE);
		} catch {
			// Then it runs at the usual priority.
		}
	}
	void yieldAsSession();
}

async function yieldAsSession() {
	for (let tries = 0; tries < GROUP_TRIES; tries++) {
		try {
			return writeFileSync('/proc/self/autogroup', String(NICE));
		} catch (error) {
			if (errno(error) !== 'EAGAIN') return; // there are no such groups
		}
		await delay(GROUP_PAUSE_MS);
	}
}
