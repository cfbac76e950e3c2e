import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modJar } from '../../../../../scripts/demo-server/seed/seed-mods.ts';
import { readPack } from '../../../../../tests/fakes/mods/mrpack-reader.ts';
import { ada, setupMods, OPERATION } from '../../../../../tests/fakes/mods/mods-setup.ts';
import { ModpackInfo } from '#schemas/mod';
import { createStateFile } from '#storage/state-file';
import type { Definition } from '#operations';
import { createModpack, PACK_DEFAULTS, PACK_VERSION, PackState } from './index.ts';

const own = (version = '1.0.0') =>
	modJar({ id: 'own', version, name: 'Own', description: 'x'.repeat(3000) });

/** Mods of every side, one disabled, one of our own. */
async function setup(options: Parameters<typeof setupMods>[0] = {}) {
	const made = await setupMods(options);
	const { registry } = made;
	const sides = {
		both: {},
		players: { serverSide: 'unsupported' },
		only: { clientSide: 'unsupported' },
		asleep: {}
	} as const;
	for (const [slug, side] of Object.entries(sides)) {
		registry.addProject({ slug, clientSide: 'required', ...side });
		registry.addVersion(slug, { number: '1+x' });
		await made.install(slug, '1+x', { disabled: slug === 'asleep' });
	}
	await made.put('own.jar', own());
	return { ...made, ...packOf(made) };
}

function packOf(made: Awaited<ReturnType<typeof setupMods>>, name = 'My Server') {
	const dir = path.join(made.root, 'modpack');
	const defined: Definition<unknown>[] = [];
	const pack = createModpack({
		source: () => made.inventory.read({ ask: true, patient: true }),
		serverName: async () => name,
		modsDir: made.modsDir,
		dir,
		state: createStateFile({
			file: path.join(made.root, 'modpack.json'),
			schema: PackState,
			version: PACK_VERSION,
			defaults: PACK_DEFAULTS,
			warn: (message) => void made.told.push(message)
		}),
		operations: {
			define: (definition) => void defined.push(definition as Definition<unknown>),
			run: async (kind) => ({ ...OPERATION, kind })
		},
		clock: {
			now: () => new Date('2026-01-02T03:04:05Z'),
			monotonicMs: () => 0,
			sleep: async () => {}
		}
	});
	return { pack, dir, defined };
}

async function bytesOf(pack: ReturnType<typeof packOf>['pack']) {
	const { stream } = await pack.download();
	return Buffer.from(await new Response(await stream()).arrayBuffer());
}

test('a pack contains what players need, in the specified format', async () => {
	const { pack, server, registry } = await setup();
	const info = ModpackInfo.parse(await pack.build());
	const bytes = await bytesOf(pack);
	const { index, overrides } = readPack(bytes);
	expect(index).toMatchObject({
		name: 'My Server',
		dependencies: { minecraft: server.gameVersion, 'fabric-loader': '0.16.9' }
	});
	expect(index.files.map(({ path, env }) => [path, env])).toEqual([
		['mods/both-1+x.jar', { client: 'required', server: 'required' }],
		['mods/players-1+x.jar', { client: 'required', server: 'unsupported' }]
	]);
	const both = registry.store.find('both')!;
	const [version] = registry.store.versionsOf(both.id);
	expect(index.files[0]).toMatchObject({
		hashes: { sha1: version!.files[0]!.sha1, sha512: version!.files[0]!.sha512 },
		fileSize: version!.files[0]!.bytes.length,
		// Not our mirror: players cannot reach it.
		downloads: [`https://cdn.modrinth.com/data/${both.id}/versions/${version!.id}/both-1%2Bx.jar`]
	});
	expect(overrides).toEqual({});
	expect(info).toEqual({
		fileName: `My-Server-${index.versionId}.mrpack`,
		bytes: bytes.length,
		builtAt: '2026-01-02T03:04:05.000Z',
		mods: 2,
		names: ['both', 'players'],
		warnings: [expect.stringMatching(/^Own \(own\.jar\) is not from the registry/)]
	});
	expect(await pack.info()).toEqual(info);
});

test('a jar of our own is included only when it is marked as shareable', async () => {
	const made = await setup();
	await made.mods.patch({ fileName: 'own.jar', shareable: true }, ada);
	const { mods, warnings } = await made.pack.build();
	const { overrides } = readPack(await bytesOf(made.pack));
	expect(overrides).toEqual({ 'overrides/mods/own.jar': own() });
	expect([mods, warnings]).toEqual([3, []]);
	// The next version is a different jar, which nobody has reviewed.
	await made.put('own.jar', own('2.0.0'));
	expect((await made.pack.build()).warnings).toHaveLength(1);
	expect(readPack(await bytesOf(made.pack)).overrides).toEqual({});
});

