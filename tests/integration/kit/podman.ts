import { spawnSync } from 'node:child_process';
import path from 'node:path';

const RUNC = '/usr/sbin/runc';
/** What a service of deploy/compose.yaml says, as far as it concerns its container. */
export type Service = {
	environment: Record<string, string>;
	volumes: string[];
	read_only?: boolean;
	user?: string;
	cap_drop?: string[];
	security_opt?: string[];
	tmpfs?: string[];
};

/** Some machines refuse containers the limits that podman gives them by default. */
export const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=2000:2000'];

export const LIMITS_CONF =
	'[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=2000:2000"]\n';

/** Why no container can be made here; null when one can. */
export function podmanMissing(): string | null {
	if (spawnSync('podman', ['--version']).status !== 0) return 'podman is not installed';
	if (spawnSync(RUNC, ['--version']).status !== 0) return 'runc is not installed';
	return process.getuid!() === 0 ? null : 'not root';
}

/** Why no pod can be played of a file; null when one can. */
export function playMissing(): string | null {
	for (const program of ['kubectl', 'catatonit'])
		if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
			return `${program} is not installed`;
	return null;
}

const podmanWith =
	(env: Record<string, string> = {}) =>
	(...args: string[]): string => {
		const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
		const done = spawnSync('podman', ['--runtime', RUNC, ...args], options);
		if (done.status !== 0) throw new Error(`podman ${args[0]}: ${done.stderr || done.error}`);
		return done.stdout.trim();
	};
export const podman = Object.assign(podmanWith(), { with: podmanWith });

/** A service of the compose file as options of `podman run`; its volumes get a name of the test's own. */
export function runOptions(service: Service, { name, env }: { name: string; env: object }) {
	const { environment, volumes, user, read_only, cap_drop, security_opt, tmpfs } = service;
	const each = (option: string, values: string[] = []) => values.flatMap((one) => [option, one]);
	const volume = (line: string) =>
		line.startsWith('.') ? path.resolve('deploy', line) : `${name}-${line}`;
	return [
		...(user ? ['--user', user] : []),
		...(read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
		...each('--cap-drop', cap_drop),
		...each(
			'--security-opt',
			security_opt?.map((one) => one.replace(/:true$/, ''))
		),
		...each('--tmpfs', tmpfs),
		...each('-v', volumes.map(volume)),
		...each(
			'-e',
			Object.entries({ ...environment, ...env }).map(([key, value]) => `${key}=${value}`)
		)
	];
}
