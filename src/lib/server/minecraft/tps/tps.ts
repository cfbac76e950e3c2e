import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createTtlValue, type TtlValue } from '#core/ttl-cache';
import { parseTickQuery, type TickReport } from '#minecraft/commands';
import type { Follower } from '#minecraft/follow';
import type { Rcon } from '#minecraft/rcon';
import { createGameClock, createPaper, createSpark, type Probe } from './probes.ts';
import { parseModdedTps } from './answers.ts';

export type { TickReport } from '#minecraft/commands';

/** How fast the game ticks, from whatever this server can be asked: one query shared by all callers. */
export interface TickRates {
	/**
	 * Null when it is unknown: nothing the server understands, no answer, RCON off. Asked every 5 s at most; callers
	 * in the meantime share the answer. `run` names the process, and so its version: what it understands is
	 * determined once. Never rejects because of what a server does.
	 */
	ask(run: string): Promise<TickReport | null>;
}

/** The game's averages are over 5 s anyway. */
export const ASK_EVERY_MS = 5_000;
export const ANSWER_LIMIT_MS = 5_000;
/** A server that understood nothing may still have been loading, or may get a mod's command later. */
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
	/** In this order: the first that is understood is used. Those that cost more, or tell less, come later. */
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
		// A server that does not answer has not said that it does not understand: the search starts again.
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
