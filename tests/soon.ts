import { vi } from 'vitest';

/** Passes as soon as the check holds; the limit is for busy machines. */
export const soon = <T>(check: () => T | Promise<T>) =>
	vi.waitFor(check, { timeout: 15_000, interval: 5 });
