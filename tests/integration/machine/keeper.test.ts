import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { soon } from '../../soon.ts';

const KEEPER = path.resolve('scripts/keeper');
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const canUnshare = spawnSync('unshare', ['-pfm', '--mount-proc', 'true']).status === 0;
const SHELLS = [['dash'], ['bash'], ['busybox', 'sh']];

type State = {
	phase: 'running' | 'stopping' | 'exited';
	pid: number | null;
	run: number;
	startedAt: number | null;
	at: number;
	code: number | null;
	rssBytes: number | null;
	cpuTicks: number | null;
	warnings: string[];
};

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const exited = (child: ChildProcess) =>
	new Promise<number | string | null>((resolve) => {
		if (child.exitCode !== null || child.signalCode !== null)
			resolve(child.exitCode ?? child.signalCode);
		child.once('exit', (code, signal) => resolve(code ?? signal));
	});
/** A zombie is not alive, even if nobody has reaped it yet. */
const isAlive = (pid: number) =>
	spawnSync('grep', ['-q', '^State:.[^ZX]', `/proc/${pid}/status`]).status === 0;

/** A folder for keepers, and programs that shadow the system's: their `sleep` is short. */
async function folder() {
	const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-keeper-'));
	closers.push(() => rm(dir, { recursive: true, force: true, maxRetries: 9, retryDelay: 50 }));
	await writeFile(
		path.join(dir, 'sleep'),
		'#!/bin/sh\n[ "$1" = 1 ] && set -- 0.05\nexec /bin/sleep "$@"\n'
	);
	await chmod(path.join(dir, 'sleep'), 0o755);
	return dir;
}

async function keeper(
	shell: string[],
	argv: string[],
	{
		dir,
		env = {},
		under = []
	}: { dir?: string; env?: Record<string, string>; under?: string[] } = {}
) {
	const own = dir ?? (await folder());
	const [program, ...rest] = [...under, ...shell, KEEPER, ...argv];
	const child = spawn(program!, rest, {
		env: { PATH: `${own}:${process.env.PATH}`, KEEPER_DIR: own, ...env },
		stdio: ['ignore', 'ignore', 'pipe']
	});
	let words = '';
	child.stderr.on('data', (data) => (words += data));
	const state = async (): Promise<State> =>
		JSON.parse(await readFile(path.join(own, 'state.json'), 'utf8').catch(() => 'null'));
	const at = (phase: State['phase'], more: (state: State) => boolean = () => true) =>
		soon(async () => {
			const now = await state();
			expect(now?.phase).toBe(phase);
			expect(more(now)).toBe(true);
			return now;
		});
	closers.push(async () => {
		const game = (await state())?.pid;
		if (child.exitCode === null) child.kill('SIGKILL');
		await exited(child);
		if (game) spawnSync('kill', ['-9', String(game)]);
	});
	return {
		dir: own,
		child,
		state,
		at,
		words: () => words,
		want: (word: string) => writeFile(path.join(own, 'want'), word),
		wanted: () => readFile(path.join(own, 'want'), 'utf8')
	};
}

