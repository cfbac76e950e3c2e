import type { OnlinePlayer } from '#schemas/live';
import type { Clock } from '#core/clock';
import { createTtlValue, type TtlValue } from '#core/ttl-cache';
import type { Installation } from '#minecraft/folder';
import type { Run as ServerRun } from '#runtime';
import { cleanLine, cleanLines, gameVersion, MOTD_MAX, NAME_MAX, type PlainText } from './text.ts';

export type PlayersThere = { online: number; players: OnlinePlayer[] | null };

/** What was learnt about one run of the server; never kept beyond that run. */
export type Run = {
	/** `NO_PROCESS` when there is none: then the files are used, along with anything that answers all the same. */
	id: string;
	version: string | null;
	software: string | null;
	motd: string | null;
	max: number | null;
	tps: TtlValue<number>;
	list: TtlValue<PlayersThere>;
};

export const NO_PROCESS = '';

/** How long the last list and tick rate stand in for an answer that has not come yet. */
const KEEP_MS = 15_000;

/** The files are read when the run is first seen: later changes to them apply to the next run. */
export function newRun(
	run: Pick<ServerRun, 'id'> | null,
	files: Installation,
	{ text, clock }: { text: PlainText; clock: Pick<Clock, 'monotonicMs'> }
): Run {
	return {
		id: run?.id ?? NO_PROCESS,
		version: gameVersion(files.gameVersion, text),
		software: cleanLine(files.software, NAME_MAX, text),
		motd: cleanLines(files.motd, MOTD_MAX, text),
		max: files.maxPlayers,
		tps: createTtlValue(KEEP_MS, clock),
		list: createTtlValue(KEEP_MS, clock)
	};
}
