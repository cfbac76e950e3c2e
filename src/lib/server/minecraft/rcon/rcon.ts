import type { Clock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import { HARMLESS, type RconConnection } from './connection.ts';
import { explain, outcomeUnknown, switchedOff } from './failures.ts';
import { PAYLOAD_MAX_BYTES } from './frames.ts';
import { RconFailure, type RconAddress } from './link.ts';
import { createRconPool } from './pool.ts';
import { createQueue, type Turn } from './queue.ts';

export type RconCommandOptions = {
	/** Time for the answer once the command is sent; 5 s by default. */
	timeoutMs?: number;
	/** Running it twice changes nothing (`list`, `tick query`): retried once when the connection drops. */
	repeatable?: boolean;
	/** Rejects with the signal's reason; a command already sent may still run. */
	signal?: AbortSignal;
};

export interface Rcon {
	/**
	 * The answer, § codes kept, at most 1 MiB. One command at a time, in all processes that share the lock.
	 * AppError `offline`, nothing ran: code `rcon-off`, `rcon-unreachable`, `rcon-silent`, `rcon-protocol`, `rcon-auth`
	 * (password refused), `rcon-auth-unsure` (hung up during the login), `rcon-closed`.
	 * AppError `timeout` with code `outcome-unknown`: sent, no answer.
	 * AppError `invalid` (too long, control characters) and `busy` (too many wait, or too long): nothing was sent.
	 */
	command(line: string, options?: RconCommandOptions): Promise<string>;
	/**
	 * The game answers on another channel: a refused connection is worth retrying at once. A wrong password stays
	 * wrong.
	 */
	wake(): void;
	/** Ends everything, including what is waiting. */
	close(): void;
}

type Deps = {
	/**
	 * Where RCON is, null when it is off. Asked before each command, so that a change in server.properties is
	 * noticed.
	 */
	address: () => Promise<RconAddress | null>;
	/** Held during each command: vanilla mixes the answers of two connections. */
	lock: Lock;
	clock: Clock;
	/** Names the run of the server; null, also by default, when nobody can tell which one it is. */
	run?: () => Promise<string | null>;
	/** How long an unused connection is kept. */
	idleMs?: number;
	/** How long an answer may take before we check whether the server sends none for a command without output. */
	quietMs?: number;
};

type Command = { line: string; timeoutMs: number; repeatable: boolean };

const TIMEOUT_MS = 5_000;
const CONNECT_MS = 5_000;
const TURN_MS = 10_000;
const IDLE_MS = 30_000;
const QUIET_MS = 1_000;

export function createRcon({
	address,
	lock,
	clock,
	run: currentRun = async () => null,
	idleMs = IDLE_MS,
	quietMs = QUIET_MS
}: Deps): Rcon {
	const pool = createRconPool({ clock, idleMs });
	const queue = createQueue(clock, pool.rest);
	/** The run of the server that was asked last. */
	let asked: string | null = null;
	/** A command that we gave up on may still be running, unless that run has ended. */
	let leftover = false;

	/**
	 * Vanilla collects the output of all connections in one buffer: the output of an abandoned command would end up
	 * in the next answer. A harmless command goes first; it also proves that the server responds again.
	 */
	const clear = async (connection: RconConnection, timeoutMs: number, signal: AbortSignal) => {
		await connection.exchange(HARMLESS, { timeoutMs, signal, quietMs: null }).catch((error) => {
			throw error instanceof RconFailure ? new RconFailure(error.reason) : error;
		});
		leftover = false;
	};

	const exchange = async (command: Command, to: RconAddress, { signal, leftMs }: Turn) => {
		const { line, timeoutMs, repeatable } = command;
		const connectMs = Math.min(timeoutMs, CONNECT_MS);
		const now = await currentRun();
		if (now !== asked) leftover = false;
		asked = now;
		const connection = await pool.get(to, { timeoutMs: connectMs, signal });
		await lock.acquire(leftMs(), signal);
		try {
			if (leftover) await clear(connection, timeoutMs, signal);
			const alwaysAnswered = repeatable || isStop(line);
			const answer = await connection.exchange(line, {
				timeoutMs,
				signal,
				quietMs: alwaysAnswered ? null : quietMs
			});
			// We got the answer but not its end, and hung up.
			if (!connection.open && !isStop(line)) leftover = true;
			return answer;
		} finally {
			lock.release();
		}
	};

	const run = async (
		command: Command,
		to: RconAddress,
		turn: Turn,
		isSecond = false
	): Promise<string> => {
		try {
			return await exchange(command, to, turn);
		} catch (error) {
			if (!(error instanceof RconFailure)) throw error;
			const { reason, sent } = error;
			if (sent && reason === 'lost' && isStop(command.line)) return '';
			if (sent && (reason === 'silent' || reason === 'aborted')) leftover = true;
			if (sent && reason === 'protocol') pool.distrust();
			if (!isSecond && mayRepeat(error, command)) return run(command, to, turn, true);
			if (reason !== 'aborted') throw explain(error, to, pool.retryAfterS());
			throw queue.closed && sent ? outcomeUnknown(error) : turn.signal.reason;
		}
	};

	return {
		async command(line, { timeoutMs = TIMEOUT_MS, repeatable = false, signal } = {}) {
			validate(line);
			const command = { line, timeoutMs, repeatable };
			const work = async (turn: Turn) => {
				try {
					const to = await address();
					if (to && to.password !== '') return await run(command, to, turn);
					pool.drop();
					throw switchedOff();
				} finally {
					if (queue.closed) pool.drop(); // opened while we were closing
				}
			};
			return queue.add(work, { waitMs: Math.max(TURN_MS, timeoutMs), signal });
		},
		wake: () => pool.wake(),
		close() {
			queue.close();
			pool.drop();
		}
	};
}

/** Nothing can have run, or running twice changes nothing; the pool retries failed connections itself. */
const mayRepeat = ({ reason, sent }: RconFailure, { repeatable }: Command) =>
	reason === 'logged-out' || (reason === 'lost' && (!sent || repeatable));

/** The server may close before it has answered this one. */
const isStop = (line: string) => /^\s*\/?(?:minecraft:)?stop\s*$/i.test(line);

function validate(line: string) {
	const refuse = (message: string) => {
		throw new AppError('invalid', message, { issues: [{ path: 'command', message }] });
	};
	if (line.trim() === '') refuse('Type a command.');
	// eslint-disable-next-line no-control-regex
	if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line) || !line.isWellFormed())
		refuse('A command is one line of text without control characters. Nothing was sent.');
	if (Buffer.byteLength(line) > PAYLOAD_MAX_BYTES)
		refuse(
			`The command is longer than ${PAYLOAD_MAX_BYTES} bytes, more than a server accepts. Nothing was sent.`
		);
}
