import type { OnlinePlayer } from '#schemas/live';
import type { Installation } from '#minecraft/folder';
import type { Run as ServerRun } from '#runtime';
import { cleanLine, cleanLines, gameVersion, MOTD_MAX, NAME_MAX, type PlainText } from './text.ts';

/** What was learnt about one run of the server; it never outlives that. */
export type Run = {
	/** Empty without a run: then the files alone speak. */
	id: string;
	version: string | null;
	software: string | null;
	motd: string | null;
	max: number | null;
	tps: { value: number; atMs: number } | null;
	list: { online: number; players: OnlinePlayer[] | null; atMs: number } | null;
};

/** The files count as they are when the run is first seen: a later change of them is for the next run. */
export function newRun(
	run: Pick<ServerRun, 'id'> | null,
	files: Installation,
	text: PlainText
): Run {
	return {
		id: run?.id ?? '',
		version: gameVersion(files.gameVersion, text),
		software: cleanLine(files.software, NAME_MAX, text),
		motd: cleanLines(files.motd, MOTD_MAX, text),
		max: files.maxPlayers,
		tps: null,
		list: null
	};
}
