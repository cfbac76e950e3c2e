import type { OperationSummary } from '#schemas/operation';
import { DASHBOARD } from '#core/actor';
import type { Journal } from '#storage/journal';
import type { Trials } from '#trial';
import type { ModChange } from '../change/index.ts';
import type { Culprits } from './operation.ts';

type Deps = {
	culprits: Pick<Culprits, 'start'>;
	trials: Pick<Trials, 'problem'>;
	journal: Pick<Journal, 'read'>;
	/** The setting. */
	wanted: () => Promise<boolean>;
	log: { warn(message: string, facts?: { cause?: unknown }): void };
};

const CHANGES = ['install', 'update', 'enable'];

/** After a failed trial or a rollback of more than one mod, the search for the culprit begins by itself. */
export function createCulpritAuto({ culprits, trials, journal, wanted, log }: Deps) {
	const handled = new Set<string>();

	async function consider({ id }: OperationSummary) {
		const entry = await journal.read(id);
		if (!entry || !(await wanted())) return;
		const { put, rename } = entry.input as ModChange;
		const isBlamed = entry.memo['trial'] === 'bad' || entry.operation.state === 'rolled-back';
		if (!isBlamed || put.length + rename.length < 2) return;
		if (await trials.problem()) return;
		await culprits.start({ operationId: id }, DASHBOARD);
	}

	return {
		/** Takes an operation's new state; resolves when the search has begun, or is not needed. */
		async seen(summary: OperationSummary): Promise<void> {
			const { id, kind, state } = summary;
			if (!CHANGES.includes(kind) || !['failed', 'rolled-back'].includes(state)) return;
			if (handled.has(id)) return;
			handled.add(id);
			await consider(summary).catch((cause) =>
				log.warn('The search for the mod to blame did not begin', { cause })
			);
		}
	};
}
