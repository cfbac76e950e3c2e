import { onTestFinished } from 'vitest';
import { startFakeRcon, type FakeRconScript } from './rcon.ts';
import { systemClock } from '#core/clock';
import { AppError } from '#core/errors';
import type { Lock } from '#core/lock';
import { createRcon } from '../../../src/lib/server/minecraft/rcon/rcon.ts';
import type { RconAddress } from '../../../src/lib/server/minecraft/rcon/link.ts';

/** Never waits and is never busy. */
const freeLock: Lock = {
	tryAcquire: () => true,
	acquire: async () => {},
	release: () => {},
	held: false,
	close: () => {}
};

/** A clock that runs like the real one and can be put forward. */
function skewedClock() {
	let skewMs = 0;
	return {
		...systemClock,
		monotonicMs: () => systemClock.monotonicMs() + skewMs,
		forward: (ms: number) => (skewMs += ms)
	};
}

export const echo = (line: string) => `<${line}>`;

type Changes = {
	idleMs?: number;
	quietMs?: number;
	lock?: Lock;
	run?: () => Promise<string | null>;
};

/** A fake console and a client of it. */
export async function setup(script: FakeRconScript = {}, changes: Changes = {}) {
	const fake = await startFakeRcon({ answer: echo, ...script });
	onTestFinished(() => fake.close());
	const clock = skewedClock();
	const place: { address: RconAddress | null } = { address: fake.address };
	const client = () => {
		const rcon = createRcon({
			address: async () => place.address,
			lock: freeLock,
			clock,
			...changes
		});
		onTestFinished(() => rcon.close());
		return rcon;
	};
	return { fake, clock, place, client, rcon: client() };
}

export const failure = async (promise: Promise<unknown>): Promise<AppError> => {
	const error = await promise.then(
		(value) => new Error(`it worked: ${String(value).slice(0, 100)}`),
		(error: unknown) => error
	);
	if (!(error instanceof AppError)) throw error;
	return error;
};
