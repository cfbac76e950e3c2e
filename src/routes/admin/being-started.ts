import type { Operation } from '$lib/schemas/operation';
import type { Status } from '$lib/schemas/status';

/** The step after which the state itself says that it starts. */
const LAUNCH = 'launch';

/** How the server is shown: what is about to be launched is not said to be stopped, as it still was at the press. */
export function asPressed(status: Status, operation: Pick<Operation, 'steps'> | null): Status {
	const isDown = status.state === 'stopped' || status.state === 'crashed';
	const launch = operation?.steps.find(({ id }) => id === LAUNCH);
	const isToCome = launch?.status === 'pending' || launch?.status === 'running';
	return isDown && isToCome ? { ...status, state: 'starting', reason: null } : status;
}
