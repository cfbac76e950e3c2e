import { expect, test } from 'vitest';
import type { ServerState } from '$lib/schemas/status.ts';
import { listObstacle } from './list-obstacle.ts';

test('what keeps a running server from being told stands with what helps', () => {
	const help = (state: ServerState, rcon: boolean, refused: string | null, online = false) =>
		listObstacle({ state, online }, rcon, refused)?.help?.href;
	expect(help('running', true, null)).toBeUndefined();
	expect(help('running', false, null)).toBe('/admin');
	expect(help('unknown', true, 'No.')).toBe('/admin/confirm?do=restart');
	// What is not seen cannot be restarted.
	expect(help('unknown', true, 'No.', true)).toBe('/admin');
	// Its files are changed then.
	expect(help('stopped', false, 'No.')).toBeUndefined();
});
