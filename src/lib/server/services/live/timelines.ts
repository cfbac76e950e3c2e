import type { Operation, OperationLog, Step } from '#schemas/operation';
import type { Clock } from '#core/clock';
import { encode, frame, type SseStream } from '#core/sse';
import { createOutbox, type Outbox } from './outbox.ts';

export type OperationSource = {
	get: (id: string) => Promise<Operation>;
	/** What the server writes while a step boots it; null when none does. */
	log: (id: string) => OperationLog | null;
	watch: (
		id: string,
		listener: (
			event:
				| { type: 'operation'; operation: Operation }
				| { type: 'step'; step: Step }
				| { type: 'log'; log: OperationLog }
				| { type: 'end'; operation: Operation }
		) => void
	) => () => void;
};
type Listener = Pick<SseStream, 'send' | 'close'>;

/** What every watcher of one operation gets: all of it, each change, and all of it again at its end. */
export interface Timelines {
	/** Rejects when there is no such operation. The caller then sends through `join`. */
	attach(id: string): Promise<Timeline>;
	/** Catches up with operations whose changes are not announced here: those of another process. */
	refresh(): Promise<void>;
}
export interface Timeline {
	/** Sends the operation as it is now; a finished one ends the stream at once. */
	join(listener: Listener): void;
	leave(listener: Listener): void;
	/** Stops watching when nobody listens. */
	release(): void;
}

type Watched = Timeline & { catchUp(operation: Operation): void };
type Deps = { operations: OperationSource; clock: Clock; onError: (error: unknown) => void };

export function createTimelines(deps: Deps): Timelines {
	const open = new Map<string, Watched>();
	return {
		async attach(id) {
			let watched = open.get(id);
			if (!watched) open.set(id, (watched = watch(deps, id, () => open.delete(id))));
			try {
				watched.catchUp(await deps.operations.get(id));
			} catch (error) {
				watched.release();
				throw error;
			}
			return watched;
		},
		async refresh() {
			for (const [id, watched] of [...open])
				await deps.operations.get(id).then(watched.catchUp, deps.onError);
		}
	};
}

function watch({ operations, clock }: Deps, id: string, onEmpty: () => void): Watched {
	const listeners = new Set<Listener>();
	const over = new AbortController();
	/** The operation as it was read, and what has changed since: either may be ahead of the other. */
	let known: Operation | null = null;
	const changed = new Map<string, Step>();
	const whole = (operation: Operation): Operation => ({
		...operation,
		steps: [...changed.values()].reduce(withStep, operation.steps)
	});

	const send = (chunk: Uint8Array) => listeners.forEach((listener) => listener.send(chunk));
	const outbox: Outbox = createOutbox({
		clock,
		signal: over.signal,
		send: (batch) => send(encode(...batch.map(({ event, data }) => frame(event, data))))
	});
	const onStep = (step: Step) => {
		changed.set(step.id, step);
		outbox.put('step', step, { key: step.id });
	};
	const onOperation = (operation: Operation) => {
		known = operation;
		outbox.put('operation', whole(operation), { key: 'operation' });
	};
	/** `end` contains the whole operation, including steps that are still waiting. */
	const onEnd = (operation: Operation) => {
		if (over.signal.aborted) return;
		known = operation;
		stop();
		send(encode(frame('end', operation)));
		for (const listener of [...listeners]) listener.close();
	};
	const off = operations.watch(id, (event) => {
		if (event.type === 'step') onStep(event.step);
		else if (event.type === 'operation') onOperation(event.operation);
		else if (event.type === 'log') outbox.put('log', event.log);
		else onEnd(event.operation);
	});
	const stop = () => {
		if (over.signal.aborted) return;
		over.abort();
		off();
		onEmpty();
	};
	const release = () => {
		if (!listeners.size) stop();
	};

	return {
		release,
		catchUp(operation) {
			if (over.signal.aborted) return;
			if (operation.state !== 'running') return onEnd(operation);
			const before = known && whole(known).steps;
			known = operation;
			if (!before) return;
			for (const step of whole(operation).steps)
				if (!before.some((one) => same(one, step))) outbox.put('step', step, { key: step.id });
		},
		join(listener) {
			if (!known) return;
			if (known.state === 'running') {
				const log = operations.log(id);
				const first = frame('operation', whole(known));
				listener.send(encode(first, ...(log ? [frame('log', log)] : [])));
				listeners.add(listener);
			} else {
				listener.send(encode(frame('operation', known), frame('end', known)));
				listener.close();
			}
		},
		leave(listener) {
			listeners.delete(listener);
			release();
		}
	};
}

/** A newer step replaces the one with its id; one without (the undo of a failed operation) comes after the others. */
const withStep = (steps: Step[], step: Step) =>
	steps.some(({ id }) => id === step.id)
		? steps.map((before) => (before.id === step.id && before.at <= step.at ? step : before))
		: [...steps, step];

const same = (a: Step, b: Step) => JSON.stringify(a) === JSON.stringify(b);
