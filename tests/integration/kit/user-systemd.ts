import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { soon } from '../../soon.ts';

const SYSTEMD = '/lib/systemd/systemd';
const EXIT_LIMIT_MS = 5000;

/** Why a real systemd of a user's cannot be tried here; null when it can. */
export function systemdMissing(): string | null {
	if (spawnSync(SYSTEMD, ['--version']).status !== 0) return 'systemd is not installed';
	const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/run']).status;
	return canMount === 0 ? null : 'no private mount namespace';
}

const BOOT = `mount -t tmpfs none /run && mkdir -p /run/systemd/system || exit
[ -z "$1" ] || {
	mount -t tmpfs none /opt && mkdir /opt/craftwarden && mount --bind "$1" /opt/craftwarden &&
	mount --bind /dev/null /opt/craftwarden/scripts/setup.mjs
} || exit
exec ${SYSTEMD} --user`;

/**
 * A real `systemd --user` in a mount namespace of its own, with units of the test's own. `project` is seen there at
 * /opt/craftwarden, set up already.
 */
export async function startUserSystemd({ project = '' } = {}) {
	const home = await mkdtemp(path.join(tmpdir(), 'craftwarden-systemd-'));
	const runtimeDir = path.join(home, 'run');
	const units = path.join(home, 'config/systemd/user');
	await mkdir(runtimeDir, { mode: 0o700 });
	await mkdir(units, { recursive: true });
	const environment = {
		PATH: process.env['PATH'],
		HOME: home,
		XDG_RUNTIME_DIR: runtimeDir,
		XDG_CONFIG_HOME: path.join(home, 'config')
	};
	const boot = ['-m', 'sh', '-c', BOOT, 'sh', project];
	const child = spawn('unshare', boot, { env: environment, stdio: 'ignore' });
	const ended = new Promise((resolve) => child.once('exit', resolve));
	const systemctl = (...args: string[]) =>
		spawnSync('systemctl', ['--user', ...args], { env: environment, encoding: 'utf8' });
	await soon(() => {
		if (systemctl('show', '-p', 'Version').status !== 0) throw new Error('it does not answer yet');
	});
	const namespace = await namespaceOf(child.pid!);

	/** Writes a unit, or a part of one, anew, and has systemd read it. */
	async function write(name: string, text: string) {
		const file = path.join(units, name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
		systemctl('daemon-reload');
	}
	return {
		environment,
		systemctl,
		/** The value of one property of a unit. */
		show: (unit: string, property: string) => systemctl('show', '-P', property, unit).stdout.trim(),
		write,
		unit(name: string, { StartLimitBurst, ...service }: Record<string, string>) {
			const lines = Object.entries(service).map(([key, value]) => `${key}=${value}`);
			const limit = StartLimitBurst ? `StartLimitBurst=${StartLimitBurst}\n` : '';
			return write(name, `[Unit]\n${limit}[Service]\n${lines.join('\n')}\n`);
		},
		/** Also ends what its units have left behind. */
		async close() {
			systemctl('exit');
			const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_LIMIT_MS);
			await ended;
			clearTimeout(timer);
			await soon(() => endAllIn(namespace));
			await rm(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 50 });
		}
	};
}

const namespaceOf = (pid: number | string) =>
	readlink(`/proc/${pid}/ns/mnt`).catch(() => 'it has ended');

/** Throws while there was still something to end. */
async function endAllIn(namespace: string) {
	let left = 0;
	for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
		if ((await namespaceOf(pid)) !== namespace) continue;
		left++;
		spawnSync('kill', ['-9', pid]);
	}
	if (left > 0) throw new Error(`${left} processes were left`);
}
