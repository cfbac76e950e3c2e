import type { OnlinePlayer } from '#schemas/live';
import type { Status } from '#schemas/status';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { createTtlValue } from '#core/ttl-cache';
import type { AppEvent } from '#events';
import type { Installation } from '#minecraft/folder';
import { compose, noticeAnswers, publicView, unknownStatus, type Names } from './compose.ts';
import {
	createProber,
	newRun,
	NO_PROCESS,
	type Observed,
	type ProbeDeps,
	type Round,
	type Run
} from './probe.ts';

export { publicView };

export const CACHE_MS = 3000;
/** After a request this recent somebody is still watching, so a change of state is probed at once. */
const WATCHED_MS = 10_000;

/** How long a game that hangs may delay a caller when there is something to say without it. */
const WAIT_MS = 300;
/** An answer older than this is not used while the next one is on its way. */
const LAST_MAX_MS = 60_000;

export interface StatusService {
	/**
	 * Cached for 3 s, one probe at a time. While a probe takes its time, the last answer stands in, with its own
	 * `checkedAt`. Never rejects: what cannot be found out is `unknown`.
	 */
	get(): Promise<Status>;
	/** The body for anonymous visitors, already JSON, cached for the same time. */
	publicJson(): Promise<string>;
	/**
	 * Who is online according to the last answer; where it only counts them, those of the list before it, while that is
	 * recent. `since` is null for players who were already there when we first looked.
	 */
	players(): OnlinePlayer[];
	/** The state has changed: the next answer is probed afresh, and published at once when somebody is watching. */
	invalidate(): void;
	close(): void;
}

type Deps = ProbeDeps & {
	observe: () => Promise<Observed>;
	installation: () => Promise<Installation> | Installation;
	/** Whether the process answered; once per probe, never when there was no process or nothing to ask. */
	probed: (ok: boolean) => void;
	names: Names;
	/** The game refuses our password. */
	rconRefused: () => boolean;
	publish: (fact: AppEvent) => void;
	log: { error(message: string, facts?: { cause?: unknown }): void };
	clock: Clock;
};

