import type { RequestEvent } from '@sveltejs/kit';
import { accepted } from '#core/http';
import { readerOf } from '#core/sse';

/**
 * The operation's events, as from its own address. It has begun, so nothing is refused any more: who has too many
 * streams open is told where to watch it.
 */
export async function streamOf(operation: { id: string }, event: RequestEvent): Promise<Response> {
	try {
		return await event.locals.app.live.watch(operation.id, readerOf(event));
	} catch (error) {
		if (error instanceof Error && 'kind' in error && error.kind === 'busy')
			return accepted(operation);
		throw error;
	}
}
