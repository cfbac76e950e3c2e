import { CAN_KILL, toKiller } from '#schemas/plain/words/kill-words';
import type { Operation } from '#schemas/operation';
import type { PowerRequest } from '#schemas/server';
import type { Settings } from '#schemas/settings';
import type { ServerState } from '#schemas/status';
import { DASHBOARD, type Actor, type RecordAction } from '#core/actor';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Follower } from '#minecraft/follow';
import type { Installation, WorldCheck } from '#minecraft/folder';
import type { CrashEvidence } from '#minecraft/diagnosis';
import type { Runtime } from '#runtime';
import type { Rcon } from '#minecraft/rcon';
import type { StateFile } from '#storage/state-file';
import {
	type FailureCause,
	beginAudited,
	inTheWay,
	UNSEEN,
	type Observation,
	type Operations,
	type ServerControl
} from '#operations';
import { createAutoRestart } from './auto-restart.ts';
import { createBootTimes, type BootHistory } from './boot/index.ts';
import { createFactStore, type Log } from './facts.ts';
import { createServerControl, type ServerControlDeps } from './server-control.ts';
import { killServer, NOT_KILLED, type Killed } from './kill.ts';
import { createStates } from './states.ts';
import { createSteps, worldRefused, type PowerInput } from './steps.ts';
import type { Diagnose } from './exit-classifier.ts';
import { watch } from './watch.ts';

export { BootHistory } from './boot/index.ts';

type StartWish = PowerRequest & Pick<PowerInput, 'despiteWorld'>;
type StopWish = PowerRequest & { cancels?: string | undefined };
type RestartWish = PowerRequest & Pick<PowerInput, 'kill'>;
type Wish = StartWish & RestartWish;

export interface Power {
	/** `AppError('conflict')`, naming the state or the operation in progress, when it does not fit. */
	start(request: StartWish, by: Actor): Promise<Operation>;
	/**
	 * Graceful: waits for the process however long it takes, and never kills. `cancels`: the start that is under way, which
	 * stops what it has started; one that is over by now is stopped like any other.
	 */
	stop(request: StopWish, by: Actor): Promise<Operation>;
	/** The same, unless a kill is asked for. */
	restart(request: RestartWish, by: Actor): Promise<Operation>;
	/** Ends the process at once, saving nothing; allowed during an operation, whose step then sees the end. */
	kill(by: Actor): Promise<Killed>;
	/** `send` tells the game to stop: the end that follows is theirs, and no crash. */
	stoppedBy<T>(by: Actor, send: () => Promise<T>): Promise<T>;
	/**
	 * The state according to the process and our own actions; probes refine it. `restart`: what becomes of a crash by
	 * itself, in a sentence; the reason ends with it.
	 */
	observe(): Promise<Observation & { restart: string | null }>;
	/** How long a start usually takes; null while none is known. */
	usualStartMs(): Promise<number | null>;
	/** The result of a probe (ping or RCON) that was actually made just now. */
	probed(ok: boolean): void;
	/** Keeps watch for crashes, also while nobody looks, and restarts after one when the settings say so. */
	startWatching(): void;
	close(): void;
	/** For operations of other services that stop, start and verify the server. */
	readonly serverControl: ServerControl;
}

type Deps = {
	operations: Pick<Operations, 'define' | 'run' | 'cancel' | 'busy' | 'beside'>;
	runtime: Runtime;
	installation: () => Promise<Installation>;
	rcon: Pick<Rcon, 'command'>;
	/** Asks the server now, never a cache: true when ping or RCON answered. */
	probe: () => Promise<boolean>;
	/** `latest.log` as it grows. */
	logs: Pick<Follower, 'subscribe'>;
	evidence: CrashEvidence;
	/** Lines of the log as everyone may see them: without addresses. */
	shown: (lines: string[]) => string[];
	isReady: (line: string) => boolean;
	diagnose: Diagnose;
	failure: (cause: FailureCause) => Error;
	settings: () => Promise<Settings>;
	audit: RecordAction;
	/** The state or its reason has changed. */
	changed: () => void;
	/** It crashed once too often, and is not started again. */
	gaveUp: (words: string, endedAt: string) => void;
	/** Whether the game may open its world; looked at before every start. */
	checkWorld: () => Promise<WorldCheck>;
	/** The game is about to be started, under the operation's lock. */
	beforeLaunch: () => Promise<void>;
	/** The game has accepted these words of a countdown for its players. */
	announced: (text: string) => void;
	log: Log;
	clock: Clock;
	dataDir: string;
	/** `DATA_DIR/start-times.json` */
	bootHistory: StateFile<BootHistory>;
	verifyTimeoutMs: number;
	/** Asks ping and RCON now, each where enabled; what did not answer, and why. */
	unanswered: () => Promise<{ what: string; why: string }[]>;
	/** Null when unknown. */
	playersOnline?: () => Promise<number | null>;
	patience: Partial<Patience> & Pick<Patience, 'holdMs'>;
};

/** How long an operation of another service waits for each thing. */
type Patience = Pick<
	ServerControlDeps,
	'holdMs' | 'beatMs' | 'graceMs' | 'warningS' | 'killAfterMs'
>;
const PATIENCE = {
	beatMs: 1000,
	graceMs: 60_000,
	warningS: 10,
	killAfterMs: 60_000
};

type PowerAction = 'start' | 'stop' | 'restart';

