import path from 'node:path';
import type { ServerLoader } from '#schemas/software/software';

export const TITLES: Record<ServerLoader, string> = {
	vanilla: 'Minecraft',
	fabric: 'Fabric',
	neoforge: 'NeoForge',
	forge: 'Forge',
	paper: 'Paper'
};

type Choice = { loader: ServerLoader; gameVersion: string; build: string };

/** `Fabric 0.18.0 for Minecraft 1.21.1`. */
export const titleOf = ({ loader, gameVersion, build }: Choice) =>
	loader === 'vanilla'
		? `Minecraft ${gameVersion}`
		: `${TITLES[loader]} ${build} for Minecraft ${gameVersion}`;

/** What an installer puts where Java is told what to start; null for a server that is a jar. */
export function argsFileOf({ loader, gameVersion, build }: Choice): string | null {
	const old = loader === 'neoforge' && gameVersion === '1.20.1';
	const group = loader === 'forge' ? 'minecraftforge' : 'neoforged';
	const name = loader === 'forge' || old ? `forge/${gameVersion}-${build}` : `neoforge/${build}`;
	return loader === 'forge' || loader === 'neoforge'
		? `libraries/net/${group}/${name}/unix_args.txt`
		: null;
}

/** The name under which a server jar is put into the folder: it tells what it is. */
export const jarName = (fileName: string) => path.basename(fileName);

/** A start script that people may edit; the dashboard reads it as it stands. */
export const startScript = (jar: string, memoryMb: number) =>
	`#!/usr/bin/env sh\n# Made by Craftwarden, which reads the memory from here.\ncd "$(dirname "$0")"\nexec java -Xms${memoryMb}M -Xmx${memoryMb}M -jar ${jar} nogui\n`;

export const userArgs = (memoryMb: number) => `-Xms${memoryMb}M\n-Xmx${memoryMb}M\n`;

/** What goes when something else is started than this: the jar, or the folder of the file of arguments. */
export const oldOf = (started: string) =>
	started.startsWith('libraries/') ? path.dirname(started) : started;
