import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#core/clock';
import { createModrinth } from '#registry';
import { CreateForm, ImportForm, ImportWish } from '#schemas/software/software';
import { startRegistry } from '../../../../../../scripts/demo-registry/registry.ts';
import { fabricJar } from '../../../../../../tests/fakes/mods/mod-jars.ts';
import { zip } from '../../../../../../tests/fakes/mods/jars.ts';
import { openSoftware } from '../../../../../../tests/fakes/software-desk.ts';
import { setupSources } from '../../../../../../tests/fakes/sources-setup.ts';
import { createKit, finished } from '../../../../../../tests/faults/operations-kit.ts';

const ADA = { name: 'ada', role: 'superadmin', address: null } as const;
const sha512 = (bytes: Buffer | string) => createHash('sha512').update(bytes).digest('hex');
type Files = Record<string, string | Uint8Array>;

async function setup() {
	const dir = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-import-'));
	onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
	const web = await startRegistry();
	const { sources, fake } = await setupSources();
	const quiet = { info() {}, warn() {} };
	const registry = createModrinth({
		...{ baseUrl: new URL(web.url), userAgent: 'craftwarden/test', clock: systemClock, log: quiet }
	});
	onTestFinished(async () => {
		registry.close();
		await web.close();
	});
	const { operations } = await createKit({ dir: path.join(dir, 'data') });
	const audited: string[] = [];
	let failing: (() => void) | null = null;
	let flushed: (() => void) | null = null;
	const desk = openSoftware({
		...{ dir, operations, sources, registry, clock: systemClock },
		broken() {
			failing?.();
			return failing !== null;
		},
		flush: async () => flushed?.(),
		onAudit: (action, detail) => audited.push(`${action}: ${detail}`)
	});
	const { software, serverDir, dataDir } = desk;

	/** A jar in the fake registry: its address and what an index says of it. */
	const hosted = (file: string, bytes: Buffer, more: object = {}) => {
		web.addProject({ slug: file.replace(/\W/g, '-') });
		const name = path.basename(file);
		const version = web.addVersion(file.replace(/\W/g, '-'), {
			number: '1',
			files: [{ name, bytes }]
		});
		return {
			path: file,
			hashes: { sha1: '', sha512: sha512(bytes) },
			downloads: [version.files[0]!.url],
			fileSize: bytes.length,
			...more
		};
	};
	const packOf = (files: object[], others: Files = {}) =>
		zip({
			'modrinth.index.json': JSON.stringify({
				...{ formatVersion: 1, game: 'minecraft', versionId: '1.2', name: 'Lanterns' },
				...{ files, dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16.14' } }
			}),
			...others
		});
	const upload = (bytes: Buffer, name = 'pack.mrpack', fields = {}) =>
		software.planUpload(
			{ name, bytes: [bytes] as unknown as AsyncIterable<Uint8Array> },
			async () => ({
				...{ do: 'import', port: 25_570, memoryMb: 2048, acceptEula: true },
				...fields
			})
		);
	const apply = async ({ id }: { id: string }) =>
		finished(operations, software.apply({ planId: id }, ADA));
	const listed = async (at = serverDir) =>
		(await readdir(at, { recursive: true, withFileTypes: true }))
			.filter((one) => one.isFile())
			.map((one) => path.relative(at, path.join(one.parentPath, one.name)))
			.sort();
	const staged = () => readdir(path.join(dataDir, 'imports')).catch(() => []);
	const text = (name: string) => readFile(path.join(serverDir, name), 'utf8');
	return {
		...desk,
		...{ dir, web, fake, hosted, packOf, upload, apply, listed, staged, text, audited, operations },
		/** From now on the server does not start, and makes this of it. */
		brake: (make: () => void) => (failing = make),
		/** Called when the last file of the pack is on the disk. */
		meanwhile: (happen: () => void) => (flushed = happen)
	};
}

function outputFile(file: string) {
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, 'made by the game');
}

const JAR = 'fabric-server-mc.1.21.1-loader.0.16.14-launcher.1.1.0.jar';
const steps = ({ steps }: { steps: { id: string; status: string }[] }) =>
	steps.map(({ id, status }) => `${id} ${status}`);

