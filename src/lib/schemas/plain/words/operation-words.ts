import type { OperationKind } from '../../operation.ts';

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
