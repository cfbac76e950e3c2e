import { expect, test } from 'vitest';
import { consoleObstacle } from './console.ts';

test.each([
	['running', true, null],
	['stopping', true, null],
	['stopped', true, 'The server is stopped: start it to run commands.'],
	['crashed', false, 'The server crashed: start it to run commands.'],
	['running', false, /^RCON is off/],
	['starting', true, /^The server is starting/],
	['unknown', true, /^The server does not answer/]
] as const)('%s with RCON %s', (state, rcon, words) => {
	const told = consoleObstacle(state, rcon);
	if (words === null) expect(told).toBeNull();
	else expect(told).toMatch(words);
});
