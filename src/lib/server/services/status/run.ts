import type { OnlinePlayer } from '#schemas/live';
import type { Installation } from '#minecraft/folder';
import type { ServerProcess } from '#runtime/process';
import { cleanLine, cleanLines, gameVersion, MOTD_MAX, NAME_MAX, type PlainText } from './text.ts';

/** What was learnt about one run of the server; it never outlives the process. */
export type Run = {
	key: string;
	version: string | null;
	software: string | null;
	motd: string | null;
	max: number | null;
	tps: { value: number; atMs: number } | null;
	list: { online: number; players: OnlinePlayer[] | null; atMs: number } | null;
};

export const runKey = (process: ServerProcess) =>
	`${process.bootId}:${process.pid}:${process.startTicks}`;

/** The files count as they are when the run is first seen: a later change of them is for the next run. */
export function newRun(process: ServerProcess, files: Installation, text: PlainText): Run {
	return {
		key: runKey(process),
		version: gameVersion(files.gameVersion, text),
		software: cleanLine(files.software, NAME_MAX, text),
		motd: cleanLines(files.motd, MOTD_MAX, text),
		max: files.maxPlayers,
		tps: null,
		list: null
	};
}
