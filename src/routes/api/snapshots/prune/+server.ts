import { endpoint } from '#core/http';

export const POST = endpoint('POST /api/snapshots/prune', ({ body, locals }) =>
	locals.app.snapshots.prune(body.keep, locals.actor)
);
