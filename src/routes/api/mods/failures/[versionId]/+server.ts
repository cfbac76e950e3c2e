import { endpoint } from '#core/http';

export const DELETE = endpoint('DELETE /api/mods/failures/[versionId]', ({ params, locals }) =>
	locals.app.mods.forgetFailure(params.versionId, locals.actor)
);
