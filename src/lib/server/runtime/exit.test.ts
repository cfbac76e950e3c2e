import { expect, test } from 'vitest';
import { causeOfExit } from './exit.ts';

test.each([
	[{ code: 0, signal: null }, 'clean'],
	[{ code: 143, signal: null }, 'clean'],
	[{ code: 130, signal: null }, 'clean'],
	[{ code: null, signal: 'SIGTERM' }, 'clean'],
	[{ code: null, signal: 'SIGKILL' }, 'killed'],
	[{ code: 137, signal: null }, 'killed'],
	[{ code: 1, signal: null }, 'crash'],
	[{ code: null, signal: 'SIGSEGV' }, 'crash'],
	[{ code: null, signal: null }, 'unknown']
])('%j is %s', (status, cause) => {
	expect(causeOfExit(status)).toBe(cause);
});
