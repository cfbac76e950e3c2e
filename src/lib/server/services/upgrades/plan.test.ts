import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { systemClock } from '#core/clock';
import { readJar, satisfies } from '#minecraft/mods';
import { createModsForGame, loadersFor, setOf } from '#services/mods';
import { setupMods, type ModsSetup } from '../../../../../tests/fakes/mods/mods-setup.ts';
import { createUpgrades } from './index.ts';
import type { Deps } from './types.ts';

const RELEASES = ['26.1', '1.21.5', '1.21.4', '1.21.1'];

async function setup({
	refusal = null as string | null,
	builds = ['0.2-beta', '0.1'],
	runs = false,
	crashed = false,
	noTrial = null as string | null
} = {}) {
	const made = await setupMods();
	const { root, modsDir, inventory, client, server } = made;
	const worldDir = path.join(root, 'my-world');
	await mkdir(worldDir);
	await writeFile(path.join(worldDir, 'level.dat'), 'level');
	const ran: unknown[] = [];
	const mods = createModsForGame({
		...{ inventory, registry: client, satisfies, readJar, modsDir, serverDir: root },
		current: async () => setOf((await inventory.read({ ask: false })).files),
		dataDir: root,
		download: client.download,
		checkJar: async () => null,
		parked: { add: async () => {} },
		changed: () => {},
		operations: { list: async () => [] },
		log: { error: () => {} },
		clock: systemClock,
		trials: {} as never
	});
	const upgrades = createUpgrades({
		...{ registry: client, loadersFor, mods, refusal, serverDir: root, clock: systemClock },
		releases: async () =>
			RELEASES.map((id) => ({ id, type: 'release', releasedAt: null, java: 21 })),
		builds: async () => builds.map((id) => ({ id, stable: !id.includes('beta') })),
		async installed() {
			const known = await inventory.read({ ask: false });
			const files = known.files.filter(({ enabled }) => enabled);
			const told = await inventory.facts.of(known.files.flatMap(({ sha512 }) => sha512 ?? []));
			const title = (name: string) => known.mods.find(({ fileName }) => fileName === name)!.name;
			return {
				...known.server,
				...told,
				files: files.map((file) => ({ ...file, title: title(file.fileName) })),
				parked: known.files
					.filter(({ enabled }) => !enabled)
					.map((file) => ({ ...file, title: title(file.fileName) }))
			};
		},
		installation: async () => ({ ...server, worldDir, problem: null }),
		started: async () => 'fabric-server.jar',
		untouchable: async () => made.world.untouchable,
		sources: { java: async () => 21 },
		hasJava: async () => false,
		software: {
			describe: async () => ({
				...{ steps: ['Fetch Java 21.'], add: ['new.jar'], leaveOut: [], warnings: [] },
				downloadBytes: 1000
			}),
			title: ({ gameVersion }: { gameVersion: string }) => `Fabric for ${gameVersion}`
		},
		operations: {
			list: async () => [],
			define: () => {},
			run: async (...call: unknown[]) => {
				ran.push(call);
				return { id: 'one' };
			}
		},
		server: {
			run: async () => (runs ? {} : null),
			observe: async () => ({ state: crashed ? 'crashed' : 'stopped' })
		},
		trials: { problem: async () => noTrial },
		trialBoots: async () => 'auto',
		audit: async () => {},
		log: { error: () => {} }
	} as unknown as Deps);
	const plan = (gameVersion: string, park: string[] = []) => upgrades.plan({ gameVersion, park });
	return { ...made, upgrades, plan, ran };
}

type Made = Pick<ModsSetup, 'registry' | 'install'>;
type Versions = [number: string, games: string[], more?: object][];
async function mod({ registry, install }: Made, slug: string, versions: Versions, more = {}) {
	registry.addProject({ slug, title: slug.toUpperCase(), categories: ['optimization'], ...more });
	for (const [number, gameVersions, about] of versions)
		registry.addVersion(slug, { number, gameVersions, ...about });
	return install(slug, versions[0]![0]);
}

