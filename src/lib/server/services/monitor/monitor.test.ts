import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Backup } from '#schemas/backup';
import type { OperationSummary } from '#schemas/operation';
import { createBus } from '#core/bus';
import { AppError } from '#core/errors';
import type { AppEvent, Findings } from '#events';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { createMonitor } from './index.ts';

const MINUTE_MS = 60_000;
const backup = (id: string, state: Backup['state']) =>
	({ id, state, bytes: 7, createdAt: `2026-01-0${id}T00:00:00.000Z` }) as Backup;
const mods = {
	mods: [
		{ fileName: 'a.jar', project: { title: 'Lithium' }, enabled: true },
		{ fileName: 'b.jar', project: null, name: 'b', enabled: false }
	]
};
const updates = {
	mods: [
		{ fileName: 'a.jar', updateAvailable: true, locked: false, latest: { version: '2' } },
		{ fileName: 'b.jar', updateAvailable: true, locked: true, latest: { version: '3' } }
	]
};

async function setup({ wanted = true, broken = false } = {}) {
	const dir = await mkdtemp(path.join(tmpdir(), 'monitor-'));
	onTestFinished(() => rm(dir, { recursive: true }));
	const clock = createManualClock();
	const bus = createBus<AppEvent>();
	const seen: Findings[] = [];
	let asked = 0;
	const now = { changing: false, whileAsking: () => {} };
	bus.subscribe((fact) => fact.type === 'findings' && seen.push(fact.findings));
	const monitor = createMonitor({
		...{ clock, publish: bus.publish, subscribe: bus.subscribe },
		wanted: async () => wanted,
		dirs: [dir, path.join(dir, 'none'), tmpdir()],
		backups: async () => {
			if (broken) throw new AppError('internal', 'The disk failed.');
			return [backup('3', 'running'), backup('2', 'complete'), backup('1', 'complete')];
		},
		operators: async () => [],
		mods: async () => mods as never,
		updates: async () => (asked++, now.whileAsking(), updates as never),
		changing: () => now.changing,
		log: { error: () => expect.unreachable() }
	});
	onTestFinished(monitor.close);
	/** Files are really read, so the round takes its time. */
	const after = async (ms: number, count: number) => {
		await clock.advance(ms);
		await expect.poll(() => (settle(), seen.length)).toBe(count);
	};
	return { monitor, clock, bus, seen, now, after, asked: () => asked };
}

test('everything it sees is published: each disk once, the newest good backup, mods and updates', async () => {
	const { monitor, seen, after } = await setup();
	monitor.start();
	await after(MINUTE_MS, 1);
	expect(seen[0]).toMatchObject({
		disks: [{ freeBytes: expect.any(Number), totalBytes: expect.any(Number) }],
		backups: { newest: { id: '2', bytes: 7 } },
		mods: { enabled: 1, disabled: 1 },
		updates: [{ title: 'Lithium', version: '2' }]
	});
});

test('the registry is queried once in six hours, and again when the mods have changed', async () => {
	const { monitor, bus, after, asked } = await setup();
	monitor.start();
	await after(MINUTE_MS, 1);
	await after(5 * MINUTE_MS, 2);
	expect(asked()).toBe(1);
	bus.publish({ type: 'mods-changed' });
	await after(5 * MINUTE_MS, 3);
	expect(asked()).toBe(2);
});

test('updates are not told while the mods are being changed, nor what was on offer before', async () => {
	const { monitor, bus, seen, now, asked } = await setup();
	const told = async () => (await monitor.look(), seen.at(-1)!.updates?.length ?? null);
	now.changing = true;
	expect(await told()).toBeNull();
	expect(asked()).toBe(0);
	now.changing = false;
	now.whileAsking = () => (now.changing = true);
	expect(await told()).toBeNull();
	now.changing = false;
	now.whileAsking = () => bus.publish({ type: 'mods-changed' });
	monitor.start();
	expect(await told()).toBeNull();
	now.whileAsking = () => {};
	expect(await told()).toBe(1);
	now.changing = true;
	expect(await told()).toBeNull();
});

test('a finished backup is looked at without waiting', async () => {
	const { monitor, bus, after } = await setup();
	monitor.start();
	await after(MINUTE_MS, 1);
	const summary = { kind: 'backup', state: 'succeeded' } as OperationSummary;
	bus.publish({ type: 'operation', summary });
	await after(0, 2);
});

test('one failing part does not affect the others', async () => {
	const { monitor, seen } = await setup({ broken: true });
	await monitor.look();
	expect(seen[0]).toMatchObject({ backups: null, mods: { enabled: 1 } });
});

test('without subscribers nothing is looked at', async () => {
	const { monitor, seen, asked } = await setup({ wanted: false });
	await monitor.look();
	expect(seen).toEqual([]);
	expect(asked()).toBe(0);
});
