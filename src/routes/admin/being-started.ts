import type { Operation } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';

/** The step after which the state itself says that it starts. */
const LAUNCH = 'launch';

/**
 * How the server is shown: what is about to be launched is not said to be stopped, as it still was at the press. Only
 * then does it matter what is in progress; where that cannot be read, the pages that show it say so.
 */
export function asPressed(
	status: Status,
	inProgress: () => Pick<Operation, 'steps'> | null
): Status {
	if (status.state !== 'stopped' && status.state !== 'crashed') return status;
	const launch = orNull(inProgress)?.steps.find(({ id }) => id === LAUNCH);
	const isToCome = launch?.status === 'pending' || launch?.status === 'running';
	return isToCome ? { ...status, state: 'starting', reason: null } : status;
}

function orNull<T>(read: () => T): T | null {
	try {
		return read();
	} catch {
		return null;
	}
}