test('what comes along, what stays as it is, and what is brought besides', async () => {
	const at = await setup();
	const lib = at.registry.addProject({ slug: 'lib', title: 'LIB' });
	at.registry.addVersion('lib', { number: '9', gameVersions: ['1.21.4'] });
	await mod(at, 'quick', [
		['1', ['1.21.1']],
		['2', ['1.21.4'], { dependencies: [{ projectId: lib.id, kind: 'required' }] }]
	]);
	await mod(at, 'marked', [['1', ['1.21.1', '1.21.4']]]);
	await at.put('own.jar', modJar({ id: 'own', version: '1', name: 'Own', description: '' }));
	at.asked();
	const plan = await at.plan('1.21.4');
	expect(plan).toMatchObject({
		...{ gameVersion: '1.21.4', from: '1.21.1', asItIs: ['MARKED'], unknown: ['own.jar'] },
		updated: [{ title: 'QUICK', from: '1', to: '2' }],
		added: [{ title: 'LIB', reason: 'needed by QUICK' }],
		...{ parked: [], content: null, java: { required: 21, fetched: true } },
		trial: { will: false, why: expect.stringContaining('is not running') },
		world: expect.stringMatching(
			/cannot open it any more\. So a backup is made first.* everything is rolled back automatically/
		)
	});
	expect(plan.downloadBytes).toBeGreaterThan(1000);
	// Hashes, projects, the newest of them, what comes besides.
	expect(at.asked().length).toBeLessThanOrEqual(6);
	await at.upgrades.start({ planId: plan.id }, { name: 'ada', role: 'superadmin', address: null });
	expect(at.ran).toMatchObject([
		[
			'upgrade',
			{
				target: { gameVersion: '1.21.4', build: '0.1', keepName: false },
				change: { put: [{ title: 'QUICK 2' }, { title: 'LIB 9' }] }
			},
			...[expect.anything(), 'Fabric for 1.21.4']
		]
	]);
	await expect(
		at.upgrades.start({ planId: plan.id }, { name: 'ada', role: 'superadmin', address: null })
	).rejects.toMatchObject({ kind: 'not-found' });
});

test('what was parked before is named, stays so, and is no reason to refuse', async () => {
	const at = await setup();
	await mod(at, 'quick', [
		['1', ['1.21.1']],
		['2', ['1.21.4']]
	]);
	for (const [slug, games] of [
		['waits', ['1.21.1']],
		['comes', ['1.21.1', '1.21.4']]
	] as const) {
		const name = await mod(at, slug, [['1', [...games]]]);
		await rename(path.join(at.modsDir, name), path.join(at.modsDir, `${name}.disabled`));
	}
	const plan = await at.plan('1.21.4');
	expect(plan).toMatchObject({
		parked: [],
		asItIs: [],
		unknown: [],
		updated: [{ title: 'QUICK' }]
	});
	expect(plan.parkedBefore?.map(({ title, back }) => `${title} ${back}`).sort()).toEqual([
		'COMES true',
		'WAITS false'
	]);
});

test('the plan says whether the new game is tried on a copy, which can be skipped', async () => {
	const at = await setup({ runs: true });
	const without = await at.plan('1.21.4');
	expect(without.trial).toEqual({ will: false, why: 'There are no mods to try.' });
	await mod(at, 'quick', [
		['1', ['1.21.1']],
		['2', ['1.21.4']]
	]);
	const plan = await at.plan('1.21.4');
	expect(plan).toMatchObject({
		trial: { will: true, why: null },
		steps: expect.arrayContaining([expect.stringContaining('once on a copy')])
	});
	const ada = { name: 'ada', role: 'superadmin', address: null } as const;
	await at.upgrades.start({ planId: plan.id, skipTrial: true }, ada);
	expect(at.ran).toMatchObject([['upgrade', { skipTrial: true }, ada, expect.anything()]]);

	const full = await setup({ runs: true, noTrial: 'There is no sandbox.' });
	await mod(full, 'quick', [['1', ['1.21.1', '1.21.4']]]);
	expect((await full.plan('1.21.4')).trial).toEqual({ will: false, why: 'There is no sandbox.' });
});