test('a pack of the registry: planned in words, then a server that runs, with a record of its files', async () => {
	const { hosted, packOf, web, software, apply, listed, staged, text, audited, imported } =
		await setup();
	const lantern = fabricJar('lantern');
	const pack = packOf(
		[
			hosted('mods/lantern.jar', lantern),
			hosted('mods/shader.jar', fabricJar('shader', { environment: 'client' })),
			hosted('mods/zoom.jar', fabricJar('zoom'), {
				env: { client: 'required', server: 'unsupported' }
			})
		],
		{
			'overrides/mods/own.jar': fabricJar('own'),
			'overrides/mods/menu.jar': fabricJar('menu', { environment: 'client' }),
			'overrides/config/lantern.toml': 'light = 15',
			'overrides/server.properties':
				'motd=Hi\nonline-mode=false\nlevel-name=../../evil\nserver-port=1\nrcon.password=known\n',
			'overrides/ops.json': '[]',
			'overrides/start.sh': 'rm -rf /'
		}
	);
	web.addProject({ slug: 'lanterns', title: 'Lanterns', projectType: 'modpack' });
	const files = [{ name: 'Lanterns 1.2.mrpack', bytes: pack }];
	web.addVersion('lanterns', { number: '1.2', files });
	const [hit] = await software.findPacks('lanterns');
	expect(hit).toMatchObject({ title: 'Lanterns' });
	const choice = await software.packChoice(hit!.projectId);
	expect(choice.versions).toMatchObject([{ number: '1.2', gameVersions: ['1.21.1'] }]);

	const wish = { do: 'import', projectId: hit!.projectId, port: 25_570, memoryMb: 2048 } as const;
	const plan = await software.plan({ ...wish, acceptEula: true });
	expect(plan.steps[0]).toBe(
		'Read “Lanterns 1.2”: a Modrinth pack, for Fabric 0.16.14 for Minecraft 1.21.1.'
	);
	expect(plan.add).toEqual([
		...['mods/ (3 files)', 'config/ (1 file)', 'server.properties', JAR, 'eula.txt']
	]);
	expect(plan.leaveOut.map(({ fileName }) => fileName)).toEqual([
		...['mods/menu.jar', 'mods/zoom.jar', 'ops.json', 'start.sh']
	]);
	expect(await listed()).toEqual([]);

	const operation = await apply(plan);
	expect(operation).toMatchObject({ kind: 'import', state: 'succeeded', subject: 'Lanterns' });
	expect(steps(operation)).toEqual([
		...['lookup done', 'java skipped', 'download done', 'install done', 'files done'],
		...['unpack done', 'swap done', 'restart done', 'verify done']
	]);
	expect(operation.steps.find(({ id }) => id === 'unpack')?.detail).toMatch(
		/Left out, .*: shader\.jar and menu\.jar\./
	);
	expect(await listed()).toEqual([
		...['config/lantern.toml', 'eula.txt', JAR, 'mods/lantern.jar', 'mods/own.jar'],
		...['server.properties', 'start.sh']
	]);
	expect(await text('eula.txt')).toMatch(/^eula=true$/m);
	expect(await text('start.sh')).toMatch(/-Xmx2048M -jar fabric-server/);
	const properties = await text('server.properties');
	for (const line of ['motd=Hi', 'online-mode=true', 'level-name=world', 'server-port=25570'])
		expect(properties).toContain(`${line}\n`);
	expect(properties).not.toContain('known');
	expect((await imported.read()).pack).toMatchObject({
		...{ title: 'Lanterns', version: '1.2', operationId: operation.id },
		origin: { from: 'registry', projectId: choice.projectId },
		files: expect.arrayContaining([
			{ path: 'mods/lantern.jar', sha512: sha512(lantern) },
			{ path: 'config/lantern.toml', sha512: sha512('light = 15') }
		])
	});
	expect((await imported.read()).pack?.files).toHaveLength(4);
	expect(await staged()).toEqual([]);
	expect(audited.map((line) => line.split(':')[0])).toEqual(['setup.eula', 'software.import']);
	await expect(software.plan({ ...wish, acceptEula: true })).rejects.toThrow(
		/something in the folder/
	);
});

const SERVER_PACK = {
	'Pack/fabric-server-mc.1.21.1-loader.0.16.14-launcher.1.0.0.jar': 'not what is started',
	'Pack/start.sh': '#!/bin/sh\ntouch /tmp/owned\njava -Xmx3G -jar x.jar',
	'Pack/mods/lantern.jar': fabricJar('lantern'),
	'Pack/mods/menu.jar': fabricJar('menu', { environment: 'client' }),
	'Pack/config/a.toml': 'a',
	'Pack/whitelist.json': '[]'
};

