import { rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { setupMods, type ModsSetup } from '../../../../../tests/fakes/mods/mods-setup.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import { satisfies } from '#minecraft/mods';
import { createModsForGame, loadersFor } from '#services/mods';
import type { Operation } from '#schemas/operation';
import { failedUpgrades } from './failed.ts';
import { createReadinessList } from './index.ts';

const own = modJar({ id: 'own', version: '1.0.0', name: 'Own', description: '' });
/** Newest first; the numbers are not in order of size. */
const RELEASES = ['26.1', '1.21.11', '1.21.10', '1.21.5', '1.21.1', '1.20.1'];

async function setup(builds: Record<string, string[]> = {}) {
	const mods = await setupMods();
	const clock = createManualClock();
	const outside = { down: null as AppError | null };
	/** Upgrades that have ended, newest first, and what each was started with. */
	const attempts: { operation: Operation; input: unknown }[] = [];
	const { inventory } = mods;
	const list = createReadinessList({
		registry: mods.client,
		clock,
		loadersFor,
		mods: createModsForGame({
			inventory,
			registry: mods.client,
			satisfies,
			dataDir: ''
		} as unknown as Parameters<typeof createModsForGame>[0]),
		failed: () =>
			failedUpgrades({
				operations: { list: async () => attempts.map(({ operation }) => operation) },
				attempt: async (id) => attempts.find(({ operation }) => operation.id === id)?.input
			}),
		async releases() {
			if (outside.down) throw outside.down;
			return RELEASES.map((id) => ({ id, type: 'release', releasedAt: null, java: 21 }));
		},
		builds: async (_, game) =>
			(builds[game] ?? ['0.17.0']).map((id, i) => ({ id, stable: i > 0 || !id.includes('beta') })),
		async installed() {
			const { server, files, mods: known } = await mods.inventory.read({ ask: false });
			const enabled = files.filter(({ enabled }) => enabled);
			const told = await mods.inventory.facts.of(
				files.flatMap(({ sha512 }) => sha512 ?? []),
				{ projects: false, insist: true }
			);
			const title = (name: string) => known.find(({ fileName }) => fileName === name)!.name;
			return {
				...server,
				...told,
				files: enabled.map((file) => ({ ...file, title: title(file.fileName) })),
				parked: files
					.filter(({ enabled }) => !enabled)
					.map((file) => ({ ...file, title: title(file.fileName) }))
			};
		}
	});
	return { ...mods, clock, outside, attempts, upgrades: { list } };
}

type Versions = [number: string, games: string[], more?: object][];
async function mod({ registry, install }: ModsSetup, slug: string, versions: Versions) {
	registry.addProject({ slug, title: slug.toUpperCase() });
	for (const [number, gameVersions, more] of versions)
		registry.addVersion(slug, { number, gameVersions, ...more });
	return install(slug, versions[0]![0]);
}
const rows = async ({ upgrades }: Awaited<ReturnType<typeof setup>>, refresh = false) => {
	const { versions, newestComplete } = await upgrades.list(refresh);
	return [newestComplete, versions.map(({ id, ready, total }) => `${id}: ${ready} of ${total}`)];
};

test('the newest game version that every mod has is found, and the missing ones are named', async () => {
	const made = await setup();
	await mod(made, 'quick', [
		['1', ['1.21.1']],
		['2', ['1.21.5', '1.21.10', '26.1']]
	]);
	const slow = await mod(made, 'slow', [
		['1', ['1.21.1', '1.20.1']],
		['2', ['1.21.5', '1.21.10']]
	]);
	await made.put('own.jar', own);
	const found = await made.upgrades.list(false);
	expect(found).toMatchObject({ current: '1.21.1', newestComplete: '1.21.10' });
	expect(found.versions).toEqual([
		{
			...{ id: '26.1', releasedAt: null, loader: { version: '0.17.0' }, ready: 1, total: 2 },
			late: [{ fileName: slow, title: 'SLOW', newestFor: '1.21.10' }],
			along: [],
			unknown: ['own.jar'],
			failed: null
		},
		expect.objectContaining({ id: '1.21.10', ready: 2, late: [] })
	]);
});

test('what needs a mod without a version is not counted as ready: a plan parks it too', async () => {
	const made = await setup();
	await mod(made, 'late', [['1', ['1.21.1']]]);
	const needs = { mod: { depends: { late: '*' } } };
	const needy = await mod(made, 'needy', [
		['1', ['1.21.1'], needs],
		['2', ['1.21.5'], needs]
	]);
	await mod(made, 'free', [['1', ['1.21.1', '1.21.5']]]);
	await made.put(
		'own.jar',
		modJar({ id: 'own', version: '1', name: 'Own', description: '', depends: { needy: '*' } })
	);
	const { versions } = await made.upgrades.list(false);
	expect(versions.find(({ id }) => id === '1.21.5')).toMatchObject({
		...{ ready: 1, total: 3, late: [{ title: 'LATE' }], unknown: [] },
		along: [
			{ fileName: needy, title: 'NEEDY', reason: 'needs LATE' },
			{ fileName: 'own.jar', title: 'Own', reason: 'needs NEEDY' }
		]
	});
});

test('an old file marked for a new game version counts, and an alpha only for an alpha', async () => {
	const made = await setup();
	await mod(made, 'marked', [['1', ['1.21.1', '1.21.5']]]);
	await mod(made, 'risky', [
		['1', ['1.21.1']],
		['2', ['1.21.5'], { channel: 'alpha' }]
	]);
	expect((await rows(made))[1]).toContain('1.21.5: 1 of 2');
	const bold = await setup();
	await mod(bold, 'bold', [
		['1', ['1.21.1'], { channel: 'alpha' }],
		['2', ['1.21.5'], { channel: 'alpha' }]
	]);
	expect(await rows(bold)).toEqual(['1.21.5', expect.arrayContaining(['1.21.5: 1 of 1'])]);
});

test('parked mods are named, count in nothing, and are said to have a version where they have one', async () => {
	const made = await setup();
	await mod(made, 'ready', [['1', ['1.21.1', '1.21.5', '26.1']]]);
	for (const [slug, games] of [
		['waits', ['1.21.1']],
		['comes', ['1.21.1', '1.21.5']]
	] as const) {
		const name = await mod(made, slug, [['1', [...games]]]);
		await rename(path.join(made.modsDir, name), path.join(made.modsDir, `${name}.disabled`));
	}
	await made.put('own.jar.disabled', own);
	made.asked();
	const { versions, newestComplete } = await made.upgrades.list(false);
	expect(made.asked().length).toBeLessThanOrEqual(8);
	expect(newestComplete).toBe('26.1');
	const named = (id: string) =>
		versions.find((one) => one.id === id)?.parked?.map(({ title, back }) => `${title} ${back}`);
	expect(versions[0]).toMatchObject({ id: '26.1', ready: 1, total: 1, late: [], unknown: [] });
	expect(named('26.1')?.sort()).toEqual(['COMES false', 'Own false', 'WAITS false']);
	await mod(made, 'late', [['1', ['1.21.1', '1.21.5']]]);
	const again = await made.upgrades.list(true);
	expect(again.versions.find(({ id }) => id === '1.21.5')?.parked).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ title: 'COMES', back: true }),
			expect.objectContaining({ title: 'WAITS', back: false })
		])
	);
});

