import { vi } from 'vitest';

/** Passes as soon as it holds; the limit is for machines that are busy. */
export const soon = <T>(check: () => T | Promise<T>) =>
	vi.waitFor(check, { timeout: 15_000, interval: 5 });
