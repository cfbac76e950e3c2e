import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/clock';
import { mountSmallDisk } from '../../../../../tests/fakes/archives/small-disk.ts';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { serverDirOf, type Options } from '../../../../../tests/fakes/software-desk.ts';
import { fill, treeOf } from '../../../../../tests/fakes/upgrade-desk.ts';
import { createKit, finished, leftBehind } from '../../../../../tests/faults/operations-kit.ts';
import {
	AFTER,
	BEFORE,
	CHANGE,
	deskAt,
	NEW_JAR,
	PACK
} from '../../../../../tests/faults/programs/import-desk.ts';
import { tempDir } from '../../../../../tests/faults/temp.ts';

const ADA = { name: 'ada', role: 'superadmin', address: null } as const;
const WISH = { do: 'import', memoryMb: 1024, port: 25_565, acceptEula: true } as const;

type More = Partial<Options> & { at?: string };
/** A running server with the old build. */
async function setup({ at, ...more }: More = {}) {
	const dir = at ?? (await tempDir());
	const kit = await createKit({ dir: path.join(dir, 'data') });
	const flag = path.join(dir, 'running');
	const desk = deskAt(dir, kit.operations, more.clock ?? systemClock, more);
	await fill(desk.serverDir, BEFORE);
	await writeFile(flag, '');
	return {
		...{ ...desk, dir, kit, flag },
		runs: () => existsSync(flag),
		tree: () => treeOf(desk.serverDir),
		ours: async () =>
			(await readdir(desk.serverDir)).filter((name) => name.startsWith('.craftwarden')),
		async change() {
			const { id } = await desk.software.plan(CHANGE);
			return finished(kit.operations, desk.software.apply({ planId: id }, ADA));
		}
	};
}
const failedStep = ({ steps }: { steps: { id: string; status: string }[] }) =>
	steps.find(({ status }) => status === 'failed')?.id;

test('another build comes with the scripts that start it, and one that does not start leaves no trace', async () => {
	const good = await setup();
	expect(await good.change()).toMatchObject({ state: 'succeeded', cause: null });
	expect([await good.tree(), good.runs(), await good.ours()]).toEqual([AFTER, true, []]);

	const bad = await setup();
	await writeFile(path.join(bad.dir, 'bad'), NEW_JAR);
	expect(await bad.change()).toMatchObject({ state: 'rolled-back' });
	expect([await bad.tree(), bad.runs(), await bad.ours()]).toEqual([BEFORE, true, []]);
});

test('a countdown comes right before the stop, and is called off when the change is refused then', async () => {
	const at = await setup();
	const begin = async () => {
		const { id } = await at.software.plan(CHANGE);
		return at.software.apply({ planId: id, delaySeconds: 60, message: '' }, ADA);
	};
	const { id: operation } = await begin();
	const ended = finished(at.kit.operations, at.kit.operations.get(operation));
	at.kit.operations.watch(operation, (event) => {
		if (event.type !== 'step' || event.step.id !== 'install') return;
		const script = path.join(at.serverDir, 'start.sh');
		writeFileSync(script, '#!/bin/sh\nexec java -jar other-loader.9-x.jar nogui\n');
	});
	expect(await ended).toMatchObject({ state: 'failed', cause: { message: /Plan it again/ } });
	expect([at.runs(), existsSync(`${at.flag}-called-off`)]).toEqual([true, true]);

	const good = await setup();
	const { id } = await good.software.plan(CHANGE);
	const wish = { planId: id, delaySeconds: 60, message: '' };
	const { steps, state } = await finished(good.kit.operations, good.software.apply(wish, ADA));
	expect([state, steps.map((one) => one.id)]).toEqual([
		'succeeded',
		['lookup', 'java', 'download', 'install', 'countdown', 'swap', 'restart', 'verify']
	]);
	expect(existsSync(`${good.flag}-called-off`)).toBe(false);
});

test('of every Java that is there it is known whether it is too old for the game', async () => {
	const { software } = await setup();
	const { java } = await software.state();
	expect(java).toMatchObject({ required: 21, chosen: { version: '25.0.1' } });
	expect(java.found.map(({ version, tooOld }) => [version, tooOld])).toEqual([
		['25.0.1', false],
		['17.0.15', true]
	]);
});

test.each(['before the exchange', 'during the exchange'])(
	'a server that something else starts %s does not keep running with half of each build',
	async (when) => {
		const dir = await tempDir();
		const flag = path.join(dir, 'running');
		const names = () => readdirSync(serverDirOf(dir));
		let started = false;
		const start = () => {
			if (started || existsSync(flag)) return;
			started = true;
			writeFileSync(flag, '');
		};
		const at = await setup({
			at: dir,
			flush: async () => when.startsWith('before') && start(),
			changed: () => when.startsWith('during') && names().includes(NEW_JAR) && start()
		} as More);
		const ended = await at.change();
		expect(started).toBe(true);
		expect([ended.state, failedStep(ended)]).toEqual(['rolled-back', 'swap']);
		expect([await at.tree(), at.runs(), await at.ours()]).toEqual([BEFORE, true, []]);
	}
);

