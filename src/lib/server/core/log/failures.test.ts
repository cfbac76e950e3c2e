import { expect, test } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '../errors.ts';
import { createFailures } from './failures.ts';

function setup() {
	const clock = createManualClock();
	const logged: Record<string, unknown>[] = [];
	const error = (message: string, facts = {}) => void logged.push({ message, ...facts });
	const failures = createFailures({ log: { info() {}, warn() {}, error }, clock });
	return { clock, logged, failures };
}
const broken = (what: string) => new TypeError(`Cannot read ${what}`);

test('a repeated one is counted, under the id of the first, whatever its message contains', async () => {
	const { clock, logged, failures } = setup();
	const ids = Array.from({ length: 5000 }, (_, i) =>
		failures.report('Unexpected error', { path: `/${i}`, cause: broken(`field ${i}`) })
	);
	const [id] = ids;
	expect(new Set(ids)).toEqual(new Set([id]));
	expect(logged).toEqual([
		{ message: 'Unexpected error', id, path: '/0', cause: broken('field 0') }
	]);
	await clock.advance(60_000);
	expect(logged.slice(1)).toEqual([
		{ message: 'Unexpected error: again within a minute', id, count: 4999, path: '/4999' }
	]);
});

test('another place, another reason or another cause is another failure', () => {
	const { logged, failures } = setup();
	const disk = (code: string) => Object.assign(new Error('the disk'), { code, stack: '' });
	const causes = [
		...['ENOSPC', 'EACCES'].map((code) => new AppError('internal', 'x', { cause: disk(code) })),
		broken('a'),
		broken('a'),
		'a text'
	];
	const ids = causes.map((cause) => failures.report('Something failed', { cause }));
	expect(new Set(ids).size).toBe(5);
	expect(logged).toHaveLength(5);
});

test('counted ones are logged at the end', () => {
	const { logged, failures } = setup();
	for (let i = 0; i < 3; i++) failures.report('Unexpected error', { cause: broken('a') });
	failures.close();
	expect(logged).toHaveLength(2);
	expect(logged[1]).toMatchObject({ count: 2 });
});
