import { SOURCE_CLOSED, SOURCE_OPEN, type Source, type BrowserEnv } from '../browser-env.ts';
import { answers } from './health.ts';

/** A hidden tab closes its connection: browsers allow six per host over HTTP/1.1. */
const HIDDEN_MAX_MS = 60_000;
/** The server sends its status every 5 s: after this much silence we ask whether the dashboard answers at all. */
const QUIET_MS = 12_000;
const ASK_LIMIT_MS = 3000;
/** With a heartbeat every 15 s: after this much silence the connection only looks open, whatever else answers. */
const SILENCE_MAX_MS = 40_000;
const BACKOFF_MIN_MS = 2000;
const BACKOFF_MAX_MS = 30_000;
/** Refused without a session, as every private address is. */
const PROBE_URL = '/api/operations?limit=1';

type Options = {
	url: string;
	events: readonly string[];
	/** The payload, parsed; what is not JSON goes to `onBad`. */
	onEvent: (event: string, data: unknown) => void;
	onBad: () => void;
	/** `lost`: each time the connection broke or could not be restored; `silent`: it is open, and nobody answers. */
	onState: (state: 'open' | 'lost' | 'silent' | 'paused' | 'resumed') => void;
	env: BrowserEnv;
};

type Connection = { close: () => void; retry: () => void };

/**
 * Keeps one EventSource open: the browser reconnects by itself while it can; where it gives up (an answer other than
 * 200) we ask whether the session is over, and else try again with back-off and jitter. `retry`: does not wait for that.
 */
export function connect({ url, events, onEvent, onBad, onState, env }: Options): Connection {
	let source: Source | null = null;
	let tries = 0;
	let paused = false;
	let closed = false;
	const timers = { retry: () => {}, hidden: () => {}, silence: () => {} };

	const open = () => {
		stop();
		if (closed || paused) return;
		const mine = env.openSource(url);
		source = mine;
		const current = (run: () => void) => () => void (source === mine && run());
		mine.addEventListener('open', current(onOpen));
		mine.addEventListener('error', current(onError));
		for (const event of events)
			mine.addEventListener(event, (message) => {
				if (source === mine) receive(event, (message as MessageEvent<unknown>).data);
			});
		listenFor();
	};
	const stop = () => {
		timers.retry();
		timers.silence();
		source?.close();
		source = null;
	};
	const listenFor = () => {
		timers.silence();
		timers.silence = env.later(QUIET_MS, () => {
			const mine = source;
			let heard = false;
			timers.silence = () => (heard = true);
			void answers(env, ASK_LIMIT_MS).then((yes) => {
				if (heard || source !== mine) return;
				if (!yes) return again('silent');
				timers.silence = env.later(SILENCE_MAX_MS - QUIET_MS, () => again('lost'));
			});
		});
	};
	const again = (state: 'lost' | 'silent') => {
		onState(state);
		open();
	};

	const onOpen = () => {
		tries = 0;
		listenFor();
		onState('open');
	};
	const onError = () => {
		onState('lost');
		if (source?.readyState !== SOURCE_CLOSED) return;
		stop();
		void giveUpOrRetry();
	};
	const giveUpOrRetry = async () => {
		const status = await env.fetch(PROBE_URL).then(
			(response) => (void response.body?.cancel(), response.status),
			() => 0
		);
		if (closed || paused || source) return;
		if (status === 401) return env.signIn();
		const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** tries++);
		timers.retry = env.later(ceiling * (0.5 + env.random() / 2), open);
	};
	const receive = (event: string, text: unknown) => {
		listenFor();
		let data: unknown;
		try {
			data = JSON.parse(String(text));
		} catch {
			return onBad();
		}
		onEvent(event, data);
	};

	const pause = () => {
		timers.hidden();
		if (paused || closed) return;
		paused = true;
		stop();
		onState('paused');
	};
	const resume = () => {
		timers.hidden();
		if (!paused || closed) return;
		paused = false;
		onState('resumed');
		open();
	};
	const waitHidden = () => {
		timers.hidden();
		timers.hidden = env.later(HIDDEN_MAX_MS, pause);
	};
	const unwatch = env.watch({
		visibility: () => (env.visible() ? resume() : waitHidden()),
		page: (here) => (here ? resume() : pause()),
		online: () => {
			if (source?.readyState !== SOURCE_OPEN) open();
		}
	});

	open();
	if (!env.visible()) waitHidden();
	const close = () => {
		if (closed) return;
		closed = true;
		timers.hidden();
		unwatch();
		stop();
	};
	return { close, retry: open };
}