test('a folder that changed while the build was downloaded does not stop the server', async () => {
	const at = await setup({ broken: () => false });
	const script = path.join(at.serverDir, 'start.sh');
	const { id } = await at.software.plan(CHANGE);
	const { id: operation } = await at.software.apply({ planId: id }, ADA);
	const ended = finished(at.kit.operations, at.kit.operations.get(operation));
	at.kit.operations.watch(operation, (event) => {
		if (event.type === 'step' && event.step.id === 'install')
			writeFileSync(script, '#!/bin/sh\nexec java -jar other-loader.9-x.jar nogui\n');
	});
	expect(await ended).toMatchObject({ state: 'failed', cause: { message: /Plan it again/ } });
	expect([at.runs(), await at.ours()]).toEqual([true, []]);
});

test.each([
	['before the exchange', 'flush', 'swap'],
	['as the new build starts', 'launched', 'restart']
] as const)(
	'a disk that is full %s: the old build comes back once there is space',
	async (_, when, step) => {
		const disk = mountSmallDisk('80m');
		if (!disk) return;
		onTestFinished(disk.dispose);
		let runs = 0;
		// The first flush is before the server is stopped.
		const fill = () => void ((when === 'launched' || ++runs === 2) && disk.fill());
		const at = await setup({
			...{ at: disk.dir, retry: { everyMs: 5, forMs: 20_000 } },
			[when]: when === 'flush' ? async () => fill() : fill
		});
		const { id } = await at.software.plan(CHANGE);
		const { id: operation } = await at.software.apply({ planId: id }, ADA);
		const state = async () => {
			const { steps, ...rest } = await at.kit.operations.get(operation);
			if (steps.at(-1)?.detail?.includes('tried again')) disk.empty();
			return rest.state;
		};
		await expect.poll(state, { timeout: 20_000, interval: 5 }).not.toBe('running');
		const ended = await at.kit.operations.get(operation);
		expect([ended.state, failedStep(ended)]).toEqual(['rolled-back', step]);
		expect([await at.tree(), at.runs(), await at.ours()]).toEqual([BEFORE, true, []]);
	}
);

test('leftovers of finished operations are removed, what somebody may need stays', async () => {
	const at = await setup();
	const steps = ['lookup', 'swap'];
	const left = (n: number, facts: object = {}) => {
		const entry = leftBehind('change-software', steps, 1);
		entry.operation.id = `20260102T03040512${n}Z-0001`;
		Object.assign(entry.operation, facts);
		return entry;
	};
	const entries = [
		left(1, { state: 'succeeded' }),
		left(2, { state: 'rolled-back' }),
		left(3, { state: 'failed' }),
		left(4, { state: 'failed' }),
		left(5)
	];
	for (const entry of entries) await at.kit.journal.write(entry);
	const nameOf = (n: number | string) =>
		`.craftwarden-software-${typeof n === 'number' ? entries[n - 1]!.operation.id : n}`;
	const place = async (n: number | string, dir: string) => {
		const to = path.join(at.serverDir, nameOf(n), dir);
		await mkdir(to, { recursive: true });
		if (dir !== 'old/libraries') await writeFile(path.join(to, 'a.jar'), 'a');
	};
	for (const n of [1, 3, 5]) await place(n, 'old');
	for (const n of [2, 4, 'unknown']) await place(n, 'new');
	await place(4, 'old/libraries');
	await at.software.tidy();
	expect((await at.ours()).sort()).toEqual([nameOf(3), nameOf(5)]);
	expect(await at.tree()).toEqual(BEFORE);
});

test('packs that nobody imports are removed when their plan expires, or at the next start', async () => {
	const clock = createManualClock();
	const at = await setup({ clock });
	for (const name of Object.keys(BEFORE))
		await rm(path.join(at.serverDir, name.split('/')[0]!), { recursive: true, force: true });
	await rm(at.flag);
	const imports = path.join(at.dataDir, 'imports');
	await mkdir(imports, { recursive: true });
	await writeFile(path.join(imports, 'of-a-killed-one.zip'), 'half');
	const plan = () =>
		at.software.planUpload(
			{
				name: 'a.mrpack',
				bytes: (async function* () {
					yield PACK;
				})()
			},
			async () => WISH
		);
	const { id } = await plan();
	await at.software.tidy();
	expect(await readdir(imports)).toHaveLength(1);
	await clock.advance(20 * 60_000);
	await plan();
	await clock.advance(11 * 60_000);
	await expect.poll(() => readdir(imports)).toHaveLength(1);
	expect(await at.software.planned(id)).toBeNull();
	await clock.advance(20 * 60_000);
	await expect.poll(() => readdir(imports)).toEqual([]);
});
