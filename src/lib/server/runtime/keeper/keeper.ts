import path from 'node:path';
import type { Clock } from '#core/clock';
import { deadline } from '#core/deadline';
import { AppError, errno } from '#core/errors';
import { writeAtomic } from '#core/files';
import { causeOfExit } from '../exit.ts';
import type { Exit, Run, Runtime, RuntimeState } from '../runtime.ts';
import { watchByAsking } from '../watch.ts';
import { readKeeperState, type KeeperState } from './state-file.ts';

const ASK_EVERY_MS = 500;
/** A keeper looks once a second. */
const START_LIMIT_MS = 15_000;
const TICKS_PER_SECOND = 100;

type Want = 'run' | 'stop' | 'term' | 'kill';

/**
 * The game runs in another container, under `scripts/keeper`: both share a small folder. We write the wanted state,
 * the keeper writes the actual one; nothing here signals a process.
 */
export function createKeeperRuntime({ dir, clock }: { dir: string; clock: Clock }): Runtime {
	const read = () => readKeeperState(dir, clock);
	let sample: { run: string; ticks: number | null; at: number; cpu: number | null } | null = null;

	const want = (word: Want) =>
		writeAtomic(path.join(dir, 'want'), word).catch((cause) => {
			const why = `The keeper could not be told (${errno(cause) ?? 'unknown'}): ${dir} cannot be written to.`;
			throw new AppError('upstream', why, { cause });
		});

	async function state(): Promise<RuntimeState> {
		const observedAt = clock.now().toISOString();
		const common = { wanted: 'unknown', restartsItself: false } as const;
		const said = await read();
		if ('why' in said)
			return {
				...common,
				phase: 'unknown',
				run: null,
				restarts: null,
				lastExit: null,
				detail: said.why,
				observedAt
			};
		const { phase, warnings, run: restarts } = said.state;
		const run = runOf(said.state);
		const lastExit = phase === 'exited' && run ? exitOf(said.state) : null;
		const undoneBy = warnings.length > 0 ? { undoneBy: warnings } : {};
		const shown = phase === 'exited' ? 'stopped' : phase;
		return {
			...common,
			...undoneBy,
			uid: said.uid,
			...{ phase: shown, run: phase === 'exited' ? null : run, restarts, lastExit, observedAt }
		};
	}

	/** Null when it has ended, for whatever reason; throws when that cannot be determined. */
	async function still(run: Run): Promise<KeeperState | null> {
		const said = await read();
		if ('why' in said) throw new AppError('conflict', said.why);
		const now = runOf(said.state);
		return said.state.phase !== 'exited' && now?.id === run.id ? said.state : null;
	}
	const ask = async (run: Run, word: Want) => {
		if (await still(run)) await want(word);
	};

	async function ended(run: Run, signal?: AbortSignal): Promise<Exit> {
		for (;;) {
			const said = await read();
			if ('state' in said) {
				const same = runOf(said.state)?.id === run.id;
				if (same && said.state.phase === 'exited') return exitOf(said.state);
				if (!same)
					return { code: null, signal: null, at: clock.now().toISOString(), cause: 'unknown' };
			}
			await clock.sleep(ASK_EVERY_MS, signal);
		}
	}

	async function started(before: number, signal: AbortSignal): Promise<Run> {
		for (;;) {
			const said = await read();
			const run = 'state' in said && said.state.run > before ? runOf(said.state) : null;
			if (run) return run;
			await clock.sleep(ASK_EVERY_MS, signal);
		}
	}

	return {
		kind: 'keeper',
		can: { kill: true },
		state,
		watch: (onChange) => watchByAsking(state, onChange, clock),
		async startable() {
			const said = await read();
			return 'why' in said ? said : { how: 'The keeper in the game’s container starts it.' };
		},
		async start() {
			const said = await read();
			if ('why' in said) throw new AppError('conflict', said.why);
			if (said.state.phase !== 'exited')
				throw new AppError('conflict', 'The server is running already.');
			await want('run');
			return deadline(
				{ ms: START_LIMIT_MS, clock },
				(signal) => started(said.state.run, signal),
				async () => {
					await want('stop');
					throw new AppError(
						'upstream',
						'The keeper did not start the server within 15 seconds. Look at the log of the game’s container.'
					);
				}
			);
		},
		stop: (run) => (run ? ask(run, 'term') : want('stop')),
		terminate: (run) => ask(run, 'term'),
		kill: (run) => ask(run, 'kill'),
		alive: (run) =>
			still(run).then(
				(state) => state !== null,
				() => true // unknown: it does not count as ended
			),
		ended,
		output: async () => [],
		async usage() {
			const said = await read();
			if ('why' in said || said.state.phase === 'exited') return null;
			const { cpuTicks, rssBytes, at } = said.state;
			const run = runOf(said.state)!.id;
			if (sample?.run !== run) sample = { run, ticks: cpuTicks, at, cpu: null };
			else if (at > sample.at)
				sample = { run, ticks: cpuTicks, at, cpu: share(sample, { ticks: cpuTicks, at }) };
			const cpuSeconds = cpuTicks === null ? null : cpuTicks / TICKS_PER_SECOND;
			return {
				cpu: sample.cpu,
				cpuSeconds,
				memory: rssBytes,
				limit: null,
				at: new Date(at * 1000).toISOString()
			};
		},
		close() {}
	};
}

/** Null when the keeper has not run it yet. The pid belongs to a namespace that need not be ours, so it is left out. */
const runOf = ({ run, startedAt }: KeeperState): Run | null =>
	startedAt === null || run === 0
		? null
		: {
				id: `keeper ${run} ${startedAt}`,
				startedAt: new Date(startedAt * 1000).toISOString(),
				pid: null,
				ours: true
			};

type Sample = { ticks: number | null; at: number };
/** Percent of one core between the two; null when unknown. */
const share = (before: Sample, now: Sample) =>
	before.ticks === null || now.ticks === null
		? null
		: Math.max(0, ((now.ticks - before.ticks) / TICKS_PER_SECOND / (now.at - before.at)) * 100);

/** A shell says 128 + n for signal n, and cannot tell it from a program that exits with that number itself. */
function exitOf({ code, at }: KeeperState): Exit {
	const status = { code, signal: null };
	return { ...status, at: new Date(at * 1000).toISOString(), cause: causeOfExit(status) };
}