test('a server pack that is uploaded', async () => {
	const { upload, apply, listed, text, staged } = await setup();
	const plan = await upload(zip(SERVER_PACK), 'Pack.zip', { memoryMb: undefined });
	expect(plan.steps[0]).toContain('“Pack”: a server pack, for Fabric 0.16.14');
	expect(plan.leaveOut.map(({ fileName }) => fileName)).toContain('mods/menu.jar');
	expect(await staged()).toHaveLength(1);
	expect(await apply(plan)).toMatchObject({ state: 'succeeded', cause: null });
	expect(await listed()).toEqual([
		...['config/a.toml', 'eula.txt', JAR, 'mods/lantern.jar', 'server.properties', 'start.sh']
	]);
	expect(await text('start.sh')).toMatch(/Made by Craftwarden/);
	expect(await readFile(path.join(await text('.').catch(() => ''), 'x')).catch(() => 'no')).toBe(
		'no'
	);
	expect(await staged()).toEqual([]);
});

test('a folder of this machine is copied; ours, links and the system’s are refused', async () => {
	const { dir, software, apply, listed, serverDir, dataDir } = await setup();
	const root = path.join(dir, 'old server');
	for (const [name, content] of Object.entries(SERVER_PACK)) {
		const file = path.join(root, name.replace('Pack/', ''));
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content);
	}
	const wish = (folder: string) =>
		software.plan({ do: 'import', folder, port: 25_570, acceptEula: true });
	const link = path.join(dir, 'link');
	await symlink(root, link);
	for (const [folder, why] of [
		[serverDir, 'used by this dashboard'],
		[path.join(dataDir, 'imports'), 'is not there'],
		[dir, 'used by this dashboard'],
		[link, 'leads through a link'],
		[path.join(link, 'mods'), 'leads through a link'],
		[path.join(root, 'start.sh'), 'is not a folder'],
		['/', 'belongs to the system'],
		['/proc/self', 'link'],
		['/nowhere', 'is not there']
	])
		await expect(wish(folder!), folder).rejects.toThrow(why);
	const before = await listed(root);
	const plan = await wish(root);
	expect(plan.warnings.join()).toContain('Stop a server that runs in it first');
	await writeFile(path.join(root, 'mods/more.jar'), 'x');
	const changed = await apply(plan);
	expect(changed).toMatchObject({ state: 'failed' });
	expect(changed.cause?.message).toMatch(/has changed since/);
	await rm(path.join(root, 'mods/more.jar'));
	expect(await apply(await wish(root))).toMatchObject({ state: 'succeeded' });
	expect(await listed()).toContain('mods/lantern.jar');
	expect(await listed(root)).toEqual(before);
});

test.each([
	['a wrong checksum', { hashes: { sha512: 'a'.repeat(128) } }, /checksum/],
	['a wrong size', { fileSize: 3 }, /bytes instead of 3/],
	['a file that is gone', (url: string) => ({ downloads: [`${url}x`] }), /not there any more/]
])('%s leaves the folder empty', async (_, more, why) => {
	const { hosted, packOf, upload, apply, listed, staged, imported } = await setup();
	const good = hosted('mods/good.jar', fabricJar('good'));
	const bad = hosted('mods/bad.jar', fabricJar('bad'));
	const change = typeof more === 'function' ? more(bad.downloads[0]!) : more;
	const operation = await apply(await upload(packOf([good, { ...bad, ...change }])));
	expect(operation).toMatchObject({ state: 'failed' });
	expect(operation.cause?.message).toMatch(why);
	expect(await listed()).toEqual([]);
	expect(await staged()).toEqual([]);
	expect((await imported.read()).pack).toBe(null);
});

test('downloaded settings are restricted like those in the pack', async () => {
	const { hosted, packOf, upload, apply, text } = await setup();
	const theirs = 'online-mode=false\nmanagement-server-enabled=true\nlevel-name=../evil\n';
	const file = hosted('server.properties', Buffer.from(theirs));
	expect(await apply(await upload(packOf([file])))).toMatchObject({ state: 'succeeded' });
	const properties = await text('server.properties');
	for (const line of ['online-mode=true', 'management-server-enabled=false', 'level-name=world'])
		expect(properties).toContain(`${line}\n`);
});

test('what somebody puts into the folder during the import is not touched', async () => {
	const { upload, apply, meanwhile, serverDir, listed, text, staged } = await setup();
	const plan = await upload(zip(SERVER_PACK), 'Pack.zip');
	meanwhile(() => outputFile(path.join(serverDir, 'config/a.toml')));
	const operation = await apply(plan);
	expect(operation).toMatchObject({ state: 'failed' });
	expect(operation.cause?.message).toContain('something in the folder already: config');
	expect(await listed()).toEqual(['config/a.toml']);
	expect(await text('config/a.toml')).toBe('made by the game');
	expect(await staged()).toEqual([]);
});

