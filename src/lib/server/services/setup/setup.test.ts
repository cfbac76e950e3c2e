import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Actor } from '#core/actor';
import type { Lock } from '#core/lock';
import { acceptEula, editServerProperties } from '#minecraft/folder';
import { createSetup } from './index.ts';

const superadmin: Actor = { name: 'ada', role: 'superadmin', address: '127.0.0.1' };
const folders: string[] = [];
afterEach(() => Promise.all(folders.splice(0).map((dir) => rm(dir, { recursive: true }))));

async function setup(world: { stopped: boolean; busy?: boolean }) {
	const dir = await mkdtemp(path.join(tmpdir(), 'setup-'));
	folders.push(dir);
	const file = path.join(dir, 'server.properties');
	await writeFile(file, 'motd=hi\n', { mode: 0o640 });
	const audited: string[] = [];
	const service = createSetup({
		dataDir: dir,
		isStopped: async () => world.stopped,
		lock: { tryAcquire: () => !world.busy, release() {}, close() {} } as Lock,
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
	expect(service.rconLines().every((line) => text.includes(line))).toBe(true);
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
