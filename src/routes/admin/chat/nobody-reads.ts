import type { Status } from '$lib/schemas/status';

/** Why nobody is there to read what is sent; null while somebody may be. */
export function nobodyReads({ state, hanging }: Pick<Status, 'state' | 'hanging'>): string | null {
	if (state === 'starting') return 'The server is starting: nobody is there to read it yet.';
	// It has not ended: its players may still be connected.
	if (state === 'stopping')
		return hanging
			? 'The server is stopping and does not answer.'
			: 'The server is stopping: nothing can be sent now.';
	if (state === 'stopped' || state === 'crashed')
		return 'The server is not running: nobody is there to read it.';
	return null;
}
