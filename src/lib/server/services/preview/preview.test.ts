import { expect, test, vi } from 'vitest';
import type { Status } from '#schemas/status';
import { createPreviews, PREVIEW_MS } from './index.ts';

const STATUS = {
	name: 'Castle',
	state: 'running',
	address: 'play.example.org',
	version: '1.21.1',
	players: { online: 3, max: 20, names: ['Steve'] },
	latencyMs: 4,
	reason: 'A secret.'
} as Status;

function setup() {
	let nowMs = 0;
	let status = STATUS;
	const asked = vi.fn(async () => status);
	const draw = vi.fn(async (facts: unknown) => Buffer.from(JSON.stringify(facts)));
	const error = vi.fn();
	const previews = createPreviews({
		status: asked,
		painter: { draw, fallback: async () => Buffer.from('fallback') },
		clock: { monotonicMs: () => nowMs },
		log: { error }
	});
	return {
		...{ previews, asked, draw, error },
		later: (ms: number) => (nowMs += ms),
		becomes: (change: Partial<Status>) => (status = { ...status, ...change })
	};
}
const text = async (picture: Promise<{ bytes: Buffer }>) => (await picture).bytes.toString();

test('however many ask, it is looked up and drawn once in 60 seconds', async () => {
	const { previews, asked, draw, later, becomes } = setup();
	const many = await Promise.all(Array.from({ length: 100 }, () => previews.get()));
	expect(new Set(many).size).toBe(1);
	becomes({ state: 'stopped' });
	later(PREVIEW_MS - 1);
	expect(await text(previews.get())).toContain('running');
	expect([asked.mock.calls.length, draw.mock.calls.length]).toEqual([1, 1]);
	later(1);
	expect(await text(previews.get())).toContain('stopped');
	expect([asked.mock.calls.length, draw.mock.calls.length]).toEqual([2, 2]);
});

test('a picture that looks the same is not drawn again, and keeps its tag', async () => {
	const { previews, asked, draw, later, becomes } = setup();
	const { etag } = await previews.get();
	becomes({ latencyMs: 99, checkedAt: 'later', tps: 3 });
	later(PREVIEW_MS);
	expect((await previews.get()).etag).toBe(etag);
	expect([asked.mock.calls.length, draw.mock.calls.length]).toEqual([2, 1]);
	expect(etag).toMatch(/^"[\w-]{22}"$/);
});

test('the picture shows nothing that the public page does not show', async () => {
	const shown = await text(setup().previews.get());
	for (const secret of ['Steve', 'secret', 'latency']) expect(shown).not.toContain(secret);
});

test('one that cannot be drawn is replaced, reported in the log, and tried again after 60 seconds', async () => {
	const { previews, draw, error, later } = setup();
	draw.mockRejectedValueOnce(new Error('boom'));
	expect(await text(previews.get())).toBe('fallback');
	expect(await text(previews.get())).toBe('fallback');
	expect([draw.mock.calls.length, error.mock.calls.length]).toEqual([1, 1]);
	later(PREVIEW_MS);
	expect(await text(previews.get())).toContain('Castle');
});

test('closing aborts the drawing silently', async () => {
	const { previews, draw, error } = setup();
	const begun = Promise.withResolvers<void>();
	(draw as ReturnType<typeof vi.fn>).mockImplementation(
		(_facts: unknown, signal: AbortSignal) =>
			new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason));
				begun.resolve();
			})
	);
	const waiting = previews.get();
	await begun.promise;
	await previews.close();
	expect(await text(waiting)).toBe('fallback');
	expect(error).not.toHaveBeenCalled();
});
