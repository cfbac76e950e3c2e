import { spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/demo-server/seed/seed.ts';
import { eventually } from '../harness.ts';

const LIMIT_MS = 15 * 60_000;
const BASE = 'localhost/craftwarden-test-base';
const IMAGE = 'localhost/craftwarden-test';
const LIMITS = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=2000:2000'];

const podman = (...args: string[]) => {
	const done = spawnSync('podman', ['--runtime', '/usr/sbin/runc', ...args], { encoding: 'utf8' });
	if (done.status !== 0) throw new Error(`podman ${args[0]}: ${done.stderr ?? done.error}`);
	return done.stdout.trim();
};
const missing =
	spawnSync('podman', ['--version']).status !== 0 || spawnSync('runc', ['--version']).status !== 0
		? 'podman and runc are not installed'
		: process.getuid!() !== 0
			? 'not root'
			: null;

/** Packages come from this checkout, so that nothing is downloaded; everything else is done as the Containerfile says. */
// Takes many minutes: `npm run test:faults` builds it.
test.skipIf(missing || process.env['FAULTS'] !== 'all')(
	`the image is built, and serves as uid 1000 with a read-only root${missing ? ` (${missing})` : ''}`,
	{ timeout: LIMIT_MS },
	async () => {
		const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-image-'));
		onTestFinished(() => rm(dir, { recursive: true, force: true }));
		const tarball = path.join(dir, 'base.tar');
		const base = spawnSync('bash', [
			'tests/integration/kit/base-image.sh',
			tarball,
			process.execPath
		]);
		expect(base.stderr.toString()).toBe('');
		podman('import', tarball, BASE);
		onTestFinished(() => void podman('rmi', '--force', IMAGE, BASE));
		const packages = await realpath('node_modules');
		podman(
			'build',
			...LIMITS,
			'--build-arg',
			`BASE=${BASE}`,
			'-v',
			`${packages}:/app/node_modules:O`,
			'-t',
			IMAGE,
			'.'
		);
		const port = await freePort(null);
		const container = podman(
			...['run', '--detach', '--read-only', '--cap-drop', 'ALL', '--network', 'host'],
			...['--tmpfs', '/tmp', '--tmpfs', '/data:mode=0777', '--tmpfs', '/server:mode=0777'],
			...LIMITS,
			...['-v', `${packages}:/app/node_modules:ro`, '-e', `PORT=${port}`, '-e', 'HOST=127.0.0.1'],
			...['-e', 'SUPERADMIN_USERNAME=ada', '-e', 'SUPERADMIN_PASSWORD=correct horse battery'],
			IMAGE
		);
		onTestFinished(() => void podman('rm', '--force', '--time', '1', container));
		await eventually(
			() =>
				fetch(`http://127.0.0.1:${port}/healthz`).then(
					({ status }) => status,
					() => podman('logs', container)
				),
			(answer) => answer === 200,
			60_000
		);
		expect(podman('exec', container, 'id', '-u')).toBe('1000');
		expect(() => podman('exec', container, 'sh', '-c', ': >/app/x')).toThrow(/Read-only/);
	}
);
