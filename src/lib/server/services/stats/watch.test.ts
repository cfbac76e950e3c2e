import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import { createStatsWatch } from './watch.ts';

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';

test('players are sampled once a minute while somebody plays, and not after the end', async () => {
	const clock = createManualClock();
	let playing: { uuid: string | null }[] = [];
	const sample = vi.fn(async () => {});
	const error = vi.fn();
	let answer: () => Promise<null> = async () => null;
	const watch = createStatsWatch({
		stats: { sample },
		online: () => playing,
		places: () => answer(),
		clock,
		log: { error }
	});
	watch.start();
	await clock.advance(120_000);
	expect(sample).not.toHaveBeenCalled();
	playing = [{ uuid: UUID }, { uuid: null }];
	await clock.advance(60_000);
	expect(sample).toHaveBeenCalledTimes(1);
	answer = async () => {
		throw new AppError('offline', 'Off.');
	};
	await clock.advance(60_000);
	expect(sample).toHaveBeenCalledTimes(1);
	expect(error).not.toHaveBeenCalled();
	answer = async () => null;
	await clock.advance(60_000);
	expect(sample).toHaveBeenCalledTimes(2);
	watch.close();
	await clock.advance(600_000);
	expect(sample).toHaveBeenCalledTimes(2);
});
