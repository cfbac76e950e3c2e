import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writeZip, type ZipEntry } from '../demo-server/world/zip.ts';

const manifest = (main: string): ZipEntry => ({
	name: 'META-INF/MANIFEST.MF',
	content: `Manifest-Version: 1.0\r\nMain-Class: ${main}\r\n\r\n`
});
const versionJson = (id: string, java: number | null): ZipEntry => ({
	name: 'version.json',
	content: JSON.stringify({ id, name: id, java_version: java ?? 8 })
});

export const vanillaJar = (game: string, java: number | null) =>
	writeZip([manifest('net.minecraft.bundler.Main'), versionJson(game, java)]);

export const paperJar = (game: string, java: number, build: number) =>
	writeZip([
		manifest('io.papermc.paperclip.Main'),
		versionJson(game, java),
		{ name: 'build.txt', content: String(build) }
	]);

export const fabricJar = (game: string, loader: string) =>
	writeZip([
		manifest('net.fabricmc.installer.ServerLauncher'),
		{
			name: 'install.properties',
			content: `fabric-loader-version=${loader}\ngame-version=${game}\n`
		}
	]);

/** What an installer does instead of its job; `java.ts` reads it. */
export type InstallerFault = 'nothing' | 'half' | 'fails' | 'hangs' | 'outside' | 'window';

/** `install_profile.json` names what is installed, as the real one does; `demo.json` is ours. */
export const installerJar = (
	loader: 'forge' | 'neoforge',
	game: string,
	version: string,
	fault: InstallerFault | null
) =>
	writeZip([
		manifest('net.minecraftforge.installer.SimpleInstaller'),
		{
			name: 'install_profile.json',
			content: JSON.stringify({ spec: 1, profile: loader, version, minecraft: game })
		},
		{ name: 'demo.json', content: JSON.stringify({ loader, game, version, fault }) }
	]);

const JAVA = fileURLToPath(new URL('java.ts', import.meta.url));

/** A tar.gz with one folder, as Adoptium packs them: its `bin/java` starts the demo's own stand-in. */
export function javaArchive(folder: string, version: string): Buffer {
	const script = `#!/bin/sh\nDEMO_JAVA_VERSION='${version}' exec '${process.execPath}' '${JAVA}' "$@"\n`;
	return gzipSync(
		tar([
			{ name: `${folder}/`, mode: 0o755 },
			{ name: `${folder}/release`, content: `IMPLEMENTOR="Demo"\nJAVA_VERSION="${version}"\n` },
			{ name: `${folder}/bin/`, mode: 0o755 },
			{ name: `${folder}/bin/java`, content: script, mode: 0o755 },
			{ name: `${folder}/legal/java.base/LICENSE`, content: 'A stand-in, no Java at all.\n' },
			{ name: `${folder}/legal/java.desktop/LICENSE`, link: '../java.base/LICENSE' }
		])
	);
}

export type TarEntry = { name: string; content?: string; mode?: number; link?: string };

const BLOCK = 512;

/** A ustar archive; a name that ends in a slash is a folder. */
export function tar(entries: TarEntry[]): Buffer {
	const blocks = entries.flatMap(({ name, content = '', mode = 0o644, link }) => {
		const bytes = Buffer.from(content);
		const header = Buffer.alloc(BLOCK);
		const octal = (value: number, at: number, length: number) =>
			header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
		header.write(name, 0, 100);
		octal(mode, 100, 8);
		octal(0, 108, 8);
		octal(0, 116, 8);
		octal(bytes.length, 124, 12);
		octal(0, 136, 12);
		header.write(' '.repeat(8), 148);
		header.write(link ? '2' : name.endsWith('/') ? '5' : '0', 156);
		if (link) header.write(link, 157, 100);
		header.write('ustar\0', 257);
		header.write('00', 263);
		const sum = header.reduce((total, byte) => total + byte, 0);
		header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
		return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
	});
	return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}
