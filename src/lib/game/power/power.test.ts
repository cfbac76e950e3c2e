import { expect, test } from 'vitest';
import { consequence, obstacles } from './power.ts';

test('a running server can be stopped and restarted, not started', () => {
	const blocked = obstacles({ state: 'running', operation: null });
	expect(blocked).toMatchObject({ stop: null, restart: null, kill: null });
	expect(blocked.start).toBe('The server is running.');
});

test('a stopped server can be started, and one that is being started can be killed', () => {
	const blocked = obstacles({ state: 'stopped', operation: null });
	expect(blocked).toMatchObject({ start: null, stop: 'The server is not running.' });
	const busy = obstacles({ state: 'starting', operation: { kind: 'start', subject: null } });
	expect(busy).toMatchObject({ restart: 'The server is being started.', kill: null });
});

test('a server that does not answer is not started a second time, but can be killed', () => {
	const blocked = obstacles({ state: 'unknown', operation: null });
	expect(blocked.start).not.toBeNull();
	expect(blocked).toMatchObject({ stop: null, kill: null });
});

test('the confirmation names how many are playing, and does not guess', () => {
	expect(consequence('stop', 3)).toContain('Stops the server for 3 players.');
	expect(consequence('stop', 1)).toContain('for 1 player.');
	expect(consequence('stop', 0)).toContain('Nobody is playing.');
	expect(consequence('restart', null)).not.toMatch(/\d/);
	expect(consequence('kill', 2)).toContain('with 2 players on it');
});