test('where nothing is complete, the closest version is shown', async () => {
	const made = await setup();
	await mod(made, 'one', [['1', ['1.21.1', '1.21.5', '1.21.10']]]);
	await mod(made, 'two', [['1', ['1.21.1', '1.21.5', '1.21.11']]]);
	await mod(made, 'three', [['1', ['1.21.1']]]);
	expect(await rows(made)).toEqual([
		null,
		['26.1: 0 of 3', '1.21.11: 1 of 3', '1.21.10: 1 of 3', '1.21.5: 2 of 3']
	]);
});

test('a project that names a game version for another loader is not ready for it', async () => {
	const made = await setup();
	await mod(made, 'both', [
		['1', ['1.21.1']],
		['2', ['26.1'], { loaders: ['forge'] }],
		['3', ['1.21.5']]
	]);
	expect(await rows(made)).toEqual(['1.21.5', expect.arrayContaining(['26.1: 0 of 1'])]);
});

test('without a build of the loader nothing is complete, and a stable build is preferred', async () => {
	const made = await setup({ '26.1': [], '1.21.11': ['9-beta', '8'] });
	await mod(made, 'any', [['1', ['1.21.1', '1.21.11', '26.1']]]);
	const { versions, newestComplete } = await made.upgrades.list(false);
	expect(versions[0]).toMatchObject({ id: '26.1', loader: null, ready: 1 });
	expect(newestComplete).toBe('1.21.11');
	expect(versions[1]).toMatchObject({ loader: { version: '8' } });
});

test('200 mods of every channel take at most eight requests, even when nothing is known yet', async () => {
	const made = await setup();
	for (let i = 0; i < 200; i++) {
		const channel = (['release', 'beta', 'alpha'] as const)[i % 3];
		await mod(made, `mod-${i}`, [
			['1', ['1.21.1'], { channel }],
			['2', i === 7 ? ['1.21.5'] : ['1.21.5', '1.21.10', '1.21.11', '26.1'], { channel }]
		]);
	}
	made.asked();
	const [newestComplete] = await rows(made);
	const asked = made.asked();
	expect(asked.length).toBeLessThanOrEqual(8);
	expect(asked.length).toBeGreaterThan(3);
	expect(newestComplete).toBe('1.21.5');
	await rows(made);
	expect(made.asked()).toEqual([]);
});

