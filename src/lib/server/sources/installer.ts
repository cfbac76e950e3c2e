import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/errors';
import { run } from '#core/exec';
import { exists, lastLines } from '#core/files';

export type Installer = {
	jar: string;
	/** The path of the program. */
	java: string;
	/** Empty: the server is laid out in it. */
	dir: string;
	/** What must exist afterwards: `libraries/…/unix_args.txt`. */
	proof: string;
	/** What must be hidden from it, when there is a sandbox. */
	hidden: string[];
	/** A person was told that there is no sandbox, and went on. */
	bare: boolean;
	signal: AbortSignal;
};

/** An installer downloads 150 libraries and patches the game. */
const LIMIT_MS = 15 * 60_000;
const PROBE_MS = 10_000;
const TAIL_LINES = 12;
const LINE_MAX = 300;

/** Whether programs can be run with write access to one folder only. */
export const hasSandbox = (): Promise<boolean> =>
	run('bwrap', [...WALLS, 'true'], { timeoutMs: PROBE_MS, env: PATHS }).then(
		() => true,
		() => false
	);

const PATHS = { PATH: '/usr/local/bin:/usr/bin:/bin' };
/** Everything read-only; the network stays available, because installers download. */
const WALLS = [
	...['--unshare-all', '--share-net', '--die-with-parent', '--new-session'],
	...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']
];

/**
 * Runs an installer of Forge or NeoForge in an empty folder, without our environment. Only the files count: some
 * installers report success and have done nothing. `AppError('upstream' | 'timeout')` with the end of its log;
 * `conflict` if there is no sandbox and nobody agreed to do without.
 */
export async function runInstaller(installer: Installer, walls = hasSandbox): Promise<void> {
	const { jar, java, dir, proof, bare, signal } = installer;
	const sandbox = await walls();
	if (!sandbox && !bare)
		throw new AppError(
			'conflict',
			'The sandbox for the installer is not available (any more). Plan it again: the new plan says what that means.',
			{ code: 'plan-changed' }
		);
	const argv = [
		java,
		'-Djava.awt.headless=true',
		`-Djava.io.tmpdir=${dir}`,
		`-Duser.home=${dir}`,
		...['-jar', jar, '--installServer', dir]
	];
	const [program = java, ...args] = sandbox
		? ['bwrap', ...(await walled(installer)), ...argv]
		: argv;
	const told = await run(program, args, {
		...{ cwd: dir, timeoutMs: LIMIT_MS, signal, okCodes: 'any' },
		env: { ...PATHS, HOME: dir, LANG: 'C.UTF-8' }
	});
	const there = await access(path.join(dir, proof)).then(
		() => true,
		() => false
	);
	if (there && told.exitCode === 0) return;
	const tail = await tailOf(installer, told);
	throw new AppError(
		'upstream',
		`The installer did not create a server (it exited with code ${told.exitCode}). Nothing was put in place. The end of its output: ${tail || 'nothing'}`
	);
}

/** Later mounts cover earlier ones. */
async function walled({ jar, java, dir, hidden }: Installer) {
	const there = await Promise.all(hidden.map(async (one) => one !== '' && (await exists(one))));
	return [
		...WALLS,
		...hidden.filter((_, i) => there[i]).flatMap((folder) => ['--tmpfs', folder]),
		...['--ro-bind', path.resolve(java, '../..'), path.resolve(java, '../..')],
		...['--bind', dir, dir, '--ro-bind', jar, jar, '--chdir', dir, '--']
	];
}

/** Its own log, or else its output, and Java's last words. */
async function tailOf({ dir }: Installer, told: { stdout: string; stderr: string }) {
	const last = (text: string) => text.trim().split('\n').slice(-TAIL_LINES);
	const log = (await readdir(dir).catch(() => [])).find((name) => name.endsWith('.log'));
	const said = log
		? await lastLines(path.join(dir, log), TAIL_LINES).catch(() => [])
		: last(told.stdout);
	const lines = [...said, ...last(told.stderr)].filter((line) => line.trim());
	return lines.map((line) => line.slice(0, LINE_MAX)).join(' · ');
}
