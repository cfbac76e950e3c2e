import { endpoint } from '#core/http';

export const GET = endpoint('GET /api/backups/[id]', async ({ locals, params, request }) => {
	const asked = {
		range: request.headers.get('range'),
		ifRange: request.headers.get('if-range')
	};
	const { backups } = locals.app;
	const { stream, status, headers } = await backups.download(params.id, asked, locals.actor);
	return new Response(stream, { status, headers });
});

export const PATCH = endpoint('PATCH /api/backups/[id]', async ({ params, body, locals }) => ({
	backup: await locals.app.backups.change(params.id, body, locals.actor)
}));

export const DELETE = endpoint('DELETE /api/backups/[id]', ({ params, locals }) =>
	locals.app.backups.remove(params.id, locals.actor)
);
