import type { Operation, OperationLog, OperationSummary, Step } from '#schemas/operation';
import type { Logger } from '#core/log';
import { toSummary } from './labels.ts';

export type OperationEvent =
	/** Its boots or its result have changed. */
	| { type: 'operation'; operation: Operation }
	| { type: 'step'; step: Step }
	| { type: 'log'; log: OperationLog }
	| { type: 'end'; operation: Operation };
export type Listener = (event: OperationEvent) => void;

/** Publishes news of operations: to those watching one, and on the bus. */
export type Feed = {
	/** Steps that changed; the operation's summary goes to the bus. */
	tell(operation: Operation, steps: Step[]): void;
	/** Something outside its steps has changed. */
	whole(operation: Operation): void;
	log(id: string, log: OperationLog): void;
	end(operation: Operation): void;
	/** Something of one that is over. */
	noted(operation: Operation): void;
	/** `end` is called once: when it happens, or when `past` reports that it already has. `past` never rejects. */
	watch(id: string, listener: Listener, past: Promise<Operation | null>): () => void;
};

export type FeedDeps = {
	publish: (fact: { type: 'operation' | 'operation-noted'; summary: OperationSummary }) => void;
	log: Logger;
};

export function createFeed({ publish, log }: FeedDeps): Feed {
	const watchers = new Map<string, Set<Listener>>();
	const deliver = (listener: Listener, event: OperationEvent) => {
		try {
			listener(event);
		} catch (cause) {
			log.error('A watcher of an operation failed', { cause });
		}
	};
	const send = (id: string, event: OperationEvent) => {
		for (const listener of [...(watchers.get(id) ?? [])]) deliver(listener, event);
	};
	return {
		tell(operation, steps) {
			for (const step of steps) send(operation.id, { type: 'step', step: { ...step } });
			publish({ type: 'operation', summary: toSummary(operation) });
		},
		whole: (operation) => send(operation.id, { type: 'operation', operation }),
		log: (id, log) => send(id, { type: 'log', log }),
		end(operation) {
			publish({ type: 'operation', summary: toSummary(operation) });
			send(operation.id, { type: 'end', operation });
		},
		noted: (operation) => publish({ type: 'operation-noted', summary: toSummary(operation) }),
		watch(id, listener, past) {
			let over = false;
			const hear: Listener = (event) => {
				if (over) return;
				over = event.type === 'end';
				listener(event);
			};
			const listeners = watchers.get(id) ?? new Set();
			watchers.set(id, listeners.add(hear));
			past.then((operation) => operation && deliver(hear, { type: 'end', operation }));
			return () => {
				over = true;
				listeners.delete(hear);
				if (listeners.size === 0 && watchers.get(id) === listeners) watchers.delete(id);
			};
		}
	};
}
