import type { OperationSummary } from '../schemas/operation.ts';
import type { Settings } from '../schemas/settings.ts';
import type { Status } from '../schemas/status.ts';

/** What services publish on the one bus; the live stream subscribes. */
export type Fact =
	| { type: 'status'; status: Status }
	| { type: 'operation'; summary: OperationSummary }
	| { type: 'settings'; settings: Settings }
	| { type: 'session-ended'; sessionId: string }
	| { type: 'backup-damaged'; id: string; problem: string };
