import { untrack } from 'svelte';
import type { Operation, OperationLog, Step } from '$lib/schemas/operation';
import { connect } from './connection.ts';
import { browser, type BrowserEnv } from '../browser-env.ts';

/** Applies one event of an operation's stream; one that cannot be understood changes nothing. */
export function foldOperation(
	operation: Operation | null,
	event: string,
	data: unknown
): Operation | null {
	if (typeof data !== 'object' || data === null || !('id' in data)) return operation;
	if (event === 'operation' || event === 'end')
		return 'steps' in data && Array.isArray(data.steps) ? (data as Operation) : operation;
	if (event !== 'step' || !operation) return operation;
	const step = data as Step;
	const at = operation.steps.findIndex(({ id }) => id === step.id);
	const steps = at < 0 ? [...operation.steps, step] : operation.steps.with(at, step);
	return { ...operation, steps };
}

/** The newest lines of the server's log; what cannot be understood changes nothing. */
function foldLog(log: OperationLog | null, event: string, data: unknown): OperationLog | null {
	// A stream begins with the whole operation, and the lines come after it.
	if (event === 'operation' || event === 'end') return null;
	const isLog = typeof data === 'object' && data !== null && 'step' in data && 'lines' in data;
	return event === 'log' && isLog ? (data as OperationLog) : log;
}

/** One operation's timeline, kept current by its stream. */
export class OperationStream {
	operation = $state.raw<Operation | null>(null);
	/** What the server writes while a step boots it. */
	log = $state.raw<OperationLog | null>(null);
	/** False while the stream is reconnecting. */
	connected = $state.raw(false);

	readonly #env: BrowserEnv;

	constructor(initial: Operation | null = null, env: BrowserEnv = browser) {
		this.operation = initial;
		this.#env = env;
	}

	get finished(): boolean {
		return this.operation !== null && this.operation.state !== 'running';
	}

	/** Follows an operation by id until it ends, then calls `onEnd`; call from an effect. A finished operation needs no stream. */
	start(onEnd: (operation: Operation) => void = () => {}): () => void {
		const id = untrack(() => (this.finished ? null : this.operation?.id));
		if (!id) return () => {};
		const { close } = connect({
			url: `/api/operations/${encodeURIComponent(id)}/events`,
			events: ['operation', 'step', 'log', 'end', 'heartbeat'],
			onEvent: (event, data) => {
				this.#apply(event, data);
				if (event !== 'end') return;
				close();
				this.connected = false;
				if (this.operation) onEnd(this.operation);
			},
			onBad: () => {},
			onState: (state) => (this.connected = state === 'open'),
			env: this.#env
		});
		return close;
	}

	#apply(event: string, data: unknown) {
		this.operation = foldOperation(this.operation, event, data);
		this.log = foldLog(this.log, event, data);
	}
}