test('a result is shown with its age while the lists cannot be reached, and never for other mods', async () => {
	const made = await setup();
	await mod(made, 'one', [['1', ['1.21.1', '1.21.5']]]);
	const first = await made.upgrades.list(false);
	made.outside.down = new AppError('upstream', 'The lists are down.');
	await made.clock.advance(60 * 60_000);
	expect(await made.upgrades.list(false)).toEqual(first);
	expect(await made.upgrades.list(true)).toEqual(first);
	await mod(made, 'two', [['1', ['1.21.1']]]);
	await expect(made.upgrades.list(false)).rejects.toThrow('The lists are down.');
});

test('a server whose game is the newest, not a release, or unknown, has no upgrade', async () => {
	const made = await setup();
	await mod(made, 'one', [['1', ['1.21.1']]]);
	for (const gameVersion of ['26.1', '25w14a']) {
		made.server.gameVersion = gameVersion;
		expect(await rows(made)).toEqual([null, []]);
	}
	made.server.gameVersion = null;
	await expect(made.upgrades.list(false)).rejects.toMatchObject({ code: 'no-game-version' });
});

test('what did not start here is told and not recommended, until its build or a mod is another one', async () => {
	const builds = { '1.21.11': ['8'] };
	const made = await setup(builds);
	await mod(made, 'guilty', [
		['1', ['1.21.1']],
		['2', ['1.21.11', '1.21.10']]
	]);
	const { files } = await made.inventory.read({ ask: false });
	const before = Object.fromEntries(files.map(({ fileName, sha512 }) => [fileName, sha512]));
	const [version] = made.registry.store
		.versionsOf(made.registry.store.find('guilty')!.id)
		.filter(({ number }) => number === '2');
	const at = '2026-01-02T03:04:05.000Z';
	const step = { label: 'Step', detail: null, progress: null, at };
	const attempt = (id: string, failedStep: string, state: Operation['state'] = 'failed') => ({
		operation: {
			...{ id, kind: 'upgrade', subject: 'Fabric 8 for Minecraft 1.21.11', by: 'ada', state },
			...{ startedAt: at, finishedAt: at },
			steps: [{ ...step, id: failedStep, status: state === 'succeeded' ? 'done' : 'failed' }],
			cause: { message: '', log: [], mods: ['guilty'], titles: { guilty: 'Guilty' } }
		} satisfies Operation,
		input: {
			target: { gameVersion: '1.21.11', build: '8' },
			change: { before, put: [{ fileName: 'guilty-2.jar', sha512: version!.files[0]!.sha512 }] }
		}
	});
	const told = async () => {
		const { newestComplete, versions } = await made.upgrades.list(false);
		return [newestComplete, versions.find(({ id }) => id === '1.21.11')?.failed ?? null];
	};
	expect(await told()).toEqual(['1.21.11', null]);
	// A download that fails says nothing about the game.
	made.attempts.unshift(attempt('one', 'download'));
	expect(await told()).toEqual(['1.21.11', null]);
	made.attempts.unshift(attempt('two', 'trial'));
	expect(await told()).toEqual(['1.21.10', { operationId: 'two', at, mods: ['Guilty'] }]);
	made.attempts.unshift(attempt('three', 'verify', 'succeeded'));
	expect(await told()).toEqual(['1.21.11', null]);

	// It came up well, and somebody went back from it all the same.
	const back = attempt('back', 'verify', 'succeeded').operation;
	const wentBack = async () => {
		const { newestComplete, versions } = await made.upgrades.list(false);
		return [newestComplete, versions.find(({ id }) => id === '1.21.11')?.wentBack];
	};
	expect(await wentBack()).toEqual(['1.21.11', undefined]);
	const operation = { ...back, kind: 'go-back', subject: 'Minecraft 1.21.1' } as const;
	made.attempts.unshift({ operation, input: { kept: 'three' } });
	expect(await wentBack()).toEqual(['1.21.10', { operationId: 'back', at }]);
	expect(await told()).toEqual(['1.21.10', null]);
	made.attempts.shift();

	made.attempts.unshift(attempt('four', 'verify', 'rolled-back'));
	expect(await told()).toEqual(['1.21.10', expect.objectContaining({ operationId: 'four' })]);
	builds['1.21.11'].unshift('9');
	await made.clock.advance(31 * 60_000);
	expect(await told()).toEqual(['1.21.11', null]);
	builds['1.21.11'].shift();
	made.registry.addVersion('guilty', { number: '3', gameVersions: ['1.21.11'] });
	await made.clock.advance(31 * 60_000);
	expect(await told()).toEqual(['1.21.11', null]);
});
