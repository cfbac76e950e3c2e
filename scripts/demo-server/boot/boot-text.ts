import path from 'node:path';
import type { GameLog } from '../log.ts';
import type { Mod, ModFolder } from './mods.ts';
import { GAME_VERSION, LOADER_VERSION } from '../world/version.ts';

const LAUNCHER_VERSION = '1.0.1';
export const LAUNCHER_JAR = `fabric-server-mc.${GAME_VERSION}-loader.${LOADER_VERSION}-launcher.${LAUNCHER_VERSION}.jar`;

const MAIN = 'main';

const LOADER_FRAMES = [
	`at net.fabricmc.loader.impl.FabricLoaderImpl.load(FabricLoaderImpl.java:196) ~[fabric-loader-${LOADER_VERSION}.jar:?]`,
	`at net.fabricmc.loader.impl.launch.knot.Knot.init(Knot.java:146) ~[fabric-loader-${LOADER_VERSION}.jar:?]`,
	`at net.fabricmc.loader.impl.launch.knot.Knot.launch(Knot.java:68) [fabric-loader-${LOADER_VERSION}.jar:?]`,
	`at net.fabricmc.loader.impl.launch.knot.KnotServer.main(KnotServer.java:23) [fabric-loader-${LOADER_VERSION}.jar:?]`,
	`at net.fabricmc.loader.impl.launch.server.FabricServerLauncher.main(FabricServerLauncher.java:69) [fabric-loader-${LOADER_VERSION}.jar:?]`,
	`at net.fabricmc.installer.ServerLauncher.main(ServerLauncher.java:69) [${LAUNCHER_JAR}:${LAUNCHER_VERSION}]`
];
const trace = (first: string) => [first, ...LOADER_FRAMES].map((frame) => `\t${frame}`).join('\n');

/** The loader and its list of mods. */
export function printLoaded(log: GameLog, dir: string, { mods, foreign }: ModFolder): void {
	if (foreign.length > 0) {
		const names = foreign.map((file) => `\n\t- ${file}`).join('');
		log.warn(
			`Found ${foreign.length} non-fabric mod${foreign.length > 1 ? 's' : ''}:${names}`,
			MAIN
		);
	}
	const lines = [
		{ id: 'fabricloader', line: `fabricloader ${LOADER_VERSION}\n\t   \\-- mixinextras 0.4.1` },
		{ id: 'java', line: 'java 21' },
		{ id: 'minecraft', line: `minecraft ${GAME_VERSION}` },
		...mods.map(({ id, version }) => ({ id, line: `${id} ${version}` }))
	].sort((a, b) => (a.id < b.id ? -1 : 1));
	const list = lines.map(({ line }) => `\n\t- ${line}`).join('');
	log.info(`Loading ${lines.length + 1} mods:${list}`, MAIN);
	const mixin = path.join(dir, 'libraries/net/fabricmc/sponge-mixin/0.15.4+mixin.0.8.7');
	log.info(
		`SpongePowered MIXIN Subsystem Version=0.8.7 Source=file:${mixin} Service=Knot/Fabric Env=SERVER`,
		MAIN
	);
	log.info('Compatibility level set to JAVA_21', MAIN);
	log.info(
		'Initializing MixinExtras via com.llamalad7.mixinextras.service.MixinExtrasServiceImpl(version=0.4.1).',
		MAIN
	);
}

/** Fabric's refusal of a mod that does not fit the game. */
export function printIncompatible(log: GameLog, mod: Mod): void {
	const wanted = '1.21.4';
	const reason = `HARD_DEP_NO_CANDIDATE ${mod.id} ${mod.version} {depends minecraft @ [>=${wanted}]}`;
	log.warn('Mod resolution failed', MAIN);
	log.info(`Immediate reason: [${reason}, ROOT_FORCELOAD_SINGLE ${mod.id} ${mod.version}]`, MAIN);
	log.info(`Reason: [${reason.replace('_NO_CANDIDATE', '')}]`, MAIN);
	const title = `'${mod.name}' (${mod.id}) ${mod.version}`;
	log.error(
		[
			'Incompatible mods found!',
			'net.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!',
			'A potential solution has been determined, this may resolve your problem:',
			`\t - Replace mod ${title} with any version that is compatible with:`,
			`\t\t - minecraft ${GAME_VERSION}`,
			'More details:',
			`\t - Mod ${title} requires version ${wanted} or later of 'Minecraft' (minecraft), but only the wrong version is present: ${GAME_VERSION}!`,
			trace(
				`at net.fabricmc.loader.impl.FormattedException.ofLocalized(FormattedException.java:51) ~[fabric-loader-${LOADER_VERSION}.jar:?]`
			)
		].join('\n'),
		MAIN
	);
}

/** A jar that is no jar ends the start too. */
export function printBroken(log: GameLog, dir: string, broken: ModFolder['broken'][number]): void {
	const failure =
		'net.fabricmc.loader.impl.discovery.ModResolutionException: Mod discovery failed!';
	const file = path.join(dir, 'mods', broken.file);
	log.error(
		[
			'Incompatible mods found!',
			`net.fabricmc.loader.impl.FormattedException: ${failure}`,
			trace(
				`at net.fabricmc.loader.impl.FormattedException.ofLocalized(FormattedException.java:63) ~[fabric-loader-${LOADER_VERSION}.jar:?]`
			),
			`Caused by: ${failure}`,
			`Caused by: java.lang.RuntimeException: Error analyzing [${file}]: java.util.zip.ZipException: ${broken.why}`
		].join('\n'),
		MAIN
	);
}

/** A mod whose initializer throws ends the start. */
export function printThrown(log: GameLog, { mod, error }: { mod: Mod; error: string }): void {
	const owner = `dev.demo.${mod.id.replaceAll('-', '_')}.Main`;
	const failure = `java.lang.RuntimeException: Could not execute entrypoint stage 'main' due to errors, provided by '${mod.id}' at '${owner}'!`;
	log.error(
		[
			'Failed to start the minecraft server',
			failure,
			trace(
				`at net.fabricmc.loader.impl.FabricLoaderImpl.lambda$invokeEntrypoints$2(FabricLoaderImpl.java:409) ~[fabric-loader-${LOADER_VERSION}.jar:?]`
			),
			`Caused by: ${error}`,
			`\tat ${owner}.onInitialize(Main.java:23) ~[${mod.file}:?]`,
			'\t... 6 more'
		].join('\n'),
		MAIN
	);
}

export function printOffline(log: GameLog): void {
	log.warn('**** SERVER IS RUNNING IN OFFLINE/INSECURE MODE!');
	log.warn('The server will make no attempt to authenticate usernames. Beware.');
	log.warn(
		'While this makes the game possible to play without internet access, it also opens up the ability for hackers to connect with any username they choose.'
	);
	log.warn('To change this, set "online-mode" to "true" in the server.properties file.');
}

export function printLocked(log: GameLog, lock: string): void {
	log.error(
		[
			'Failed to start the minecraft server',
			`net.minecraft.class_5125$class_5126: ${lock}: already locked (possibly by other Minecraft instance?)`,
			'\tat net.minecraft.class_5125$class_5126.method_27111(class_5125.java:98) ~[server-intermediary.jar:?]',
			'\tat net.minecraft.server.Main.main(Main.java:150) ~[server-intermediary.jar:?]'
		].join('\n'),
		MAIN
	);
}
