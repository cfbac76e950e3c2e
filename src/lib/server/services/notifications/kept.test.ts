import { expect, test } from 'vitest';
import type { Operation } from '#schemas/operation';
import { operationReports, startReports, type Seen } from './sources.ts';

const AT = '2026-01-02T03:04:05.000Z';
const kept: Operation = {
	...{ id: '20260102T030405000Z-1a2b', kind: 'remove', subject: 'Deco', by: 'ada', steps: [] },
	...{ state: 'failed', startedAt: AT, finishedAt: AT, kept: 'Removed Deco.' },
	cause: { message: 'Removed Deco: It hangs.', log: [], mods: [] }
};
const seen = (state: Seen['state']): Seen => ({
	...{ state, run: null, restart: null, readyAt: null, endedAt: null },
	...{ reason: null, diagnosis: null }
});

test('a change that stays is no failure of its own: only that the server does not start is told', () => {
	expect(operationReports(kept, seen('crashed'))).toEqual([]);
	// The crash tells itself.
	expect(startReports(kept, seen('crashed'))).toEqual([]);
	expect(startReports(kept, seen('starting'))).toMatchObject([{ event: 'server.crashed' }]);
	const failed = { ...kept };
	delete failed.kept;
	expect(operationReports(failed, seen('crashed'))).toMatchObject([{ event: 'mods.failed' }]);
});
