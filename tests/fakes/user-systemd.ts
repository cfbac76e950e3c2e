import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { soon } from '../soon.ts';

const SYSTEMD = '/lib/systemd/systemd';

/** Why a real user systemd cannot be tried here; null when it can. */
export function systemdMissing(): string | null {
	if (spawnSync(SYSTEMD, ['--version']).status !== 0) return 'systemd is not installed';
	const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/run']).status;
	return canMount === 0 ? null : 'no private mount namespace';
}

/** A real `systemd --user` in its own mount namespace, with the test's own units. */
export async function startUserSystemd() {
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
	const boot = `mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec ${SYSTEMD} --user`;
	const child = spawn('unshare', ['-m', 'sh', '-c', boot], { env: environment, stdio: 'ignore' });
	const ended = new Promise((resolve) => child.once('exit', resolve));
	const systemctl = (...args: string[]) =>
		spawnSync('systemctl', ['--user', ...args], { env: environment, encoding: 'utf8' });
	await soon(() => {
		if (systemctl('show', '-p', 'Version').status !== 0) throw new Error('it does not answer yet');
	});
	return {
		environment,
		systemctl,
		/** Rewrites the unit, and has systemd read it. */
		async unit(name: string, service: Record<string, string>) {
			const lines = Object.entries(service).map(([key, value]) => `${key}=${value}`);
			const start =
				'StartLimitBurst' in service ? `StartLimitBurst=${service['StartLimitBurst']}\n` : '';
			const text = `[Unit]\n${start}[Service]\n${lines.filter((line) => !line.startsWith('StartLimit')).join('\n')}\n`;
			await writeFile(path.join(units, name), text);
			systemctl('daemon-reload');
		},
		async close() {
			systemctl('exit');
			const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
			await ended;
			clearTimeout(timer);
			await rm(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 50 });
		}
	};
}
