import type { OperationKind } from '../operation.ts';

/** Whether it changes which mods there are. */
export const isOfMods = (kind: OperationKind) =>
	['install', 'update', 'enable', 'disable', 'remove'].includes(kind);

/** Without a loader, or with one of plugins, there is nothing that would load a mod. */
export const takesMods = (loader: string | null | undefined): boolean =>
	!!loader && loader !== 'vanilla' && loader !== 'paper';
