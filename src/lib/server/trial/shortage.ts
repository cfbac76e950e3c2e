import { errno } from '#core/errors';

const SHORT: Record<string, string> = {
	EMFILE: 'the dashboard has too many files open',
	ENFILE: 'too many files are open on this machine',
	EAGAIN: 'this machine cannot start any more processes',
	ENOMEM: 'this machine is short of memory'
};

/** What the machine is short of, in words; null for any other error. A shortage says nothing about the mods. */
export const shortage = (error: unknown): string | null => SHORT[errno(error) ?? ''] ?? null;
