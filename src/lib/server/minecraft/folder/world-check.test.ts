import { mkdir, rm, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { jar, levelDat } from '../../../../../tests/fakes/mods/jars.ts';
import { standInFolder, type FolderKind } from '../../../../../tests/fakes/game/server-folders.ts';
import { readInstallation } from './installation.ts';
import { checkWorld } from './world-check.ts';

const NONE = { command: null, rcon: { host: null, port: null, password: null }, javaHome: null };
const FITS = { refusal: null, note: null };
const [V1_20_1, V1_21_1, V1_21_5] = [3465, 3955, 4325];

const open: { remove(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((folder) => folder.remove()));
});

async function setup(kind: FolderKind | null = null) {
	const folder = await standInFolder(kind);
	open.push(folder);
	const at = (name: string) => path.join(folder.dir, name);
	return {
		at,
		write: (name: string, content: string | Uint8Array) => folder.write(name, content),
		check: async () => checkWorld(folder.dir, await readInstallation(folder.dir, NONE))
	};
}

const game = (version: string, dataVersion?: number) =>
	jar('net.minecraft.bundler.Main', {
		'version.json': JSON.stringify({ id: version, name: version, world_version: dataVersion })
	});

test('a server without a world may start, even when its folder exists already', async () => {
	const { write, check, at } = await setup();
	await write('server.jar', game('1.21.1', V1_21_1));
	expect(await check()).toEqual(FITS);
	await mkdir(at('world/region'), { recursive: true });
	expect(await check()).toEqual(FITS);
});

test('an older game never opens a newer world, but the same or a newer one may', async () => {
	const { write, check } = await setup();
	await write('world/level.dat', levelDat('1.21.1', V1_21_1));
	await write('server.jar', game('1.21.1', V1_21_1));
	expect(await check()).toEqual(FITS);
	await write('server.jar', game('1.21.5', V1_21_5));
	expect(await check()).toEqual(FITS);
	// Swapped by hand.
	await write('server.jar', game('1.20.1', V1_20_1));
	expect(await check()).toEqual({
		refusal: expect.stringMatching(
			/saved by Minecraft 1\.21\.1 \(data version 3955\), and Minecraft 1\.20\.1 \(data version 3465\) would be started/
		),
		note: null
	});
});

test('the game’s own jar counts, wherever its launcher keeps it', async () => {
	const fabric = await setup('fabric');
	await fabric.write('world/level.dat', levelDat('1.21.5', V1_21_5));
	await fabric.write('.fabric/server/1.21.1-server.jar', game('1.21.1', V1_21_1));
	expect((await fabric.check()).refusal).toContain('data version 3955');
	const legacy = await setup('fabric-legacy');
	await legacy.write('world/level.dat', levelDat('1.21.1', V1_21_1));
	// Its launcher still names 1.19.2; what it starts is another version.
	await legacy.write('server.jar', game('1.21.5', V1_21_5));
	expect(await legacy.check()).toEqual(FITS);
	const neoforge = await setup('neoforge');
	const { gameVersion } = await readInstallation(neoforge.at('.'), NONE);
	const library = `libraries/net/minecraft/server/${gameVersion}-20240808.144430/server-extra.jar`;
	await neoforge.write(library, game(gameVersion!, V1_20_1));
	await neoforge.write('world/level.dat', levelDat('1.21.5', V1_21_5));
	expect((await neoforge.check()).refusal).toContain('data version 3465');
});

test('a game that was not unpacked yet is identified by its version number; an unidentified one is reported', async () => {
	const fabric = await setup('fabric');
	await rm(fabric.at('.fabric'), { recursive: true });
	await fabric.write('world/level.dat', levelDat('1.21.11', 4671));
	expect((await fabric.check()).refusal).toContain('saved by Minecraft 1.21.11');
	await fabric.write('world/level.dat', levelDat('1.21.1', V1_21_1));
	expect(await fabric.check()).toEqual(FITS);
	// The numbers of snapshots are not in order.
	await fabric.write('world/level.dat', levelDat('25w14a', 4320));
	expect(await fabric.check()).toEqual({
		refusal: null,
		note: expect.stringContaining('could not be found out')
	});
});

test('a world from before versions were recorded opens in any game', async () => {
	const { write, check } = await setup();
	await write('world/level.dat', levelDat('1.8'));
	await write('server.jar', game('1.21.1', V1_21_1));
	expect(await check()).toEqual(FITS);
});

test.each<[string, (made: Awaited<ReturnType<typeof setup>>) => Promise<unknown>, RegExp]>([
	[
		'torn',
		({ write }) => write('world/level.dat', levelDat('1.21.1', 1).subarray(0, 60)),
		/is damaged/
	],
	['empty', ({ write }) => write('world/level.dat', ''), /is damaged/],
	[
		'100 MB',
		async ({ write, at }) => {
			await write('world/level.dat', '');
			await truncate(at('world/level.dat'), 100_000_000);
		},
		/too large \(100 MB\)/
	],
	[
		'a link',
		async ({ write, at }) => {
			await write('elsewhere.dat', levelDat('1.21.1', V1_21_1));
			await mkdir(at('world'), { recursive: true });
			await symlink(at('elsewhere.dat'), at('world/level.dat'));
		},
		/is a link/
	],
	[
		'a folder',
		async ({ at }) => mkdir(at('world/level.dat'), { recursive: true }),
		/is not a file/
	],
	['missing beside chunks', ({ write }) => write('world/region/r.0.0.mca', 'x'), /is missing/]
])('a level.dat that is %s is reported, and its backup copy counts', async (_, damage, words) => {
	const made = await setup();
	await made.write('server.jar', game('1.21.1', V1_21_1));
	await damage(made);
	expect((await made.check()).refusal).toMatch(words);
	await made.write('world/level.dat_old', levelDat('1.21.1', V1_21_1));
	expect(await made.check()).toEqual({ refusal: null, note: expect.stringMatching(words) });
	await made.write('world/level.dat_old', levelDat('1.21.5', V1_21_5));
	expect((await made.check()).refusal).toContain('1.21.5');
});
