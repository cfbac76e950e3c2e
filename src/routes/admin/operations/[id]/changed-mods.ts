import type { ModDifference, Operation } from '$lib/schemas/operation';

/** What is said of its list of mods: that they are changed is true only of what has stayed. */
export function changesTitle({ state, kept }: Pick<Operation, 'state' | 'kept'>): string {
	if (state === 'succeeded' || kept !== undefined) return 'What changed';
	return state === 'rolled-back' ? 'What it had tried' : 'What it was to change';
}

const DONE: Record<ModDifference['is'], string> = {
	add: 'added',
	replace: '',
	remove: 'removed',
	enable: 'enabled',
	disable: 'disabled'
};

/** `0.12.7 → 0.13.0`, or the one version there is and what became of it. */
export function differenceWords({ is, from, to }: ModDifference): {
	versions: string;
	done: string;
} {
	if (is !== 'replace') return { versions: to ?? from ?? '', done: DONE[is] };
	if (from && to && from !== to) return { versions: `${from} → ${to}`, done: '' };
	return { versions: to ?? from ?? '', done: 'another file' };
}
