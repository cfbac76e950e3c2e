import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { ModChange } from '../../../src/lib/server/services/mods/change/index.ts';
import type { Operations } from '#operations';
import { createTrials } from '#trial';
import {
	modSet,
	openMods,
	putOf,
	realSnapshots,
	sha512,
	stillServer
} from '../../fakes/mods/change-setup.ts';

export const ANN: Actor = { name: 'ann', role: 'admin', address: null };
export const CHANGES = [
	'update',
	'client',
	'replace',
	'remove',
	'disable',
	'restore',
	'bad'
] as const;
export type Change = (typeof CHANGES)[number];

export const OLD = { 'a-1.jar': 'a 1', 'b.jar': 'b 1', 'c.jar': 'c' };
/** What the folder holds after each change, by content. */
export const NEW: Record<Change, Record<string, string>> = {
	update: { 'a-2.jar': 'a 2', 'b-2.jar': 'b 2', 'c.jar': 'c', 'd.jar': 'd' },
	/** For clients only, so that the server goes on. */
	client: { 'a-2.jar': 'a 2', 'b.jar': 'b 1', 'c.jar': 'c' },
	replace: { 'a-1.jar': 'a 1', 'b.jar': 'b 2', 'c.jar': 'c' },
	remove: { 'c.jar': 'c' },
	disable: { 'a-1.jar.disabled': 'a 1', 'b.jar': 'b 1', 'c.jar': 'c' },
	restore: { 'b.jar': 'b 1', 'z.jar': 'z' },
	/** The server does not start with these, so that all is put back. */
	bad: { 'bad.jar': 'bad', 'b.jar': 'b 1', 'c.jar': 'c' }
};

/** The server's folder and what is ours both get hurt. */
const serverDirOf = (dir: string) => path.join(dir, 'data', 'server');
export const modsDirOf = (dir: string) => path.join(serverDirOf(dir), 'mods');

export const storeAt = (dir: string, clock: Clock) =>
	realSnapshots({ serverDir: serverDirOf(dir), dataDir: path.join(dir, 'data'), clock });

const serverAt = (dir: string) => {
	const server = stillServer(path.join(dir, 'running'));
	return {
		...server,
		verify: (async (...args) => {
			if (existsSync(path.join(modsDirOf(dir), 'bad.jar')))
				throw new AppError('conflict', 'It does not start.');
			return server.verify(...args);
		}) as typeof server.verify
	};
};

/** While this program is there, changes are tried with it on copies of the server. */
export const javaIn = (dir: string) => path.join(dir, 'jdk', 'bin', 'java');

/** If this file exists, the next program that is started removes it and hangs. */
export const hangIn = (dir: string) => path.join(dir, 'hang');

/** Starts with any set but the bad one. It ends with its input, as little else does: nothing waits for it then. */
const java = (dir: string) => `#!/bin/sh
rm ${hangIn(dir)} 2>&- && while :; do sleep 1; done
[ -e mods/bad.jar ] && { echo 'java.lang.IllegalStateException: bad'; exit 1; }
echo '[12:00:00] [Server thread/INFO]: Done (0.1s)! For help, type "help"'
read line
`;

export function giveJava(dir: string) {
	mkdirSync(path.dirname(javaIn(dir)), { recursive: true });
	writeFileSync(javaIn(dir), java(dir), { mode: 0o755 });
	writeFileSync(path.join(serverDirOf(dir), 'server.jar'), '');
	writeFileSync(path.join(serverDirOf(dir), 'server.properties'), 'motd=Hello\n');
}

function trialsAt(dir: string, clock: Clock) {
	const serverDir = serverDirOf(dir);
	const quiet = () => {};
	return createTrials({
		...{ serverDir, dataDir: path.join(dir, 'data'), clock, environment: {} },
		// A sandbox of its own would end with us; without one, what is left has to be ended.
		...{ trusted: true, can: async () => ({ problem: 'There is none.', gently: [] }) },
		mask: async () => (text) => text,
		hidden: { dirs: [], files: [] },
		installation: async () => ({
			command: [javaIn(dir), '-Xmx8M', '-jar', 'server.jar'],
			worldDir: path.join(serverDir, 'world'),
			supported: true
		}),
		liveBytes: async () => null,
		history: { read: async () => [], add: async () => {} },
		limits: { maxMs: 20_000, minMs: 20_000, holdMs: 20 },
		log: { info: quiet, warn: quiet, error: quiet }
	});
}

/** While this file is there, a rollback kills its process once before it puts the snapshot back. */
export const deadlyIn = (dir: string) => path.join(dir, 'deadly');

/** Everything but the runner, in the folder of one run. */
export function deskAt(dir: string, operations: Operations, clock: Clock) {
	const { store, snapshots } = storeAt(dir, clock);
	const trials = trialsAt(dir, clock);
	const desk = openMods({
		operations,
		server: serverAt(dir),
		modsDir: modsDirOf(dir),
		dataDir: path.join(dir, 'data'),
		clock,
		snapshots,
		trouble: {
			retry: { everyMs: 20, forMs: 60_000 },
			...(existsSync(javaIn(dir)) && { boot: trials.boot }),
			async putBack() {
				if (!existsSync(deadlyIn(dir))) return;
				rmSync(deadlyIn(dir));
				process.kill(process.pid, 'SIGKILL');
			}
		}
	});
	return { ...desk, trials, close: store.close };
}

export async function changeOf(kind: Exclude<Change, 'restore'>, dir: string): Promise<ModChange> {
	const before = await modSet(modsDirOf(dir));
	const put = (fileName: string) =>
		putOf({ fileName, title: fileName, content: NEW[kind][fileName]! });
	const take = (fileName: string) => ({
		fileName,
		sha512: before[fileName] ?? '',
		title: fileName,
		side: 'both' as const
	});
	const names = (set: object) => Object.keys(set);
	const gone = names(OLD).filter((name) => !names(NEW[kind]).includes(name));
	const countdown = { seconds: 1, message: '' };
	const nothing: ModChange = {
		...{ kind: 'update', planId: null, titles: [kind], before },
		...{ restart: true, backupFirst: false, put: [], take: [], rename: [] }
	};
	if (kind === 'remove') return { ...nothing, kind, take: gone.map(take), countdown };
	if (kind === 'disable') {
		const one = { from: 'a-1.jar', to: 'a-1.jar.disabled', sha512: sha512('a 1') };
		return { ...nothing, kind, rename: [{ ...one, title: 'A', side: 'both' }] };
	}
	if (kind === 'replace') return { ...nothing, put: [put('b.jar')], take: [take('b.jar')] };
	const fresh = names(NEW[kind]).filter((name) => !names(OLD).includes(name));
	const change = { ...nothing, put: fresh.map(put), take: gone.map(take) };
	if (kind === 'update' || kind === 'bad') return change;
	const forClients = <T extends object>(one: T) => ({ ...one, side: 'client' as const });
	return {
		...change,
		restart: false,
		put: change.put.map(forClients),
		take: change.take.map(forClients)
	};
}
