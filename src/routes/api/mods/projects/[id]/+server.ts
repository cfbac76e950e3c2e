import { ProjectRef } from '$lib/schemas/mod';
import { endpoint, parseParams } from '#core/http';

export const GET = endpoint(async ({ locals, params }) => ({
	project: await locals.app.mods.project(parseParams(ProjectRef, params).id)
}));
