import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { tempDir } from './temp.ts';

/**
 * SQLite's method: a program is run again and again, its first, second, third … system call on our files killed or
 * failed, until it gets through untouched; after each run the state is checked as a fresh start finds it.
 */
export type Scenario = {
	/** A TypeScript file for Node, and its arguments for the folder of one run. */
	program: string;
	args: (dir: string) => string[];
	/** Fills the folder before each run. `dir/data` is what gets hurt, the rest is the checker's. */
	prepare?: (dir: string) => Promise<void>;
	/** Throws when the state is wrong. */
	check: (dir: string, outcome: Outcome) => Promise<void>;
	/** All of `CALLS` by default. */
	calls?: string[];
	faults?: Fault[];
	/** How many points are tried unless FAULTS says otherwise. */
	sample: number;
	/** Files whose points the sample is taken from; any by default. */
	sampleOf?: (file: string) => boolean;
};
type Refusal = 'ENOSPC' | 'EIO' | 'EACCES' | 'EROFS' | 'EMFILE';
export type Fault = 'SIGKILL' | Refusal | `${Refusal} from then on`;
/** The n-th `call` on `name`; without a name on any of our files. */
export type Point = { call: string; fault: Fault; n: number; name?: string };
export type Outcome = Point & { exitCode: number | null; lines: string[]; stderr: string };

export const FAULTS: Fault[] = [
	'SIGKILL',
	'ENOSPC',
	'EIO',
	'ENOSPC from then on',
	'EIO from then on'
];
/** What changes files, under the names of all architectures. */
export const CALLS = [
	...['openat', 'write', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'fchmod'],
	...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'mkdir', 'mkdirat']
];
/** `all`, or a part of it: `2/8` is every eighth point, starting at the second. */
const { FAULTS: WHICH = '' } = process.env;
const ALL = WHICH === 'all' || /^\d+\/\d+$/.test(WHICH);
const [FIRST = 1, STRIDE = 1] = WHICH === 'all' ? [] : WHICH.split('/').map(Number);
/** A whole exploration may share the machine with others. */
const RUN_LIMIT_MS = ALL ? 300_000 : 60_000;
/** A full run takes long, so its progress is shown. */
const TELL_EVERY = 100;
/** Where an error never ends, a program that tries again and again is told to leave. */
const LASTING_PATIENCE_MS = 2500;
/** Of a test that explores: a sample takes seconds, all of it minutes. */
export const EXPLORE_LIMIT_MS = ALL ? 3_600_000 : 120_000;
/** Makes the names of temp files the same in each run: strace knows paths, not patterns. */
export const STEADY = path.resolve('tests/faults/programs/steady.ts');

/** Returns null when system calls can be made to fail here, else why not. */
export function obstacle(): string | null {
	const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], {
		encoding: 'utf8'
	});
	if (error) return 'strace is not installed';
	return status === 0 ? null : `strace may not trace here: ${stderr.trim()}`;
}

/** Resolves with the number of runs that were hurt. A failed check names the point, which can be tried alone. */
export async function explore(scenario: Scenario): Promise<number> {
	const base = await tempDir();
	const dry = await dryRun(scenario, base);
	const points = (scenario.faults ?? FAULTS).flatMap((fault) => pointsOf(dry, fault));
	const { sampleOf = () => true } = scenario;
	const chosen = ALL
		? points.filter((_, i) => i % STRIDE === FIRST - 1)
		: pick(
				points.filter(({ name }) => !name || sampleOf(name)),
				scenario.sample
			);
	if (ALL) console.log(`${chosen.length} of ${points.length} points`);
	let hits = 0;
	const wrong: string[] = [];
	for (const [i, point] of chosen.entries()) {
		const { hit, failure } = await hurt(scenario, base, dry.paths, point);
		if (hit) hits++;
		if (failure && !ALL) throw failure;
		if (failure) wrong.push(failure.message);
		if (i % TELL_EVERY === TELL_EVERY - 1) console.log(`${i + 1} of ${chosen.length} points`);
	}
	if (wrong.length > 0) throw new Error(`${wrong.length} of ${hits}:\n${wrong.join('\n\n')}`);
	return hits;
}

/**
 * File by file, because strace counts by thread: the fifth call of one thread would hide the fifth of another. What
 * stays broken is so for all files.
 */
function pointsOf({ counts, byName }: Dry, fault: Fault): Point[] {
	const numbered = (count: number, rest: Omit<Point, 'n'>) =>
		Array.from({ length: count }, (_, i) => ({ ...rest, n: i + 1 }));
	if (isLasting(fault))
		return [...counts].flatMap(([call, count]) => numbered(count, { call, fault }));
	return byName.flatMap(({ call, name, count }) => numbered(count, { call, fault, name }));
}

const isLasting = (fault: Fault) => fault.endsWith('on');

type Dry = {
	paths: string[];
	/** How often one thread makes each call on our files, and on each of them. */
	counts: Map<string, number>;
	byName: { call: string; name: string; count: number }[];
};

