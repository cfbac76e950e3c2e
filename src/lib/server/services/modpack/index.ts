import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ModpackInfo } from '#schemas/mod';
import type { Operation } from '#schemas/operation';
import type { Actor } from '#core/actor';
import type { Clock } from '#core/clock';
import { disposition } from '#core/net';
import { AppError } from '#core/errors';
import { ensureDir, onDisk, openRegular, syncDir } from '#core/files';
import { createSerial } from '#core/serial';
import type { StateFile } from '#storage/state-file';
import type { Operations } from '#operations';
import { contentsOf, type Source } from './contents.ts';
import { packIndex, writePack } from './pack.ts';

/** The pack for players: one `.mrpack` with what they need to join. */
export interface Modpack {
	/** Null until it is built. */
	info(): Promise<ModpackInfo | null>;
	/** The pack as it is now. AppError `not-found` until it is built. */
	download(): Promise<PackDownload>;
	/** Rebuilds it, one build at a time. AppError `conflict` for a server without mods, `internal` (the disk). */
	build(): Promise<ModpackInfo>;
	/** The same as an operation that people can watch. AppError `conflict` while another one runs. */
	rebuild(by: Actor): Promise<Operation>;
	/** To be called before operations run. */
	define(): void;
}

export type PackDownload = {
	/** Of its bytes, with the quotes. */
	etag: string;
	bytes: number;
	/** The header's value. */
	disposition: string;
	/** Opens the file; not called when the browser has it already. */
	stream(): Promise<ReadableStream<Uint8Array>>;
};

export const PackState = z.object({
	pack: z.object({ info: ModpackInfo, file: z.string(), sha256: z.string() }).nullable()
});
export type PackState = z.infer<typeof PackState>;
export const PACK_VERSION = 1;
export const PACK_DEFAULTS: PackState = { pack: null };

type Deps = {
	source: () => Promise<Source>;
	/** For the pack's name. */
	serverName: () => Promise<string>;
	modsDir: string;
	/** `DATA_DIR/modpack`. */
	dir: string;
	/** `DATA_DIR/modpack.json`: names the file that is complete. */
	state: StateFile<PackState>;
	operations: Pick<Operations, 'define' | 'run'>;
	clock: Clock;
};

const NAME_MAX_CHARS = 60;
const PACK_FILE = /^pack-[0-9a-f]{16}\.mrpack(\.[0-9a-f]{12}\.part)?$/;

export function createModpack(deps: Deps): Modpack {
	const { source, serverName, modsDir, dir, state, operations, clock } = deps;
	const building = createSerial();

	async function write(): Promise<ModpackInfo> {
		const contents = contentsOf(await source());
		const name = (await serverName()).slice(0, NAME_MAX_CHARS) || 'Minecraft server';
		const index = packIndex(contents, name);
		await ensureDir(dir);
		const { overrides, names, warnings } = contents;
		const draft = path.join(dir, `pack-${'0'.repeat(16)}.mrpack`);
		const { bytes, sha256 } = await writePack(draft, { index, overrides, modsDir });
		const before = (await state.read()).pack;
		const info = {
			fileName: `${plainName(name)}-${index.versionId}.mrpack`,
			bytes,
			builtAt: clock.now().toISOString(),
			mods: names.length,
			names,
			warnings
		};
		const file = `pack-${sha256.slice(0, 16)}.mrpack`;
		await rename(draft, path.join(dir, file));
		await syncDir(dir);
		await state.update(() => ({ pack: { info, file, sha256 } }));
		await sweep([file, before?.file]);
		return info;
	}

	/** The previous file stays for those who are still downloading it. */
	async function sweep(kept: (string | undefined)[]) {
		for (const name of await readdir(dir))
			if (PACK_FILE.test(name) && !kept.includes(name))
				await rm(path.join(dir, name), { force: true });
	}

	const build = () => building.run(() => onDisk('The pack could not be written', write));

	return {
		build,
		info: async () => (await state.read()).pack?.info ?? null,
		async download() {
			const { pack } = await state.read();
			if (!pack) throw notBuilt();
			return {
				etag: `"${pack.sha256.slice(0, 32)}"`,
				bytes: pack.info.bytes,
				disposition: disposition(pack.info.fileName),
				stream: () => streamOf(path.join(dir, pack.file))
			};
		},
		rebuild: (by) => operations.run('modpack', {}, by),
		define: () =>
			operations.define({
				kind: 'modpack',
				steps: () => [
					{
						id: 'modpack',
						label: 'Build the pack for players',
						afterCrash: 'resume',
						async run(ctx) {
							const { mods, warnings } = await build();
							ctx.detail(`${mods} mods.${warnings.length ? ` Missing: ${warnings.length}.` : ''}`);
						}
					}
				]
			})
	};
}

const notBuilt = () =>
	new AppError('not-found', 'There is no pack for players yet. It is built with the next change.');

async function streamOf(file: string): Promise<ReadableStream<Uint8Array>> {
	const handle = await openRegular(file);
	if (!handle) throw notBuilt();
	return Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
}

/** Letters and digits of any language; anything else could cause trouble on some file system. */
const plainName = (name: string) =>
	name
		.normalize('NFC')
		.replace(/[^\p{L}\p{N}._-]+/gu, '-')
		.replace(/^[-.]+|[-.]+$/g, '') || 'server';
