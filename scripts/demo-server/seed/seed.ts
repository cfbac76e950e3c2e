import { randomBytes, randomInt } from 'node:crypto';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { LAUNCHER_JAR } from '../boot/boot-text.ts';
import { javaDate } from '../world/java-time.ts';
import { inAMonth, offlineUuid } from '../world/lists.ts';
import { createRandom } from '../pace.ts';
import { DEFAULTS, format } from '../world/properties.ts';
import type { PlayerRecord } from '../world/stats.ts';
import { die, grant, play } from '../world/stats.ts';
import { BOTS, DEATHS, GOALS } from '../world/story.ts';
import { SEED_MODS, modJar } from './seed-mods.ts';
import { DATA_VERSION, GAME_VERSION, LOADER_VERSION, launcherIn } from '../world/version.ts';
import { levelDat } from '../world/world.ts';
import { writeZip } from '../world/zip.ts';

export type SeedOptions = {
	gamePort?: number;
	rconPort?: number;
	rconPassword?: string;
	motd?: string;
};

const GAME_PORT = 25565;
const RCON_PORT = 25575;
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;
const HOUR_TICKS = 72_000;
const HOUR_MS = 3_600_000;
const WORLD_SEED = 7_305_820_264_180_561_023n;
const REGION_BYTES = 8192;

/**
 * Fills a folder as a Fabric 1.21.1 server leaves it behind, ready for `main.ts`. Only what is missing is written, so
 * calling it again is harmless. The server listens on 127.0.0.1 only.
 */
export async function seedDemoFolder(dir: string, options: SeedOptions = {}): Promise<void> {
	for (const folder of [
		'mods',
		'config',
		'.fabric',
		'logs',
		'world/stats',
		'world/advancements',
		'world/region'
	])
		await fs.mkdir(path.join(dir, folder), { recursive: true });
	await seedProperties(path.join(dir, 'server.properties'), options);
	// Mods come and go: only a folder without a world, which is written after them, gets them.
	const mods = (await fs.stat(path.join(dir, 'world/level.dat')).catch(() => null))
		? []
		: SEED_MODS.map((mod) => [`mods/${mod.file}`, modJar(mod)] as const);
	const files: Record<string, string | Buffer> = {
		...Object.fromEntries(mods),
		'eula.txt':
			'#The demonstration server is no Minecraft: there is nothing to agree to.\neula=true\n',
		// After an upgrade it is another one.
		...(launcherIn(dir) ? {} : { [LAUNCHER_JAR]: launcherJar() }),
		'config/lithium.properties': '# Rules can be switched off one by one.\n',
		'config/lantern-keeper.json': json({ rounds: 'dusk', oilPerLantern: 3, colours: ['amber'] }),
		'world/level.dat': levelDat('world', 214_000, WORLD_SEED),
		'world/region/r.0.0.mca': Buffer.alloc(REGION_BYTES)
	};
	BOTS.forEach((bot, index) => {
		const uuid = offlineUuid(bot.name);
		const { stats, advancements } = pastOf(index);
		files[`world/stats/${uuid}.json`] = JSON.stringify({ stats, DataVersion: DATA_VERSION });
		files[`world/advancements/${uuid}.json`] = json({ ...advancements, DataVersion: DATA_VERSION });
	});
	// What the dashboard looks for comes last (src/lib/server/demo.ts).
	for (const [name, content] of Object.entries({ ...files, ...listFiles() }))
		await writeNew(path.join(dir, name), content);
}

async function seedProperties(file: string, options: SeedOptions): Promise<void> {
	const exists = await fs.stat(file).catch(() => null);
	if (exists) return;
	const gamePort = options.gamePort ?? (await freePort(GAME_PORT));
	// Another server's console opens last: while that server boots, its port only looks free.
	const usual = gamePort === GAME_PORT ? RCON_PORT : null;
	const rconPort = options.rconPort ?? (await freePort(usual, [gamePort]));
	const values = {
		...DEFAULTS,
		motd: options.motd ?? 'Craftwarden demo',
		// No accounts are asked, so the players' ids are of version 3.
		'online-mode': 'false',
		'server-ip': '127.0.0.1',
		'server-port': String(gamePort),
		'query.port': String(gamePort),
		'enable-rcon': 'true',
		'rcon.port': String(rconPort),
		'rcon.password': options.rconPassword ?? randomBytes(18).toString('base64url')
	};
	await writeNew(file, format(values), 0o600);
}

/**
 * The wanted port if it is free on this machine, else one from below the range that the system gives to outgoing
 * connections: the port stays in server.properties and must be free at each later start too.
 */
export async function freePort(wanted: number | null, taken: number[] = []): Promise<number> {
	for (let port = wanted ?? anyPort(); ; port = anyPort())
		if (!taken.includes(port) && (await isFree(port))) return port;
}

export const anyPort = () => randomInt(LOWEST_PORT, HIGHEST_PORT);

export function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = net.createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

async function writeNew(file: string, content: string | Buffer, mode = 0o644): Promise<void> {
	try {
		await fs.writeFile(file, content, { flag: 'wx', mode });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

const launcherJar = () =>
	writeZip([
		{
			name: 'META-INF/MANIFEST.MF',
			content: 'Manifest-Version: 1.0\r\nMain-Class: net.fabricmc.installer.ServerLauncher\r\n\r\n'
		},
		{
			name: 'install.properties',
			content: `fabric-loader-version=${LOADER_VERSION}\ngame-version=${GAME_VERSION}\n`
		}
	]);

function listFiles(): Record<string, string> {
	const profiles = BOTS.map(({ name }) => ({ uuid: offlineUuid(name), name }));
	const troublemaker = 'GriefGoblin';
	const ban = {
		uuid: offlineUuid(troublemaker),
		name: troublemaker,
		created: javaDate(new Date(Date.now() - 300 * HOUR_MS)),
		source: 'Server',
		expires: 'forever',
		reason: 'Flooded the village. Twice.'
	};
	const cache = [...profiles, ban].map(({ name, uuid }) => ({ name, uuid, expiresOn: inAMonth() }));
	return {
		'ops.json': json([{ ...profiles[2], level: 4, bypassesPlayerLimit: false }]),
		'whitelist.json': json(profiles.slice(0, 4)),
		'banned-players.json': json([ban]),
		'banned-ips.json': json([]),
		'usercache.json': JSON.stringify(cache)
	};
}

/** Hours of play that lie behind a bot; the same for everybody who seeds. */
function pastOf(index: number): PlayerRecord {
	const random = createRandom(1000 + index);
	const record: PlayerRecord = { stats: {}, advancements: {} };
	const hours = random.between(4, 60);
	for (let hour = 0; hour < hours; hour++) {
		play(record.stats, HOUR_TICKS, random);
		if (random.chance(0.3)) die(record.stats, random.pick(DEATHS).killer);
	}
	const reached = random.between(3, GOALS.length - 6);
	const start = Date.now() - 60 * 24 * HOUR_MS;
	GOALS.slice(0, reached).forEach((goal, step) => {
		const at = new Date(start + step * random.between(2, 50) * HOUR_MS);
		grant(record.advancements, goal.id, goal.criterion, at);
	});
	for (const recipe of ['building_blocks/oak_planks', 'tools/stone_pickaxe', 'food/bread'])
		grant(record.advancements, `minecraft:recipes/${recipe}`, 'has_item', new Date(start));
	return record;
}