/** Which of our files the program touches, and how often. */
async function dryRun(scenario: Scenario, base: string): Promise<Dry> {
	const { dir, log, exitCode, stderr } = await run(scenario, base, [
		'-y',
		'-e',
		`trace=${(scenario.calls ?? CALLS).map((one) => `?${one}`)}`
	]);
	if (exitCode !== 0) throw new Error(`The program fails without any fault: ${stderr}`);
	const data = path.join(dir, 'data');
	const paths = new Set([data]);
	const counts = createCounts();
	const byName = createCounts();
	for (const line of log.split('\n')) {
		const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
		// What it answers does not count: strace looks at the arguments.
		const [args = ''] = line.split(') = ', 1);
		const touched = [...args.matchAll(/["<](\/[^"<>]*)[">]/g)].map(([, name]) => name!);
		const ours = touched.filter((name) => name === data || name.startsWith(`${data}/`));
		if (!thread || !call || ours.length === 0) continue;
		for (const name of ours) paths.add(name);
		counts.add(thread, call);
		byName.add(thread, `${call} ${ours[0]}`);
	}
	const named = [...byName.most].map(([key, count]) => {
		const space = key.indexOf(' ');
		return { call: key.slice(0, space), name: key.slice(space + 1), count };
	});
	return { paths: [...paths], counts: counts.most, byName: named };
}

/** The most that one thread did of each. */
function createCounts() {
	const perThread = new Map<string, number>();
	const most = new Map<string, number>();
	return {
		most,
		add(thread: string, what: string) {
			const seen = (perThread.get(`${thread} ${what}`) ?? 0) + 1;
			perThread.set(`${thread} ${what}`, seen);
			most.set(what, Math.max(most.get(what) ?? 0, seen));
		}
	};
}

/** Not hit: there was no n-th call any more. The whole exploration names all that is wrong, not only the first. */
async function hurt(
	scenario: Scenario,
	base: string,
	paths: string[],
	point: Point
): Promise<{ hit: boolean; failure?: Error }> {
	const { call, fault, n, name } = point;
	const [what, lasting] = [fault.split(' ')[0]!, isLasting(fault)];
	const how = what === 'SIGKILL' ? `signal=${what}` : `error=${what}`;
	const options = [
		'-e',
		`trace=${call}`,
		'-e',
		`inject=${call}:${how}:when=${n}${lasting ? '+' : ''}`
	];
	const among = (name ? [name] : paths).flatMap((one) => ['-P', one]);
	const patience = lasting ? LASTING_PATIENCE_MS : undefined;
	const result = await run(scenario, base, [...among, ...options], patience);
	const hit = /INJECTED|killed by SIGKILL/.test(result.log);
	try {
		if (what !== 'SIGKILL' || !hit)
			if (result.exitCode !== 0)
				throw new Error(`It ended with ${result.exitCode}: ${result.stderr}`);
		await scenario.check(result.dir, { ...point, ...result });
	} catch (cause) {
		const said = result.lines.join(' | ');
		const where = name ? ` on ${name}` : '';
		const message = `${fault} at ${call} number ${n}${where} (it said: ${said}): ${(cause as Error).message}`;
		return { hit, failure: new Error(message, { cause }) };
	}
	return { hit };
}

/**
 * Never with --seccomp-bpf: then signals are not delivered at the call. One thread for file work, because strace
 * counts calls by thread.
 */
async function run(scenario: Scenario, base: string, options: string[], patienceMs?: number) {
	const dir = path.join(base, 'run');
	await rm(dir, { recursive: true, force: true });
	await mkdir(path.join(dir, 'data'), { recursive: true });
	await scenario.prepare?.(dir);
	const logFile = path.join(base, 'strace.log');
	const program = [process.execPath, '--import', STEADY, scenario.program, ...scenario.args(dir)];
	const child = spawn(
		'strace',
		['-f', '-qq', '-s', '4096', '-o', logFile, ...options, ...program],
		{
			env: {
				...process.env,
				UV_THREADPOOL_SIZE: '1',
				UV_USE_IO_URING: '0',
				...(patienceMs !== undefined && { PATIENCE_MS: String(patienceMs) }),
				NODE_OPTIONS: '',
				NODE_COMPILE_CACHE: path.join(base, 'cache')
			},
			stdio: ['ignore', 'pipe', 'pipe'],
			timeout: RUN_LIMIT_MS,
			killSignal: 'SIGKILL'
		}
	);
	const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
	const exitCode = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	const lines = (await stdout).split('\n').filter(Boolean);
	return { dir, exitCode, lines, stderr: await stderr, log: await readFile(logFile, 'utf8') };
}

async function text(stream: AsyncIterable<Buffer>) {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

/** A sample that is the same for the same FAULTS_SEED (1 unless set). */
function pick<T>(points: T[], count: number): T[] {
	const random = mulberry32(Number(process.env.FAULTS_SEED ?? 1));
	const rest = [...points];
	const picked: T[] = [];
	while (picked.length < count && rest.length > 0)
		picked.push(...rest.splice(Math.floor(random() * rest.length), 1));
	return picked;
}

function mulberry32(seed: number) {
	let a = seed >>> 0;
	return () => {
		a = (a + 0x6d2b79f5) >>> 0;
		let t = Math.imul(a ^ (a >>> 15), a | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}
