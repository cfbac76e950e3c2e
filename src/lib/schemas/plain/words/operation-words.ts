import type { Operation, OperationKind, OperationState } from '../../operation.ts';

/** What an operation does, before what it is about. */
export const OPERATION_WORDS: Record<OperationKind, string> = {
	start: 'Start server',
	stop: 'Stop server',
	restart: 'Restart server',
	install: 'Install',
	update: 'Update',
	enable: 'Enable',
	disable: 'Disable',
	remove: 'Remove',
	backup: 'Back up',
	restore: 'Restore',
	modpack: 'Build modpack',
	culprit: 'Find the mod to blame',
	java: 'Fetch',
	create: 'Set up',
	import: 'Import',
	'change-software': 'Change to',
	upgrade: 'Upgrade to',
	'go-back': 'Go back to'
};

const STATE_WORDS: Record<OperationState, string> = {
	running: 'In progress',
	succeeded: 'Succeeded',
	failed: 'Failed',
	'rolled-back': 'Rolled back',
	cancelled: 'Cancelled',
	interrupted: 'Interrupted'
};

/** What a trial on a copy has kept from the server, which plays on as before. */
const KEPT_AWAY: Partial<Record<OperationKind, string>> = {
	install: 'Not installed',
	update: 'Not updated',
	enable: 'Not enabled',
	remove: 'Not removed',
	upgrade: 'Not upgraded'
};

type Ended = Pick<Operation, 'state' | 'killedBy' | 'unclean' | 'crashed' | 'hung'> & {
	cause: { loading?: true | undefined; onCopy?: true | undefined } | null;
} & Partial<Pick<Operation, 'kind' | 'result'> & { steps: { id: string; status?: string }[] }>;

type Under = {
	rollsBack?: true | undefined;
	steps?: { id: string; status?: string }[] | undefined;
};
/** What it has changed is being taken back. */
export const rollsBack = ({ rollsBack, steps }: Under) =>
	rollsBack === true ||
	!!steps?.some(({ id, status }) => id === 'rollback' && status === 'running');

/** How it is, or ended, in a word or two. */
export function operationStateWord(operation: Ended): string {
	const { kind, state, cause, killedBy, unclean, crashed, hung, result } = operation;
	if (state === 'running') return rollsBack(operation) ? 'Rolling back' : STATE_WORDS.running;
	if (state === 'failed' && cause?.loading) return 'Timed out';
	if (state === 'failed' && cause?.onCopy) return (kind && KEPT_AWAY[kind]) ?? 'Not done';
	if (state === 'failed' && kind === 'culprit') return 'Not completed';
	if (state === 'succeeded' && kind === 'culprit') {
		const count = result?.culprits.length ?? 0;
		return count ? `Mod${count > 1 ? 's' : ''} found` : 'Nothing found';
	}
	if (state === 'succeeded' && crashed) return 'Succeeded, then crashed';
	if (state === 'succeeded' && hung) return 'Succeeded, then hung';
	if (state === 'succeeded' && unclean) return 'Succeeded, no clean stop';
	if (state !== 'succeeded' || !killedBy) return STATE_WORDS[state];
	return kind === 'restart' ? 'Killed and started again' : 'Server killed';
}
