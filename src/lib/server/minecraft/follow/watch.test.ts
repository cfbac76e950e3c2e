import {
	appendFileSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	watch as systemWatch
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { soon } from '../../../../../tests/soon.ts';
import { systemClock, type Clock } from '#core/clock';
import { createFollower } from './follow.ts';
import { watchFile, type Watch } from './watch.ts';

/** No test lives to see the poll: what arrives has come by an event. */
const NEVER_MS = 3_600_000;

let root: string;
let dir: string;
let file: string;
const open: { close(): void }[] = [];
beforeEach(() => {
	root = mkdtempSync(path.join(tmpdir(), 'craftwarden-watch-'));
	dir = path.join(root, 'logs');
	file = path.join(dir, 'latest.log');
	mkdirSync(dir);
});
afterEach(() => {
	for (const one of open.splice(0)) one.close();
	rmSync(root, { recursive: true, force: true });
});

type Options = { pollMs?: number; clock?: Clock; watch?: Watch };

/** Resolves once the folder is watched and the file was read for the first time. */
async function follow({ pollMs = NEVER_MS, clock = systemClock, watch }: Options = {}) {
	const rests: number[] = [];
	const counting: Clock = {
		...clock,
		sleep: (ms, signal) => {
			if (ms !== pollMs) rests.push(ms);
			return clock.sleep(ms, signal);
		}
	};
	const follower = createFollower({ file, pollMs, clock: counting, ...(watch && { watch }) });
	open.push(follower);
	const lines: string[] = [];
	const unsubscribe = follower.subscribe((more) => lines.push(...more));
	if (pollMs === NEVER_MS) await soon(() => expect(rests).toHaveLength(1));
	return { follower, lines, unsubscribe, rests };
}
const append = (text: string) => appendFileSync(file, text);
const arrive = (lines: string[], wanted: string[]) => soon(() => expect(lines).toEqual(wanted));

/** The system's own, of which is known how many are open; or one that fails. */
function counted(make: Watch = systemWatch) {
	const seen = { made: 0, open: 0, fail: () => {}, watch: null as unknown as Watch };
	seen.watch = (folder, options, listener) => {
		const watcher = make(folder, options, listener);
		seen.made++;
		seen.open++;
		return {
			on(event, onError) {
				watcher.on(event, onError);
				seen.fail = onError;
			},
			close() {
				seen.open--;
				watcher.close();
			}
		};
	};
	return seen;
}
const noSpace: Watch = () => {
	throw Object.assign(new Error('System limit for number of file watchers reached'), {
		code: 'ENOSPC'
	});
};

describe('by events alone', () => {
	test('appended lines arrive', async () => {
		append('old\n');
		const { lines } = await follow();
		append('one\n');
		await arrive(lines, ['one']);
		append('two\nthr');
		await arrive(lines, ['one', 'two']);
		append('ee\n');
		await arrive(lines, ['one', 'two', 'three']);
	});

	test('rename and create', async () => {
		const { lines } = await follow();
		append('1\n');
		await arrive(lines, ['1']);
		renameSync(file, `${file}.1`);
		append('2\n');
		await arrive(lines, ['1', '2']);
		append('3\n');
		await arrive(lines, ['1', '2', '3']);
	});

	test('copy and truncate', async () => {
		append('0\n');
		const { lines } = await follow();
		append('1\n2\n');
		await arrive(lines, ['1', '2']);
		copyFileSync(file, `${file}.1`);
		truncateSync(file);
		append('3\n');
		await arrive(lines, ['1', '2', '3']);
	});

	test('a file that is deleted and recreated', async () => {
		const { lines } = await follow();
		append('1\n');
		await arrive(lines, ['1']);
		rmSync(file);
		append('2\n');
		await arrive(lines, ['1', '2']);
	});
});

describe('many events', () => {
	test('lines written one by one in quick succession are read together', async () => {
		const clock = createManualClock();
		const { lines, rests } = await follow({ clock });
		const wanted: string[] = [];
		for (let round = 1; round <= 6; round++) {
			for (let n = 0; n < 100; n++) {
				wanted.push(`${round}-${n}`);
				append(`${round}-${n}\n`);
				await turn();
			}
			expect(rests).toHaveLength(round);
			await clock.advance(rests.at(-1)!);
			await arrive(lines, wanted);
			await soon(() => expect(rests).toHaveLength(round + 1));
		}
		expect(rests).toEqual([20, 40, 80, 160, 320, 320, 320]);
	});

	test('after a pause, one line is read at once', async () => {
		const clock = createManualClock();
		const { lines, rests } = await follow({ clock });
		append('1\n');
		await turn();
		await clock.advance(20);
		await arrive(lines, ['1']);
		await soon(() => expect(rests).toEqual([20, 40]));
		await clock.advance(40);
		append('2\n');
		await arrive(lines, ['1', '2']);
		await soon(() => expect(rests).toEqual([20, 40, 20]));
	});

	test('a change is announced once, and nothing is watched until somebody asks again', async () => {
		const seen = counted();
		let changes = 0;
		const watching = watchFile(file, () => changes++, seen.watch);
		open.push(watching);
		for (let round = 1; round <= 3; round++) {
			await watching.renew();
			expect(seen.open).toBe(1);
			for (let n = 0; n < 100; n++) {
				append('line\n');
				await turn();
			}
			expect(changes).toBe(round);
			expect(seen.open).toBe(0);
		}
	});

	test('changes beside the file are ignored', async () => {
		const { lines, rests } = await follow();
		await soon(() => expect(rests).toHaveLength(1));
		for (let i = 0; i < 50; i++) appendFileSync(path.join(dir, 'debug.log'), 'noise\n');
		append('1\n'); // its event comes after theirs
		await arrive(lines, ['1']);
		expect(rests.length).toBeLessThanOrEqual(3);
	});
});

describe('when events fail', () => {
	test('polling finds what a watch does not report', async () => {
		const { lines } = await follow({ pollMs: 2, watch: () => ({ on() {}, close() {} }) });
		append('1\n');
		await arrive(lines, ['1']);
		renameSync(file, `${file}.1`);
		append('2\n');
		await arrive(lines, ['1', '2']);
	});

	test('polling finds changes where no watch can be created', async () => {
		const { lines } = await follow({ pollMs: 2, watch: noSpace });
		append('1\n');
		await arrive(lines, ['1']);
	});

	test('a watch that cannot be created is created as soon as possible', async () => {
		let full = true;
		let changes = 0;
		const watching = watchFile(
			file,
			() => changes++,
			(...input) => (full ? noSpace(...input) : systemWatch(...input))
		);
		open.push(watching);
		await watching.renew();
		full = false;
		await watching.renew();
		append('1\n');
		await soon(() => expect(changes).toBeGreaterThan(0));
	});

	test('a watch that dies is closed and replaced', async () => {
		const seen = counted();
		let changes = 0;
		const watching = watchFile(file, () => changes++, seen.watch);
		open.push(watching);
		await watching.renew();
		seen.fail();
		expect(seen).toMatchObject({ made: 1, open: 0 });
		await watching.renew();
		expect(seen).toMatchObject({ made: 2, open: 1 });
		append('1\n');
		await soon(() => expect(changes).toBeGreaterThan(0));
	});

	test('a folder deleted and recreated between two polls is watched again', async () => {
		const seen = counted();
		const watching = watchFile(file, () => {}, seen.watch);
		open.push(watching);
		for (let made = 1; made < 5; made++) {
			await watching.renew();
			expect(seen).toMatchObject({ made, open: 1 });
			rmSync(dir, { recursive: true });
			mkdirSync(dir); // often the same inode
			await soon(() => expect(seen.open).toBe(0));
		}
	});

	test.each([
		['is deleted', () => rmSync(dir, { recursive: true })],
		['is moved away', () => renameSync(dir, `${dir}.old`)]
	])('a folder that %s, and its replacement, are watched', async (_, vanish) => {
		const { lines } = await follow({ pollMs: 10 });
		append('1\n');
		await arrive(lines, ['1']);
		const seen = counted();
		let changes = 0;
		const watching = watchFile(file, () => changes++, seen.watch);
		open.push(watching);
		await watching.renew();
		vanish();
		await watching.renew();
		expect(seen.open).toBe(0);
		mkdirSync(dir);
		await watching.renew();
		expect(seen).toMatchObject({ made: 2, open: 1 });
		const before = changes;
		append('2\n');
		await soon(() => expect(changes).toBeGreaterThan(before));
		await arrive(lines, ['1', '2']);
	});

	test('the same folder is not watched twice', async () => {
		const seen = counted();
		const watching = watchFile(file, () => {}, seen.watch);
		open.push(watching);
		for (let i = 0; i < 5; i++) await watching.renew();
		expect(seen).toMatchObject({ made: 1, open: 1 });
	});
});

describe('without subscribers', () => {
	test('nothing is watched before the first subscriber and after the last, with one watch for all in between', async () => {
		const seen = counted();
		const follower = createFollower({
			...{ file, pollMs: NEVER_MS, clock: systemClock },
			watch: seen.watch
		});
		open.push(follower);
		expect(seen.made).toBe(0);
		const stops = [1, 2, 3].map(() => follower.subscribe(() => {}));
		await soon(() => expect(seen.open).toBe(1));
		for (const stop of stops) stop();
		expect(seen).toMatchObject({ made: 1, open: 0 });
		follower.subscribe(() => {});
		await soon(() => expect(seen.open).toBe(1));
		follower.close();
		expect(seen).toMatchObject({ made: 2, open: 0 });
	});

	test('a watch that is closed while it is being created is not created', async () => {
		const seen = counted();
		const watching = watchFile(file, () => {}, seen.watch);
		const renewed = watching.renew();
		watching.close();
		await renewed;
		expect(seen.made).toBe(0);
	});

	test.runIf(process.platform === 'linux')('no system resources are left open', async () => {
		const { follower, lines } = await follow();
		append('1\n');
		await arrive(lines, ['1']);
		await soon(() => expect(held()).toEqual({ watches: 1, files: 1 }));
		follower.close();
		await soon(() => expect(held()).toEqual({ watches: 0, files: 0 }));
	});
});

/** What this process has open of the folder, as Linux tells it. */
function held() {
	const all = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
		try {
			return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n');
		} catch {
			return []; // it was the one that listed them
		}
	});
	const count = (inode: number, found: (line: string) => RegExpExecArray | null, base: number) =>
		all.filter((line) => Number.parseInt(found(line)?.[1] ?? '', base) === inode).length;
	return {
		watches: count(statSync(dir).ino, (line) => /^inotify .*\bino:([0-9a-f]+)/.exec(line), 16),
		files: count(statSync(file).ino, (line) => /^ino:\s+(\d+)/.exec(line), 10)
	};
}
