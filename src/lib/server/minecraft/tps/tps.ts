import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlValue, type TtlValue } from '#core/ttl-cache';
import { parseTickQuery, type TickReport } from '#minecraft/commands';
import type { Follower } from '#minecraft/follow';
import type { Rcon } from '#minecraft/rcon';
import { createGameClock, createPaper, createSpark, type Probe } from './probes.ts';
import { parseModdedTps } from './answers.ts';

export type { TickReport } from '#minecraft/commands';

/** How fast the game ticks, by whatever this server can be asked: one question for all who want to know. */
export interface TickRates {
	/**
	 * Null when it is not known: nothing the server understands, no answer, RCON off. Asked every 5 s at most; who asks
	 * meanwhile shares the answer. `run` names the process, and so its version: what it understands is found out once.
	 * Never rejects for what a server does.
	 */
	ask(run: string): Promise<TickReport | null>;
}

/** The averages of the game are over 5 s anyway. */
export const ASK_EVERY_MS = 5_000;
export const ANSWER_LIMIT_MS = 5_000;
/** A server that understood nothing may have been loading still, or may get a mod's command later. */
const SEARCH_EVERY_MS = 10 * 60_000;

type Deps = { rcon: Pick<Rcon, 'command'>; logs: Pick<Follower, 'subscribe'>; clock: Clock };
type Known = {
	key: string;
	/** Null: nothing in the chain was understood, as of `searchedMs`. */
	probe: Probe | null;
	searchedMs: number;
	chain: Probe[];
	last: TtlValue<TickReport | null>;
};

export function createTickRates({ rcon, logs, clock }: Deps): TickRates {
	let known: Known | null = null;

	const send = (line: string) =>
		rcon.command(line, { timeoutMs: ANSWER_LIMIT_MS, repeatable: true });
	/** In this order: the first that is understood is kept. What asks for more, or tells less, comes later. */
	const chain = (): Probe[] => [
		byAnswer(send, 'tick query', parseTickQuery),
		byAnswer(send, 'neoforge tps', parseModdedTps),
		byAnswer(send, 'forge tps', parseModdedTps),
		createPaper(send),
		createSpark({ send, logs, clock }),
		createGameClock({ send, clock })
	];

	const begin = (key: string): Known => {
		const run: Known = {
			...{ key, probe: null, searchedMs: -Infinity, chain: chain() },
			last: createTtlValue(() => run.probe?.everyMs ?? ASK_EVERY_MS, clock)
		};
		return run;
	};

	async function question(run: Known): Promise<TickReport | null> {
		if (run.probe) return (await run.probe.ask())?.report ?? null;
		if (clock.monotonicMs() - run.searchedMs < SEARCH_EVERY_MS) return null;
		// A server that does not answer has not said that it does not understand: the search begins again.
		for (const probe of run.chain) {
			const understood = await probe.ask();
			if (!understood) continue;
			run.probe = probe;
			return understood.report;
		}
		run.searchedMs = clock.monotonicMs();
		return null;
	}

	return {
		async ask(run) {
			if (known?.key !== run) known = begin(run);
			const now = known;
			return now.last.load(() =>
				question(now).catch((error) => {
					if (error instanceof AppError) return null;
					throw error;
				})
			);
		}
	};
}

const byAnswer = (
	send: (line: string) => Promise<string>,
	line: string,
	parse: (answer: string) => TickReport | null
): Probe => ({
	everyMs: ASK_EVERY_MS,
	async ask() {
		const report = parse(await send(line));
		return report && { report };
	}
});
