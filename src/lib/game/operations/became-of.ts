import type { OperationRow } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';
import { ago } from '$lib/ui/format/format';

/** The system tells the start of a process less exactly. */
const INEXACT_MS = 2000;

type Started = Pick<OperationRow, 'state' | 'startedAt' | 'finishedAt'>;
type Now = Pick<Status, 'state' | 'hanging' | 'silentSince' | 'startedAt' | 'lastRun'>;

/** What has become, since, of the server that a success has started, without a full stop; null when it is well, or another run. */
export function becameOf(operation: Started, status: Now, now: number): string | null {
	const { state, hanging, silentSince, lastRun } = status;
	const isDown = state === 'crashed';
	const run = isDown ? lastRun?.startedAt : status.startedAt;
	if (operation.state !== 'succeeded' || !operation.finishedAt || !run) return null;
	const startedMs = Date.parse(run);
	const isItsOwn =
		startedMs >= Date.parse(operation.startedAt) - INEXACT_MS &&
		startedMs <= Date.parse(operation.finishedAt);
	if (!isItsOwn) return null;
	if (isDown) return `The server crashed ${ago(lastRun!.endedAt, now)}`;
	if (!hanging || state !== 'unknown') return null;
	return silentSince
		? `The server stopped responding ${ago(silentSince, now)}`
		: 'The server does not respond';
}