test('a server that cannot be created any more leaves the record of the pack alone', async () => {
	const { software, upload, apply, imported } = await setup();
	const create = await software.plan({
		...{ do: 'create', loader: 'fabric', gameVersion: '1.21.1', acceptEula: true }
	});
	expect(await apply(await upload(zip(SERVER_PACK), 'Pack.zip'))).toMatchObject({
		state: 'succeeded'
	});
	expect(await apply(create)).toMatchObject({ state: 'failed' });
	expect((await imported.read()).pack).toMatchObject({ title: 'Pack' });
});

test('a refusal because of another operation is in the audit log', async () => {
	const { software, upload, operations, audited } = await setup();
	const [one, two] = [
		await upload(zip(SERVER_PACK), 'One.zip'),
		await upload(zip(SERVER_PACK), 'Two.zip')
	];
	await finished(
		operations,
		software.apply({ planId: one.id }, ADA).then(async (operation) => {
			await expect(software.apply({ planId: two.id }, ADA)).rejects.toMatchObject({
				kind: 'conflict'
			});
			await expect(software.fetchJava(21, ADA)).rejects.toMatchObject({ kind: 'conflict' });
			return operation;
		})
	);
	expect(audited).toEqual(
		expect.arrayContaining([
			expect.stringMatching(/^software\.import: Two: ./),
			expect.stringMatching(/^software\.java: Java 21: ./)
		])
	);
});

test('a file left out of both the index and the pack is listed once', async () => {
	const { hosted, packOf, upload } = await setup();
	const plan = await upload(
		packOf([hosted('libraries/a.jar', fabricJar('a'))], { 'overrides/libraries/b.jar': 'b' })
	);
	expect(plan.leaveOut.map(({ fileName }) => fileName)).toEqual(['libraries/']);
});

test('leftovers of a killed dashboard with the same process id do not get in the way', async () => {
	const { upload, dataDir } = await setup();
	await mkdir(path.join(dataDir, 'imports'), { recursive: true });
	for (let i = 0; i < 50; i++)
		await writeFile(path.join(dataDir, 'imports', `.${process.pid}-${i}.jar`), 'half');
	expect((await upload(zip(SERVER_PACK), 'Pack.zip')).steps[0]).toContain('“Pack”');
});

test('mirrors are tried in order, and those that are not allowed are skipped', async () => {
	const { hosted, packOf, upload, apply, listed, web } = await setup();
	const one = hosted('mods/a.jar', fabricJar('a'));
	const [url = ''] = one.downloads;
	const downloads = ['https://evil.example/a.jar', `${url}.gone`, url];
	expect(await apply(await upload(packOf([{ ...one, downloads }])))).toMatchObject({
		state: 'succeeded'
	});
	expect(await listed()).toContain('mods/a.jar');
	const asked = web.requests.map(({ path: at }) => at).filter((at) => at.startsWith('/data/'));
	expect(asked.map((at) => at.endsWith('.gone'))).toEqual([true, false]);
});

test('busy, truncated and broken answers are retried', async () => {
	const { hosted, packOf, upload, apply, web } = await setup();
	const files = ['a', 'b'].map((id) =>
		hosted(`mods/${id}.jar`, Buffer.concat([randomBytes(200_000)]))
	);
	const plan = await upload(packOf(files));
	web.misbehave([
		{ on: /a\.jar/, answer: { status: 429, headers: { 'retry-after': '0' } } },
		{ on: /b\.jar/, cut: 1000 }
	]);
	expect(await apply(plan)).toMatchObject({ state: 'succeeded' });
});

test('hosts that are not allowed are refused before anything is done', async () => {
	const { hosted, packOf, upload, staged } = await setup();
	const one = hosted('mods/a.jar', fabricJar('a'));
	for (const url of [
		'https://evil.example/a.jar',
		'http://cdn.modrinth.com/a.jar',
		'http://127.0.0.1:1/a.jar',
		'file:///etc/passwd',
		'nonsense'
	])
		await expect(upload(packOf([{ ...one, downloads: [url] }])), url).rejects.toMatchObject({
			code: 'address-refused'
		});
	expect(await staged()).toEqual([]);
});