export function createStatus(deps: Deps): StatusService {
	const { clock, log } = deps;
	const prober = createProber(deps);
	let run: Run | null = null;
	let generation = 0;
	const cached = createTtlValue<{ status: Status }>(CACHE_MS, clock);
	let flight: { generation: number; answer: Promise<Status> } | null = null;
	let rendered: { status: Status; json: Promise<string> } | null = null;
	let last: Status | null = null;
	let askedMs = -Infinity;
	let reporting = false;

	const keep = (born: number, status: Status) => {
		if (born !== generation) return;
		last = status;
		cached.set({ status });
		deps.publish({ type: 'status', status });
	};

	/** The slower probe's answer still fills in fields of the earlier answer, without making it any newer. */
	const refine = (born: number, before: Status, after: Status) => {
		const shown = cached.stale();
		if (born !== generation || shown?.status !== before || same(before, after)) return;
		last = after;
		shown.status = after;
		deps.publish({ type: 'status', status: after });
	};

	const refineLater = (
		born: number,
		status: Status,
		round: ReturnType<typeof prober.ask> | null,
		draw: (answers: Round) => Status
	) =>
		round?.all
			.then((answers) => refine(born, status, draw(answers)))
			.catch((cause) => log.error('The later status answer could not be used', { cause }));

	/** Becoming ready is already part of the answer; any other change is worth a new one. */
	const report = (ok: boolean) => {
		reporting = ok;
		try {
			deps.probed(ok);
		} finally {
			reporting = false;
		}
	};

	async function check(born: number): Promise<Status> {
		const [seen, installation] = await Promise.all([deps.observe(), deps.installation()]);
		if (!seen.run) return checkWithout(born, seen, installation);
		const now: Run =
			run?.id === seen.run.id
				? run
				: newRun(seen.run, installation, { text: deps.parse.text, clock });
		run = now;
		// It has not answered for a while: the caller need not wait for another probe to learn that.
		if (seen.state === 'unknown' || seen.hanging)
			keep(born, compose(deps, { seen, installation, run: now, round: null }));
		const round = prober.ask(installation, now);
		const draw = (answers: Round) => {
			// It was asked before the last change, so it may list players who have left since.
			const outdated = born !== generation && now.list !== null;
			noticeAnswers(deps, now, outdated ? { ...answers, list: null } : answers);
			return compose(deps, { seen, installation, run: now, round: answers });
		};
		const status = draw(await round.first);
		if (installation.game.statusEnabled || installation.rcon.enabled) report(status.online);
		keep(born, status);
		refineLater(born, status, round, draw);
		return status;
	}

	/**
	 * Even without a process something may answer: a server that cannot be seen from here. Where the folder has none, or
	 * ours found its port taken and does not know the password, it is not ours, and nothing of it is shown.
	 */
	async function checkWithout(born: number, seen: Observed, installation: Installation) {
		if (run?.id !== NO_PROCESS) run = null;
		const known = run;
		const ended = seen.state === 'stopped' || seen.state === 'crashed';
		const now = known ?? newRun(null, installation, { text: deps.parse.text, clock });
		const round = ended ? prober.ask(installation, now) : null;
		if (!round) prober.stop();
		const draw = (answers: Round | null) => {
			const answered = answers !== null && answers.via !== null;
			const isTaken = seen.diagnosis?.code === 'port' && deps.rconRefused();
			const there = answered && hasServer(installation) && !isTaken;
			if (there) noticeAnswers(deps, now, answers);
			if (born === generation && (run === null || run === now)) run = there ? now : null;
			return compose(deps, {
				seen,
				installation,
				run: there ? now : null,
				round: there ? answers : null,
				foreign: answered && !there
			});
		};
		const status = draw(round && (await (known ? round.first : atOnce(round.first))));
		keep(born, status);
		refineLater(born, status, round, draw);
		return status;
	}

	/** A refused connection is refused at once, so a port that stays silent is no reason to wait. */
	const atOnce = (first: Promise<Round>) =>
		deadline<Round, null>(
			{ ms: WAIT_MS, clock },
			() => first,
			() => null
		);

	const checked = (born: number) =>
		check(born).catch((cause) => {
			log.error('The status could not be found out', { cause });
			const status = unknownStatus(deps);
			keep(born, status);
			return status;
		});

	/** The last answer, unless it is too old to stand in for the next. */
	const recent = () => {
		const status = cached.stale()?.status;
		const isRecent = status && clock.now().getTime() - Date.parse(status.checkedAt) < LAST_MAX_MS;
		return isRecent ? status : null;
	};
	/** Of a game that hangs, part of the next answer is known by then. */
	const soon = async (next: Promise<Status>, last: Status | null) =>
		(await deadline<Status, null>(
			{ ms: WAIT_MS, clock },
			() => next,
			() => null
		)) ??
		recent() ??
		last ??
		next;

	function get(): Promise<Status> {
		askedMs = clock.monotonicMs();
		const known = cached.get();
		if (known) return Promise.resolve(known.status);
		if (flight?.generation === generation) return flight.answer;
		const promise = checked(generation);
		const mine = { generation, answer: soon(promise, recent()) };
		flight = mine;
		void promise.then(() => {
			if (flight === mine) flight = null;
		});
		return mine.answer;
	}

	function players(): OnlinePlayer[] {
		if (!run || !last?.online) return [];
		const { names } = last.players;
		// Somebody has come or gone, and the list that says who is still on its way.
		if (!names) return run.list.get()?.players ?? [];
		const there = new Set(names);
		return (run.list.stale()?.players ?? []).filter(({ name }) => there.has(name));
	}

	const render = (status: Status) => {
		if (rendered?.status !== status)
			rendered = { status, json: Promise.resolve(JSON.stringify(publicView(status))) };
		return rendered.json;
	};

	return {
		get,
		publicJson() {
			const known = cached.get();
			return known ? render(known.status) : get().then(render);
		},
		players,
		invalidate() {
			if (reporting) return;
			generation++;
			cached.forget();
			prober.renew();
			if (clock.monotonicMs() - askedMs < WATCHED_MS) void get();
		},
		close() {
			askedMs = -Infinity;
			prober.stop();
		}
	};
}

const hasServer = ({ found, command }: Installation) => found || command !== null;

/** Equal except for the time of the check. */
const same = (a: Status, b: Status) =>
	JSON.stringify({ ...a, checkedAt: '' }) === JSON.stringify({ ...b, checkedAt: '' });
