import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '#core/errors';
import type { StepContext } from '#operations';
import { systemClock } from '#core/clock';
import { acceptEula, editServerProperties, readServerProperties } from '#minecraft/folder';
import { tempDir } from '../../../../../tests/faults/temp.ts';
import { workplace } from './exchange.ts';
import { rollback } from './rollback.ts';
import { defineChange, gather, setUp } from './steps.ts';
import type { ChangeInput, CreateInput, Deps } from './types.ts';

test('a partial jar left by a killed download is not taken for the jar', async () => {
	const serverDir = await tempDir();
	const place = workplace(serverDir, 'one');
	await place.begin();
	await writeFile(path.join(place.download, '.paper-1.jar.0123456789ab.tmp'), 'half');
	const source = {
		artifact: async () => ({ kind: 'server', fileName: 'paper-1.jar', size: 5 }),
		download: (_: unknown, to: string) => writeFile(to, 'whole')
	};
	const deps = { serverDir, sources: { of: () => source }, javas: {} } as unknown as Deps;
	const input = { loader: 'paper', gameVersion: '1', build: '1', java: 21 } as ChangeInput;
	const [, download, install] = gather(deps, input);
	const ctx = { id: 'one', progress() {} } as unknown as StepContext;
	await mkdir(place.fresh, { recursive: true });
	await download.run(ctx);
	await install.run(ctx);
	expect(await readdir(place.fresh)).toEqual(['paper-1.jar']);
});

test('a plan for another game version than the present one is refused', async () => {
	const here = { gameVersion: '2', loaderVersion: '7', command: { argv: ['-jar', 'server.jar'] } };
	const input = { loader: 'paper', gameVersion: '2', from: '7', build: '8', java: 21 } as const;
	const deps = { installation: async () => here, sources: { of: () => ({}) } } as unknown as Deps;
	const lookup = (planned: object) => {
		const change = { ...input, started: 'server.jar', by: 'ann', ...planned };
		const ctx = { id: 'one', remember: async () => {} } as unknown as StepContext;
		return defineChange(deps).steps(change)[0]!.run(ctx);
	};
	await lookup({});
	for (const planned of [{ gameVersion: '1' }, { from: '6' }, { started: 'other.jar' }])
		await expect(lookup(planned)).rejects.toMatchObject({ code: 'plan-changed' });
});

test('a new server whose address is taken is rolled back all the same', async () => {
	const serverDir = await tempDir();
	await workplace(serverDir, 'one').begin();
	await writeFile(path.join(serverDir, 'server.jar'), 'new');
	await writeFile(path.join(serverDir, 'made.yml'), 'by it');
	await writeFile(path.join(serverDir, 'eula.txt'), 'mine');
	const taken = async () => {
		throw new AppError('conflict', 'Something answers at the server’s address.');
	};
	const deps = {
		...{ serverDir, apart: [serverDir], clock: systemClock, changed() {} },
		server: { run: async () => null, halt: taken, ensureStopped: taken, settle: async () => {} }
	} as unknown as Deps;
	const checkpoint = {
		...{ before: ['eula.txt'], known: ['eula.txt', 'server.jar'], launching: true },
		...{ exchange: { put: ['server.jar'], take: [] }, wasRunning: false }
	};
	const remember = async (patch: object) => void Object.assign(checkpoint, patch);
	const detail = () => {};
	await rollback(deps).run({ id: 'one', checkpoint, remember, detail } as unknown as StepContext);
	expect(await readdir(serverDir)).toEqual(['eula.txt']);
});

const OURS = ['25575', expect.stringMatching(/^\S{24}$/)];

test.each([
	['usable', 'enable-rcon=true\nrcon.port=4000\nrcon.password=mine\n', ['4000', 'mine']],
	['without a port', 'enable-rcon=true\nrcon.password=mine\n', ['25575', 'mine']],
	['switched off', 'enable-rcon=false\nrcon.port=4000\nrcon.password=mine\n', ['4000', 'mine']],
	['as a game writes it', 'enable-rcon=false\nrcon.port=25575\nrcon.password=\n', OURS],
	['on the port of the game', 'enable-rcon=true\nrcon.port=25565\nrcon.password=\n', OURS],
	['with a port that is none', 'enable-rcon=true\nrcon.port=many\n', OURS],
	['missing', 'motd=Old\n', OURS]
])('a new server in a folder with settings, RCON in them %s', async (_, text, [port, password]) => {
	const serverDir = await tempDir();
	const { fresh } = workplace(serverDir, 'one');
	await mkdir(fresh, { recursive: true });
	await writeFile(path.join(fresh, 'server.jar'), 'new');
	await writeFile(path.join(serverDir, 'server.properties'), `# mine\n${text}`);
	const deps = {
		serverDir,
		write: { eula: acceptEula, properties: editServerProperties },
		readProperties: (dir: string) => readServerProperties(dir, systemClock)
	} as unknown as Deps;
	const input = { loader: 'paper', memoryMb: 512, port: 25565, seed: null, motd: null };
	await setUp({ id: 'one' } as StepContext, deps, input as unknown as CreateInput);
	const settings = await readServerProperties(fresh, systemClock);
	expect(['enable-rcon', 'rcon.port', 'rcon.password'].map((key) => settings?.get(key))).toEqual([
		'true',
		port,
		password
	]);
	expect(await readFile(path.join(fresh, 'server.properties'), 'utf8')).toMatch(/^# mine$/m);
});