test.each([
	[
		true,
		['Back up the world while the server keeps running.', 'Stop the server, put', 'watch it.']
	],
	[false, ['Back up the world.', 'Put the original', 'watch it, and stop it again.']]
])('the steps are those of a server that runs, or does not: %s', async (runs, words) => {
	const { steps } = await (await setup({ runs })).plan('1.21.4');
	expect(steps.slice(-3)).toEqual(words.map((part) => expect.stringContaining(part)));
});

test('a server that had crashed stays up after it', async () => {
	const { steps } = await (await setup({ crashed: true })).plan('1.21.4');
	expect(steps.at(-1)).toMatch(/^Start the server and watch it\./);
});

test('late mods are refused by name, and parked when that is asked for, with those that need them', async () => {
	const at = await setup();
	const late = await mod(at, 'late', [['1', ['1.21.1']]], { categories: ['worldgen'] });
	const needs = {
		dependencies: [{ projectId: at.registry.store.find('late')!.id, kind: 'required' }],
		mod: { depends: { late: '*' } }
	};
	await mod(at, 'needy', [
		['1', ['1.21.1'], needs],
		['2', ['1.21.4'], needs]
	]);
	await expect(at.plan('1.21.4')).rejects.toMatchObject({
		...{ kind: 'conflict', code: 'late-mods' },
		message: 'LATE has no version for Minecraft 1.21.4 yet. Park it, or wait.',
		issues: [{ path: 'park', message: late }]
	});
	const plan = await at.plan('1.21.4', [late]);
	expect(plan.parked).toMatchObject([
		{ fileName: `${late}.disabled`, title: 'LATE', reason: null },
		{ title: 'NEEDY', reason: 'needs LATE' }
	]);
	expect(plan.content).toMatch(
		/^Without LATE the world may lose blocks.*Only the new game’s copy .*the original, kept for 7 days, does not\.$/
	);
	expect(plan.updated).toEqual([]);
	await expect(at.plan('1.21.4', [late, 'nobody.jar'])).rejects.toMatchObject({ kind: 'invalid' });
});

test('a jar that says itself that it is not for the new game is named, whoever does not know it', async () => {
	const at = await setup();
	const own = { id: 'own', version: '1', name: 'Own', description: '' };
	await at.put('own.jar', modJar({ ...own, depends: { minecraft: '1.21.1' } }));
	await expect(at.plan('1.21.4')).rejects.toMatchObject({
		code: 'plan-blocked',
		message: expect.stringMatching(
			/^Own needs Minecraft 1\.21\.1; .* Park it, or replace it first\.$/
		)
	});
	expect(await at.plan('1.21.4', ['own.jar'])).toMatchObject({
		...{ unknown: [], parked: [{ title: 'Own' }] }
	});
});

test('a version for the new game counts although one for the old game came out later', async () => {
	const at = await setup();
	await mod(at, 'ported', [
		['1.1', ['1.21.1'], { publishedAt: '2026-03-01T00:00:00Z' }],
		['1.0', ['1.21.4'], { publishedAt: '2026-01-01T00:00:00Z' }]
	]);
	expect((await at.plan('1.21.4')).updated).toMatchObject([{ from: '1.1', to: '1.0' }]);
});

test('nothing is planned for what is not newer, has no server, or cannot be exchanged from here', async () => {
	const at = await setup();
	for (const game of ['1.21.1', '1.20.1', '25w14a'])
		await expect(at.plan(game)).rejects.toMatchObject({ kind: 'invalid' });
	at.world.untouchable = 'Nobody can tell whether it runs.';
	await expect(at.plan('1.21.4')).rejects.toThrow('Nobody can tell');
	const none = await setup({ builds: [] });
	await expect(none.plan('1.21.4')).rejects.toThrow(
		'There is no server with fabric for Minecraft 1.21.4 yet'
	);
	const refused = await setup({ refusal: 'SERVER_COMMAND says how.' });
	await expect(refused.plan('1.21.4')).rejects.toThrow('SERVER_COMMAND says how.');
	expect(await refused.upgrades.refusal()).toBe('SERVER_COMMAND says how.');
});
