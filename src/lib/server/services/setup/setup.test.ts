import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Actor } from '#core/actor';
import { systemClock } from '#core/clock';
import type { Lock } from '#core/lock';
import { acceptEula, editServerProperties, readServerProperties } from '#minecraft/folder';
import { createSetup } from './index.ts';

const superadmin: Actor = { name: 'ada', role: 'superadmin', address: '127.0.0.1' };
const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((dir) => rm(dir, { recursive: true }))));

type World = {
	stopped: boolean;
	busy?: boolean;
	properties?: string;
	/** What other programs listen on. */
	taken?: number[];
	rcon?: { port: number | null; password: string | null };
};

async function setup(world: World) {
	const dir = await mkdtemp(path.join(tmpdir(), 'setup-'));
	folders.push(dir);
	const file = path.join(dir, 'server.properties');
	await writeFile(file, world.properties ?? 'motd=hi\n', { mode: 0o640 });
	const audited: string[] = [];
	const service = createSetup({
		dataDir: dir,
		isStopped: async () => world.stopped,
		lock: { tryAcquire: () => !world.busy, release() {}, close() {} } as Lock,
		properties: () => readServerProperties(dir, systemClock),
		rcon: world.rcon ?? { port: null, password: null },
		async freePort(wanted, meant) {
			let port = wanted;
			while (meant.includes(port) || world.taken?.includes(port)) port++;
			return port;
		},
		edit: (changes) => editServerProperties(dir, changes),
		acceptEula: () => acceptEula(dir),
		written: () => {},
		audit: async (_by, action) => void audited.push(action)
	});
	return { service, file, audited, world };
}

test('RCON is written at once while the server is stopped, and the file keeps its mode', async () => {
	const { service, file, audited } = await setup({ stopped: true });
	expect((await service.enableRcon(superadmin)).message).toContain('next start');
	const text = await readFile(file, 'utf8');
	expect(text).toContain('motd=hi\nenable-rcon=true\nrcon.port=25575\nrcon.password=');
	expect((await service.rconLines()).every((line) => text.includes(line))).toBe(true);
	expect((await stat(file)).mode & 0o777).toBe(0o640);
	expect(await service.queued()).toBe(false);
	expect(audited).toEqual(['setup.rcon']);
});

test.each([
	['runs', { stopped: false }],
	['is being operated on', { stopped: true, busy: true }]
])(
	'nothing is written while the server %s; it is queued and applied at the stop',
	async (_why, start) => {
		const { service, file, world } = await setup(start);
		expect((await service.enableRcon(superadmin)).message).toContain('when the server stops');
		await service.applyQueued();
		expect(await readFile(file, 'utf8')).toBe('motd=hi\n');
		expect(await service.queued()).toBe(true);

		Object.assign(world, { stopped: true, busy: false });
		await service.applyQueued();
		expect(await readFile(file, 'utf8')).toContain('enable-rcon=true');
		expect(await service.queued()).toBe(false);
	}
);

const OWN = 'enable-rcon=false\nrcon.port=25600\nrcon.password=a secret\n';
test.each<[string, Partial<World>, port: string, password: RegExp]>([
	['what stands there', { properties: OWN, taken: [25575, 25600] }, '25600', /^a secret$/],
	['a port without a password', { properties: 'rcon.port=25601\n' }, '25601', /^[\w-]{20,}$/],
	['a password without a port', { properties: 'rcon.password=x\n' }, '25575', /^x$/],
	[
		'the usual port, with a password',
		{ properties: 'rcon.port=25575\nrcon.password=x\n', taken: [25575] },
		...(['25575', /^x$/] as const)
	]
])('%s is kept', async (_what, world, port, password) => {
	const { service, file } = await setup({ stopped: true, ...world });
	const shown = await service.rconLines();
	expect(shown.slice(0, 2)).toEqual(['enable-rcon=true', `rcon.port=${port}`]);
	await service.enableRcon(superadmin);
	const written = (await readFile(file, 'utf8')).trim().split('\n');
	expect(shown.every((line) => written.includes(line))).toBe(true);
	const [line] = written.filter((one) => one.startsWith('rcon.password='));
	expect(line!.replace('rcon.password=', '')).toMatch(password);
	// Whoever looks over a shoulder learns no password that is in use.
	expect(shown.includes(line!)).toBe(!world.properties?.includes('rcon.password'));
});

test.each<[string, Partial<World>, port: number]>([
	['another game has the usual one', { taken: [25575, 25576] }, 25577],
	[
		'another game has the one that the game writes into a new file',
		{ properties: 'rcon.port=25575\nrcon.password=\n', taken: [25575] },
		25576
	],
	['players come in by the usual one', { properties: 'server-port=25575\n' }, 25576],
	['it is asked on the usual one', { properties: 'query.port=25575\n' }, 25576],
	['it is the game’s own', { properties: 'server-port=25600\nrcon.port=25600\n' }, 25575],
	['it is none', { properties: 'rcon.port=99999\n' }, 25575],
	['RCON_PORT says where it is looked for', { rcon: { port: 25580, password: null } }, 25580]
])('a port is chosen where %s', async (_where, world, port) => {
	const { service } = await setup({ stopped: true, ...world });
	expect((await service.rconLines())[1]).toBe(`rcon.port=${port}`);
});

test('RCON_PASSWORD of .env is written where the file has none, and not shown', async () => {
	const { service, file } = await setup({
		stopped: true,
		rcon: { port: null, password: 'known to others' }
	});
	expect((await service.rconLines())[2]).toBe('rcon.password=(RCON_PASSWORD of .env)');
	await service.enableRcon(superadmin);
	expect(await readFile(file, 'utf8')).toContain('rcon.password=known to others\n');
});

test('a symlink in place of server.properties is never followed', async () => {
	const { service, file } = await setup({ stopped: true });
	const secret = path.join(path.dirname(file), 'elsewhere');
	await writeFile(secret, 'untouched');
	await rm(file);
	await (await import('node:fs/promises')).symlink(secret, file);
	await expect(service.enableRcon(superadmin)).rejects.toMatchObject({ kind: 'upstream' });
	expect(await readFile(secret, 'utf8')).toBe('untouched');
});

describe("Minecraft's EULA", () => {
	const read = (file: string) => readFile(path.join(path.dirname(file), 'eula.txt'), 'utf8');

	test.each([
		['there is no file yet', null, /^#By changing .*\neula=true\n$/],
		['the game has written its own', '#Hi\n#Mon\neula=false\n', /^#Hi\n#Mon\neula=true\n$/]
	])('is written where %s', async (_where, before, after) => {
		const { service, file, audited } = await setup({ stopped: true });
		if (before) await writeFile(path.join(path.dirname(file), 'eula.txt'), before);
		await service.acceptEula(superadmin);
		expect(await read(file)).toMatch(after);
		expect(audited).toEqual(['setup.eula']);
		await service.acceptEula(superadmin);
		expect(await read(file)).toMatch(after);
	});

	test.each([{ stopped: false }, { stopped: true, busy: true }])(
		'is left alone when the world is %j',
		async (world) => {
			const { service, file, audited } = await setup(world);
			await expect(service.acceptEula(superadmin)).rejects.toMatchObject({ kind: 'conflict' });
			await expect(read(file)).rejects.toThrow('ENOENT');
			expect(audited).toEqual([]);
		}
	);
});
