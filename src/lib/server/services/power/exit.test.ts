import { expect, test } from 'vitest';
import { createManualClock, settle } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import type { StepContext } from '#operations';
import { createSteps, type StepDeps } from './steps.ts';

const MINUTE_MS = 60_000;

/**
 * The wait for a server that was told to stop and goes on; `answers` says whether it still takes commands, `kill` that
 * the restart is to kill it.
 */
function waiting({
	answers,
	rcon = true,
	kill = false,
	silentSince
}: {
	answers: boolean;
	rcon?: boolean;
	kill?: boolean;
	silentSince?: string;
}) {
	const clock = createManualClock();
	const details: string[] = [];
	const sent: string[] = [];
	let asked = 0;
	let end = () => {};
	let run: object | null = { pid: 1 };
	const deps = {
		runtime: {
			ended: () =>
				new Promise<void>((resolve) => {
					end = () => {
						run = null;
						resolve();
					};
				}),
			kill: async () => end()
		},
		states: {
			observe: async () => ({
				...{ state: run ? 'stopping' : 'stopped', run, reason: null },
				...(silentSince && { silentSince })
			}),
			last: silentSince && { silentSince },
			stopRequested: async () => {}
		},
		audit: async () => {},
		killAfterMs: MINUTE_MS,
		installation: async () => ({ rcon: { enabled: true } }),
		rcon: {
			async command(line: string) {
				if (!rcon) throw new AppError('upstream', 'Refused.');
				sent.push(line);
			}
		},
		async probe() {
			asked++;
			return answers;
		},
		clock
	} as unknown as StepDeps;
	const ctx = {
		signal: new AbortController().signal,
		checkpoint: {},
		detail: (text: string) => void details.push(text)
	} as unknown as StepContext;
	const input = { by: 'ada', delaySeconds: 0, message: '', kill };
	const done = createSteps(deps)
		.exit(kill ? 'restart' : 'stop', input)
		.run(ctx);
	return {
		...{ clock, details, sent, done, asked: () => asked },
		async end() {
			end();
			await settle();
			await done;
		}
	};
}

test('one that still answers is told again each minute, and a loop that starts it again is named', async () => {
	const { clock, details, sent, end } = waiting({ answers: true });
	await clock.advance(MINUTE_MS - 1);
	expect(sent).toEqual([]);
	expect(details[0]).toBe('It was told to stop, and should save its worlds and end.');
	await clock.advance(3 * MINUTE_MS);
	expect(sent).toEqual(['stop', 'stop', 'stop']);
	expect(details.at(-1)).toMatch(
		/^It still answered, so it was told to stop again\. Only a kill ends a start script/
	);
	expect(details.at(-1)).toMatch(/in a loop\. If it does not end, a superadmin can kill it/);
	await end();
	expect(clock.sleeping).toBe(0);
});

test('one that does not answer is waited for, and never told again', async () => {
	const { clock, details, sent, end } = waiting({ answers: false });
	await clock.advance(6 * MINUTE_MS);
	expect(sent).toEqual([]);
	expect(details.at(-1)).toMatch(
		/^It has not ended yet: a large world takes minutes to save, and what is stuck has to be killed\. If it does not end, a superadmin can/
	);
	await end();
});

test('one that had stopped answering before is not said to be saving, and the kill is named at once', async () => {
	const { clock, details, end } = waiting({ answers: false, silentSince: '2026-01-01T00:00:00Z' });
	await clock.advance(MINUTE_MS);
	expect(details.join()).not.toContain('save its worlds');
	expect(details[0]).toMatch(
		/^It did not answer before either, .* \(told to stop 5 s ago\)\. .*a superadmin can kill it/
	);
	await end();
});

test('one that answers but refuses commands is asked once a minute, not at every word', async () => {
	const { clock, details, asked, end } = waiting({ answers: true, rcon: false });
	await clock.advance(3 * MINUTE_MS);
	expect(asked()).toBe(3);
	expect(details.join()).not.toContain('told to stop again');
	await end();
});

test('one that a restart is to kill says in how long, before all else', async () => {
	const { clock, details, done } = waiting({
		...{ answers: false, kill: true, silentSince: '2026-01-01T00:00:00Z' }
	});
	await clock.advance(MINUTE_MS / 2);
	expect(details.slice(0, 2)).toEqual([
		expect.stringMatching(/^It is killed in 55 s if it has not ended\. It did not answer before/),
		expect.stringMatching(/^It is killed in 50 s if it has not ended\. /)
	]);
	await clock.advance(MINUTE_MS / 2);
	await done;
	expect(details.at(-1)).toBe('It did not end within 1 min: killed (SIGKILL), as ada asked.');
});
