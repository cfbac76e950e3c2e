import type { Source, BrowserEnv } from '../../src/lib/client/browser-env.ts';
import { settle } from './manual-clock.ts';

export type FakeSource = Source & {
	readonly url: string;
	/** As the browser would: `open` or `error` without data, else an event of the stream. */
	emit(event: string, data?: unknown): void;
	/** The server hung up and the browser comes back by itself. */
	break(): void;
	/** The answer was not a stream: the browser gives up. */
	refuse(): void;
};

/** A browser tab whose time, network and visibility are controlled by the test. */
export function fakeBrowser() {
	const sources: FakeSource[] = [];
	const timers = new Map<symbol, { atMs: number; run: () => void }>();
	const watchers = new Set<Parameters<BrowserEnv['watch']>[0]>();
	const requests: string[] = [];
	const state = { nowMs: 1000, hidden: false, online: true, signIns: 0 };
	let answer: (url: string) => Response | Promise<Response> = () => Response.json({});

	function openSource(url: string): Source {
		const listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
		const source: { readyState: number } & Record<string, unknown> = {
			url,
			readyState: 0,
			close: () => (source.readyState = 2),
			addEventListener(event: string, listener: (event: { data?: unknown }) => void) {
				listeners.set(event, [...(listeners.get(event) ?? []), listener]);
			},
			emit(event: string, data?: unknown) {
				if (event === 'open') source.readyState = 1;
				for (const listener of listeners.get(event) ?? [])
					listener({ data: typeof data === 'string' ? data : JSON.stringify(data) });
			},
			break() {
				source.readyState = 0;
				fake.emit('error');
			},
			refuse() {
				source.readyState = 2;
				fake.emit('error');
			}
		};
		const fake = source as unknown as FakeSource;
		sources.push(fake);
		return fake;
	}

	const env: BrowserEnv = {
		openSource,
		fetch: async (url) => (requests.push(url), answer(url)),
		now: () => state.nowMs,
		random: () => 0.5,
		later(ms, run) {
			const id = Symbol();
			timers.set(id, { atMs: state.nowMs + ms, run });
			return () => void timers.delete(id);
		},
		visible: () => !state.hidden,
		online: () => state.online,
		watch(watcher) {
			watchers.add(watcher);
			return () => void watchers.delete(watcher);
		},
		signIn: () => void state.signIns++
	};

	return {
		env,
		sources,
		requests,
		state,
		answer: (next: typeof answer) => void (answer = next),
		/** The newest source. */
		get source() {
			return sources.at(-1)!;
		},
		/** Sources that are not closed. */
		get open() {
			return sources.filter(({ readyState }) => readyState !== 2);
		},
		get timers() {
			return timers.size;
		},
		get watchers() {
			return watchers.size;
		},
		async advance(ms: number) {
			const endMs = state.nowMs + ms;
			await settle();
			for (;;) {
				const [id, next] = [...timers].sort(([, a], [, b]) => a.atMs - b.atMs)[0] ?? [];
				if (!id || !next || next.atMs > endMs) break;
				timers.delete(id);
				state.nowMs = Math.max(state.nowMs, next.atMs);
				next.run();
				await settle();
			}
			state.nowMs = endMs;
		},
		show(visible: boolean) {
			state.hidden = !visible;
			for (const { visibility } of [...watchers]) visibility?.();
		},
		connect(online: boolean) {
			state.online = online;
			for (const watcher of [...watchers]) (online ? watcher.online : watcher.offline)?.();
		},
		leave(gone: boolean) {
			for (const { page } of [...watchers]) page?.(!gone);
		}
	};
}
