import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { readTextIfExists } from '#core/files';
import type { JarFacts } from '#minecraft/mods';
import type { ModChange } from '../change/index.ts';
import type { Satisfies } from '../installed/index.ts';
import type { Known } from '../known.ts';
import { factsOf } from '../upload.ts';
import { filesAfter, newProblems, overriddenIn, type Rules } from './metadata.ts';

type Deps = {
	/** What is in `mods/` now. */
	read: () => Promise<Pick<Known, 'files' | 'server'>>;
	readJar: (handle: FileHandle) => Promise<JarFacts>;
	satisfies: Satisfies;
	serverDir: string;
};

/** What the new set lacks by its own metadata, and the present one did not; `fileOf` is the path of each of `put`. */
export type Preflight = (change: ModChange, fileOf: (index: number) => string) => Promise<string[]>;

export const createPreflight =
	({ read, readJar, satisfies, serverDir }: Deps): Preflight =>
	async (change, fileOf) => {
		const facts = await Promise.all(change.put.map((_, i) => factsOf(fileOf(i), readJar)));
		const { files, server } = await read();
		const rules: Rules = { server, satisfies, overridden: await overridden(serverDir) };
		return newProblems(files, filesAfter(files, change, facts), rules);
	};

export const overridden = async (serverDir: string) =>
	overriddenIn(
		await readTextIfExists(path.join(serverDir, 'config/fabric_loader_dependencies.json')).catch(
			() => null
		)
	);
