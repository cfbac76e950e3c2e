/** In-process publish and subscribe. A listener that throws has a bug of its own and does not affect the others. */
export type Bus<T> = {
	publish(event: T): void;
	/** Returns the function that unsubscribes. */
	subscribe(listener: (event: T) => void): () => void;
};

export function createBus<T>(onError: (error: unknown) => void = reportUnhandled): Bus<T> {
	const listeners = new Set<(event: T) => void>();
	return {
		publish(event) {
			for (const listener of [...listeners]) {
				try {
					listener(event);
				} catch (error) {
					onError(error);
				}
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		}
	};
}

function reportUnhandled(error: unknown) {
	queueMicrotask(() => {
		throw error;
	});
}
