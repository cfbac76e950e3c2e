import { endpoint } from '#core/http';

export const POST = endpoint(
	'POST /api/software/plan',
	async ({ body, file, fields, locals: { app } }) => ({
		plan: file ? await app.software.planUpload(file, fields) : await app.software.plan(body!)
	})
);
