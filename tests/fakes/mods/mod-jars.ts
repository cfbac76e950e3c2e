import { zip } from './jars.ts';

type Files = Record<string, string | Uint8Array>;

/** `fabric.mod.json` of a mod that needs these. */
export const fabricJson = (id: string, more: Record<string, unknown> = {}) =>
	JSON.stringify({ schemaVersion: 1, id, version: '1.0.0', name: id, environment: '*', ...more });

export const fabricJar = (id: string, more: Record<string, unknown> = {}, files: Files = {}) =>
	zip({ 'fabric.mod.json': fabricJson(id, more), ...files });

export const quiltJson = (id: string, loader: Record<string, unknown> = {}, more = {}) =>
	JSON.stringify({
		schema_version: 1,
		quilt_loader: { group: 'org.example', id, version: '1.0.0', ...loader },
		...more
	});

type TomlDependency = { modId: string; [key: string]: string | boolean };

/** `mods.toml`, or `neoforge.mods.toml`: they are written alike. */
export function modsToml(
	modId: string,
	dependencies: TomlDependency[] = [],
	mod: Record<string, string | boolean> = {},
	root: Record<string, string | boolean> = {}
): string {
	const pairs = (values: Record<string, string | boolean>) =>
		Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
	return [
		...pairs({ modLoader: 'javafml', loaderVersion: '[1,)', license: 'MIT', ...root }),
		'[[mods]]',
		...pairs({ modId, version: '1.0.0', displayName: modId, ...mod }),
		...dependencies.flatMap((each) => [`[[dependencies.${modId}]]`, ...pairs(each)])
	].join('\n');
}

export const forgeJar = (...toml: Parameters<typeof modsToml>) =>
	zip({ 'META-INF/mods.toml': modsToml(...toml) });
export const neoforgeJar = (...toml: Parameters<typeof modsToml>) =>
	zip({ 'META-INF/neoforge.mods.toml': modsToml(...toml) });

/** Marks every file in the zip as encrypted. */
export function encrypted(jar: Buffer): Buffer {
	const copy = Buffer.from(jar);
	for (let at = copy.indexOf('PK\x01\x02'); at >= 0; at = copy.indexOf('PK\x01\x02', at + 4))
		copy.writeUInt16LE(1, at + 8);
	return copy;
}

/** The same files with the end of a zip64. */
export function zip64(jar: Buffer): Buffer {
	const end = jar.length - 22;
	const locator = Buffer.alloc(20);
	locator.write('PK\x06\x07', 'latin1');
	return Buffer.concat([jar.subarray(0, end), locator, jar.subarray(end)]);
}
