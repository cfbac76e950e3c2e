import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#core/clock';
import { connectRcon, type RconConnection } from './connection.ts';
import { RconFailure, type Limits, type RconAddress, type Reason } from './link.ts';

const BACKOFF_MS = [1_000, 2_000, 5_000, 10_000];
/** A wrong password does not become right by itself. */
const AUTH_BACKOFF_MS = 30_000;
const RETRY_PAUSE_MS = 100;

/** The one connection: opened when needed, kept for a while, not retried too soon after a failure. */
export interface RconPool {
	/** A live connection. Fails with RconFailure, at once while a failure is recent. */
	get(address: RconAddress, limits: Limits): Promise<RconConnection>;
	/** Nobody needs it now: it no longer keeps the process alive, and closes after `idleMs`. */
	rest(): void;
	/** Closes it; the next `get` makes a new one. */
	drop(): void;
	/** The data was not RCON: counts as a failed connection. */
	distrust(): void;
	/** Forgets failures to connect, but not a refused password. */
	wake(): void;
	/** Seconds until a new connection is tried. */
	retryAfterS(): number;
}

type Deps = { clock: Clock; idleMs: number };

export function createRconPool({ clock, idleMs }: Deps): RconPool {
	let connection: RconConnection | null = null;
	let key = '';
	let place = '';
	let idle: NodeJS.Timeout | undefined;
	const pause = createPause(clock);

	const drop = () => {
		clearTimeout(idle);
		connection?.destroy();
		connection = null;
	};

	/** Files and settings change while we run: a new address is a fresh start. */
	const follow = (address: RconAddress) => {
		const nextPlace = `${address.host}\n${address.port}`;
		const nextKey = `${nextPlace}\n${address.password}`;
		// A game reads its password only when it starts: a new one in the file does not affect an open connection.
		if (nextPlace !== place) drop();
		if (nextKey !== key) pause.reset();
		[place, key] = [nextPlace, nextKey];
	};

	const connect = async (address: RconAddress, limits: Limits) => {
		try {
			connection = await connectPersistently(address, limits, clock);
			pause.reset();
			return connection;
		} catch (error) {
			if (error instanceof RconFailure && error.reason !== 'aborted') pause.failed(error.reason);
			throw error;
		}
	};

	return {
		async get(address, limits) {
			follow(address);
			clearTimeout(idle);
			if (connection?.open) {
				connection.hold(true);
				await eventsArrived();
				if (connection?.open) return connection;
			}
			const recent = pause.reason();
			if (recent) throw new RconFailure(recent);
			return connect(address, limits);
		},
		rest() {
			clearTimeout(idle);
			if (!connection?.open) return;
			connection.hold(false);
			idle = setTimeout(drop, idleMs).unref();
		},
		drop,
		distrust() {
			drop();
			pause.failed('protocol');
		},
		wake() {
			if (pause.reason() !== 'auth') pause.reset();
		},
		retryAfterS: () => Math.ceil(pause.leftMs() / 1000)
	};
}

/** One more try when the connection was refused or reset: a server may be just opening its port. */
async function connectPersistently(address: RconAddress, limits: Limits, clock: Clock) {
	try {
		return await connectRcon(address, limits, clock);
	} catch (error) {
		if (!(error instanceof RconFailure) || error.reason !== 'unreachable') throw error;
		await delay(RETRY_PAUSE_MS, undefined, { signal: limits.signal }).catch(() => {
			throw new RconFailure('aborted');
		});
		return connectRcon(address, limits, clock);
	}
}

/** A close that the peer sent before now has been noticed after one whole turn of the event loop. */
async function eventsArrived() {
	await new Promise((resolve) => setImmediate(resolve));
	await new Promise((resolve) => setImmediate(resolve));
}

/** 1, 2, 5, 10 s after failures in a row, reduced at random: somebody who asks every 5 s gets through each time. */
function createPause(clock: Clock) {
	let failures = 0;
	let until = 0;
	let why: Reason | null = null;
	const leftMs = () => (why ? Math.max(0, until - clock.monotonicMs()) : 0);
	return {
		failed(reason: Reason) {
			const step = BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] ?? 0;
			const jitter = Math.random() / 4;
			const ms = reason === 'auth' ? AUTH_BACKOFF_MS * (1 + jitter) : step * (0.7 + jitter);
			why = reason;
			until = clock.monotonicMs() + ms;
		},
		reset() {
			failures = 0;
			why = null;
		},
		leftMs,
		/** Why nothing may be tried now, or null. */
		reason: () => (leftMs() > 0 ? why : null)
	};
}
