import type { OnlinePlayer } from '#schemas/live';
import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import { createTtlValue, type TtlValue } from '#core/ttl-cache';
import type { PlayerList } from '#minecraft/commands';
import type { Installation } from '#minecraft/folder';
import type { Pong } from '#minecraft/ping';
import type { Run as ServerRun } from '#runtime';
import type { Rcon } from '#minecraft/rcon';
import { cleanLine, cleanLines, gameVersion, MOTD_MAX, NAME_MAX, type PlainText } from './text.ts';

/** A server that needs four seconds is slow, but still online. */
const PING_LIMIT_MS = 5000;
const RCON_LIMIT_MS = 5000;
/** RCON answers within the next ticks, the ping at once: waiting this long makes most answers complete. */
const GRACE_MS = 200;
/** How long the last list and tick rate stand in for an answer that has not come yet. */
const KEEP_MS = 15_000;

export type Observed = {
	state: ServerState;
	run: Pick<ServerRun, 'id' | 'startedAt'> | null;
	reason: string | null;
	readyAt: string | null;
	/** When the last run ended and began, while there is none; absent where that is not known. */
	endedAt?: string | null;
	lastRun?: { startedAt: string; endedAt: string };
	/** Of the crash that keeps it down. */
	diagnosis?: { code: string } | null;
	/** It has not answered for longer than any pause; absent otherwise. */
	hanging?: true;
	/** Since when it has not answered; absent where it does, or loads. */
	silentSince?: string;
};
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

/** What one round of probes has brought so far; `list` and `tick` are null too when the answer was not understood. */
export type Round = {
	via: 'ping' | 'rcon' | null;
	pong: Pong | null;
	list: PlayerList | null;
	tick: { tps: number | null } | null;
	/** Why RCON did not answer, when that is worth reporting. */
	trouble: string | null;
};
export type ProbeDeps = {
	ping: (target: {
		host: string;
		port: number;
		timeoutMs: number;
		signal?: AbortSignal;
	}) => Promise<Pong>;
	rcon: Pick<Rcon, 'command'>;
	/** How fast this run ticks; null when it is not known. Asks the server no more often than is good for it. */
	ticks: (run: string) => Promise<{ tps: number | null } | null>;
	parse: {
		text: PlainText;
		list: (answer: string) => PlayerList | null;
	};
	clock: Clock;
};

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

export interface Prober {
	/** `first` when one has answered (and the other had a moment), or when none will; `all` when both are done. */
	ask(files: Installation, run: Run): { first: Promise<Round>; all: Promise<Round> };
	/** What is being asked right now is out of date: the next caller gets an answer from after this. */
	renew(): void;
	stop(): void;
}

export function createProber(deps: ProbeDeps): Prober {
	const pings = oneAtATime<Pong>(deps.clock, PING_LIMIT_MS);
	const consoles = oneAtATime<PlayerList | null>(deps.clock, RCON_LIMIT_MS);

	const rates = oneAtATime<{ tps: number | null } | null>(deps.clock, RCON_LIMIT_MS);

	const askPing = ({ game }: Installation, run: Run) =>
		pings.ask(run.id, (signal) =>
			deps.ping({ host: game.host, port: game.port, timeoutMs: PING_LIMIT_MS, signal })
		);

	const askConsole = (run: Run) => consoles.ask(run.id, (signal) => query(deps, signal));

	return {
		ask(files, run) {
			const round: Round = { via: null, pong: null, list: null, tick: null, trouble: null };
			const both: Promise<unknown>[] = [];
			if (files.game.statusEnabled)
				both.push(
					askPing(files, run).then((pong) => {
						round.pong = pong;
						round.via ??= 'ping';
					})
				);
			const console = files.rcon.enabled
				? askConsole(run).then(
						(list) => {
							round.list = list;
							round.via ??= 'rcon';
						},
						(error) => {
							round.trouble = worthTelling(error);
							throw error;
						}
					)
				: null;
			if (console) both.push(console);
			// The console answers: the tick rate may take its time, and nobody waits for it.
			const tick = (run.id === NO_PROCESS ? null : console)
				?.then(() => rates.ask(run.id, () => deps.ticks(run.id)))
				.then((report) => (round.tick = report));
			const all = Promise.allSettled([...both, tick]).then(() => round);
			return { first: firstAnswer(both, all, round, deps.clock), all };
		},
		renew() {
			pings.renew();
			consoles.renew();
		},
		stop() {
			pings.stop();
			consoles.stop();
			rates.stop();
		}
	};
}

/** Once the faster one has answered, the slower one has a moment left to be part of it. */
function firstAnswer(both: Promise<unknown>[], all: Promise<Round>, round: Round, clock: Clock) {
	const done = new AbortController();
	void all.then(() => done.abort());
	const moment = Promise.any(both).then(() => clock.sleep(GRACE_MS, done.signal));
	return Promise.race([
		all,
		moment.then(
			() => round,
			() => all
		)
	]);
}

/** The player list; null when the answer was not understood. */
const query = async ({ rcon, parse }: ProbeDeps, signal: AbortSignal) =>
	parse.list(
		await rcon.command('list uuids', { timeoutMs: RCON_LIMIT_MS, repeatable: true, signal })
	);

/** A wrong password is for the admin to fix; no answer while the server starts is not worth reporting. */
const worthTelling = (error: unknown) =>
	error instanceof AppError && error.code === 'rcon-auth' ? error.message : null;

/**
 * One question at a time per run: callers in the meantime share its answer, and ask once more if it failed or is out of
 * date, unless that run is over by then.
 */
function oneAtATime<T>(clock: Clock, limitMs: number) {
	type Flight = { run: string; promise: Promise<T>; end: AbortController; outdated: boolean };
	let flying: Flight | null = null;
	/** The run that was asked last: anything still waiting for an earlier run's answer waits in vain. */
	let latest: string | null = null;
	const over = () => new AppError('offline', 'The server ended.');
	const abort = () => {
		flying?.end.abort(over());
		flying = null;
	};
	const stop = () => {
		latest = null;
		abort();
	};
	const launch = (run: string, question: (signal: AbortSignal) => Promise<T>) => {
		abort();
		const end = new AbortController();
		const late = () => {
			throw new AppError('timeout', 'The server did not answer in time.');
		};
		const limit = { ms: limitMs, clock, signal: end.signal };
		const promise = deadline(limit, question, late).finally(() => {
			if (flying?.end === end) flying = null;
		});
		flying = { run, promise, end, outdated: false };
		return promise;
	};
	function ask(run: string, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
		latest = run;
		const flight = flying;
		if (flight?.run !== run) return launch(run, question);
		return flight.promise.then(
			(answer) => (flight.outdated ? again(run, question) : answer),
			(error) => {
				// It may have been asked before the server was ready; a timeout is answer enough.
				if (error instanceof AppError && error.kind === 'timeout') throw error;
				return again(run, question);
			}
		);
	}
	const again = (run: string, question: (signal: AbortSignal) => Promise<T>) => {
		if (latest !== run) throw over();
		return ask(run, question);
	};
	const renew = () => {
		if (flying) flying.outdated = true;
	};
	return { ask, renew, stop };
}
