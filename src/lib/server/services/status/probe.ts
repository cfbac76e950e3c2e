import type { ServerState } from '#schemas/status';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError } from '#core/errors';
import type { PlayerList } from '#minecraft/commands';
import type { Installation } from '#minecraft/folder';
import type { Pong } from '#minecraft/ping';
import type { Run as ServerRun } from '#runtime';
import type { Rcon } from '#minecraft/rcon';
import type { Run } from './run.ts';
import type { PlainText } from './text.ts';

const PING_LIMIT_MS = 3000;
const RCON_LIMIT_MS = 5000;
/** RCON answers with the next ticks, the ping at once: waiting this long fills most answers whole. */
const GRACE_MS = 200;

export type Observed = {
	state: ServerState;
	run: Pick<ServerRun, 'id' | 'startedAt'> | null;
	reason: string | null;
	readyAt: string | null;
};
/** What one round of probes has brought so far; `list` and `tick` are null too when the answer was not understood. */
export type Round = {
	via: 'ping' | 'rcon' | null;
	pong: Pong | null;
	list: PlayerList | null;
	tick: { tps: number | null } | null;
	/** Why RCON did not answer, when that is worth telling. */
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

export interface Prober {
	/** `first` when one has answered (and the other had a moment), or none will; `all` when both are done. */
	ask(files: Installation, run: Run): { first: Promise<Round>; all: Promise<Round> };
	/** What is being asked just now is out of date: the next request gets a newer answer. */
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
			// The console answers: the tick rate may take its time and is not waited for.
			const tick = console
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

/** A wrong password is for the admin to put right; no answer while starting is nothing to tell. */
const worthTelling = (error: unknown) =>
	error instanceof AppError && error.code === 'rcon-auth' ? error.message : null;

/**
 * One question in flight per run: who asks meanwhile shares its answer, and asks once more if that one failed or is out
 * of date.
 */
function oneAtATime<T>(clock: Clock, limitMs: number) {
	type Flight = { run: string; promise: Promise<T>; end: AbortController; outdated: boolean };
	let flying: Flight | null = null;
	const stop = () => {
		flying?.end.abort(new AppError('offline', 'The server ended.'));
		flying = null;
	};
	const launch = (run: string, question: (signal: AbortSignal) => Promise<T>) => {
		stop();
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
		const flight = flying;
		if (flight?.run !== run) return launch(run, question);
		return flight.promise.then(
			(answer) => (flight.outdated ? ask(run, question) : answer),
			(error) => {
				// It may have been asked before the server was ready; one that ran into its limit says enough.
				if (error instanceof AppError && error.kind === 'timeout') throw error;
				return ask(run, question);
			}
		);
	}
	const renew = () => {
		if (flying) flying.outdated = true;
	};
	return { ask, renew, stop };
}
