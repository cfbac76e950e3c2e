import { diagnose } from '#minecraft/diagnosis';
import type { ExitStatus } from '#runtime';

const EXIT_1 = { code: 1, signal: null };

export type Left = {
	log?: string;
	output?: string;
	crashReport?: string;
	exit?: ExitStatus | null;
};

/** The diagnosis of what a stopped server left behind. */
export const why = ({ log = '', output = '', crashReport, exit = EXIT_1 }: Left) =>
	diagnose({
		log: log.split('\n'),
		output: output.split('\n'),
		crashReport: crashReport ?? null,
		exit
	});

export const READY = '[10:00:09] [Server thread/INFO]: Done (8.521s)! For help, type "help"';

export const TRACE = '\tat example.Main.main(Main.java:1) ~[server.jar:?]\n\t... 6 more';
