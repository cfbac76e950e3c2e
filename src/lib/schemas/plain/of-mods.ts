import type { OperationKind } from '../operation.ts';

/** Whether it changes which mods there are. */
export const isOfMods = (kind: OperationKind) =>
	['install', 'update', 'enable', 'disable', 'remove'].includes(kind);
