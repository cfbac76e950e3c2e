import { Agent, request } from 'node:http';
import { signedIn, type Dashboard } from '../../tests/harness.ts';
import { residentMb, sleep } from './measure.ts';
import type { Bench } from './bench.ts';

/** A dashboard as its users have it: over HTTP, in a process that has not been asked anything yet. */
export type Outside = {
	/** Milliseconds to the last byte of an answer that is packed, as browsers ask for it. */
	ask(target: string): Promise<number>;
	/** The longest that another request waits while this goes on, and just before it. */
	waits<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; beforeMs: number }>;
	mb(): number;
	end(): Promise<void>;
};

const PING_EVERY_MS = 3;
const BEFORE_MS = 1_000;
const WARM_UPS = 5;
/** Until the start's own work is done. */
const SETTLE_MS = 3_000;

/** `layOut` makes the files before the process is there. */
export async function outside(
	{ start, bare }: Bench,
	layOut: (dashboard: Dashboard) => unknown
): Promise<Outside> {
	const before = await start();
	await before.kill();
	await layOut(before);
	const dashboard = await before.again();
	const { cookie } = await signedIn(dashboard);
	const agent = new Agent({ keepAlive: true });
	const pings = new Agent({ keepAlive: true, maxSockets: 1 });
	await sleep(SETTLE_MS);

	const get = (target: string, by: Agent, base = dashboard.url) =>
		new Promise<number>((resolve, reject) => {
			const from = performance.now();
			const headers = { cookie, 'accept-encoding': 'gzip' };
			request(base + target, { agent: by, headers }, (answer) => {
				if (answer.statusCode !== 200) reject(new Error(`${target}: ${answer.statusCode}`));
				answer.on('end', () => resolve(performance.now() - from)).resume();
			})
				.on('error', reject)
				.end();
		});
	const longestWhile = async <T>(work: Promise<T>): Promise<{ result: T; ms: number }> => {
		const state = { over: false };
		const done = work.finally(() => (state.over = true));
		let ms = 0;
		while (!state.over) {
			ms = Math.max(ms, await get('/healthz', pings));
			await sleep(PING_EVERY_MS);
		}
		return { result: await done, ms };
	};

	// What the first request costs the one who measures is not the dashboard's.
	for (let i = 0; i < WARM_UPS; i++) await get('/', agent, bare.url);

	return {
		ask: (target) => get(target, agent),
		async waits(work) {
			const { ms: beforeMs } = await longestWhile(sleep(BEFORE_MS));
			return { ...(await longestWhile(work())), beforeMs };
		},
		mb: () => residentMb(dashboard.pid),
		async end() {
			agent.destroy();
			pings.destroy();
			await dashboard.kill();
			await before.dispose();
		}
	};
}

/** What is shown beside a number of `waits`. */
export const idle = (beforeMs: number) => `${beforeMs.toFixed(1)} ms while nothing else goes on`;
