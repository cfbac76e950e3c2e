import { z } from 'zod';
import { wholeNumber } from '../common.ts';
import { SNAPSHOT_KEEP_MAX } from '../snapshot.ts';
import { defineTask } from './task-kind.ts';

const KEEP_DEFAULT = 10;

function clamped(keep: unknown): number {
	const number = Math.trunc(Number(keep || KEEP_DEFAULT));
	if (Number.isNaN(number)) return KEEP_DEFAULT;
	return Math.min(SNAPSHOT_KEEP_MAX, Math.max(1, number));
}

export const snapshotPrune = defineTask({
	type: 'snapshot-prune',
	label: 'Prune snapshots',
	icon: 'prune',
	options: { keep: wholeNumber(1, SNAPSHOT_KEEP_MAX) },
	stored: z.object({ keep: z.unknown().transform(clamped) }),
	fields: {
		keep: {
			input: 'number',
			label: 'Keep the newest',
			min: 1,
			max: SNAPSHOT_KEEP_MAX,
			unit: 'snapshots',
			value: KEEP_DEFAULT
		}
	},
	does: ({ keep }) => `keep the newest ${keep === 1 ? 'snapshot' : `${keep} snapshots`} only`,
	async run({ keep }, { prune }) {
		const { removed } = await prune(keep);
		return `${removed} snapshots removed, the newest ${keep} kept.`;
	}
});