test('an upload that is not a pack, or is sent wrongly, is refused and leaves nothing', async () => {
	const { upload, staged, software } = await setup();
	await expect(upload(Buffer.from('x'), 'pack.rar')).rejects.toThrow('ends in .mrpack or .zip');
	await expect(upload(Buffer.from('<!doctype html>'))).rejects.toThrow('no zip archive');
	await expect(upload(Buffer.alloc(0))).rejects.toThrow('empty');
	await expect(upload(zip({ '../x': '1' }))).rejects.toThrow('The archive is not taken');
	await expect(
		software.planUpload({ name: 'a.zip', bytes: broken() }, async () => ({}) as never)
	).rejects.toThrow('The upload broke off');
	await expect(
		software.planUpload({ name: 'a.zip', bytes: bytesOf(zip(SERVER_PACK)) }, async () => {
			throw new Error('Accept it first');
		})
	).rejects.toThrow('Accept it first');
	await expect(
		software.plan({ do: 'import', projectId: 'nothing', acceptEula: true })
	).rejects.toMatchObject({ kind: 'not-found' });
	expect(await staged()).toEqual([]);
});

async function* bytesOf(bytes: Buffer) {
	yield bytes;
}
async function* broken(): AsyncGenerator<Uint8Array> {
	yield Buffer.from('PK');
	throw new Error('gone');
}

test('unknown builds and games are refused in words', async () => {
	const { upload, staged } = await setup();
	const server = (version: string) =>
		zip({ [`forge-${version}-installer.jar`]: 'x', 'mods/a.jar': 'x' });
	await expect(upload(server('1.20.1-47.9.9'), 'a.zip')).rejects.toThrow(/no version 47\.9\.9/);
	await expect(upload(server('1.12.2-14.23.5'), 'a.zip')).rejects.toThrow(/1\.12\.2/);
	expect(await staged()).toEqual([]);
});

test('a server that does not start is removed again, with everything the game created', async () => {
	const { upload, apply, brake, serverDir, listed, imported, text } = await setup();
	await writeFile(path.join(serverDir, 'server.properties'), 'motd=Old\n');
	const plan = await upload(zip(SERVER_PACK), 'Pack.zip');
	brake(() => {
		for (const name of ['world/level.dat', 'usercache.json', 'config/made.toml', 'logs/latest.log'])
			outputFile(path.join(serverDir, name));
	});
	const operation = await apply(plan);
	expect(operation).toMatchObject({ state: 'rolled-back' });
	expect(await listed()).toEqual(['logs/latest.log', 'server.properties']);
	expect((await readdir(serverDir)).sort()).toEqual(['logs', 'server.properties']);
	expect(await text('server.properties')).toBe('motd=Old\n');
	expect((await imported.read()).pack).toBe(null);
});

test('an import can be cancelled while it downloads', async () => {
	const { hosted, packOf, upload, software, operations, listed, web, staged } = await setup();
	const plan = await upload(packOf([hosted('mods/a.jar', randomBytes(100_000))]));
	web.misbehave([{ on: /a\.jar/, stall: 1000, times: 9 }]);
	const { id } = await software.apply({ planId: plan.id }, ADA);
	const running = async () =>
		(await operations.get(id)).steps.find(({ status }) => status === 'running')?.id;
	await expect.poll(running, { timeout: 20_000 }).toBe('files');
	await operations.cancel(id, ADA);
	await expect.poll(async () => (await operations.get(id)).state).toBe('cancelled');
	expect(await listed()).toEqual([]);
	expect(await staged()).toEqual([]);
});

test('empty form fields get defaults; a pack or a folder is required, and the EULA accepted', () => {
	const empty = { memoryMb: '', port: '', acceptEula: 'on' };
	const accepted = { acceptEula: true, memoryMb: undefined, port: undefined };
	expect(ImportForm.parse({ ...empty, projectId: 'lanterns', versionId: '' })).toMatchObject({
		...accepted,
		projectId: 'lanterns'
	});
	const create = { ...empty, loader: 'fabric', gameVersion: '1.21.1', build: '' };
	expect(CreateForm.parse(create)).toMatchObject(accepted);
	const wish = { do: 'import', acceptEula: true };
	for (const wrong of [
		wish,
		{ ...wish, projectId: 'a', folder: '/srv' },
		{ ...wish, folder: 'srv' },
		{ ...wish, projectId: '..' },
		{ do: 'import', projectId: 'a' },
		{ do: 'import', projectId: 'a', acceptEula: false }
	])
		expect(ImportWish.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
});
