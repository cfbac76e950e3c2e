import path from 'node:path';
import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import { createLock } from '#core/lock';
import type { Logger } from '#core/log';
import { createTtlCache } from '#core/ttl-cache';
import type { ServerConfig } from '#env';
import { gameEnvironment } from './game-environment.ts';
import { createFollower, POLL_MS } from '#minecraft/follow';
import {
	checkWorld,
	createInstallationReader,
	type StartCommand,
	readLastSeen
} from '#minecraft/folder';
import { openCrashEvidence } from '#minecraft/diagnosis';
import { ping } from '#minecraft/ping';
import { createRuntime } from '#runtime';
import { createRcon } from '#minecraft/rcon';
import { createUntouchable } from './untouchable.ts';
import { createJavas, javaOf } from '#minecraft/java';

/** For pages and probes, which ask many times a second. */
export const RECENT_MS = 1_000;
const JAVA_MS = 60_000;

export type Game = ReturnType<typeof connectGame>;

type Outside = {
	clock: Clock;
	log: Pick<Logger, 'warn'>;
	environment: NodeJS.ProcessEnv;
	command: StartCommand | null;
};

/** Every connection to the one game server: its folder, process, log, status ping and remote console. */
export function connectGame(config: ServerConfig, { clock, log, environment, command }: Outside) {
	const javas = createJavas({
		dir: path.join(config.dataDir, 'java'),
		home: config.javaHome,
		environment,
		clock
	});
	const folder = createInstallationReader(config.serverDir, {
		...{ command, rcon: config.rcon, javaHome: config.javaHome },
		async javaFor(game) {
			const major = javaOf(game);
			return major === null ? null : javas.command(major);
		}
	});
	const installation = () => folder.read();
	const recently = createTtlCache(installation, RECENT_MS, clock);
	/** To ask one may take a process, and it changes seldom. */
	const java = createTtlCache(
		async () => {
			const program = (await recently()).command?.argv[0];
			return program && config.runtime.kind === 'process' ? javas.named(program) : null;
		},
		JAVA_MS,
		clock
	);
	const runtime = createRuntime(config.runtime, {
		serverDir: config.serverDir,
		dataDir: config.dataDir,
		command: async () => (await installation()).command?.argv ?? null,
		async startable() {
			const { command: start, problem } = await installation();
			return start ? { how: start.how } : { why: problem ?? 'No start command is known.' };
		},
		environment: gameEnvironment(environment),
		clock,
		log
	});
	const plainRcon = createRcon({
		lock: createLock(path.join(config.dataDir, 'rcon.lock'), clock),
		clock,
		address: async () => {
			const { enabled, host, port, password } = (await installation()).rcon;
			return enabled && password ? { host, port, password } : null;
		},
		run: async () => (await runtime.state()).run?.id ?? null
	});
	/** Since when the game refuses our password. */
	let refused: { at: string; message: string } | null = null;
	/** What became of the last command. */
	let lastAnswer: { at: string; trouble: string | null } | null = null;
	const answered = (trouble: string | null) =>
		void (lastAnswer = { at: clock.now().toISOString(), trouble });
	const rcon: typeof plainRcon = {
		...plainRcon,
		async command(...call) {
			try {
				const answer = await plainRcon.command(...call);
				refused = null;
				answered(null);
				return answer;
			} catch (error) {
				if (error instanceof AppError && error.kind === 'offline') answered(error.message);
				if (isRefusal(error)) refused ??= { at: clock.now().toISOString(), message: error.message };
				throw error;
			}
		}
	};
	const logs = createFollower({
		file: path.join(config.serverDir, 'logs/latest.log'),
		pollMs: POLL_MS,
		clock
	});

	/** A game that answers the ping has opened its console too, whatever was refused while it was loading. */
	const pingGame: typeof ping = async (target) => {
		const pong = await ping(target);
		rcon.wake();
		return pong;
	};

	return {
		installation,
		/** When each player was last seen, ISO 8601 by id: according to the world's files. */
		lastSeen: async () => readLastSeen((await installation()).worldDir),
		recently,
		/** Whether the game may open its world, by the files as they are now. */
		checkWorld: async () => checkWorld(config.serverDir, await installation()),
		/** The folder has just been changed. */
		forget() {
			folder.forget();
			recently.forget();
			java.forget();
		},
		javas,
		/** The Java that starts the server; null when it is not known. */
		java,
		ping: pingGame,
		rcon,
		rconRefused: () => refused,
		rconLast: () => lastAnswer,
		runtime,
		untouchable: createUntouchable({ serverDir: config.serverDir, runtime }),
		logs,
		evidence: openCrashEvidence({ serverDir: config.serverDir, output: runtime.output }),
		/** Queries whatever server.properties enables; returns the names of what did not answer, and why. */
		async unanswered(): Promise<{ what: string; why: string }[]> {
			const { game, rcon: console } = await installation();
			const asked: [string, Promise<unknown>][] = [];
			if (game.statusEnabled) asked.push(['the ping', pingGame(game)]);
			if (console.enabled && console.password)
				asked.push(['RCON', rcon.command('list', { repeatable: true })]);
			const silent: { what: string; why: string }[] = [];
			const answers = await Promise.allSettled(asked.map(([, answer]) => answer));
			for (const [i, answer] of answers.entries())
				if (answer.status === 'rejected' && !isRefusal(answer.reason))
					silent.push({ what: asked[i]![0], why: wordsOf(answer.reason) });
			return silent;
		},
		/** Probes now, bypassing every cache: true when the ping or RCON answered. */
		async probe(): Promise<boolean> {
			const { game, rcon: console } = await installation();
			const asked: Promise<unknown>[] = [];
			if (game.statusEnabled) asked.push(pingGame(game));
			if (console.enabled) asked.push(rcon.command('list uuids', { repeatable: true }));
			return Promise.any(asked).then(
				() => true,
				() => false
			);
		},
		close() {
			rcon.close();
			logs.close();
			runtime.close();
		}
	};
}

/** It answers but rejects our password: that is not a fault of the game. */
const isRefusal = (error: unknown): error is AppError =>
	error instanceof AppError && error.code === 'rcon-auth';

/** For a failure that is expected of a game; any other is a bug. */
function wordsOf(error: unknown): string {
	if (error instanceof AppError) return error.message;
	throw error;
}
