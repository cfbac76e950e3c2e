import type { Operation } from '#schemas/operation';
import type { Journal } from '#storage/journal';
import type { Feed } from './feed.ts';

/** Announces the operations of other processes by reading the journal now and then. */
export function createOthers(journal: Journal, feed: Feed) {
	let seen = new Map<string, Operation>();
	return {
		/** `open`: what runs elsewhere, according to the journal. `ours`: what this process reports itself. */
		async look(open: Operation[], ours: (id: string) => boolean) {
			const before = seen;
			seen = new Map(open.map((operation) => [operation.id, operation]));
			for (const operation of open) {
				const known = before.get(operation.id);
				const steps = operation.steps.filter((step, i) => !same(step, known?.steps[i]));
				if (!known || steps.length > 0) feed.tell(operation, steps);
			}
			for (const [id, last] of before) {
				if (seen.has(id) || ours(id)) continue;
				const ended = (await journal.read(id))?.operation;
				if (!ended || ended.state === 'running') continue;
				const steps = ended.steps.filter((step, i) => !same(step, last.steps[i]));
				if (steps.length > 0) feed.tell(ended, steps);
				feed.end(ended);
			}
		}
	};
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
