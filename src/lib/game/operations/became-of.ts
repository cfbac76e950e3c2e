import type { OperationRow } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
import { ago } from '$lib/ui/format/format';
import { troubleLater, type Fared } from '../labels';

/** The system tells the start of a process less exactly. */
const INEXACT_MS = 2000;

type Started = Pick<OperationRow, 'state' | 'startedAt' | 'finishedAt'> & Fared;
type Now = Pick<Status, 'state' | 'hanging' | 'silentSince' | 'startedAt'>;

/** What is known of an operation, with what came after its end: only the list tells that. */
export const withTrouble = <T extends object>(known: T, row: Fared | undefined): T & Fared => ({
	...known,
	...(row?.crashed && { crashed: row.crashed }),
	...(row?.hung && { hung: row.hung })
});

/**
 * What has become, since, of the server that a success has started, to be read on after something else; null when it is
 * well, or another run.
 */
export function becameOf(operation: Started, status: Now | undefined, now: number): string | null {
	const later = troubleLater(operation);
	if (later) return `the server ${later}`;
	if (!status) return null;
	const { state, hanging, silentSince, startedAt } = status;
	if (operation.state !== 'succeeded' || !operation.finishedAt || !startedAt) return null;
	const startedMs = Date.parse(startedAt);
	const isItsOwn =
		startedMs >= Date.parse(operation.startedAt) - INEXACT_MS &&
		startedMs <= Date.parse(operation.finishedAt);
	if (!isItsOwn || !hanging || (state !== 'unknown' && state !== 'stopping')) return null;
	return silentSince
		? `the server stopped responding ${ago(silentSince, now)}`
		: 'the server does not respond';
}
