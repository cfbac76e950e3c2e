import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { ConsoleAnswer, ConsoleCommand } from '#schemas/console';
import { AppError } from '#core/errors';
import { createLogMask } from '#minecraft/mask';
import { spansOf } from '#minecraft/text';
import { createConsole } from './index.ts';

const boss = { name: 'boss', role: 'superadmin', address: '203.0.113.9' } as const;

function setup(answer: string | Error) {
	const sent: string[] = [];
	const audited: unknown[] = [];
	const ran: number[] = [];
	const stops: string[] = [];
	const mask = createLogMask({ secrets: ['hunter2-rcon'], addresses: false });
	const console = createConsole({
		ran: () => void ran.push(sent.length),
		stoppedBy(by, send) {
			stops.push(by.name);
			return send();
		},
		rcon: {
			async command(line) {
				sent.push(line);
				if (typeof answer === 'string') return answer;
				throw answer;
			}
		},
		spans: spansOf,
		mask: (text) => mask.text(text),
		currentRun: async () => null,
		parseHelp: () => [],
		clock: createManualClock(),
		audit: async (by, action, facts) => void audited.push({ by: by.name, action, ...facts })
	});
	return { console, sent, audited, ran, stops };
}

describe('a command', () => {
	test.each([['done'], [new AppError('timeout', 'No answer.', { code: 'outcome-unknown' })]])(
		'invalidates what is known of the server once it has run: %s',
		async (answer) => {
			const { console, ran } = setup(answer);
			await console.run('ban Ana', boss).catch(() => {});
			expect(ran).toEqual([1]);
		}
	);

	test('is sent, answered with its colours, and audited with its text', async () => {
		const { console, sent, audited } = setup('§6Seed: §r[1234]\n');
		const answer = await console.run('seed', boss);
		expect(answer).toEqual({
			output: 'Seed: [1234]\n',
			spans: [{ text: 'Seed: ', color: 'gold' }, { text: '[1234]\n' }],
			truncated: false
		});
		expect(sent).toEqual(['seed']);
		expect(audited).toEqual([
			{ by: 'boss', action: 'console.command', subject: 'seed', result: 'done', detail: null }
		]);
	});

	test('that the game has refused is audited as that', async () => {
		const { console, audited } = setup(
			'§cUnknown or incomplete command, see below for error§r\nnope<--[HERE]'
		);
		await console.run('nope', boss);
		expect(audited).toMatchObject([
			{ subject: 'nope', result: 'refused', detail: 'The game refused it.' }
		]);
	});

	test.each([
		['/list', 'list'],
		['  /say hi ', 'say hi'],
		['//wand', '//wand'],
		['say /x', 'say /x']
	])('%j is sent as %j', async (typed, line) => {
		const { console, sent } = setup('');
		expect((await console.run(typed, boss)).output).toBe('');
		expect(sent).toEqual([line]);
	});

	test.each([
		['stop', ['boss']],
		[' /stop ', ['boss']],
		['stop now', []],
		['stopsound @a', []],
		['say stop', []]
	])('%j: who stops the server with it: %j', async (typed, by) => {
		const { console, sent, stops } = setup('');
		await console.run(typed, boss);
		expect(stops).toEqual(by);
		expect(sent).toHaveLength(1);
	});

	test('of 1,000 characters is in the audit log whole', async () => {
		const { console, audited } = setup('');
		const command = `say ${'abcdefghij'.repeat(99)}`;
		await console.run(command, boss);
		const [{ subject, detail }] = audited as [{ subject: string; detail: string }];
		expect(subject + detail.replace('… ', '')).toBe(command);
	});

	test('that contains a secret is recorded without it', async () => {
		const { console, sent, audited } = setup('it is hunter2-rcon');
		const { output } = await console.run(`say ${'x'.repeat(490)} hunter2-rcon`, boss);
		expect(sent[0]).toContain('hunter2-rcon');
		expect(JSON.stringify(audited)).not.toMatch(/hunt|rcon/);
		expect(output).toBe('it is ***');
	});

	test.each([
		['the server is offline', new AppError('offline', 'Nothing was sent.'), 'failed'],
		[
			'nobody knows whether it ran',
			new AppError('timeout', 'It may have run.', { code: 'outcome-unknown' }),
			'failed'
		],
		['it cannot be sent', new AppError('invalid', 'Nothing was sent.'), 'refused']
	])('fails with the reason when %s, and is audited', async (_, error, result) => {
		const { console, audited } = setup(error);
		await expect(console.run('stop', boss)).rejects.toBe(error);
		expect(audited).toEqual([
			{ by: 'boss', action: 'console.command', subject: 'stop', result, detail: error.message }
		]);
	});
});

describe('an answer', () => {
	test('with markup, terminal codes and NUL is text', async () => {
		const { console } = setup('<script>alert(1)</script>\u001b]0;x\u0007\u001b[2J\0§ared');
		const answer = await console.run('x', boss);
		expect(answer.output).toBe('<script>alert(1)</script>␀red');
		expect(ConsoleAnswer.strict().parse(answer)).toEqual(answer);
	});

	test('of a megabyte is cut with a mark', async () => {
		const { console } = setup('🙂'.repeat(500_000));
		const { output, truncated } = await console.run('x', boss);
		expect(truncated).toBe(true);
		expect(output).toMatch(/🙂\n… cut: the answer has 1000000 characters$/);
		expect(output.length).toBeLessThan(103_000);
		expect(output.isWellFormed()).toBe(true);
	});
});

describe('which commands are accepted', () => {
	test.each(['list', ' /list ', 'say ünïcödé 🙂', 'x'.repeat(1000)])('%j', (command) => {
		expect(ConsoleCommand.parse({ command })).toEqual({ command: command.trim() });
	});

	test.each([
		'',
		'   ',
		'a\nb',
		'a\rop me',
		'a\0b',
		'a\u2028b',
		'x'.repeat(1001),
		'🙂'.repeat(400),
		'a\ud800',
		7,
		null
	])('not %j', (command) => expect(ConsoleCommand.safeParse({ command }).success).toBe(false));

	test('nothing else', () => {
		expect(ConsoleCommand.safeParse({ command: 'list', by: 'me' }).success).toBe(false);
	});
});
