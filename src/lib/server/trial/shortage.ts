import { errno } from '#core/errors';

const SHORT: Record<string, string> = {
	EMFILE: 'the dashboard has too many files open',
	ENFILE: 'too many files are open on this machine',
	EAGAIN: 'this machine lets no more processes be started',
	ENOMEM: 'this machine is short of memory'
};

/** What there is not enough of at the moment, in words; null when it is something else. It says nothing about any mod. */
export const shortage = (error: unknown): string | null => SHORT[errno(error) ?? ''] ?? null;
