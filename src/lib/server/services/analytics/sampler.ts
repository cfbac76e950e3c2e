import { isSlow } from '#schemas/plain/slow';
import type { ServerState, Status } from '#schemas/status';
import type { Clock } from '#core/clock';
import { createOutage, type Outage } from '#core/log';
import type { TickReport } from '#minecraft/commands';
import type { Run, Usage } from '#runtime';
import type { RecentMetrics } from '#storage/metrics';
import { createAnswers } from './answers.ts';

const SAMPLE_EVERY_MS = 15_000;
/** Players and ticks not known by then are recorded as unknown: RAM and CPU do not wait for a slow console. */
export const ANSWER_LIMIT_MS = 10_000;
/** Soon, so that the first CPU number comes with the second sample. */
const FIRST_AFTER_MS = 2_000;
/** Not at once: a clock that is wrong while the machine starts would make everything look old. */
const PRUNE_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

export type Seen = {
	state: ServerState;
	run: Pick<Run, 'id' | 'startedAt'> | null;
	endedAt: string | null;
	/** Who ended it at once, when somebody did. */
	killedBy?: string;
	/** Since when it has not answered; `hanging`: for so long that it will hardly do so again. */
	silentSince?: string;
	hanging?: true;
	/** The crash before this run, when what runs the server started it again. */
	crashedBefore?: { at: string } | null;
};
export type SamplerDeps = {
	observe: () => Promise<Seen>;
	usage: () => Promise<Usage | null>;
	status: () => Promise<Pick<Status, 'players'>>;
	ticks: (run: string) => Promise<TickReport | null>;
	metrics: Pick<RecentMetrics, 'append' | 'prune'>;
	retentionDays: () => Promise<number>;
	/** Each look at the server. */
	seen: (seen: Seen) => Promise<void>;
	clock: Clock;
	log: {
		info(message: string, facts?: Record<string, unknown>): void;
		warn(message: string, facts?: Record<string, unknown>): void;
		error(message: string, facts?: { cause?: unknown }): void;
	};
};

/** One measurement; `t` in milliseconds since 1970, unknown is null. */
export type Sample = Parameters<RecentMetrics['append']>[0] & { cpuSeconds: number | null };

export interface Sampler {
	start(): void;
	close(): void;
	/** The newest measurement; null while no process runs. */
	readonly latest: Sample | null;
	/** Since when this run has been slow at each measurement, in milliseconds since 1970; null while it is not. */
	readonly slowSince: number | null;
	/** Null while samples can be written. */
	readonly outage: Outage['now'];
}

export function createSampler(deps: SamplerDeps): Sampler {
	const { clock, log, metrics } = deps;
	const closing = new AbortController();
	const players = createAnswers<Pick<Status, 'players'>>(clock, ANSWER_LIMIT_MS);
	const ticks = createAnswers<TickReport>(clock, ANSWER_LIMIT_MS);
	const outage = createOutage({
		begins: (facts) => log.warn('Measurements cannot be written and are lost', facts),
		ends: (facts) => log.info('Measurements are written again', facts)
	});
	let prunedMs = clock.monotonicMs();
	let latest: Sample | null = null;
	let slowSince: number | null = null;
	let lastRun: string | null = null;

	async function sample() {
		const seen = await deps.observe();
		await deps.seen(seen);
		const { run, state } = seen;
		if (!run) return void (slowSince = latest = null);
		if (run.id !== lastRun) slowSince = null;
		lastRun = run.id;
		const t = clock.now().getTime();
		const usage = await deps.usage();
		const answers = state === 'running';
		const [status, tick] = await Promise.all([
			players.take(deps.status),
			answers ? ticks.take(() => deps.ticks(run.id)) : null
		]);
		if (closing.signal.aborted) return;
		const line = {
			...{ t, ramBytes: usage?.memory ?? null, cpuPercent: usage?.cpu ?? null },
			players: status?.players.online ?? null,
			...{ tps: tick?.tps ?? null, mspt: tick?.mspt ?? null }
		};
		// An answer that did not come says nothing about how fast it is.
		if (line.tps !== null) slowSince = isSlow(line.tps) ? (slowSince ?? t) : null;
		latest = { ...line, cpuSeconds: usage?.cpuSeconds ?? null };
		await write(line);
	}

	/** A full disk costs samples and nothing else; a half-written line is closed by the next one. */
	async function write(line: Parameters<RecentMetrics['append']>[0]) {
		await metrics.append(line).then(outage.worked, outage.failed);
	}

	async function prune() {
		if (clock.monotonicMs() - prunedMs < PRUNE_EVERY_MS) return;
		prunedMs = clock.monotonicMs();
		await metrics.prune(clock.now().getTime() - (await deps.retentionDays()) * DAY_MS);
	}

	const safely = (work: () => Promise<void>, message: string) =>
		work().catch((cause) => log.error(message, { cause }));

	/** At a fixed rhythm, never two at once; samples missed during a stall are not made up for. */
	async function run() {
		let nextMs = clock.monotonicMs() + FIRST_AFTER_MS;
		while (!closing.signal.aborted) {
			await clock.sleep(nextMs - clock.monotonicMs(), closing.signal).catch(() => {}); // closed
			if (closing.signal.aborted) return;
			await safely(sample, 'The server could not be measured');
			await safely(prune, 'Old measurements could not be removed');
			const late = clock.monotonicMs() - nextMs;
			nextMs += SAMPLE_EVERY_MS * Math.max(1, Math.ceil(late / SAMPLE_EVERY_MS));
		}
	}

	return {
		start: () => void run(),
		close: () => closing.abort(),
		get latest() {
			return latest;
		},
		get slowSince() {
			return slowSince;
		},
		get outage() {
			return outage.now;
		}
	};
}
