import fs from 'node:fs';
import path from 'node:path';
import { MOD_FAULTS, type ModFault } from '../seed/seed-mods.ts';
import { readZipEntry } from '../world/zip.ts';

export type Mod = {
	file: string;
	id: string;
	version: string;
	name: string;
	/** Some versions in the demo's registry are made to break the server. */
	fault?: Fault;
};
export type Fault = { kind: ModFault; with: string | null };
export type ModFolder = {
	mods: Mod[];
	/** jars without a fabric.mod.json */
	foreign: string[];
	/** jars that are no zip, or hold no readable fabric.mod.json */
	broken: { file: string; why: string }[];
};

const MAX_JARS = 2000;

/** What Fabric finds in `mods/`: top level only, `*.jar`, not hidden; client-only mods are skipped silently. */
export function readMods(dir: string): ModFolder {
	const found: ModFolder = { mods: [], foreign: [], broken: [] };
	fs.mkdirSync(dir, { recursive: true });
	const jars = fs
		.readdirSync(dir)
		.filter((name) => name.endsWith('.jar') && !name.startsWith('.'))
		.sort()
		.slice(0, MAX_JARS);
	for (const file of jars) {
		try {
			const metadata = readZipEntry(path.join(dir, file), 'fabric.mod.json');
			if (!metadata) found.foreign.push(file);
			else addMod(found.mods, file, parseMetadata(metadata.toString('utf8')));
		} catch (error) {
			found.broken.push({ file, why: error instanceof Error ? error.message : String(error) });
		}
	}
	found.mods.sort((a, b) => (a.id < b.id ? -1 : 1));
	return found;
}

function addMod(mods: Mod[], file: string, metadata: Record<string, unknown>): void {
	const id = String(metadata.id ?? '');
	if (!/^[a-z][a-z0-9_-]{1,63}$/.test(id)) throw new Error(`invalid mod id "${id.slice(0, 80)}"`);
	if (metadata.environment === 'client' || mods.some((mod) => mod.id === id)) return;
	const name = typeof metadata.name === 'string' ? metadata.name : id;
	const fault = faultIn(metadata);
	const version = String(metadata.version ?? '0');
	mods.push({ file, id, version, name, ...(fault ? { fault } : {}) });
}

function faultIn({ custom }: Record<string, unknown>): Fault | undefined {
	const ours = isObject(custom) ? custom['craftwarden-demo'] : null;
	if (!isObject(ours)) return undefined;
	const kind = MOD_FAULTS.find((fault) => fault === ours['fault']);
	return kind && { kind, with: typeof ours['with'] === 'string' ? ours['with'] : null };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** Real files hold raw line breaks inside strings now and then, or start with a byte order mark. */
function parseMetadata(text: string): Record<string, unknown> {
	const plain = text.replace(/^\ufeff/, '');
	let parsed: unknown;
	try {
		parsed = JSON.parse(plain);
	} catch {
		// eslint-disable-next-line no-control-regex
		parsed = JSON.parse(plain.replace(/[\u0000-\u001f]/g, ' '));
	}
	if (typeof parsed !== 'object' || parsed === null)
		throw new Error('fabric.mod.json is no object');
	return parsed as Record<string, unknown>;
}

/** `wanted` is `modid` or `modid@version`. */
export function findMod(mods: Mod[], wanted: string): Mod | undefined {
	const [id, version] = wanted.split('@', 2);
	return mods.find((mod) => mod.id === id && (version === undefined || mod.version === version));
}
