import { expect, test } from 'vitest';
import type { Diagnosis } from '#minecraft/diagnosis';
import { preparedIn } from '../ready.ts';
import { causeOf, whenFailed, type VerifyDeps } from './watch.ts';

const found = (facts: Partial<Diagnosis>): Diagnosis => ({
	...{ code: 'crash', message: 'It crashed.', log: [], mods: [] },
	...{ advice: 'Remove Ruin Keeper.', restartable: true },
	...facts
});

test('advice about the mods is kept apart, as they may be taken back', () => {
	expect(causeOf(found({}), null)).toMatchObject({
		message: 'It crashed.',
		advice: 'Remove Ruin Keeper.'
	});
	expect(causeOf(found({ code: 'unknown' }), null)).toHaveProperty('advice');
});

test('advice about the machine belongs to the message', () => {
	const full = found({ code: 'unknown', advice: 'Make room.', restartable: false });
	const port = found({ code: 'port', advice: 'Choose another port' });
	expect(causeOf(full, 'It did not stay up.')).toEqual({
		diagnosis: full,
		...{ message: 'It did not stay up. It crashed. Make room.', log: [], mods: [] }
	});
	expect(causeOf(port, null).message).toBe('It crashed. Choose another port.');
});

test('what ended in its first moment was not ready for 0 s', () => {
	const at = (ms: number) => ({ clock: { monotonicMs: () => ms } }) as VerifyDeps;
	expect(whenFailed(1000, at(1200))).toBe('It did not stay up: it crashed at once.');
	expect(whenFailed(1000, at(4000))).toBe('It did not stay up: it was ready for 3 s.');
	expect(whenFailed(null, at(4000))).toBeNull();
});

test.each([
	['[12:00:00] [Worker-Main-1/INFO]: Preparing spawn area: 0%', 0],
	['[12:00:00] [Worker-Main-1/INFO]: Preparing spawn area: 84%', 84],
	['[12:00:00] [Worker-Main-1/INFO]: Preparing spawn area: 100%', 99],
	['[12:00:00] [Server thread/INFO]: Time elapsed: 100 ms', null]
])('it is not told as complete before its ready line (%s)', (line, percent) => {
	expect(preparedIn(line)).toBe(percent);
});
