import { spawnSync } from 'node:child_process';
import {
	chmod,
	chown,
	cp,
	mkdir,
	mkdtemp,
	readFile,
	realpath,
	rm,
	stat,
	writeFile
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { modJar } from '../../scripts/demo-server/seed/seed-mods.ts';
import { seedDemoFolder } from '../../scripts/demo-server/seed/seed.ts';
import { eventually, SUPERADMIN, signedIn, type Visitor } from '../harness.ts';
import { ended, power, reaches, status } from './kit/actions.ts';
import {
	LIMITS,
	LIMITS_CONF,
	playMissing,
	podman,
	podmanMissing,
	runOptions,
	type Service
} from './kit/podman.ts';

const BUILD_LIMIT_MS = 15 * 60_000;
const LIMIT_MS = 5 * 60_000;
const NAME = `craftwarden-test-${process.pid}`;
const IMAGE = `localhost/${NAME}`;
const BASE = `localhost/${NAME}-base`;
/** What itzg’s image would run: its own options, then the game. */
const GAME = ['--stop-duration', '60s', '--', 'node', '/app/scripts/demo-server/main.ts'];

// Takes many minutes: `npm run test:faults` builds it.
const missing = podmanMissing() ?? (process.env['FAULTS'] === 'all' ? null : 'without FAULTS=all');
const title = `the image, as deploy/compose.yaml lays it out${missing ? ` (${missing})` : ''}`;
const closers: (() => unknown)[] = [];

type Container = {
	name: string;
	image: string;
	env?: { name: string; value: string }[];
	volumeMounts: { name: string; mountPath: string; subPath?: string }[];
} & Record<string, unknown>;

/**
 * The pod of deploy/kubernetes as `podman kube play` takes it: a sidecar is a container to it, a volume has no parts,
 * and the images are the ones of here. `folder` holds the parts, made as the kubelet makes them: root's own, and the
 * group's to write.
 */
async function podOf(folder: string, packages: string) {
	const rendered = spawnSync('kubectl', ['kustomize', 'deploy/kubernetes/base']);
	const set = parseAllDocuments(rendered.stdout.toString())
		.map((document) => document.toJS())
		.find(({ kind }) => kind === 'StatefulSet');
	const { spec } = set.spec.template;
	const [keeper, { restartPolicy, envFrom, ...sidecar }] = spec.initContainers;
	expect([restartPolicy, envFrom]).toEqual(['Always', [{ secretRef: { name: 'craftwarden' } }]]);
	const [game] = spec.containers;
	game.workingDir = '/data';
	game.command = [game.env.find(({ name }: { name: string }) => name === 'SERVER_RUNNER').value];
	game.args = GAME;
	sidecar.env.push(
		{ name: 'SUPERADMIN_USERNAME', value: SUPERADMIN.username },
		{ name: 'SUPERADMIN_PASSWORD', value: SUPERADMIN.password }
	);
	const host = (name: string, at: string) => ({ name, hostPath: { path: at } });
	spec.volumes.push(host('packages', packages));
	for (const part of ['server', 'craftwarden']) {
		const at = path.join(folder, part);
		await mkdir(at, { recursive: true });
		await chown(at, 0, 1000);
		await chmod(at, 0o2775);
		spec.volumes.push(host(`data-${part}`, at));
	}
	// Without probes and resources, for which this podman needs a systemd.
	const local = ({ name, command, args, env, workingDir, securityContext, ...one }: Container) => ({
		...{ name, command, args, env, workingDir, securityContext },
		...{ image: IMAGE, imagePullPolicy: 'Never' },
		volumeMounts: [
			...one.volumeMounts.map(({ name, mountPath, subPath }) => ({
				mountPath,
				name: subPath ? `${name}-${subPath}` : name
			})),
			{ name: 'packages', mountPath: '/app/node_modules' }
		]
	});
	return stringify({
		...{ apiVersion: 'v1', kind: 'Pod' },
		// Otherwise podman removes it at its end, and sometimes a moment before that.
		metadata: {
			name: `${NAME}-pod`,
			annotations: { 'io.podman.annotations.init.container.type': 'always' }
		},
		spec: { ...spec, initContainers: [local(keeper)], containers: [local(sidecar), local(game)] }
	});
}

/** A container of the compose file that is gone when the tests are over. */
function container(name: string, options: string[], command: string[] = []) {
	podman('run', '--detach', '--name', name, ...LIMITS, ...options, IMAGE, ...command);
	closers.push(() => podman('rm', '--force', '--ignore', '--time', '1', name));
}
const exitCode = (name: string) => podman('inspect', '-f', '{{.State.ExitCode}}', name);

async function uploadMod(ada: Visitor, id: string, fault?: 'die') {
	const jar = modJar({ id, version: '1', name: id, description: '', ...(fault && { fault }) });
	const form = new FormData();
	form.set('jar', new File([new Uint8Array(jar)], `${id}.jar`));
	const answer = await ada.fetch('/api/mods/upload', { method: 'POST', body: form });
	expect(answer.status).toBe(202);
	const { operation } = (await answer.json()) as { operation: { id: string } };
	return ended(ada, operation.id, 90_000);
}

describe.skipIf(missing)(title, () => {
	let packages: string;
	let services: { game: Service; dashboard: Service };
	/** Where the two find each other. */
	const at = { game: '', dashboard: '' };
	const url = () => `http://${at.dashboard}:3000`;

	beforeAll(async () => {
		const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-image-'));
		closers.push(() => rm(dir, { recursive: true, force: true }));
		// Packages are those of this checkout, so that nothing is fetched; all else is done as the Containerfile says.
		packages = path.join(dir, 'node_modules');
		await cp(await realpath('node_modules'), packages, {
			recursive: true,
			verbatimSymlinks: true,
			filter: (file) => !file.endsWith('/.bin/node')
		});
		const tarball = path.join(dir, 'base.tar');
		const script = ['tests/integration/kit/base-image.sh', tarball, process.execPath];
		expect(spawnSync('bash', script).stderr.toString()).toBe('');
		podman('import', tarball, BASE);
		closers.push(() => podman('rmi', '--force', IMAGE, BASE));
		const build = ['--build-arg', `BASE=${BASE}`, '-v', `${packages}:/app/node_modules`];
		podman('build', ...LIMITS, ...build, '-t', IMAGE, '.');

		services = parse(await readFile('deploy/compose.yaml', 'utf8')).services;
		podman('network', 'create', NAME);
		closers.push(() => podman('network', 'rm', '--force', NAME));
		const [{ subnets }] = JSON.parse(podman('network', 'inspect', NAME));
		const net = (subnets[0].subnet as string).replace(/\d+\/\d+$/, '');
		Object.assign(at, { game: `${net}20`, dashboard: `${net}21` });
		for (const volume of ['server', 'talk', 'state'])
			closers.push(() => podman('volume', 'rm', '--force', `${NAME}-${volume}`));
	}, BUILD_LIMIT_MS);
	afterAll(async () => {
		for (const close of closers.splice(0).reverse()) await close();
	}, LIMIT_MS);

	const network = (ip: string) => ['--network', NAME, '--ip', ip, '--add-host', `game:${at.game}`];
	const dashboard = () =>
		container(`${NAME}-dashboard`, [
			...network(at.dashboard),
			...['-v', `${packages}:/app/node_modules:ro`],
			...runOptions(services.dashboard, {
				name: NAME,
				env: {
					SUPERADMIN_USERNAME: SUPERADMIN.username,
					SUPERADMIN_PASSWORD: SUPERADMIN.password,
					MODRINTH_URL: 'http://127.0.0.1:9'
				}
			})
		]);
	const healthy = () =>
		eventually(
			() =>
				fetch(`${url()}/healthz`).then(
					(answer) => answer.status,
					() => podman('logs', `${NAME}-dashboard`)
				),
			(answer) => answer === 200,
			60_000
		);

	test('it serves as uid 1000 without any permissions, with a read-only root and volumes of its own', async () => {
		dashboard();
		await healthy();
		const inside = (...command: string[]) => podman('exec', `${NAME}-dashboard`, ...command);
		expect(inside('id', '-u')).toBe('1000');
		expect(inside('cat', '/proc/1/status')).toMatch(/CapEff:\s+0{16}\n[^]*NoNewPrivs:\s+1\n/);
		for (const place of ['/app/x', '/x', '/run/x'])
			expect(() => inside('sh', '-c', `: >${place}`)).toThrow(/Read-only/);
		for (const volume of ['server', 'talk', 'state']) {
			const folder = podman('volume', 'inspect', '-f', '{{.Mountpoint}}', `${NAME}-${volume}`);
			expect((await stat(folder)).uid).toBe(1000);
		}
		const ada = await signedIn({ url: url() });
		const { state, reason } = await status(ada);
		expect([state, reason]).toEqual([
			'unknown',
			'There is no keeper: /run/craftwarden/state.json does not exist. Start the game’s container.'
		]);
	});

	test(
		'the game in its own container obeys, and survives the dashboard',
		async () => {
			const folder = podman('volume', 'inspect', '-f', '{{.Mountpoint}}', `${NAME}-server`);
			await seedDemoFolder(folder, { gamePort: 25565, rconPort: 25575 });
			const properties = path.join(folder, 'server.properties');
			spawnSync('sed', ['-i', 's/^server-ip=.*/server-ip=/', properties]);
			spawnSync('chown', ['-R', '1000:1000', folder]);
			const { SERVER_RUNNER = '' } = services.game.environment;
			container(
				`${NAME}-game`,
				[
					...network(at.game),
					...['--user', '1000:1000', '--entrypoint', SERVER_RUNNER, '--workdir', '/data'],
					...['-v', `${packages}:/app/node_modules:ro`],
					...runOptions(services.game, { name: NAME, env: { DEMO_SPEED: '10' } })
				],
				GAME
			);
			const ada = await signedIn({ url: url() });
			await reaches(ada, 'running', 60_000);
			expect((await ada.json('/api/console', { command: 'list' })).status).toBe(200);

			expect(await power(ada, 'stop')).toMatchObject({ state: 'succeeded', cause: null });
			await reaches(ada, 'stopped');
			expect(await power(ada, 'start')).toMatchObject({ state: 'succeeded', cause: null });
			expect(await uploadMod(ada, 'gentle')).toMatchObject({ state: 'succeeded', cause: null });
			expect(await uploadMod(ada, 'deadly', 'die')).toMatchObject({ state: 'rolled-back' });
			expect((await stat(path.join(folder, 'mods/gentle.jar'))).uid).toBe(1000);
			await reaches(ada, 'running');

			const { startedAt } = await status(ada);
			podman('rm', '--force', '--time', '0', `${NAME}-dashboard`);
			dashboard();
			await healthy();
			const eve = await signedIn({ url: url() });
			await reaches(eve, 'running');
			expect((await status(eve)).startedAt).toBe(startedAt);

			expect((await eve.json('/api/server/kill', {})).status).toBe(200);
			await reaches(eve, 'stopped');
			expect(await power(eve, 'start')).toMatchObject({ state: 'succeeded', cause: null });

			// The engine ends the container: the world is saved, and nobody calls it a crash.
			podman('stop', '--time', '60', `${NAME}-game`);
			expect(exitCode(`${NAME}-game`)).toBe('143'); // as Java ends after a SIGTERM
			await eventually(
				() => status(eve),
				({ state }) => state === 'stopped',
				20_000
			);
			podman('start', `${NAME}-game`);
			await reaches(eve, 'running', 60_000);
		},
		LIMIT_MS
	);

	const unplayed = playMissing();
	test.skipIf(unplayed)(
		`the pod of deploy/kubernetes runs without any right, on a volume that belongs to root${unplayed ? ` (${unplayed})` : ''}`,
		async () => {
			const dir = await mkdtemp(path.join(tmpdir(), 'craftwarden-pod-'));
			closers.push(() => rm(dir, { recursive: true, force: true }));
			await writeFile(path.join(dir, 'containers.conf'), LIMITS_CONF);
			const volume = path.join(dir, 'volume');
			await writeFile(path.join(dir, 'pod.yaml'), await podOf(volume, packages));
			const server = path.join(volume, 'server');
			await seedDemoFolder(server, { gamePort: 25565, rconPort: 25575 });
			spawnSync('sh', ['-c', 'chown -R 1000:1000 "$1"/*', 'sh', server]);
			const env = { CONTAINERS_CONF: path.join(dir, 'containers.conf') };
			closers.push(() => podman('pod', 'rm', '--force', '--ignore', '--time', '1', `${NAME}-pod`));
			podman.with(env)('kube', 'play', '--network', NAME, path.join(dir, 'pod.yaml'));
			for (const one of ['dashboard', 'game']) {
				const inside = (...command: string[]) => podman('exec', `${NAME}-pod-${one}`, ...command);
				expect(inside('id', '-u')).toBe('1000');
				expect(inside('cat', '/proc/1/status')).toMatch(
					/CapEff:\s+0{16}\n[^]*NoNewPrivs:\s+1\nSeccomp:\s+2\n/
				);
				expect(() => inside('sh', '-c', ': >/x')).toThrow(/Read-only/);
			}
			const infra = podman('pod', 'inspect', '-f', '{{.InfraContainerID}}', `${NAME}-pod`);
			const address = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
			const pod = { url: `http://${podman('inspect', '-f', address, infra)}:3000` };
			const ada = await eventually(
				() => signedIn(pod).catch(() => null),
				(visitor) => visitor !== null
			);
			await reaches(ada!, 'running', 60_000);
			expect(await uploadMod(ada!, 'gentle')).toMatchObject({ state: 'succeeded', cause: null });
			expect(await power(ada!, 'stop')).toMatchObject({ state: 'succeeded', cause: null });
		},
		LIMIT_MS
	);
});
