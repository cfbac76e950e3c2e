import { onTestFinished } from 'vitest';
import { openStore, picture, plant } from './snapshot-folders.ts';
import { tempDir } from '../../faults/temp.ts';

export const about = { reason: 'manual', operationId: null, by: null, note: '' } as const;

/** Longer than the tick within which a change cannot be told from the one before. */
export const SETTLE_MS = 120;

/** A server's folder with these files, and a store of snapshots. */
export async function setup(files: Record<string, string | Uint8Array>, apart: string[] = []) {
	const dir = await tempDir();
	const kit = openStore(dir, { apart });
	onTestFinished(() => kit.store.close());
	await plant(kit.serverDir, files);
	const look = () => picture(kit.serverDir);
	return { ...kit, dir, look, take: () => kit.store.take(about) };
}

export const SERVER = {
	'mods/sodium.jar': 'sodium 1',
	'mods/lithium.jar': 'lithium 1',
	'mods/old.jar.disabled': 'off',
	'mods/README.txt': 'not a mod',
	'config/sodium.json': '{ "a": 1 }',
	'config/deep/er/x.toml': 'x = 1',
	'config/empty/': '',
	'defaultconfigs/y.toml': 'y = 1',
	'server.properties': 'motd=hi',
	'eula.txt': 'eula=true',
	'ops.json': '[]',
	'whitelist.json': '[]',
	'banned-players.json': '[]',
	'world/level.dat': 'world',
	'world/serverconfig/z.toml': 'z = 1'
};