describe.each(SHELLS.filter(([program]) => has(program!)))('the keeper under %s', (...shell) => {
	test('runs its arguments and says so, leaving out options before --', async () => {
		const env = { MODS: 'https://example.org/a.jar', OPS: 'False', MODPACK: '' };
		const own = await keeper(shell, ['--stop-duration', '60s', '--', 'sleep', '60'], { env });
		const state = await own.at('running', ({ rssBytes }) => rssBytes !== null);
		expect(isAlive(state.pid!)).toBe(true);
		expect(state).toMatchObject({ run: 1, code: null, warnings: ['MODS'] });
		expect(state.at).toBeGreaterThanOrEqual(state.startedAt!);
		const later = await own.at('running', ({ at }) => at > state.at);
		expect({ ...later, at: 0, cpuTicks: 0 }).toEqual({ ...state, at: 0, cpuTicks: 0 });
	});

	test.each([
		['exit 0', 0],
		['exit 7', 7],
		['kill -9 $$', 137],
		['kill -15 $$', 143]
	])(
		'a game that ends by itself with `%s` is not started again until somebody wants it',
		async (command, code) => {
			const own = await keeper(shell, ['sh', '-c', command]);
			expect(await own.at('exited')).toMatchObject({ run: 1, code, pid: null, rssBytes: null });
			expect((await own.wanted()).trim()).toBe('stop');
			const { at } = await own.state();
			expect(await own.at('exited', (state) => state.at > at)).toMatchObject({ run: 1 });
			await own.want('run\n');
			await own.at('exited', ({ run }) => run === 2);
		}
	);

	test('a command that does not exist is an exit, not an end', async () => {
		const own = await keeper(shell, ['/nowhere/java', '-jar', 'x']);
		expect(await own.at('exited')).toMatchObject({ code: 127 });
		expect(own.child.exitCode).toBe(null);
	});

	test('stop only withdraws the wish; term asks it to save; a new wish after that starts it again', async () => {
		const own = await keeper(shell, [
			'sh',
			'-c',
			'trap "sleep 0.3; exit 5" TERM; while :; do sleep 0.1; done'
		]);
		const { pid } = await own.at('running');
		await own.want('stop');
		await own.at('stopping');
		expect(isAlive(pid!)).toBe(true);
		await own.want('term');
		expect(await own.at('exited')).toMatchObject({ code: 5, run: 1 });
		await own.want('run');
		const again = await own.at('running', ({ run }) => run === 2);
		await own.want('term');
		await own.at('stopping');
		await own.want('run');
		const third = await own.at('running', ({ run }) => run === 3);
		expect(isAlive(again.pid!)).toBe(false);
		expect(isAlive(third.pid!)).toBe(true);
	});

	test('a game that ignores SIGTERM is killed with its children, and only then is it over', async () => {
		const game = 'trap "" TERM; sleep 60 & echo $! >child; while :; do sleep 0.1; done';
		const own = await keeper(shell, ['sh', '-c', `cd "$KEEPER_DIR"; ${game}`]);
		const { pid } = await own.at('running');
		const child = await soon(async () =>
			Number(await readFile(path.join(own.dir, 'child'), 'utf8'))
		);
		await own.want('term');
		await own.at('stopping');
		await own.at('stopping', ({ at }) => at > 0);
		expect(isAlive(pid!)).toBe(true);
		await own.want('kill');
		expect(await own.at('exited')).toMatchObject({ code: 137 });
		await soon(() => expect(isAlive(child)).toBe(false));
	});

	test('a start script that ends at SIGTERM does not make its server look ended', async () => {
		const server = "trap 'sleep 0.6; exit 0' TERM; echo $$ >server; while :; do sleep 0.1; done";
		const own = await keeper(shell, ['bash', '-c', `cd "$KEEPER_DIR"; sh -c "$SERVER"; true`], {
			env: { SERVER: server }
		});
		await own.at('running');
		const pid = await soon(async () =>
			Number(await readFile(path.join(own.dir, 'server'), 'utf8'))
		);
		await own.at('running', ({ rssBytes }) => rssBytes !== null); // its children are known
		await own.want('term');
		await own.at('stopping');
		await own.at('exited');
		expect(isAlive(pid)).toBe(false);
	});

	test.each([
		['nothing', ''],
		['a command', 'rm -rf /\n'],
		['a longer word', 'runaway'],
		['bytes', '\0\0'],
		['far too much', `run ${'x'.repeat(100_000)}`]
	])('garbage in want (%s) changes nothing', async (_, garbage) => {
		const own = await keeper(shell, ['sleep', '60']);
		const before = await own.at('running');
		await own.want(garbage);
		const after = await own.at('running', ({ at }) => at > before.at);
		expect(after).toMatchObject({ run: 1, pid: before.pid });
	});

	test('SIGTERM, also during the start, ends the game and then the keeper; the wish stays', async () => {
		for (const early of [true, false]) {
			const own = await keeper(shell, [
				'sh',
				'-c',
				'trap "exit 3" TERM; while :; do sleep 0.1; done'
			]);
			const running = early ? null : await own.at('running');
			if (early) await soon(() => own.state().then((state) => expect(state).not.toBe(null)));
			own.child.kill('SIGTERM');
			const code = await exited(own.child);
			expect([3, 143]).toContain(code);
			expect((await own.state()).phase).toBe('exited');
			if (running) expect(isAlive(running.pid!)).toBe(false);
			await expect(own.wanted()).rejects.toThrow(); // nothing was wanted: the next keeper starts it
		}
	});

	test('the game of a keeper that was killed is looked after by the next one', async () => {
		const first = await keeper(shell, ['sleep', '60']);
		const { pid } = await first.at('running', ({ rssBytes }) => rssBytes !== null);
		first.child.kill('SIGKILL');
		await exited(first.child);
		const next = await keeper(shell, ['sleep', '60'], { dir: first.dir });
		const { at } = await next.state();
		expect(await next.at('running', (state) => state.at > at)).toMatchObject({ pid, run: 1 });
		await next.want('kill');
		expect(await next.at('exited')).toMatchObject({ run: 1, code: null });
	});

	test('nor is one lost whose state is gone too', async () => {
		const first = await keeper(shell, ['sleep', '60']);
		const { pid } = await first.at('running', ({ rssBytes }) => rssBytes !== null);
		first.child.kill('SIGKILL');
		await exited(first.child);
		await rm(path.join(first.dir, 'state.json'));
		const next = await keeper(shell, ['sleep', '60'], { dir: first.dir });
		const state = await next.at('running');
		expect([state.run, isAlive(pid!)]).toEqual([1, true]);
		expect(state.startedAt).toBeGreaterThan(0);
		await next.want('kill');
		await next.at('exited');
		expect(isAlive(pid!)).toBe(false);
	});

	test('a stranger with the pid of an earlier game is neither looked after nor signalled', async () => {
		const dir = await folder();
		const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
		closers.push(async () => stranger.kill('SIGKILL'));
		await writeFile(path.join(dir, 'game'), `${stranger.pid}:1`);
		await writeFile(
			path.join(dir, 'state.json'),
			`{"phase":"running","pid":${stranger.pid},"run":4,"startedAt":1,"at":1,"code":null}`
		);
		const own = await keeper(shell, ['sleep', '60'], { dir });
		const { pid } = await own.at('running', ({ run }) => run === 5);
		expect(pid).not.toBe(stranger.pid);
		await own.want('kill');
		await own.at('exited');
		expect(isAlive(stranger.pid!)).toBe(true);
	});

	test('a want file that never ends, or is not a file, does not hold up the keeper', async () => {
		const own = await keeper(shell, ['sleep', '60']);
		for (const spoil of ['mkfifo', 'ln -s /dev/zero', 'mkdir']) {
			const before = await own.at('running');
			spawnSync('sh', ['-c', `rm -rf want; ${spoil} want`], { cwd: own.dir });
			await own.at('running', ({ at }) => at > before.at);
		}
	});

	test.runIf(has('flock'))(
		'a second keeper on the same folder refuses and changes nothing',
		async () => {
			const own = await keeper(shell, ['sleep', '60']);
			const { pid } = await own.at('running');
			const other = spawnSync(shell[0]!, [...shell.slice(1), KEEPER, 'sleep', '60'], {
				env: { PATH: `${own.dir}:${process.env.PATH}`, KEEPER_DIR: own.dir },
				encoding: 'utf8'
			});
			expect([other.status, other.stderr]).toEqual([75, expect.stringContaining('another keeper')]);
			expect(await own.state()).toMatchObject({ pid, run: 1 });
		}
	);

	test('a state file that is a link, garbage or huge is replaced, never followed', async () => {
		for (const spoil of ['link', '{"phase":"running","pid":1,"run":', 'x'.repeat(2_000_000)]) {
			const dir = await folder();
			const file = path.join(dir, 'state.json');
			if (spoil === 'link') await symlink('/etc/hostname', file);
			else await writeFile(file, spoil);
			const before = await readFile('/etc/hostname', 'utf8');
			const own = await keeper(shell, ['sleep', '60'], { dir });
			const state = await own.at('running').catch(() => own.at('running'));
			expect(state).toMatchObject({ run: 1 });
			expect(await readFile('/etc/hostname', 'utf8')).toBe(before);
		}
	});

	test.runIf(canUnshare)(
		'as PID 1 of a container it reaps processes that its game left behind',
		async () => {
			const orphan = '(sleep 0.1; echo >>"$KEEPER_DIR/orphans") &';
			const orphans = `for i in 1 2 3 4 5; do (${orphan}) ; done; exec sleep 60`;
			const own = await keeper(shell, ['sh', '-c', orphans], {
				under: ['unshare', '-pf', '--mount-proc', '--kill-child']
			});
			await own.at('running', ({ rssBytes }) => rssBytes !== null);
			await soon(async () =>
				expect(await readFile(path.join(own.dir, 'orphans'), 'utf8')).toHaveLength(5)
			);
			const zombies = () =>
				spawnSync('sh', ['-c', `grep -l '^State:.Z' /proc/[0-9]*/status`], { encoding: 'utf8' })
					.stdout.split('\n')
					.filter(
						(line) => line && spawnSync('grep', ['-q', `NSpid:.*\t[0-9]*\t`, line]).status === 0
					);
			await soon(() => expect(zombies()).toEqual([]));
		}
	);

	test.runIf(canUnshare)('a full folder stops neither the game nor the keeper', async () => {
		const dir = await folder();
		const game =
			'dd if=/dev/zero of="$KEEPER_DIR/fill" bs=4k 2>/dev/null; echo full >"$OUT/full"; exec sleep 60';
		const own = await keeper(shell, ['sh', '-c', game], {
			dir,
			env: { OUT: dir, KEEPER_DIR: path.join(dir, 'small') },
			under: [
				'unshare',
				'-m',
				'sh',
				'-c',
				'mkdir -p "$KEEPER_DIR"; mount -t tmpfs -o size=64k none "$KEEPER_DIR"; exec "$@"',
				'sh'
			]
		});
		await soon(() => readFile(path.join(dir, 'full')));
		expect(own.child.exitCode).toBe(null);
		own.child.kill('SIGTERM');
		expect(await exited(own.child)).toBe(143);
	});
});

test('without a command, or with an unusable folder, it says what to do', () => {
	const run = (args: string[], env: Record<string, string>) =>
		spawnSync('sh', [KEEPER, ...args], {
			env: { PATH: process.env.PATH!, ...env },
			encoding: 'utf8'
		});
	expect(run([], {})).toMatchObject({ status: 64, stderr: expect.stringContaining('COMMAND') });
	expect(run(['--only', 'options'], {})).toMatchObject({ status: 64 });
	const refused = run(['true'], { KEEPER_DIR: '/dev/null/keeper' });
	expect(refused).toMatchObject({
		status: 73,
		stderr: expect.stringContaining('/dev/null/keeper')
	});
});

test.runIf(has('shellcheck'))('shellcheck finds nothing, and it stays short', async () => {
	expect(spawnSync('shellcheck', ['-s', 'sh', KEEPER], { encoding: 'utf8' }).stdout).toBe('');
	expect((await readFile(KEEPER, 'utf8')).trimEnd().split('\n').length).toBeLessThan(80);
});