test('the same mods make the same bytes, whoever builds them when and where', async () => {
	const made = await setup();
	await made.mods.patch({ fileName: 'own.jar', shareable: true }, ada);
	await made.pack.build();
	const first = await bytesOf(made.pack);
	const zone = process.env['TZ'];
	try {
		process.env['TZ'] = 'Asia/Tokyo';
		await rm(path.join(made.root, 'modpack.json'));
		const again = packOf(made).pack;
		await again.build();
		expect((await bytesOf(again)).equals(first)).toBe(true);
	} finally {
		if (zone === undefined) delete process.env['TZ'];
		else process.env['TZ'] = zone;
	}
	const other = packOf(made, 'Another').pack;
	await other.build();
	expect((await other.download()).etag).not.toBe((await made.pack.download()).etag);
});

test('there is none until it is built, and a failed build keeps the previous one', async () => {
	const made = await setup();
	const { pack, dir } = made;
	expect(await pack.info()).toBeNull();
	await expect(pack.download()).rejects.toMatchObject({ kind: 'not-found' });
	const info = await pack.build();
	const before = await bytesOf(pack);
	made.server.loader = 'paper';
	await expect(pack.build()).rejects.toMatchObject({ kind: 'conflict' });
	made.server.loader = 'fabric';
	made.server.loaderVersion = null;
	await expect(pack.build()).rejects.toMatchObject({ kind: 'conflict' });
	expect(await pack.info()).toEqual(info);
	expect(await bytesOf(pack)).toEqual(before);
	expect(await readdir(dir)).toHaveLength(1);
});

test('while the registry is unreachable, cached data is enough, and missing data fails the build', async () => {
	const made = await setup();
	await made.pack.build();
	made.registry.misbehave([{ answer: { status: 404 }, times: Infinity }]);
	await made.pack.build();
	const before = await bytesOf(made.pack);
	await made.put('new.jar', modJar({ id: 'new', version: '1', name: 'New', description: '' }));
	await expect(made.pack.build()).rejects.toMatchObject({ kind: 'upstream' });
	expect(await bytesOf(made.pack)).toEqual(before);
});

test('a build keeps the previous pack for those who are downloading it, and removes older ones', async () => {
	const made = await setup();
	const { pack, dir } = made;
	await mkdir(dir);
	await writeFile(path.join(dir, `pack-${'a'.repeat(16)}.mrpack.0123456789ab.part`), 'left');
	await pack.build();
	const first = await bytesOf(pack);
	const { stream } = await pack.download();
	await rm(path.join(made.modsDir, 'players-1+x.jar'));
	await pack.build();
	expect(Buffer.from(await new Response(await stream()).arrayBuffer())).toEqual(first);
	await rm(path.join(made.modsDir, 'both-1+x.jar'));
	await pack.build();
	expect(await readdir(dir)).toHaveLength(2);
});

test('builds requested at the same time run one after the other', async () => {
	const { pack } = await setup();
	const built = await Promise.all([pack.build(), pack.build(), pack.build()]);
	expect(new Set(built.map(({ fileName }) => fileName)).size).toBe(1);
	readPack(await bytesOf(pack));
});

test.each([
	['quilt', '0.26.0', 'quilt-loader', '0.26.0'],
	['neoforge', '21.1.172', 'neoforge', '21.1.172'],
	['forge', '1.21.1-52.0.1', 'forge', '52.0.1']
] as const)('a pack for %s %s names %s %s', async (loader, loaderVersion, key, version) => {
	const made = await setupMods({ server: { loader, loaderVersion } });
	const { pack } = packOf(made);
	await pack.build();
	expect(readPack(await bytesOf(pack)).index.dependencies).toEqual({
		minecraft: '1.21.1',
		[key]: version
	});
});

test('a name in any language is a file name, and a hostile one is harmless', async () => {
	const made = await setup();
	const { pack } = packOf(made, 'Größe "x"\r\n/../§k サーバー');
	const { fileName } = await pack.build();
	expect(fileName).toMatch(/^Größe-x-\.\.-k-サーバー-1\.21\.1-[0-9a-f]{8}\.mrpack$/u);
	const { disposition } = await pack.download();
	expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.-]+$/);
	new Headers({ 'content-disposition': disposition });
});

test('rebuilding is an operation that says what it did', async () => {
	const { pack, defined } = await setup();
	expect((await pack.rebuild(ada)).kind).toBe('modpack');
	pack.define();
	const [step] = defined[0]!.steps({});
	const said: string[] = [];
	await step!.run({ detail: (text: string) => void said.push(text) } as never);
	expect(said).toEqual(['2 mods. Missing: 1.']);
});

test('a mod whose project is not listed publicly is not passed on', async () => {
	const made = await setupMods();
	const status = 'withheld';
	made.registry.addProject({ slug: 'hidden', title: 'Hidden', clientSide: 'required', status });
	made.registry.addVersion('hidden', { number: '1' });
	await made.install('hidden', '1');
	const { pack } = packOf(made);
	expect((await pack.build()).warnings).toEqual([
		expect.stringMatching(/^Hidden \(hidden-1\.jar\) is not publicly listed in the registry\. /)
	]);
	expect(readPack(await bytesOf(pack)).index.files).toEqual([]);
});
