import { expect, test } from 'vitest';
import { consoleObstacle } from './console.ts';

test.each([
	['running', true],
	['stopping', true, /^The server is stopping: a command may not reach it any more/, false],
	['stopped', true, /^The server is stopped: start it to run commands\.$/, true],
	['crashed', false, /^The server crashed\. The overview says why/, true],
	['running', false, /^RCON is off/, true],
	['starting', true, /^The server is starting/, true],
	['unknown', true, /^The server does not answer/, false]
] as const)('%s with RCON %s', (state, rcon, words?: RegExp, blocks?: boolean) => {
	const told = consoleObstacle({ state, online: false, reason: null }, rcon, null);
	if (!words) expect(told).toBeNull();
	else expect(told).toMatchObject({ why: expect.stringMatching(words), blocks });
});

test('one that hung before it was told to stop may take a command late, or not at all', () => {
	const told = consoleObstacle(
		{ state: 'stopping', online: false, reason: null, hanging: true },
		true,
		null
	);
	expect(told).toMatchObject({ why: expect.stringMatching(/may not reach it/), blocks: false });
});

test('a refused password blocks it as long as the game runs with another one', () => {
	const refused = 'RCON refused the password.';
	const told = (state: 'running' | 'starting') =>
		consoleObstacle({ state, online: true, reason: null }, true, refused);
	expect(told('starting')?.why).toMatch(/^The server is starting/);
	expect(told('running')).toEqual({
		...{ why: refused, blocks: true },
		help: { label: 'Restart the server', href: '/admin/confirm?do=restart' }
	});
	const unseen = consoleObstacle({ state: 'unknown', online: true, reason: null }, true, refused);
	expect(unseen?.help?.href).toBe('/admin');
});

test('what answers without a visible process is described as on the overview', () => {
	const reason = 'Something answers, but its process is not visible.';
	const told = consoleObstacle({ state: 'unknown', online: true, reason }, true, null);
	const why = `${reason} A command may not reach it, or run later: its answer says which.`;
	const help = { label: 'Go to the overview', href: '/admin' };
	expect(told).toEqual({ why, blocks: false, help });
});
