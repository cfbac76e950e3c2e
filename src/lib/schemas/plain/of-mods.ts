import type { Operation, OperationKind } from '../operation.ts';

/** Whether it changes which mods there are. */
export const isOfMods = (kind: OperationKind) =>
	['install', 'update', 'enable', 'disable', 'remove'].includes(kind);

/** What it does may change them: a restore of a backup, too, may bring other mods. */
export const mayChangeMods = (kind: OperationKind) =>
	isOfMods(kind) || ['restore', 'upgrade', 'go-back'].includes(kind);

type Ended = Pick<Operation, 'id' | 'kind' | 'state' | 'kept' | 'steps'>;
/** Of the restores only those of snapshots, which take one first, are of mods. */
export const changesMods = ({ kind, steps }: Pick<Ended, 'kind' | 'steps'>) =>
	mayChangeMods(kind) && (kind !== 'restore' || steps.some(({ id }) => id === 'snapshot'));

/** Of one that was rolled back: the newest change of the mods since, which has stayed; undefined when there is none. */
export const changeAfter = (rolledBack: Ended, operations: Operation[]): Operation | undefined =>
	changesMods(rolledBack)
		? operations
				.filter((one) => one.id > rolledBack.id && changesMods(one))
				.filter(({ state, kept }) => state === 'succeeded' || (state === 'failed' && kept))
				.sort((a, b) => (a.id < b.id ? 1 : -1))[0]
		: undefined;

/** Without a loader, or with one of plugins, there is nothing that would load a mod. */
export const takesMods = (loader: string | null | undefined): boolean =>
	!!loader && loader !== 'vanilla' && loader !== 'paper';
