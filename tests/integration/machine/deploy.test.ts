import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const read = (file: string) => readFile(path.join('deploy', file), 'utf8');

describe('compose', () => {
	const Service = z.object({
		volumes: z.array(z.string()),
		privileged: z.undefined().optional(),
		pid: z.undefined().optional(),
		networks: z.array(z.string())
	});
	const Compose = z.object({
		services: z.object({
			game: z.looseObject(Service.shape),
			dashboard: z.looseObject(Service.shape)
		}),
		volumes: z.record(z.string(), z.null())
	});

	test('its two services share exactly the two folders, and neither a socket nor processes', async () => {
		const { services, volumes } = Compose.parse(parse(await read('compose.yaml')));
		const sources = (service: { volumes: string[] }) =>
			service.volumes.map((line) => line.split(':')[0]!);
		const [game, dashboard] = [sources(services.game), sources(services.dashboard)];
		expect(game.filter((source) => dashboard.includes(source)).sort()).toEqual(['server', 'talk']);
		for (const source of [...game, ...dashboard]) {
			expect(source).not.toMatch(/\.sock/);
			if (!source.startsWith('.')) expect(Object.keys(volumes)).toContain(source);
		}
		expect(services.dashboard).toMatchObject({
			read_only: true,
			user: '1000:1000',
			cap_drop: ['ALL'],
			environment: { RUNTIME: 'keeper' }
		});
		expect(services.game['environment']).toMatchObject({ OVERRIDE_SERVER_PROPERTIES: 'false' });
	});

	test('both communicate in one folder, and the game’s container runs the keeper of this project', async () => {
		const { services } = Compose.parse(parse(await read('compose.yaml')));
		for (const service of [services.game, services.dashboard]) {
			expect(service['environment']).toMatchObject({ KEEPER_DIR: '/run/craftwarden' });
			expect(service.volumes).toContain('talk:/run/craftwarden');
		}
		expect(services.game['environment']).toMatchObject({ SERVER_RUNNER: '/keeper/keeper' });
		expect(services.game.volumes).toContain('../scripts/keeper:/keeper/keeper:ro');
	});
});

describe.skipIf(!has('kubectl'))('Kubernetes, as kubectl renders it', () => {
	type Thing = { kind: string; metadata: { name: string } } & Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
	const rendered = (folder: string) => {
		const { stdout, status } = spawnSync('kubectl', ['kustomize', `deploy/kubernetes/${folder}`], {
			encoding: 'utf8'
		});
		expect(status).toBe(0);
		return parseAllDocuments(stdout).map((document) => document.toJS() as Thing);
	};
	const one = (things: Thing[], kind: string) => {
		const found = things.filter((thing) => thing.kind === kind);
		expect(found).toHaveLength(1);
		return found[0]!;
	};

	test.each(['base', 'overlays/second'])(
		'%s: one pod without any permissions, the game beside its dashboard',
		(folder) => {
			const things = rendered(folder);
			expect(things.map(({ kind }) => kind).sort()).toEqual([
				...['NetworkPolicy', 'Secret', 'Service', 'Service', 'StatefulSet']
			]);
			const { spec } = one(things, 'StatefulSet');
			expect(spec).toMatchObject({ replicas: 1, updateStrategy: { type: 'OnDelete' } });
			expect(spec.volumeClaimTemplates).toHaveLength(1);
			const pod = spec.template.spec;
			expect(pod.automountServiceAccountToken).toBe(false);
			expect(pod.securityContext).toMatchObject({
				...{ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 },
				seccompProfile: { type: 'RuntimeDefault' }
			});
			expect(pod.hostPID ?? pod.hostNetwork ?? pod.hostIPC).toBe(undefined);
			const [keeper, dashboard] = pod.initContainers;
			const [game] = pod.containers;
			expect([keeper.name, dashboard.name, game.name]).toEqual(['keeper', 'dashboard', 'game']);
			for (const container of [keeper, dashboard, game])
				expect(container.securityContext).toEqual({
					...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
					capabilities: { drop: ['ALL'] }
				});
			// A sidecar in Kubernetes’ sense: first up, last down.
			expect([keeper.restartPolicy, dashboard.restartPolicy]).toEqual([undefined, 'Always']);
			expect(game.startupProbe.exec.command).toContain('/run/craftwarden/state.json');
			expect(game.livenessProbe).toBe(undefined);
			expect(dashboard.livenessProbe.httpGet.path).toBe('/healthz');
			expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(300);
			const place = (
				container: { volumeMounts: { mountPath: string; name: string; subPath?: string }[] },
				at: string
			) => {
				const { name, subPath } = container.volumeMounts.find(({ mountPath }) => mountPath === at)!;
				return [name, subPath];
			};
			expect(place(game, '/data')).toEqual(place(dashboard, '/server'));
			expect(place(dashboard, '/data')).not.toEqual(place(dashboard, '/server'));
			expect(place(game, '/run/craftwarden')).toEqual(place(dashboard, '/run/craftwarden'));
		}
	);

	test('a second server shares no name and no label with the first', () => {
		const [first, second] = [rendered('base'), rendered('overlays/second')];
		const names = (things: Thing[]) =>
			things.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
		expect(names(first).filter((name) => names(second).includes(name))).toEqual([]);
		const set = one(second, 'StatefulSet').spec;
		const services = second.filter(({ kind }) => kind === 'Service');
		expect(services.map(({ metadata }) => metadata.name)).toContain(set.serviceName);
		for (const { spec } of services) expect(spec.selector).toEqual(set.selector.matchLabels);
		expect(set.selector.matchLabels).not.toEqual(
			one(first, 'StatefulSet').spec.selector.matchLabels
		);
		expect(set.template.spec.initContainers[1].envFrom[0].secretRef.name).toBe(
			one(second, 'Secret').metadata.name
		);
	});

	test('a secret that nobody has filled in cannot be used', () => {
		expect(one(rendered('base'), 'Secret').stringData).toEqual({
			...{ SUPERADMIN_USERNAME: '', SUPERADMIN_PASSWORD: '' }
		});
	});
});

