import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import { parseHelp } from '#minecraft/commands';
import { createCommandList } from './command-list.ts';
import { COMMON } from './common-commands.ts';

function setup() {
	const clock = createManualClock();
	const server = {
		run: 'a' as string | null,
		answer: '/waymark (add|list)/ban <targets>' as string | Error
	};
	const sent: string[] = [];
	const commands = createCommandList({
		currentRun: async () => server.run,
		rcon: {
			async command(line) {
				sent.push(line);
				if (server.answer instanceof Error) throw server.answer;
				return server.answer;
			}
		},
		parseHelp,
		plain: async (text) => text,
		clock
	});
	return { commands, server, sent, clock };
}
const FALLBACK = { commands: COMMON, fromServer: false };

test('the server is asked once in a run, however many look', async () => {
	const { commands, server, sent } = setup();
	const [first, second] = await Promise.all([commands(), commands()]);
	expect(first).toEqual({
		commands: [
			{ name: 'ban', usage: '<targets>' },
			{ name: 'waymark', usage: '(add|list)' }
		],
		fromServer: true
	});
	expect(second).toEqual(first);
	await commands();
	expect(sent).toEqual(['help']);
	server.run = 'b';
	server.answer = '/other';
	expect((await commands()).commands).toEqual([{ name: 'other', usage: '' }]);
	expect(sent).toHaveLength(2);
});

test('one that does not run is not asked', async () => {
	const { commands, server, sent } = setup();
	server.run = null;
	expect(await commands()).toEqual(FALLBACK);
	expect(sent).toEqual([]);
});

test.each([
	['is silent', new AppError('timeout', 'No answer.')],
	['answers something else', 'Unknown command']
])('one that %s is left alone for a while', async (_, answer) => {
	const { commands, server, sent, clock } = setup();
	server.answer = answer;
	expect(await commands()).toEqual(FALLBACK);
	server.answer = '/ban';
	expect(await commands()).toEqual(FALLBACK);
	expect(sent).toHaveLength(1);
	await clock.advance(30_000);
	expect((await commands()).fromServer).toBe(true);
});

test('one that takes no commands yet is asked as soon as it does', async () => {
	const { commands, server } = setup();
	server.answer = new AppError('offline', 'Nothing was sent.');
	expect(await commands()).toEqual(FALLBACK);
	server.answer = '/ban';
	expect((await commands()).fromServer).toBe(true);
});
