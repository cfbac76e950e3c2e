import { describe, expect, test } from 'vitest';
import { diagnose } from '#minecraft/diagnosis';
import type { BootResult } from './boot.ts';
import { judge, type Evidence } from './verdict.ts';

const verdictOf = (result: Partial<BootResult>, more: Partial<Evidence> = {}) =>
	judge(
		{
			result: {
				end: 'exited',
				readyMs: null,
				exit: { code: 1, signal: null },
				output: [],
				...result
			},
			...{ log: [], crashReport: null, limitMs: 120_000, durationMs: 1000 },
			...more
		},
		diagnose
	);
const CRASH = [
	'[12:00:00] [main/ERROR]: Failed to start',
	'java.lang.IllegalStateException: broken',
	'\tat net.minecraft.server.Main.main(Main.java:1)',
	'\tat dev.quartz.Init.run(Init.java:7)'
];

describe('a boot that was ended by the machine, or by somebody on it, proves nothing', () => {
	test.each<[string, Partial<BootResult>]>([
		['killed', { exit: { code: null, signal: 'SIGKILL' } }],
		['killed within its sandbox', { exit: { code: 137, signal: null } }],
		['told to end', { exit: { code: null, signal: 'SIGTERM' } }],
		['told to end within its sandbox', { exit: { code: 143, signal: null } }],
		[
			'no memory for Java',
			{ output: ['Error: Could not reserve enough space for 4194304KB object heap'] }
		],
		[
			'no port',
			{
				output: [
					'[12:00:00] [Server thread/WARN]: **** FAILED TO BIND TO PORT!',
					'[12:00:00] [Server thread/WARN]: The exception was: java.net.BindException: Address already in use'
				]
			}
		],
		['a full disk', { end: 'no-room' }],
		['short of memory', { end: 'no-memory' }],
		['a busy machine', { end: 'starved', exit: null }],
		['no sandbox', { end: 'not-started', exit: null }]
	])('%s', (_, result) => {
		const verdict = verdictOf(result);
		expect(verdict).toMatchObject({ verdict: 'indeterminate', fingerprint: null });
		expect(verdict.cause?.message).toMatch(/\.$/);
	});
});

describe('anything else is the set’s own failure', () => {
	test.each<[string, Partial<BootResult>]>([
		['an exit without a word', {}],
		['an exception', { output: CRASH }],
		[
			'its heap',
			{ output: ['java.lang.OutOfMemoryError: Java heap space'], exit: { code: 137, signal: null } }
		],
		['native code', { exit: { code: null, signal: 'SIGSEGV' } }],
		['no end', { end: 'timeout', exit: null }],
		['what it wrote', { end: 'filled', exit: null }]
	])('%s', (_, result) => expect(verdictOf(result)).toMatchObject({ verdict: 'bad' }));

	test('the same failure is recognised by where it was thrown, whatever else was printed', () => {
		const [one, other] = [CRASH, ['[12:00:01] [main/INFO]: something', ...CRASH]];
		const elsewhere = CRASH.map((line) => line.replace('quartz', 'opal'));
		const print = (output: string[]) => verdictOf({ output }).fingerprint;
		expect(print(one)).toBe(print(other));
		expect(print(elsewhere)).not.toBe(print(one));
	});
});
