import fs from 'node:fs';
import path from 'node:path';
import { crashStamp, clock, day } from '../world/java-time.ts';
import type { Mod } from './mods.ts';
import { GAME_VERSION, LOADER_VERSION } from '../world/version.ts';

export type CrashCause = { description: string; trace: string };

const TICK_FRAMES = `	at net.minecraft.class_3218.method_18765(class_3218.java:770) ~[server-intermediary.jar:?]
	at net.minecraft.server.MinecraftServer.method_3813(MinecraftServer.java:967) ~[server-intermediary.jar:?]
	at net.minecraft.server.MinecraftServer.method_3748(MinecraftServer.java:835) ~[server-intermediary.jar:?]
	at net.minecraft.server.MinecraftServer.method_29741(MinecraftServer.java:697) ~[server-intermediary.jar:?]
	at net.minecraft.server.MinecraftServer.method_29739(MinecraftServer.java:281) ~[server-intermediary.jar:?]
	at java.base/java.lang.Thread.run(Thread.java:1583) [?:?]`;

/** A tick that fails, in the code of a mod where there is one to blame. */
export function tickingCrash(mod: Mod | undefined): CrashCause {
	const culprit = mod?.id ?? 'lantern-keeper';
	const frame = `	at knot//dev.demo.${culprit.replaceAll('-', '_')}.Ticker.tick(Ticker.java:41) ~[${mod?.file ?? culprit}:?]`;
	return {
		description: 'Exception ticking world',
		trace: [
			'net.minecraft.class_148: Exception ticking world',
			TICK_FRAMES,
			`Caused by: java.lang.NullPointerException: Cannot invoke "java.util.List.size()" because "this.queue" is null`,
			frame,
			'\t... 5 more'
		].join('\n')
	};
}

export const memoryCrash = (): CrashCause => ({
	description: 'Exception in server tick loop',
	trace: `java.lang.OutOfMemoryError: Java heap space\n${TICK_FRAMES}`
});

export const watchdogCrash = (): CrashCause => ({
	description: 'Watching Server',
	trace: `java.lang.Error: ServerHangWatchdog detected that a single server tick took 60.16 seconds (should be max 0.05)\n${TICK_FRAMES}`
});

export const bindCrash = (): CrashCause => ({
	description: 'Exception in server tick loop',
	trace: [
		'java.lang.IllegalStateException: Failed to initialize server',
		'	at net.minecraft.server.MinecraftServer.method_29741(MinecraftServer.java:671) ~[server-intermediary.jar:?]',
		'	at net.minecraft.server.MinecraftServer.method_29739(MinecraftServer.java:281) ~[server-intermediary.jar:?]',
		'	at java.base/java.lang.Thread.run(Thread.java:1583) [?:?]'
	].join('\n')
});

/** Writes `crash-reports/crash-…-server.txt`; the path as the game prints it. */
export function writeCrashReport(dir: string, mods: Mod[], cause: CrashCause): string {
	const now = new Date();
	const folder = path.join(dir, 'crash-reports');
	fs.mkdirSync(folder, { recursive: true });
	const name = `crash-${crashStamp(now)}-server.txt`;
	const line = '-'.repeat(87);
	const report = [
		'---- Minecraft Crash Report ----',
		'// This was written by a demonstration server.',
		'',
		`Time: ${day(now)} ${clock(now)}`,
		`Description: ${cause.description}`,
		'',
		cause.trace,
		'',
		'',
		'A detailed walkthrough of the error, its code path and all known details is as follows:',
		line,
		'',
		'-- System Details --',
		'Details:',
		`\tMinecraft Version: ${GAME_VERSION}`,
		`\tMinecraft Version ID: ${GAME_VERSION}`,
		`\tOperating System: Linux (amd64)`,
		'\tJava Version: 21.0.4, Demonstration',
		`\tFabric Mods: `,
		`\t\tfabricloader: Fabric Loader ${LOADER_VERSION}`,
		...mods.map((mod) => `\t\t${mod.id}: ${mod.name} ${mod.version}`),
		"\tIs Modded: Definitely; Server brand changed to 'fabric'",
		'\tType: Dedicated Server (map_server.txt)',
		''
	];
	fs.writeFileSync(path.join(folder, name), report.join('\n'));
	return path.join(dir, '.', 'crash-reports', name);
}