export function createPower(deps: Deps): Power {
	const { operations, log, audit } = deps;
	const bootTimes = createBootTimes({ history: deps.bootHistory, log });
	const states = createStates({
		...deps,
		facts: createFactStore(deps),
		usualStartMs: bootTimes.usualMs
	});
	const closing = new AbortController();
	let watching = false;
	const { playersOnline = async () => null } = deps;
	const needs = { ...PATIENCE, ...deps.patience, ...deps, playersOnline, states, bootTimes };
	defineOperations(deps, createSteps(needs));
	const serverControl = createServerControl(needs);

	const autoRestart = createAutoRestart({
		...deps,
		busy: () => operations.busy() !== null,
		restartsItself: async () => (await deps.runtime.state()).restartsItself,
		observe: states.observe,
		start: async () => void (await run('start', AT_ONCE, DASHBOARD)),
		async gaveUp(words, endedAt) {
			deps.gaveUp(words, endedAt);
			await audit(DASHBOARD, 'server.start', { result: 'refused', detail: words });
		}
	});

	/** The state is asked only while no operation is in progress: otherwise the runner's own refusal names that one. */
	async function run(action: PowerAction, request: Wish, by: Actor): Promise<Operation> {
		const asked = {
			by,
			action: `server.${action}`,
			subject: null,
			detail: inWords(request)
		} as const;
		return beginAudited(asked, audit, async () => {
			if (!operations.busy()) await allow(action, request, by);
			// Players are being told of its own restart, and everybody sees that it comes.
			const announced = operations.beside();
			if (announced?.countsDown) throw inTheWay(announced);
			const input: PowerInput = { ...request, by: by.name };
			return operations.run(action, input, by);
		});
	}

	/** Null when it is too late for that. */
	const cancelled = (id: string, by: Actor) =>
		operations.cancel(id, by).catch((error) => {
			if (error instanceof AppError && error.code === 'conflict') return null;
			throw error;
		});

	async function allow(action: PowerAction, { despiteWorld, kill }: Wish, by: Actor) {
		if (kill && !deps.runtime.can.kill) throw new AppError('conflict', NOT_KILLED);
		const { state, run, reason } = await states.observe();
		if (!run && state === 'unknown')
			throw new AppError('conflict', reason ?? 'Whether the server runs cannot be seen.');
		if (!run && (state === 'stopped' || state === 'crashed') && (await deps.probe()))
			throw new AppError('conflict', `${UNSEEN} Stop it where it was started.`);
		const refusal = action === 'start' ? NOT_STARTED[state] : NOT_ENDED[state];
		if (refusal) throw new AppError('conflict', toKiller(refusal, by.role === 'superadmin'));
		if (action === 'stop') return;
		const can = await deps.runtime.startable();
		if ('why' in can) throw new AppError('conflict', can.why);
		const world = await deps.checkWorld();
		if (world.refusal && !despiteWorld) throw worldRefused(world.refusal);
	}

	return {
		start: (request, by) => run('start', request, by),
		stop: async ({ cancels, ...request }, by) =>
			(cancels && (await cancelled(cancels, by))) || run('stop', request, by),
		restart: (request, by) => run('restart', request, by),
		kill: (by) => {
			const comesBack = () => deps.operations.busy()?.kind === 'restart';
			return killServer(by, { ...deps, states, comesBack });
		},
		async stoppedBy(by, send) {
			const { run, state } = await states.observe();
			if (!run || state === 'stopping') return send();
			await states.stopRequested('stop', by.name);
			try {
				return await send();
			} catch (error) {
				// It may have been told all the same, and end.
				if (!(error instanceof AppError) || error.code !== 'outcome-unknown')
					await states.stopFailed();
				throw error;
			}
		},
		async observe() {
			const seen = await states.observe();
			const restart = seen.state === 'crashed' ? autoRestart.note : null;
			const reason = [seen.reason, restart].filter(Boolean).join(' ') || null;
			return { ...seen, reason, restart };
		},
		usualStartMs: bootTimes.usualMs,
		probed: states.probed,
		startWatching() {
			if (watching) return;
			watching = true;
			watch({ ...deps, states, seen: autoRestart.consider }, closing.signal).catch((cause) =>
				log.error('The watch over the server has ended', { cause })
			);
		},
		close() {
			closing.abort();
			autoRestart.close();
		},
		serverControl
	};
}

function defineOperations({ operations }: Deps, steps: ReturnType<typeof createSteps>) {
	operations.define<PowerInput>({
		kind: 'start',
		steps: (input) => [steps.launch(input), { ...steps.ready(), cancellable: true }],
		afterCancel: steps.stopAgain()
	});
	operations.define<PowerInput>({
		kind: 'stop',
		steps: (input) => [
			...steps.countdown('stop', input),
			steps.stop('stop', input),
			steps.exit('stop', input)
		]
	});
	operations.define<PowerInput>({
		kind: 'restart',
		steps: (input) => [
			...steps.countdown('restart', input),
			steps.stop('restart', input),
			steps.exit('restart', input),
			steps.launch(input),
			steps.ready()
		]
	});
}

const AT_ONCE: PowerRequest = { delaySeconds: 0, message: '' };

const inWords = ({ delaySeconds, message, despiteWorld, kill }: Wish) =>
	[
		delaySeconds ? `After ${delaySeconds} s.` : '',
		despiteWorld ? 'Even if the world does not fit the game.' : '',
		kill ? 'Killed if it hung and does not end.' : '',
		message
	]
		.filter(Boolean)
		.join(' ') || null;

const NOT_STARTED: Partial<Record<ServerState, string>> = {
	running: 'The server is running already.',
	starting: 'The server is starting already.',
	stopping: 'The server is stopping. Start it when it has ended.',
	unknown: `The server runs but does not answer. Restart it instead; if it does not end then, ${CAN_KILL}.`
};
const NOT_ENDED: Partial<Record<ServerState, string>> = {
	stopped: 'The server is stopped already.',
	crashed: 'The server is not running: it crashed. Start it instead.',
	stopping: 'The server is stopping already.'
};