test('the page names every variable that the keeper warns about', async () => {
	const keeper = await readFile('scripts/keeper', 'utf8');
	const names = /for name in ([A-Z_\s\\]+);/.exec(keeper)![1]!.split(/[\s\\]+/);
	const page = await readFile('docs/deploy.md', 'utf8');
	expect(names.length).toBeGreaterThan(10);
	for (const name of names) expect(page).toContain(`\`${name}\``);
});

describe('systemd', () => {
	const UNITS = [
		'minecraft.service',
		'craftwarden.service',
		'user/minecraft.service',
		'user/craftwarden.service'
	];

	test.runIf(has('systemd-analyze')).each(UNITS)('%s is understood', (unit) => {
		const { stderr } = spawnSync(
			'systemd-analyze',
			['verify', '--man=no', `deploy/systemd/${unit}`],
			{
				encoding: 'utf8'
			}
		);
		const faults = stderr.split('\n').filter((line) => line.includes(path.basename(unit)));
		// The program it starts is not on this machine.
		expect(faults.filter((line) => !line.includes('is not executable'))).toEqual([]);
	});

	test('the rule lets one user do five things to one unit', async () => {
		const rules: ((action: unknown, subject: unknown) => unknown)[] = [];
		const polkit = {
			addRule: (rule: (typeof rules)[number]) => rules.push(rule),
			Result: { YES: 'yes' }
		};
		new Function('polkit', await read('systemd/50-craftwarden.rules'))(polkit);
		expect(rules).toHaveLength(1);
		const may = (
			{ id = 'org.freedesktop.systemd1.manage-units', unit = 'minecraft.service', verb = 'start' },
			user = 'minecraft'
		) => rules[0]!({ id, lookup: (key: string) => ({ unit, verb })[key] }, { user }) === 'yes';
		for (const verb of ['start', 'stop', 'restart', 'kill', 'reset-failed'])
			expect(may({ verb })).toBe(true);
		expect(may({ unit: 'sshd.service' })).toBe(false);
		expect(may({ verb: 'set-property' })).toBe(false);
		expect(may({ id: 'org.freedesktop.systemd1.manage-unit-files' })).toBe(false);
		expect(may({}, 'www-data')).toBe(false);
	});
});
