import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createArchiver, createBackupFolder, type Created } from '#storage/archive';
import { quantile, residentMb, row, sleep, type Row } from './measure.ts';

const WORLD_BYTES = 2e9;
const ROUNDS = 3;
const BACKUPS = 1000;
const ASK_EVERY_MS = 20;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = path.join(ROOT, 'src/lib/server/storage/archive/program.ts');

/**
 * A 2 GB world packed and verified, beside `tar | zstd -3 -T0` until its file is on the disk, too, and beside plain
 * unpacking and hashing: in turn, and with the low priority that our own process takes. Then once more, while `dashboard`
 * is asked for its status.
 */
export async function benchBackups(dashboard: { url: string; pid: number } | null): Promise<Row[]> {
	const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-bench-'));
	try {
		await buildWorld(path.join(home, 'server/world/region'), WORLD_BYTES);
		return [...(await benchArchive(home, dashboard)), ...(await benchList(home))];
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

async function benchArchive(home: string, dashboard: { url: string; pid: number } | null) {
	const archiver = createArchiver({
		program: PROGRAM,
		cacheDir: path.join(ROOT, 'node_modules/.cache/archive')
	});
	const serverDir = path.join(home, 'server');
	const roots = [{ path: 'world', world: 'world' }];
	const facts = {
		id: 'bench',
		createdAt: new Date().toISOString(),
		gameVersion: null,
		worlds: ['world'],
		withMods: false
	};
	const out = path.join(home, 'ours.tar.zst');
	const times = {
		pack: [] as number[],
		tar: [] as number[],
		verify: [] as number[],
		plain: [] as number[]
	};
	async function pack() {
		await rm(out, { force: true });
		await archiver.run({ kind: 'measure', serverDir, roots, never: [] }); // as before each backup
		const spill = `${out}.spill`;
		return timed(() =>
			archiver.run({ kind: 'create', serverDir, roots, never: [], out, spill, facts })
		);
	}
	async function verify({ archiveBytes: bytes, manifestSha256, totals }: Created) {
		const expected = { bytes, manifestSha256, totals };
		return timed(() => archiver.run({ kind: 'read', file: out, expected, into: null }));
	}
	for (let round = 0; round < ROUNDS; round++) {
		times.tar.push((await timed(() => tarZstd(serverDir, path.join(home, 'tar.tar.zst')))).ms);
		const packed = await pack();
		times.pack.push(packed.ms);
		times.verify.push((await verify(packed.result)).ms);
		times.plain.push((await timed(() => readAndHash(out))).ms);
	}
	// Once more: looking at it, and being asked, takes time that `tar` did not have to share.
	const before = dashboard ? residentMb(dashboard.pid) : 0;
	const peak = watchMemory(dashboard?.pid ?? null);
	const asking = dashboard ? ask(`${dashboard.url}/api/status`) : null;
	await verify((await pack()).result);
	const memory = peak.stop();
	const waits = asking?.stop() ?? [];
	const best = (some: number[]) => Math.min(...some);
	const speed = (ms: number) => `${Math.round(WORLD_BYTES / ms / 1000)} MB/s`;
	return [
		row(
			'backup of 2 GB, time beside tar | zstd -3 -T0, both on the disk',
			best(times.pack) / best(times.tar),
			'×',
			1.11, // at least 0.9 of its speed
			`${speed(best(times.pack))}, tar ${speed(best(times.tar))}`
		),
		row(
			'verify of it, time beside zstd -dc and hashing',
			best(times.verify) / best(times.plain),
			'×',
			1.25,
			`${speed(best(times.verify))}, plain ${speed(best(times.plain))}`
		),
		row(
			'backup and verify, memory of their process',
			memory.child,
			'MB more',
			100,
			`${Math.round(memory.shared)} MB resident, with the program that all processes of Node share`
		),
		...(dashboard
			? [
					row('backup, memory of the dashboard', memory.dashboard - before, 'MB more', 100),
					row(
						'backup, p99 of GET /api/status meanwhile',
						quantile(waits, 0.99),
						'ms',
						100,
						`${waits.length} requests`
					)
				]
			: [])
	];
}

async function timed<T>(work: () => Promise<T>) {
	const from = performance.now();
	const result = await work();
	return { result, ms: performance.now() - from };
}

const tarZstd = (dir: string, out: string) =>
	shell('tar -C "$1" -cf - world | zstd -3 -T0 -q -f -o "$2" && sync "$2"', [dir, out]);

/** The least that any verification has to do. */
const readAndHash = (file: string) => shell('zstd -dc -- "$1" | "$2" -e "$3"', [file, NODE, HASH]);

const NODE = process.execPath;
const HASH = `const hash = require('node:crypto').createHash('sha256');
	process.stdin.on('data', (part) => hash.update(part)).on('end', () => hash.digest());`;

async function shell(command: string, args: string[]) {
	const child = spawn('nice', ['-n', '10', 'sh', '-c', command, 'sh', ...args], {
		stdio: ['ignore', 'ignore', 'inherit']
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${command} failed: are tar and zstd installed?`);
}

/** Region files: zlib chunks, each in whole sectors of 4 KiB. */
async function buildWorld(dir: string, bytes: number) {
	await mkdir(dir, { recursive: true });
	// Deflated data looks like this to zstd; what is taken twice lies far beyond its window.
	const deflated = randomFillSync(Buffer.alloc(POOL_BYTES));
	for (let [done, n] = [0, 0]; done < bytes; n++) {
		const parts: Buffer[] = [Buffer.alloc(8192)];
		for (let chunk = 0; chunk < 600; chunk++) {
			const length = 8000 + ((chunk * 7919) % 4000);
			const from = (n * 600 + chunk) * 1_618_033;
			const head = Buffer.from([0, 0, 0, 0, 2, 0x78, 0x9c]);
			head.writeInt32BE(length + 3);
			const data = deflated.subarray(from % (POOL_BYTES - length)).subarray(0, length);
			parts.push(head, data, PADDING.subarray(0, (4096 - ((length + head.length) % 4096)) % 4096));
		}
		const region = Buffer.concat(parts);
		await writeFile(path.join(dir, `r.${n}.0.mca`), region);
		done += region.length;
	}
}
const POOL_BYTES = 64 << 20;
const PADDING = Buffer.alloc(4096);

/**
 * The most that the archive's process ever held: for itself alone, which is what goes up with a backup, and with what
 * it shares with other processes of Node, their program above all. And what the dashboard held.
 */
function watchMemory(dashboard: number | null) {
	const most = { child: 0, shared: 0, dashboard: 0 };
	const timer = setInterval(() => {
		for (const pid of children()) {
			most.child = Math.max(most.child, privateMb(pid));
			most.shared = Math.max(most.shared, residentMb(pid) || 0);
		}
		if (dashboard) most.dashboard = Math.max(most.dashboard, residentMb(dashboard));
	}, 50);
	return {
		stop() {
			clearInterval(timer);
			return most;
		}
	};
}

/** 0 when it has ended. */
function privateMb(pid: number): number {
	try {
		const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
		const parts = rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
		return [...parts].reduce((sum, part) => sum + Number(part[1]), 0) / 1024;
	} catch {
		return 0;
	}
}

function children(): number[] {
	return readdirSync(`/proc/self/task`).flatMap((task) => {
		const pids = readFileSync(`/proc/self/task/${task}/children`, 'latin1').trim().split(' ');
		return pids
			.filter(Boolean)
			.map(Number)
			.filter((pid) => commandOf(pid).includes(PROGRAM));
	});
}

function commandOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
	} catch {
		return '';
	}
}

/** Asks again and again, as people do; how long each answer took. */
function ask(url: string) {
	const waits: number[] = [];
	let ended = false;
	void (async () => {
		while (!ended) {
			await sleep(ASK_EVERY_MS);
			waits.push((await timed(() => answered(url))).ms);
		}
	})();
	return {
		stop() {
			ended = true;
			return waits;
		}
	};
}

const answered = (url: string) =>
	new Promise<void>((resolve, reject) => {
		get(url, (response) => void response.on('end', resolve).resume()).on('error', reject);
	});

async function benchList(home: string): Promise<Row[]> {
	const dir = path.join(home, 'backups');
	await mkdir(dir);
	for (let i = 0; i < BACKUPS; i++) {
		const id = `20260102T030405Z-${i.toString(16).padStart(4, '0')}`;
		await writeFile(path.join(dir, `${id}.tar.zst`), '');
		await writeFile(path.join(dir, `${id}.json`), JSON.stringify(sidecar(id)));
	}
	const folder = createBackupFolder({ dir, memoryFile: path.join(home, 'memory.json') });
	const first = await timed(async () => {
		if ((await folder.list()).length !== BACKUPS) throw new Error('The list is not whole');
	});
	const again = await timed(() => folder.list());
	return [
		row('list of 1,000 backups, at first', first.ms, 'ms', 100),
		row('list of 1,000 backups, again', again.ms, 'ms', 100)
	];
}

const sidecar = (id: string) => ({
	...{ version: 1, id, createdAt: '2026-01-02T03:04:05.000Z', kind: 'scheduled', bytes: 1 },
	totals: { files: 1, entries: 2, bytes: 1, worldBytes: 1 },
	manifestSha256: '0'.repeat(64),
	worlds: [{ name: 'world', path: 'world' }],
	roots: ['world', 'config', 'server.properties'],
	...{ gameVersion: '1.21.1', withMods: false, mode: 'running', warnings: [], note: 'a note' },
	...{ pinned: false, verifiedAt: null, problem: null }
});

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchBackups(null));
