import { afterEach, expect, test } from 'vitest';
import { startFakeRcon, type FakeRcon } from '../../../../../tests/fakes/game/rcon.ts';
import { systemClock } from '#core/clock';
import { connectRcon } from './connection.ts';

let fake: FakeRcon;
afterEach(() => fake.close());

const LIMITS = { timeoutMs: 2_000, quietMs: null };

test('a command that could not be written because of a reset is known not to have run', async () => {
	fake = await startFakeRcon();
	const connection = await connectRcon(fake.address, LIMITS, systemClock);
	fake.drop('rst');
	const answer = connection.exchange('op Steve', LIMITS);
	await expect(answer).rejects.toMatchObject({ reason: 'lost', sent: false });
	await expect(connection.exchange('op Steve', LIMITS)).rejects.toMatchObject({ sent: false });
	expect(fake.commands).toEqual([]);
});

test('the end of a long answer is found with a harmless command, never with a packet that makes some servers hang up', async () => {
	fake = await startFakeRcon({
		answer: (line) => (line === 'help' ? 'x'.repeat(8192) : undefined)
	});
	const connection = await connectRcon(fake.address, LIMITS, systemClock);
	expect(await connection.exchange('help', LIMITS)).toBe('x'.repeat(8192));
	expect(fake.commands).toEqual(['help', 'list']);
	expect(fake.requests.map(({ type }) => type)).toEqual([3, 2, 2]);
	connection.destroy();
	expect(connection.open).toBe(false);
});

test('an answer one unit shorter than a full fragment is complete, and costs no extra command', async () => {
	fake = await startFakeRcon({ answer: () => 'x'.repeat(4095) });
	const connection = await connectRcon(fake.address, LIMITS, systemClock);
	expect(await connection.exchange('help', LIMITS)).toHaveLength(4095);
	expect(fake.commands).toEqual(['help']);
	connection.destroy();
});
