import { describe, expect, test } from 'vitest';
import { systemClock } from '#core/clock';
import { createGate, DOWNLOADS_MAX, SHARED_BYTES_PER_S } from './gate.ts';

describe('the gate of downloads', () => {
	const gateAt = (online: number | null) => {
		let nowMs = 0;
		const clock = {
			...systemClock,
			monotonicMs: () => nowMs,
			sleep: async (ms: number) => void (nowMs += ms)
		};
		const gate = createGate({ playersOnline: async () => online, clock });
		return { gate, passed: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
	};
	test('limits the rate of all together while somebody plays, and does not otherwise', async () => {
		const busy = gateAt(2);
		const turns = [busy.gate.enter(), busy.gate.enter()];
		for (let i = 0; i < 8; i++) await turns[i % 2]!.take(SHARED_BYTES_PER_S / 4);
		expect(busy.passed()).toBeCloseTo(2000);
		for (const online of [0, null]) {
			const free = gateAt(online);
			await free.gate.enter().take(1 << 30);
			expect(free.passed()).toBe(0);
		}
	});
	test('replaces one that has stalled', async () => {
		const { gate, pass } = gateAt(0);
		const turns = Array.from({ length: DOWNLOADS_MAX }, () => gate.enter());
		expect(() => gate.check()).toThrow('downloaded already');
		pass(121_000);
		gate.check();
		await expect(turns[0]!.take(1)).rejects.toThrow('stood still');
	});
});
