import { z } from 'zod';
import type { Registry } from '#registry';
import type { JarFacts } from '#minecraft/mods';
import type { Pack, PackFiles } from '#minecraft/packs';
import type { StateFile } from '#storage/state-file';
import type { FileHandle } from 'node:fs/promises';
import type { Deps } from '../types.ts';

/** Where a pack comes from. */
const Origin = z.discriminatedUnion('from', [
	z.object({ from: z.literal('registry'), projectId: z.string(), versionId: z.string() }),
	z.object({ from: z.literal('upload'), fileName: z.string() }),
	z.object({ from: z.literal('folder'), dir: z.string() })
]);
export type Origin = z.infer<typeof Origin>;

/** A pack within our reach; JSON, as operations store it. */
export type Staged = {
	origin: Origin;
	/** The archive in our own folder; null for a folder of this machine. */
	archive: string | null;
	/** As the registry or the person calls it. */
	title: string;
};

/** What the pack in the server's folder brought, so that it can be updated later. */
export const ImportedPackState = z.object({
	pack: z
		.object({
			origin: Origin,
			title: z.string(),
			version: z.string().nullable(),
			operationId: z.string(),
			/** ISO. */
			importedAt: z.string(),
			/** In the server's folder, as they came. */
			files: z.array(z.object({ path: z.string(), sha512: z.string() }))
		})
		.nullable()
});
export type ImportedPackState = z.infer<typeof ImportedPackState>;
export const IMPORTED_PACK_VERSION = 1;
export const IMPORTED_PACK_DEFAULTS: ImportedPackState = { pack: null };

export type ImportDeps = Deps & {
	registry: () => Promise<
		Pick<Registry, 'search' | 'projects' | 'packsOf' | 'download' | 'fetchesFrom'>
	>;
	packs: {
		zip: (file: string) => Promise<PackFiles>;
		folder: (dir: string) => Promise<PackFiles>;
		read: (files: PackFiles, scratch: string) => Promise<{ pack: Pack; files: PackFiles }>;
	};
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	/** Aborted when the program ends. */
	closing: AbortSignal;
	/** `DATA_DIR/imports`. */
	importDir: string;
	imported: StateFile<ImportedPackState>;
	/** What `tidy` must leave alone: archives that plans refer to, and how many packs are being received or read. */
	packsInUse: { archives: Set<string>; reading: number };
};
