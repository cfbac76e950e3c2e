import { layout } from '#core/http';

export const load = layout(async ({ locals, depends }) => {
	depends('server:setup');
	const [status, unready] = await Promise.all([
		locals.app.status.get(),
		locals.app.firstRun.unready()
	]);
	return { status, unready };
});
