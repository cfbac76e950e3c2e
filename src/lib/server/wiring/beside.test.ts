import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/clock';
import { createBus } from '#core/bus';
import type { ServerConfig } from '#env';
import type { Operations } from '#operations';
import type { AppEvent } from '../events.ts';
import { wireNotifications } from './notifications.ts';
import { wireOverview } from './overview.ts';

/** While an update is tried on a copy, no operation holds the server, and what happens to it is reported as usual. */
async function setup() {
	const dataDir = await mkdtemp(path.join(tmpdir(), 'craftwarden-beside-'));
	onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 9 }));
	const bus = createBus<AppEvent>();
	const beside = { kind: 'update', leavesServer: true };
	let seen: object = {};
	const log = { info() {}, warn() {}, error() {} };
	const config = {
		...{ demo: true, version: '1.0.0', dataDir, serverDir: dataDir, logDir: dataDir },
		...{ pushOrigins: [], pushContact: null }
	} as unknown as ServerConfig;
	const needs = {
		...{ bus, log, clock: systemClock, audit: { record: async () => {} } },
		power: { observe: async () => seen },
		operations: {
			running: () => beside,
			busy: () => null,
			list: async () => []
		} as unknown as Operations,
		analytics: { latest: () => null },
		chat: { subscribe: () => () => {} },
		...{ serverName: async () => 'Survival', publicUrl: null, markOf: () => null },
		...{
			game: { runtime: {} },
			setup: {},
			onDemand: { backups: {}, mods: { list: async () => ({ mods: [] }) } },
			logs: async () => ({ entries: [] }),
			notifications: {},
			measures: {}
		}
	} as never;
	return {
		...{ dataDir, config, needs },
		see(state: string, more: object = {}) {
			seen = {
				...{ state, run: null, readyAt: null, endedAt: null, reason: null, diagnosis: null },
				...{ restart: null, ...more }
			};
			bus.publish({ type: 'server-changed' });
		}
	};
}

test('a server that stops during a trial is reported', async () => {
	const { config, needs, see } = await setup();
	const wired = wireNotifications(config, needs);
	onTestFinished(wired.close);
	const { notifications } = wired;
	const by = { name: 'ada', role: 'superadmin', address: null } as const;
	const [inbox] = await notifications.list();
	await notifications.change(inbox!.id, { events: ['server.started', 'server.stopped'] }, by);
	notifications.start();
	const titles = async () => (await notifications.inbox())!.map(({ title }) => title);
	see('starting', { run: { id: 'r' } });
	await expect
		.poll(async () => {
			see('running', { run: { id: 'r' }, readyAt: new Date().toISOString() });
			return titles();
		})
		.toEqual(['Survival: the server started']);
	see('stopped');
	await expect.poll(titles).toContain('Survival: the server stopped');
});

test('a crash during a trial stays on the overview', async () => {
	const { config, needs, dataDir, see } = await setup();
	wireOverview(config, needs);
	see('crashed', { endedAt: '2026-01-02T03:04:05.000Z', reason: 'It crashed.' });
	await expect
		.poll(() => readFile(path.join(dataDir, 'attention.json'), 'utf8').catch(() => ''))
		.toContain('It crashed.');
});
