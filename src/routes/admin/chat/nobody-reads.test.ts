import { expect, test } from 'vitest';
import type { Status } from '$lib/schemas/status';
import { nobodyReads } from './nobody-reads.ts';

test.each<[Status['state'], boolean, string | null]>([
	['starting', false, 'The server is starting: nobody is there to read it yet.'],
	['stopping', true, 'The server is stopping and does not answer.'],
	['stopping', false, 'The server is stopping: nothing can be sent now.'],
	['stopped', false, 'The server is not running: nobody is there to read it.'],
	['crashed', false, 'The server is not running: nobody is there to read it.'],
	['running', false, null],
	['unknown', true, null]
])('a server that is %s (hanging: %s): why nobody reads what is sent', (state, hanging, words) => {
	expect(nobodyReads({ state, hanging })).toBe(words);
});
