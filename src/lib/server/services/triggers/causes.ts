import type { OperationSummary } from '#schemas/operation';
import type { Clock } from '#core/clock';

/** The effects of an operation are seen at most this much later. */
const AFTERMATH_MS = 60_000;
const REMEMBERED = 50;

/** Which triggers have led to what happens now: a chain of ids, empty when people or the clock did. */
export interface Causes {
	/** This operation was started by the last trigger of the chain. */
	began(operationId: string, chain: string[]): void;
	/** What the last trigger of the chain did to the server has just ended, without an operation. */
	acted(chain: string[]): void;
	heard(summary: OperationSummary): void;
	/** The chain of something that happens now, or of this operation. */
	chain(operationId?: string): string[];
}

export function createCauses(clock: Clock): Causes {
	const chains = new Map<string, string[]>();
	let running: string | null = null;
	let recent: { chain: string[]; endMs: number } = { chain: [], endMs: -Infinity };

	const acted = (chain: string[]) => {
		recent = { chain, endMs: clock.monotonicMs() + AFTERMATH_MS };
	};
	const now = () => (clock.monotonicMs() < recent.endMs ? recent.chain : []);
	return {
		acted,
		began(id, chain) {
			chains.set(id, chain);
			const [oldest] = chains.keys();
			if (chains.size > REMEMBERED && oldest) chains.delete(oldest);
			acted(chain);
		},
		heard({ id, state }) {
			if (state === 'running') running = id;
			else {
				if (running === id) running = null;
				acted(chains.get(id) ?? []);
			}
		},
		chain(id = running ?? undefined) {
			return id === undefined ? now() : (chains.get(id) ?? []);
		}
	};
}
