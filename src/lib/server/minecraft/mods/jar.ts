import type { FileHandle } from 'node:fs/promises';
import {
	readManifest,
	bufferSource,
	fileSource,
	openZip,
	type NoZip,
	type Unreadable,
	type Zip
} from '#minecraft/zip';
import { describe, METADATA } from './metadata/index.ts';
import type { JarFacts, JarMod } from './metadata/index.ts';

export type { JarDependency, JarFacts, JarMod } from './metadata/index.ts';

/** Real metadata has 10 kB at most. */
const METADATA_MAX_BYTES = 512 << 10;
/** Jars in jars: how deep, how many, how large each and all together. The largest known has 48, in 30 MB. */
const NESTED_DEPTH = 3;
const NESTED_MAX = 256;
const NESTED_MAX_BYTES = 48 << 20;
const NESTED_TOTAL_MAX_BYTES = 128 << 20;

const MANIFEST = 'META-INF/MANIFEST.MF';
const JAR_IN_JAR = 'META-INF/jarjar/metadata.json';
const PLUGINS = ['plugin.yml', 'paper-plugin.yml', 'bungee.yml', 'velocity-plugin.json'];
/** Marks a jar without a mod of its own as a part of Forge or NeoForge. */
const SERVICES = [
	'cpw.mods.modlauncher.api.ITransformationService',
	'cpw.mods.modlauncher.serviceapi.ILaunchPluginService',
	'net.minecraftforge.forgespi.language.IModLanguageProvider',
	'net.minecraftforge.forgespi.locating.IModLocator',
	'net.minecraftforge.forgespi.locating.IDependencyLocator',
	'net.neoforged.neoforgespi.language.IModLanguageLoader',
	'net.neoforged.neoforgespi.locating.IModFileCandidateLocator',
	'net.neoforged.neoforgespi.locating.IDependencyLocator'
].map((name) => `META-INF/services/${name}`);
const CORE_MODS = ['FMLModType', 'FMLCorePlugin', 'TweakClass', 'ModType'];

const BROKEN: Record<NoZip | Unreadable, string> = {
	empty: 'The file is empty.',
	'not-a-zip': 'The file is not a jar: it may be a web page that was saved under this name.',
	truncated: 'The jar is incomplete: it was not copied or downloaded to its end.',
	zip64: 'The jar is written as an archive of more than 4 GB (zip64), which no mod is.',
	'too-large': 'The metadata of the jar is far too large to be read.',
	encrypted: 'The jar is encrypted.',
	damaged: 'The jar is damaged.'
};

/** What a jar says about itself. Reads a few small files of it; hostile ones cost no more than honest ones. */
export async function readJar(handle: FileHandle): Promise<JarFacts> {
	const zip = await openZip(await fileSource(handle));
	if (typeof zip === 'string') return { ok: false, problem: BROKEN[zip] };
	const own = await readOne(zip);
	if (own.mods.length === 0 && own.unreadable) return { ok: false, problem: own.unreadable };
	const nested = await readNested(zip, own.jars);
	const library = own.mods.length === 0 && isLibrary(zip, own.manifest);
	const plugin = own.mods.length === 0 && !library && PLUGINS.some((name) => zip.has(name));
	return { ok: true, mods: [...own.mods, ...nested], library, ...(plugin && { plugin }) };
}

const isLibrary = (zip: Zip, manifest: Map<string, string>) =>
	CORE_MODS.some((key) => manifest.has(key)) || SERVICES.some((name) => zip.has(name));

/** One jar without those in it. Unreadable files count only when there is no readable one. */
async function readOne(zip: Zip) {
	const found = await zip.read([...METADATA, MANIFEST, JAR_IN_JAR], METADATA_MAX_BYTES);
	const text = (name: string) => {
		const data = found.get(name);
		return Buffer.isBuffer(data) ? data.toString('utf8') : undefined;
	};
	const written = found.get(MANIFEST);
	const manifest = readManifest(Buffer.isBuffer(written) ? written : undefined);
	const { mods, jars, unreadable } = describe(text, manifest, JAR_IN_JAR);
	const trouble = METADATA.map((name) => found.get(name)).find((data) => typeof data === 'string');
	return {
		mods,
		jars,
		manifest,
		unreadable: trouble
			? BROKEN[trouble]
			: unreadable && `${unreadable} in the jar cannot be read: it is not written as it should be.`
	};
}

async function readNested(zip: Zip, paths: string[]): Promise<JarMod[]> {
	const mods: JarMod[] = [];
	let jarsLeft = NESTED_MAX;
	let bytesLeft = NESTED_TOTAL_MAX_BYTES;

	const visit = async (outer: Zip, names: string[], depth: number): Promise<void> => {
		for (const name of new Set(names)) {
			if (jarsLeft-- <= 0 || bytesLeft <= 0) return;
			const limit = Math.min(NESTED_MAX_BYTES, bytesLeft);
			const data = (await outer.read([name], limit)).get(name);
			// A bomb counts towards the limit although nothing comes of it.
			bytesLeft -= Buffer.isBuffer(data) ? data.length : data === 'too-large' ? limit : 0;
			if (!Buffer.isBuffer(data)) continue;
			const inner = await openZip(bufferSource(data));
			if (typeof inner === 'string') continue;
			const { mods: found, jars } = await readOne(inner);
			mods.push(...found.map((mod) => ({ ...mod, nested: true })));
			if (depth < NESTED_DEPTH) await visit(inner, jars, depth + 1);
		}
	};
	await visit(zip, paths, 1);
	return mods;
}
