import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { jar } from '../mods/jars.ts';
import { BEHAVIOUR, STAND_IN_JAVA, STARTS, type Behaviour, type Start } from './stand-in-java.ts';

/** Folders laid out as the installers of these servers leave them. */
export type FolderKind =
	'fabric' | 'fabric-legacy' | 'quilt' | 'forge' | 'forge-old' | 'neoforge' | 'paper' | 'vanilla';

export interface StandInFolder {
	readonly dir: string;
	/** A `JAVA_HOME` whose `bin/java` is the stand-in. */
	readonly javaHome: string;
	readonly java: string;
	/** An environment in which `java` is the stand-in. */
	readonly env: NodeJS.ProcessEnv;
	/** A file in the folder; folders are created on the way. */
	write(relative: string, content: string | Uint8Array): Promise<void>;
	behave(behaviour: Behaviour): Promise<void>;
	/** Every start so far, oldest first. */
	starts(): Promise<Start[]>;
	/** The caller ends what it started first. */
	remove(): Promise<void>;
}

/** A folder of that kind below the system's temporary folder, with stand-ins for the jar and for Java. */
export async function standInFolder(
	kind: FolderKind | null,
	options: {
		properties?: Record<string, string | number>;
		behaviour?: Behaviour;
		/** A part of the path of both the server's folder and Java's. */
		below?: string;
	} = {}
): Promise<StandInFolder> {
	const root = await mkdtemp(path.join(os.tmpdir(), 'craftwarden-folder-'));
	const dir = path.join(root, options.below ?? '', 'server');
	const javaHome = path.join(root, options.below ?? '', 'java');
	const java = path.join(javaHome, 'bin', 'java');
	const put = async (file: string, content: string | Uint8Array, mode?: number) => {
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content, { mode });
	};
	const folder: StandInFolder = {
		dir,
		javaHome,
		java,
		env: { ...process.env, JAVA_HOME: javaHome, PATH: `${path.dirname(java)}:${process.env.PATH}` },
		write: (relative, content) => put(path.join(dir, relative), content),
		behave: (behaviour) => put(path.join(dir, BEHAVIOUR), JSON.stringify(behaviour)),
		async starts() {
			const text = await readFile(path.join(dir, STARTS), 'utf8').catch(() => '');
			return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Start] : []));
		},
		remove: () => rm(root, { recursive: true, force: true })
	};
	await mkdir(dir, { recursive: true });
	await put(java, `#!${process.execPath}\n${STAND_IN_JAVA}`, 0o755);
	if (kind) for (const [name, content] of FILES[kind]()) await folder.write(name, content);
	if (options.properties)
		await folder.write('server.properties', propertiesText(options.properties));
	if (options.behaviour) await folder.behave(options.behaviour);
	return folder;
}

const propertiesText = (values: Record<string, string | number>) =>
	[
		'#Minecraft server properties',
		...Object.entries(values).map((pair) => pair.join('=')),
		''
	].join('\n');

type Files = [name: string, content: string | Uint8Array][];

const FILES: Record<FolderKind, () => Files> = {
	fabric: () => [
		[
			'fabric-server-mc.1.21.1-loader.0.16.9-launcher.1.0.1.jar',
			jar('net.fabricmc.installer.ServerLauncher', {
				'install.properties': 'fabric-loader-version=0.16.9\ngame-version=1.21.1\n'
			})
		],
		['.fabric/server/1.21.1-server.jar', vanillaJar('1.21.1')],
		['mods/lithium-fabric-0.15.0+mc1.21.1.jar', jar(null)]
	],
	'fabric-legacy': () => [
		[
			'fabric-server-launch.jar',
			jar('net.fabricmc.loader.launch.server.FabricServerLauncher', {}, [
				'libraries/net/fabricmc/tiny-mappings-parser/0.3.0+build.17/tiny.jar',
				'libraries/net/fabricmc/intermediary/1.19.2/intermediary-1.19.2.jar',
				'libraries/net/fabricmc/fabric-loader/0.14.17/fabric-loader-0.14.17.jar'
			])
		],
		['fabric-server-launcher.properties', '#Mon Mar 06 2023\nserverJar=server.jar\n'],
		['server.jar', vanillaJar('1.19.2')]
	],
	quilt: () => [
		[
			'quilt-server-launch.jar',
			jar('org.quiltmc.loader.impl.launch.server.QuiltServerLauncher', {}, [
				'libraries/org/quiltmc/quilt-loader/0.28.1/quilt-loader-0.28.1.jar',
				'libraries/net/fabricmc/intermediary/1.20.1/intermediary-1.20.1.jar'
			])
		],
		['quilt-server-launcher.properties', 'serverJar=server.jar\n'],
		['server.jar', vanillaJar('1.20.1')]
	],
	forge: () =>
		argsServer('net/minecraftforge/forge/1.20.1-47.2.4', [
			'--launchTarget forgeserver',
			'--fml.forgeVersion 47.2.4',
			'--fml.mcVersion 1.20.1',
			'--fml.forgeGroup net.minecraftforge'
		]),
	'forge-old': () => [
		['forge-1.16.5-36.2.39.jar', jar('net.minecraftforge.server.ServerMain')],
		['minecraft_server.1.16.5.jar', vanillaJar('1.16.5')]
	],
	neoforge: () =>
		argsServer('net/neoforged/neoforge/21.1.172', [
			'--launchTarget forgeserver',
			'--fml.neoForgeVersion 21.1.172',
			'--fml.fmlVersion 4.0.39',
			'--fml.mcVersion 1.21.1'
		]),
	paper: () => [
		[
			'paper-1.21.8-60.jar',
			jar('io.papermc.paperclip.Main', { 'version.json': '{"id":"1.21.8","name":"1.21.8"}' })
		],
		['versions/1.21.8/paper-1.21.8.jar', jar(null)]
	],
	vanilla: () => [['server.jar', vanillaJar('1.20.4')]]
};

const argsServer = (library: string, args: string[]): Files => [
	[
		`libraries/${library}/unix_args.txt`,
		['-p libraries/example.jar', '--add-modules ALL-MODULE-PATH', 'example.Main', ...args].join(
			'\n'
		)
	],
	['user_jvm_args.txt', '# To set the maximum to 3GB: -Xmx3G\n-Xmx4G\n'],
	[
		'run.sh',
		[
			'#!/usr/bin/env sh',
			'# Add custom JVM arguments to the user_jvm_args.txt',
			`java @user_jvm_args.txt @libraries/${library}/unix_args.txt "$@"`,
			''
		].join('\n')
	]
];

const vanillaJar = (version: string) =>
	jar('net.minecraft.bundler.Main', {
		'version.json': JSON.stringify({ id: version, name: version, java_version: 21 })
	});
