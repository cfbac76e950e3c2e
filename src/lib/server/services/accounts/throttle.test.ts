import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../../../tests/fakes/manual-clock.ts';
import { AppError } from '#core/errors';
import { createThrottle, type Throttle } from './throttle.ts';

const MINUTE_MS = 60_000;
let clock: ManualClock;
let throttle: Throttle;
beforeEach(() => {
	clock = createManualClock();
	throttle = createThrottle({ clock });
});

type Who = { account?: string; place?: string; stranger?: boolean; exists?: boolean };
const begin = ({
	account = 'ada',
	place = '192.0.2.1',
	stranger = true,
	exists = true
}: Who = {}) => throttle.begin({ account, place, stranger, exists });
/** The seconds to wait, or null when the attempt was let through (and failed). */
function fail(who: Who = {}): number | null {
	try {
		begin(who).failed();
		return null;
	} catch (error) {
		if (error instanceof AppError && error.kind === 'throttled') return error.retryAfterS;
		throw error;
	}
}
const times = (n: number) => Array.from({ length: n }, (_, i) => i);

describe('one place at one account', () => {
	test('has five tries a minute, then waits until the first has left the window', async () => {
		for (const i of times(5)) {
			expect(fail()).toBeNull();
			if (i < 4) await clock.advance(5_000);
		}
		expect(fail()).toBe(40);
		await clock.advance(39_000);
		expect(fail()).toBe(1);
		await clock.advance(1_000);
		expect(fail()).toBeNull();
		expect(fail()).toBe(5);
	});

	test('is not kept out longer by retrying while blocked', async () => {
		times(5).forEach(() => fail());
		for (let i = 0; i < 59; i++) {
			await clock.advance(1_000);
			expect(fail()).toBe(59 - i);
		}
		await clock.advance(1_000);
		expect(fail()).toBeNull();
	});

	test('has thirty tries an hour in total', async () => {
		let passed = 0;
		for (let minute = 0; minute < 59; minute++) {
			for (let i = 0; i < 6; i++) if (fail() === null) passed++;
			await clock.advance(MINUTE_MS);
		}
		expect(passed).toBe(30);
	});

	test('does not affect the other account and other places', () => {
		times(5).forEach(() => fail());
		expect(fail({ account: 'bob' })).toBeNull();
		expect(fail({ place: '192.0.2.2' })).toBeNull();
	});

	test('parallel tries count before any of them is decided', () => {
		const tries = times(5).map(() => begin());
		expect(() => begin()).toThrow(AppError);
		tries[0]!.abandoned();
		expect(fail()).toBeNull();
	});

	test('a right password clears the wrong ones before it', () => {
		times(4).forEach(() => fail());
		begin().succeeded();
		times(5).forEach(() => expect(fail()).toBeNull());
		expect(fail()).not.toBeNull();
	});

	test('a try that decided nothing does not count', () => {
		for (let i = 0; i < 100; i++) begin().abandoned();
		expect(fail()).toBeNull();
	});
});

describe('one place at many names', () => {
	test('has thirty tries a minute, and affects nobody else', async () => {
		for (const i of times(30)) expect(fail({ account: `name ${i}`, exists: false })).toBeNull();
		expect(fail({ account: 'another', exists: false })).toBe(60);
		for (let i = 0; i < 200; i++) fail({ account: `more ${i}`, exists: false });
		expect(fail({ place: '198.51.100.7' })).toBeNull();
	});

	test('may have only five tries in progress', () => {
		for (const i of times(5)) begin({ account: `name ${i}` });
		expect(() => begin({ account: 'another' })).toThrow(
			expect.objectContaining({ kind: 'busy', retryAfterS: 2 })
		);
		expect(() => begin({ account: 'another', place: '198.51.100.7' })).not.toThrow();
	});
});

describe('many places at one account', () => {
	test('five hundred strangers share ten tries an hour', async () => {
		let passed = 0;
		for (const i of times(500)) {
			if (fail({ place: `10.0.${i >> 8}.${i & 255}` }) === null) passed++;
			await clock.advance(7_000);
		}
		expect(passed).toBeLessThanOrEqual(10);
		await clock.advance(30 * MINUTE_MS);
		expect(fail({ place: '10.9.9.9' })).toBeNull();
	});

	test('known places can still log in, and so can the other account', () => {
		for (const i of times(100)) fail({ place: `10.0.0.${i}` });
		expect(fail({ place: '203.0.113.1' })).not.toBeNull();
		expect(fail({ place: '192.168.0.2', stranger: false })).toBeNull();
		expect(fail({ account: 'bob', place: '203.0.113.1' })).toBeNull();
	});

	test('one persistent stranger does not lock out the others', async () => {
		for (let i = 0; i < 120; i++) {
			fail();
			await clock.advance(10_000);
		}
		expect(fail({ place: '203.0.113.1' })).toBeNull();
	});

	test('cannot evict the limit of a real account with made-up names', () => {
		for (const i of times(10)) fail({ place: `10.0.0.${i}` });
		for (let i = 0; i < 20_000; i++)
			fail({
				account: `made up ${i}`,
				exists: false,
				place: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
			});
		expect(fail({ place: '203.0.113.1' })).not.toBeNull();
	});

	test('a made-up name is limited like a real one', () => {
		const answers = (exists: boolean) => {
			throttle = createThrottle({ clock });
			return times(20).map((i) => fail({ account: 'x', exists, place: `10.0.0.${i >> 1}` }));
		};
		expect(answers(false)).toEqual(answers(true));
	});
});
