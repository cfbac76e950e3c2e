import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../../../src/lib/server/core/exec.ts';
import { eventually } from '../../harness.ts';
import { opened } from './opened.ts';

const SYSTEMD = '/lib/systemd/systemd';
const UP_LIMIT_MS = 10_000;

export type UserManager = {
	systemctl(...args: string[]): Promise<string>;
	/** The value of one property of a unit. */
	show(unit: string, property: string): Promise<string>;
};

/**
 * A `systemd --user` in its own process and mount namespaces, so that everything it starts ends with it, with the
 * folder `home` for its own files and `project` visible at /opt/craftwarden. Null where that is not possible.
 */
export async function userManager(
	home: string,
	{ units, project }: { units: Record<string, string>; project: string }
): Promise<UserManager | null> {
	const runtime = path.join(home, 'run');
	await mkdir(runtime, { mode: 0o700 });
	for (const [name, text] of Object.entries(units)) {
		const file = path.join(home, 'config/systemd/user', name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
	}
	if (
		!(await access(SYSTEMD).then(
			() => true,
			() => false
		))
	)
		return null;
	const script = `
		mount --make-rprivate / && mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system &&
		mount -t tmpfs tmpfs /opt && mkdir /opt/craftwarden && mount --bind "$1" /opt/craftwarden &&
		mount --bind /dev/null /opt/craftwarden/scripts/setup.mjs || exit
		${SYSTEMD} --user --unit=basic.target &
		wait`;
	const child = spawn(
		'unshare',
		['-m', '-p', '-f', '--kill-child', '--mount-proc', 'sh', '-c', script, 'sh', project],
		{
			env: {
				PATH: process.env['PATH'],
				HOME: home,
				XDG_RUNTIME_DIR: runtime,
				XDG_CONFIG_HOME: path.join(home, 'config')
			},
			stdio: 'ignore'
		}
	);
	const ended = once(child, 'exit').catch(() => {});
	opened.push(async () => {
		child.kill('SIGKILL');
		await ended;
	});
	/** Run from within: a manager knows nobody from outside its namespaces. */
	const systemctl = async (...args: string[]) => {
		const children = `/proc/${child.pid}/task/${child.pid}/children`;
		const [inside = ''] = (await readFile(children, 'utf8')).trim().split(' ');
		const env = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: runtime };
		const all = ['-t', inside, '-m', '-p', 'systemctl', '--user', ...args];
		return (await run('nsenter', all, { env, timeoutMs: 30_000 })).stdout.trim();
	};
	const up = await Promise.race([
		ended.then(() => false),
		eventually(
			() => systemctl('is-active', 'basic.target').catch(() => ''),
			(state) => state === 'active',
			UP_LIMIT_MS
		).then(
			() => true,
			() => false
		)
	]);
	if (!up) return null;
	return {
		systemctl,
		show: (unit, property) => systemctl('show', '-P', property, unit)
	};
}
