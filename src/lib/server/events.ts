import type { OperationSummary } from '#schemas/operation';
import type { Settings } from '#schemas/settings';
import type { Status } from '#schemas/status';

/** What services publish on the one bus; the live stream subscribes. */
export type AppEvent =
	/** Whether it runs, or why not, has changed. */
	| { type: 'server-changed' }
	/** Files in `mods/`, or what is known about them, have changed. */
	| { type: 'mods-changed' }
	| { type: 'status'; status: Status }
	| { type: 'operation'; summary: OperationSummary }
	| { type: 'settings'; settings: Settings }
	| { type: 'session-ended'; sessionId: string }
	| { type: 'backup-damaged'; id: string; problem: string };
